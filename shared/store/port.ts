// The store port: all that the service asks of a store. Two adapters implement it (design.md, section 7) and one contract
// suite runs on both. No query language crosses it: named artifacts, posting lists by term, fragments by number, records
// by number, a catalog with one conditional pointer, and keys.

import type { DataSetKind } from '../records/data-sets';
import type { LookupKind } from '../records/lookups';
import type { Organization } from '../records/organization';
import type { CatalogState, KeyLimits, KeyRecord, KeyUse } from './catalog-types';

/** Pieces of a release that are written and read by name. */
export const ARTIFACTS = [
  ...(['periods', 'publications', 'places', 'vocabulary'] as const),
  ...(['fingerprints', 'totals', 'positions'] as const),
] as const;

export type ArtifactName = 'facts' | (typeof ARTIFACTS)[number];

/** Of everything that a release holds; it is part of the release's name. A new one needs `npm run releases -- rebuild`. */
export const FORMAT_VERSION = 3;

/** Texts and blobs of a release that are numbered from zero and read by number. */
export type FragmentFamily = 'lookups' | 'geometries';

export interface ReleaseFacts {
  readonly releaseId: string;
  readonly formatVersion: number;
  readonly organization: Organization;
  readonly dataSet: DataSetKind;
  readonly records: number;
  /** How many lookups of each kind, in the order in which the release numbers them. */
  readonly lookups: readonly { readonly kind: LookupKind; readonly count: number }[];
  /** First and last effective day (D7) as YYYY-MM-DD; null when no record has one. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** The latest publication date of a record as YYYY-MM-DD; null when none has one. */
  readonly lastPublicationDay: string | null;
}

/** Some fragments of a release in the order of their numbers, as one JSON text: joined with commas. */
export interface JoinedFragments {
  readonly byteLength: number;
  /** Writes them to `target`, which has room for `byteLength` bytes from `offset` on; throws ReleaseGoneError as a reader does. */
  copyTo(target: Uint8Array, offset: number): void;
}

/** A page's records of one release, in order, and the lookups that they refer to. */
export interface RecordSlices extends JoinedFragments {
  /** Numbers of the lookups referred to, ascending, each once. */
  readonly references: Uint32Array;
}

export interface ReleaseReader {
  readonly facts: ReleaseFacts;
  artifact(name: ArtifactName): Promise<Uint8Array | undefined>;
  /** Serialized record sets, in the order of the terms; undefined for a term that the release does not have. */
  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** `numbers` must be ascending, each once, as for the next two. */
  geometries(numbers: Uint32Array): Promise<readonly Uint8Array[]>;
  lookups(numbers: Uint32Array): Promise<JoinedFragments>;
  records(numbers: Uint32Array): Promise<RecordSlices>;
  /**
   * All that a writer was given but artifacts and source rows: lookups, records and geometries in the order of their numbers,
   * then posting lists in any.
   */
  parts(): AsyncIterable<ReleasePart>;
  /** The kept source rows, file by file, each as CSV text in pieces that start with the first piece's header. */
  sourceFiles(): AsyncIterable<SourceFile>;
}

export type ReleasePart =
  | { readonly kind: 'lookups'; readonly content: string }
  | { readonly kind: 'record'; readonly json: string; readonly references: readonly number[] }
  | { readonly kind: 'geometries'; readonly content: Uint8Array }
  | { readonly kind: 'posting'; readonly term: string; readonly content: Uint8Array };

export interface SourceFile {
  readonly name: string;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Takes a release in; nothing of it can be read before `finish`. Calls may come in any order between families. */
export interface ReleaseWriter {
  /** Records come in order of their numbers. `references` are lookup numbers. Bytes are UTF-8, and copied. */
  addRecord(json: string | Uint8Array, references: readonly number[]): void;
  addFragment(family: FragmentFamily, content: string | Uint8Array): void;
  addPosting(term: string, content: Uint8Array): void;
  addArtifact(name: Exclude<ArtifactName, 'facts'>, content: Uint8Array): void;
  addSourcePiece(file: string, piece: Uint8Array): void;
  /** Waits until what was added is taken in; bounds the memory of a writer whose store is slower than its source. */
  drain(): Promise<void>;
  /**
   * Makes the release whole, durable and readable. A release of the same id that is already held stays. From here on
   * `deleteRelease` keeps it: until a publish of the same store names it, `abandon` is called, or this process is gone.
   */
  finish(facts: ReleaseFacts): Promise<void>;
  /** What is finished stays until somebody deletes it. */
  abandon(): Promise<void>;
}

export type PublishOutcome = 'published' | 'conflict';

export interface Store {
  /** The state that the pointer names; the empty state at first. */
  currentState(): Promise<CatalogState>;
  /** A kept state by its data version; undefined when it is not held (any more). */
  stateOf(version: string): Promise<CatalogState | undefined>;
  /** Former states, the newest first. */
  history(): Promise<readonly CatalogState[]>;
  /** Makes `next` current if `expected` still is: the one step that readers see. */
  publish(expected: string, next: CatalogState): Promise<PublishOutcome>;
  /** Undefined when the release is not held (any more). */
  openRelease(releaseId: string): Promise<ReleaseReader | undefined>;
  startRelease(): Promise<ReleaseWriter>;
  /** Forgets states that were superseded before a moment (ISO 8601, UTC); never the current one. */
  forgetStates(supersededBefore: string): Promise<void>;
  /** All that are held. */
  listReleases(): Promise<readonly string[]>;
  /** Keeps a release that a state names, or that a writer has finished for a state to come. */
  deleteRelease(releaseId: string): Promise<'deleted' | 'kept'>;
  /** Removes what writers of dead processes left. */
  removeUnfinished(): Promise<void>;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  close(): Promise<void>;
}

export interface KeyStore {
  add(key: KeyRecord): Promise<void>;
  find(id: string): Promise<KeyRecord | undefined>;
  list(): Promise<readonly KeyRecord[]>;
  /** False when there is no such key. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Lets a key end at a moment (ISO 8601, UTC), unless it ends earlier anyway. False when there is no such key. */
  expire(id: string, at: string): Promise<boolean>;
  /** From the next time on that the key is looked up. False when there is no such key. */
  limit(id: string, limits: KeyLimits): Promise<boolean>;
}

export interface UsageStore {
  /** Adds to what is held of each key and day; any number of processes may. */
  add(uses: readonly KeyUse[]): Promise<void>;
  /** By day, then key. */
  list(): Promise<readonly KeyUse[]>;
}

/** A release that a catalog state names is not held any more: the state was superseded and its time is over. */
export class ReleaseGoneError extends Error {
  constructor() {
    super('the release is no longer held');
    this.name = 'ReleaseGoneError';
  }
}

/** A release that another version of the program wrote. */
export class UnknownFormatError extends Error {
  constructor(releaseId: string) {
    super(`release ${releaseId} has a format that this program does not know; run: npm run releases -- rebuild`);
    this.name = 'UnknownFormatError';
  }
}

/** The store could not be reached, or had no time, for as long as it makes sense to wait. */
export class StoreUnavailableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailableError';
  }
}
