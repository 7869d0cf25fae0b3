// Copies what is published in one store to another (docs/operating.md, ADR 0042): release by release, each complete
// and compared with its original, then the catalog state in one step, so that both stores have the same data version.

import { hash } from 'node:crypto';
import { expireKey, limitKey, revokeKey } from '../../shared/access/access-keys';
import { openEntry } from '../../shared/search/index/open-release';
import { listArtifactNames, type WrittenArtifact } from '../../shared/store/artifacts';
import {
  buildCatalogState,
  type CatalogEntry,
  type CatalogState,
  type KeyRecord,
} from '../../shared/store/catalog-types';
import { withPatience } from '../../shared/store/deadline';
import type { ReleaseFacts, ReleasePart, ReleaseReader, ReleaseWriter, Store } from '../../shared/store/port';
import { describeUnreadable, findReleaseFault, findUnreadable } from '../../shared/store/readable-releases';
import type { KeyStore } from '../../shared/store/service-documents';
import { failure, type Result, success } from '../../shared/values/result';
import { ReleaseDigest } from '../build/release-digests';
import type { LoadProgress } from '../stage/progress';

export interface CopyInput {
  readonly from: Store;
  readonly to: Store;
  readonly progress: LoadProgress;
  readonly now: () => Date;
}

export interface CopyResult {
  readonly version: string;
  readonly copied: readonly CatalogEntry[];
  /** Releases that the store had already, from an earlier copy or a load of the same data. */
  readonly alreadyPresent: readonly CatalogEntry[];
}

/** The cause of a state that a copy published; the next copy may replace it. */
const COPY = 'copy';

/** A janitor can delete a release that was there before the state that names it is published; then we copy again. */
const MAX_ATTEMPTS = 3;

/** After so many pieces the reading waits for the writer, so that a slower store does not fill the memory. */
const ITEMS_BETWEEN_DRAINS = 1000;

/** Releases that were copied stay when it fails, and the next copy goes on from there. */
export function copyReleases(input: CopyInput): Promise<Result<CopyResult>> {
  return withPatience(() => copyAndPublish(input));
}

async function copyAndPublish(input: CopyInput): Promise<Result<CopyResult>> {
  const { from, to, now } = input;
  const state = await from.currentState();
  if (state.entries.length === 0) return failure('nothing is published in the store to copy from');
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
          return failure('something else was published in the store to copy to at this moment; copy again');
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
  throw new Error('releases that were copied keep being deleted from the store; is its janitor set right?');
}

/**
 * Copies the keys. A key of both stores ends in the second when it ends in the first, and gets its limits. Returns how
 * many keys were added and how many now end, or end earlier.
 */
export async function copyKeys(from: Store, to: Store): Promise<{ readonly added: number; readonly ended: number }> {
  const targetKeys = new Map((await to.keys.list()).map((key) => [key.id, key]));
  let added = 0;
  let ended = 0;
  for (const key of await from.keys.list()) {
    const previous = targetKeys.get(key.id);
    if (previous === undefined) {
      await to.keys.add(key);
      added++;
    } else if (previous.hash === key.hash) {
      if (await copyKeyEnd(key, previous, to.keys)) ended++;
      await limitKey(to.keys, key.id, key);
    }
  }
  return { added, ended };
}

/** Lets `key` end when `original` does, if that is earlier; returns whether it was. */
async function copyKeyEnd({ revokedAt, expiresAt }: KeyRecord, key: KeyRecord, keys: KeyStore): Promise<boolean> {
  const isRevoked = revokedAt !== null && key.revokedAt === null;
  const isShorter = expiresAt !== null && (key.expiresAt === null || expiresAt < key.expiresAt);
  if (isRevoked) await revokeKey(keys, key.id, revokedAt);
  if (isShorter) await expireKey(keys, key.id, expiresAt);
  return isRevoked || isShorter;
}

