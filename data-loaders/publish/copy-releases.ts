// Copies the published data of one store to another (docs/operating/cosmos-db.md, ADR 0042). Each release is copied and
// compared with its original. Then the catalog state is published in one step, so that both stores have the same data
// version.

import { openEntry } from '../../shared/search/index/open-release';
import { buildCatalogState, type CatalogEntry, type CatalogState } from '../../shared/store/catalog-types';
import { withPatience } from '../../shared/store/deadline';
import type { ReleaseReader, ReleaseWriter, Store } from '../../shared/store/port';
import { describeUnreadable, findReleaseFault, findUnreadable } from '../../shared/store/readable-releases';
import { failure, type Result, success } from '../../shared/values/result';
import type { LoadProgress } from '../stage/progress';
import { type Digests, FullReleaseDigest } from './full-digest';
import { readItems, writeItem } from './release-items';

export interface CopyInput {
  readonly from: Store;
  readonly to: Store;
  readonly progress: LoadProgress;
  readonly now: () => Date;
}

export interface CopyResult {
  readonly version: string;
  readonly copied: readonly CatalogEntry[];
  /** Releases that already existed in the target store, from an earlier copy or a load of the same data. */
  readonly alreadyPresent: readonly CatalogEntry[];
}

/** The cause of a state that a copy published. The next copy may replace such a state. */
const COPY = 'copy';

/**
 * Limits the retries: a janitor can delete an old release in the target store before the state that refers to it is
 * published.
 */
const MAX_ATTEMPTS = 3;

/**
 * After this number of items, the reader waits for the writer, so that a slow target store does not fill the memory.
 */
const ITEMS_BETWEEN_DRAINS = 1000;

/** If the copy fails, releases that were already copied are kept, and the next copy continues from there. */
export function copyReleases(input: CopyInput): Promise<Result<CopyResult>> {
  return withPatience(() => copyAndPublish(input));
}

async function copyAndPublish(input: CopyInput): Promise<Result<CopyResult>> {
  const { from, to, now } = input;
  const state = await from.currentState();
  if (state.entries.length === 0) return failure('nothing is published in the source store');
  const [unreadable] = await findUnreadable(from, state.entries, 'full');
  if (unreadable !== undefined) return failure(`${describeUnreadable(unreadable)}; run: npm run releases -- rebuild`);
  const copied = new Map<string, CatalogEntry>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const previous = await to.currentState();
    if (!canReplace(previous, state)) return failure(describeOtherData(previous));
    const writers: ReleaseWriter[] = [];
    try {
      for (const entry of state.entries) {
        if ((await findReleaseFault(to, entry.releaseId, 'full')) === undefined) continue;
        writers.push(await copyRelease(entry, input));
        copied.set(entry.releaseId, entry);
      }
      if (previous.version !== state.version) {
        const next = buildCatalogState(state.entries, now().toISOString(), COPY);
        if ((await to.publish(previous.version, next)) === 'conflict') {
          return failure('something else was just published in the target store; copy again');
        }
      }
    } finally {
      for (const writer of writers) await writer.abandon();
    }
    if ((await findUnreadable(to, state.entries, 'full')).length === 0) {
      const alreadyPresent = state.entries.filter(({ releaseId }) => !copied.has(releaseId));
      return success({ version: state.version, copied: [...copied.values()], alreadyPresent });
    }
  }
  throw new Error('copied releases keep being deleted from the store; check the settings of its janitor');
}

/** Returns the writer that finished the release. The release is not deleted until the writer is abandoned. */
async function copyRelease(entry: CatalogEntry, { from, to, progress }: CopyInput): Promise<ReleaseWriter> {
  const source = await openEntry(from, entry);
  const { facts } = source;
  const name = `${entry.organizationUuid} ${entry.dataSet}`;
  progress.startStage(`copying ${name}`, facts.records);
  const writer = await to.startRelease();
  try {
    const read = await digestRelease(source, progress, writer);
    if (read.releaseId !== facts.releaseId)
      throw new Error(`the release of ${name} contains data that does not match its name`);
    await writer.finish(facts);
    progress.startStage(`comparing ${name}`, facts.records);
    const target = await openEntry(to, entry);
    const { full } = await digestRelease(target, progress);
    if (full !== read.full || JSON.stringify(target.facts) !== JSON.stringify(facts)) {
      await writer.abandon();
      await to.deleteRelease(facts.releaseId);
      throw new Error(`the copy of ${name} differs from the release; it was deleted`);
    }
    return writer;
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    progress.done();
  }
}

/** Reads a whole release, and writes it to `writer` if there is one. */
async function digestRelease(reader: ReleaseReader, progress: LoadProgress, writer?: ReleaseWriter): Promise<Digests> {
  const digest = new FullReleaseDigest(reader.facts);
  let itemCount = 0;
  for await (const item of readItems(reader)) {
    if (item.kind === 'record') progress.step();
    digest.add(item);
    if (writer === undefined) continue;
    writeItem(writer, item);
    itemCount++;
    if (itemCount % ITEMS_BETWEEN_DRAINS === 0) await writer.drain();
  }
  return digest.finish();
}

/**
 * Whether a copy may replace the target's state: it is empty, has only samples, has the same version, or came from a
 * copy.
 */
function canReplace({ version, entries, cause }: CatalogState, next: CatalogState): boolean {
  return version === next.version || cause === COPY || entries.every(({ isSample }) => isSample);
}

function describeOtherData({ version, entries }: CatalogState): string {
  const names = entries.map(({ organizationUuid, dataSet }) => `${organizationUuid} ${dataSet}`).join(', ');
  return `the target store publishes data of its own (data version ${version}: ${names}); withdraw them there first`;
}
