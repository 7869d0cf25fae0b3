// `npm run releases`: lists what is published, goes back to a former release, takes a data set out, makes releases anew
// in this program's format, and copies from one store to the other.

// First, because it starts the program anew.
import './restart-with-memory-settings';
import { rollBack, withdraw } from '../data-loaders/manage-releases';
import type { DataSetName } from '../shared/store/catalog-types';
import { copyFiles, makeMissingFiles } from '../data-loaders/publish/make-files';
import { copyKeys, copyReleases } from '../data-loaders/publish/copy-releases';
import { terminalProgress } from '../data-loaders/stage/progress';
import { openDownloads, openStore } from '../shared/open-store';
import { DATA_SET_KINDS, isDataSetKind } from '../shared/records/data-sets';
import type { DownloadFiles } from '../shared/store/download-files';
import type { Store } from '../shared/store/port';
import { commandSettings, notDone, runCommand, UsageError, type ExitCode } from './command';
import { listReleases, publishedStates } from './releases-list';
import { rebuildAll } from './releases-rebuild';

const USAGE = `Usage: npm run releases -- list [--json] | rollback ORGANIZATION DATASET [RELEASE] | withdraw ORGANIZATION DATASET | rebuild
       npm run releases -- files
       npm run releases -- copy --from embedded|cosmos --to cosmos|embedded [--keys]
  list      what is published now and the states before it: who submitted it, when, how many records
  --json    list as JSON
  rollback  makes the former release of a data set current again, or the one that is named
  withdraw  takes a data set out
  rebuild   makes releases of an older format, and damaged ones, anew from their kept source rows; ended early, it goes
            on where it was when it is run again
  files     makes the files of current releases that can be downloaded whole (GET /v1/Downloads) and are not there yet;
            the service does it by itself, a minute after a publish
  copy      publishes in one store what is published in the other: WATER_DATA_DIR and COSMOS_ENDPOINT say where they are
  --keys    copies the access keys, too
  DATASET   ${DATA_SET_KINDS.join(', ')}`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  from: { type: 'string' },
  to: { type: 'string' },
  keys: { type: 'boolean', default: false },
} as const;

void runCommand({ usage: USAGE, options: OPTIONS, mostOperands: 4 }, async ({ values, positionals }) => {
  const [command, organization, dataSet, releaseId] = positionals;
  const { from, to, keys, json } = values;
  if (command === 'copy' && organization === undefined && !json) return copyBetweenStores(from, to, keys);
  if (from !== undefined || to !== undefined || keys) throw new UsageError(USAGE);
  const settings = commandSettings();
  const store = openStore(settings);
  try {
    if (command === 'list' && organization === undefined) return await list(store, json);
    if (json) throw new UsageError(USAGE);
    if (command === 'rebuild' && organization === undefined) return await rebuildAll(store, settings);
    if (command === 'files' && organization === undefined) return await makeFiles(store, openDownloads(settings));
    if (command === 'withdraw' && releaseId === undefined) {
      return await change(store, command, dataSetOf(organization, dataSet));
    }
    if (command === 'rollback') return await change(store, command, dataSetOf(organization, dataSet), releaseId);
    throw new UsageError(USAGE);
  } finally {
    await store.close();
  }
});

async function list(store: Store, asJson: boolean): Promise<ExitCode> {
  const states = publishedStates(await store.history());
  console.log(asJson ? JSON.stringify(states, null, 2) : listReleases(states));
  return 0;
}

async function makeFiles(store: Store, files: DownloadFiles): Promise<ExitCode> {
  const progress = terminalProgress(process.stderr, () => performance.now());
  const made = await makeMissingFiles({ store, files, progress, isToStop: () => false });
  for (const { organizationUuid, dataSet, releaseId, records } of made) {
    const sizes = ((await files.find(releaseId)) ?? []).map(
      ({ name, bytes }) => `${name} ${bytes.toLocaleString('en-US')} bytes`,
    );
    console.log(`${organizationUuid} ${dataSet} (${records} records): ${sizes.join(', ')}`);
  }
  if (made.length === 0) console.log('Every current release that can be read has its files.');
  return 0;
}

async function change(
  store: Store,
  command: 'rollback' | 'withdraw',
  name: DataSetName,
  wanted?: string,
): Promise<ExitCode> {
  const at = new Date().toISOString();
  const done = await (command === 'rollback' ? rollBack(store, name, at, wanted) : withdraw(store, name, at));
  if (!done.ok) return notDone(`Not done: ${done.problem}.`);
  const { releaseId, records } = done.value;
  const what = command === 'rollback' ? 'is current again' : 'is withdrawn';
  console.log(`Release ${releaseId} of ${name.organizationUuid} ${name.dataSet} (${records} records) ${what}.`);
  return 0;
}

/** Copies from one store to the other; each is opened by its own settings. */
async function copyBetweenStores(from: string | undefined, to: string | undefined, keys: boolean): Promise<ExitCode> {
  const isPair = (from === 'embedded' && to === 'cosmos') || (from === 'cosmos' && to === 'embedded');
  if (!isPair) throw new UsageError(USAGE);
  const [here, there] = [commandSettings({ WATER_STORE: from }), commandSettings({ WATER_STORE: to })];
  const source = openStore(here);
  const target = openStore(there);
  try {
    const exitCode = await copy(source, target, keys);
    if (exitCode !== 0) return exitCode;
    const { entries } = await target.currentState();
    const files = await copyFiles(openDownloads(here), openDownloads(there), entries);
    if (files > 0) console.log(`Files of ${files} releases were copied, too.`);
    return exitCode;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function copy(from: Store, to: Store, withKeys: boolean): Promise<ExitCode> {
  const progress = terminalProgress(process.stderr, () => performance.now());
  const done = await copyReleases({ from, to, progress, now: () => new Date() });
  if (!done.ok) return notDone(`Not copied: ${done.problem}.`);
  const { copied, wereThere, version } = done.value;
  const records = copied.reduce((sum, entry) => sum + entry.records, 0);
  const others = wereThere.length === 0 ? '' : ` ${wereThere.length} were there.`;
  const what = `${copied.length} releases (${records.toLocaleString('en-US')} records)`;
  console.log(`Copied ${what} and compared them.${others}`);
  console.log(`Data version ${version} is published in both stores.`);
  if (!withKeys) {
    console.log('Keys were not copied: add --keys, or issue new ones.');
    return 0;
  }
  const keys = await copyKeys(from, to);
  console.log(`Keys added: ${keys.added}; ended as in the other store: ${keys.ended}.`);
  return 0;
}

function dataSetOf(organizationUuid: string | undefined, dataSet: string | undefined): DataSetName {
  if (organizationUuid === undefined || dataSet === undefined) throw new UsageError(USAGE);
  if (!isDataSetKind(dataSet)) throw new UsageError(`${dataSet} is not a data set: ${DATA_SET_KINDS.join(', ')}.`);
  return { organizationUuid, dataSet };
}