/** Returns the writer that finished the release and protects it from being deleted until it is abandoned. */
async function copyRelease(entry: CatalogEntry, { from, to, progress }: CopyInput): Promise<ReleaseWriter> {
  const source = await openEntry(from, entry);
  const { facts } = source;
  const name = `${entry.organizationUuid} ${entry.dataSet}`;
  progress.startStage(`copying ${name}`, facts.records);
  const writer = await to.startRelease();
  try {
    const read = await digestRelease(source, progress, writer);
    if (read.releaseId !== facts.releaseId)
      throw new Error(`the release of ${name} holds other data than its name says`);
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

/** Reads a release whole, and writes it to `writer` if there is one. */
async function digestRelease(reader: ReleaseReader, progress: LoadProgress, writer?: ReleaseWriter): Promise<Digests> {
  const digest = new FullReleaseDigest(reader.facts);
  let itemCount = 0;
  for await (const item of readItems(reader)) {
    if (item.kind === 'record') progress.step();
    digest.add(item);
    if (writer === undefined) continue;
    writeItem(writer, item);
    if (++itemCount % ITEMS_BETWEEN_DRAINS === 0) await writer.drain();
  }
  return digest.finish();
}

/** A copy replaces nothing, samples, the same version, or what a former copy brought. */
function canReplace({ version, entries, cause }: CatalogState, next: CatalogState): boolean {
  return version === next.version || cause === COPY || entries.every(({ isSample }) => isSample);
}

function describeOtherData({ version, entries }: CatalogState): string {
  const names = entries.map(({ organizationUuid, dataSet }) => `${organizationUuid} ${dataSet}`).join(', ');
  return `the store to copy to publishes data of its own (data version ${version}: ${names}); withdraw them there first`;
}

/** A piece of what a release holds, as the reader of one store gives it and the writer of another takes it. */
type ReleaseItem =
  | ReleasePart
  | { readonly kind: 'artifact'; readonly name: WrittenArtifact; readonly content: Uint8Array }
  | { readonly kind: 'source'; readonly file: string; readonly content: Uint8Array };

async function* readItems(reader: ReleaseReader): AsyncIterable<ReleaseItem> {
  yield* reader.parts();
  for (const name of listArtifactNames(reader.facts.dataSet, reader.facts.records)) {
    const content = await reader.artifact(name);
    if (content !== undefined) yield { kind: 'artifact', name, content };
  }
  for await (const { name: file, pieces } of reader.sourceFiles()) {
    for await (const content of pieces()) yield { kind: 'source', file, content };
  }
}

function writeItem(writer: ReleaseWriter, item: ReleaseItem): void {
  switch (item.kind) {
    case 'record':
      writer.addFragment('records', item.json, item.references);
      return;
    case 'lookups':
    case 'geometries':
    case 'places':
    case 'names':
      writer.addFragment(item.kind, item.content);
      return;
    case 'posting':
      writer.addPosting(item.term, item.content);
      return;
    case 'artifact':
      writer.addArtifact(item.name, [item.content]);
      return;
    case 'source':
      writer.addSourcePiece(item.file, item.content);
  }
}

/** `releaseId` is the name that the content gives the release; `whole` covers everything. */
interface Digests {
  readonly releaseId: string;
  readonly full: string;
}

const DIGEST_BYTES = 32;

/** The digest of everything that a release holds, so that a copy can be compared with its original. */
class FullReleaseDigest {
  private readonly content: ReleaseDigest;
  /** The XOR of the digests of all pieces, whatever their order: each store gives posting lists in its own. */
  private readonly sum = Buffer.alloc(DIGEST_BYTES);
  /** How many pieces of each series there were. */
  private readonly counts = new Map<string, number>();

  constructor(facts: ReleaseFacts) {
    this.content = new ReleaseDigest(facts);
  }

  add(item: ReleaseItem): void {
    if (item.kind === 'lookups') this.content.addLookup(item.content);
    if (item.kind === 'record') this.content.addRecord(item.json, item.references);
    const series = item.kind === 'source' ? `source ${item.file}` : item.kind;
    const number = this.counts.get(series) ?? 0;
    this.counts.set(series, number + 1);
    const name = `${series} ${getItemName(item, number)}`;
    const bytes = item.kind === 'record' ? item.json : item.content;
    const digest = hash('sha256', `${name}\n${hash('sha256', bytes)}`, 'buffer');
    for (let offset = 0; offset < DIGEST_BYTES; offset += 4) {
      this.sum.writeInt32LE(this.sum.readInt32LE(offset) ^ digest.readInt32LE(offset), offset);
    }
  }

  finish(): Digests {
    return {
      releaseId: this.content.finish(),
      full: `${[...this.counts.values()].join()} ${this.sum.toString('hex')}`,
    };
  }
}

/** Tells a piece from the others of its series: posting lists and artifacts by name, whatever their order. */
function getItemName(item: ReleaseItem, number: number): string {
  if (item.kind === 'posting') return item.term;
  if (item.kind === 'artifact') return item.name;
  return item.kind === 'record' ? `${number} ${item.references.join()}` : String(number);
}
