// `npm run releases -- copy`: from one store to the other, each opened by its own settings.

import { copyKeys, copyReleases } from '../data-loaders/publish/copy-releases';
import { terminalProgress } from '../data-loaders/stage/progress';
import { openStore } from '../shared/open-store';
import type { Store } from '../shared/store/port';
import type { StoreLocation } from '../shared/store-location';
import { commandSettings, UsageError, type ExitCode } from './command';

type StoreKind = StoreLocation['kind'];

export interface CopyOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly keys: boolean;
}

export async function copyBetweenStores(options: CopyOptions, usage: string): Promise<ExitCode> {
  const [from, to] = [kindOf(options.from), kindOf(options.to)];
  if (from === undefined || to === undefined || from === to) throw new UsageError(usage);
  const stores: Store[] = [];
  try {
    for (const kind of [from, to]) stores.push(openStore(commandSettings({ WATER_STORE: kind })));
    const [source, target] = stores;
    if (source === undefined || target === undefined) throw new UsageError(usage);
    return await copy(source, target, options.keys);
  } finally {
    for (const store of stores) await store.close();
  }
}

async function copy(from: Store, to: Store, withKeys: boolean): Promise<ExitCode> {
  const progress = terminalProgress(process.stderr, () => performance.now());
  const done = await copyReleases({ from, to, progress, now: () => new Date() });
  if (!done.ok) {
    console.error(`Not copied: ${done.problem}.`);
    return 1;
  }
  const { copied, wereThere, version } = done.value;
  const records = copied.reduce((sum, entry) => sum + entry.records, 0);
  const others = wereThere.length === 0 ? '' : ` ${wereThere.length} were there.`;
  console.log(
    `Copied ${copied.length} releases (${records.toLocaleString('en-US')} records) and compared them.${others}`,
  );
  console.log(`Data version ${version} is published in both stores.`);
  if (!withKeys) {
    console.log('Keys were not copied: add --keys, or issue new ones.');
    return 0;
  }
  const keys = await copyKeys(from, to);
  console.log(`Keys added: ${keys.added}; ended as in the other store: ${keys.ended}.`);
  return 0;
}

function kindOf(text: string | undefined): StoreKind | undefined {
  return text === 'embedded' || text === 'cosmos' ? text : undefined;
}
