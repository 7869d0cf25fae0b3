// The store port: everything that the service asks of a store. Two adapters implement it (architecture.md), and one
// contract suite runs on both. No query language crosses it: artifacts by name, posting lists by term, fragments and
// records by number, a catalog with one conditional pointer, and small documents of the service itself.
//
// Fragments (records, lookups, geometries, places) are numbered from zero within their family. Neighbors are stored
// together in chunks; records and lookups can be read as one JSON text, joined with commas.

import type { DataSetKind } from '../records/data-sets';
import type { LookupKind } from '../records/lookups';
import type { Organization } from '../records/records';
import type { ArtifactName, WrittenArtifact } from './artifacts';
import type { CatalogState, DataStatement } from './catalog-types';
import type { DocumentViews } from './service-documents';

/**
 * Part of a release's name. Raise it when a release holds anything else: a filter field, a member, the layout of an
 * artifact. Releases are then rebuilt with `npm run releases -- rebuild`.
 */
export const FORMAT_VERSION = 11;

/** Fragments that are texts, which go into answers, and those that are bytes. */
const TEXT_FAMILIES = ['records', 'lookups'] as const;
const BLOB_FAMILIES = ['geometries', 'places', 'names'] as const;

/** Those of a release are numbered from zero within their family, and read by number. */
export const FRAGMENT_FAMILIES = [...TEXT_FAMILIES, ...BLOB_FAMILIES] as const;

export type TextFamily = (typeof TEXT_FAMILIES)[number];
export type BlobFamily = (typeof BLOB_FAMILIES)[number];
export type FragmentFamily = TextFamily | BlobFamily;

export interface ReleaseFacts {
  readonly releaseId: string;
  readonly formatVersion: number;
  readonly organization: Organization;
  readonly dataSet: DataSetKind;
  /** The terms under which it was published, which its files have, too. */
  readonly statement: DataStatement;
  readonly records: number;
  /** The numbers of lookups of each kind, in the order in which the release numbers them. */
  readonly lookups: readonly { readonly kind: LookupKind; readonly count: number }[];
  /** First and last effective day (D7) as YYYY-MM-DD; null when no record has one. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** The latest publication date of a record as YYYY-MM-DD; null when none has one. */
  readonly lastPublicationDay: string | null;
}

/** Some fragments of a release in the order of their numbers, as one JSON text joined with commas. */
export interface JoinedFragments {
  readonly byteLength: number;
  /** `target` has room for `byteLength` bytes from `offset` on. Throws ReleaseGoneError like a reader. */
  copyTo(target: Uint8Array, offset: number): void;
}

/** Texts of one release, in order, and the lookups that they refer to; lookups refer to none. */
export interface JoinedTexts extends JoinedFragments {
  /** Numbers of the lookups referred to, ascending, each once. */
  readonly references: Uint32Array;
}

/**
 * How a store checks whether a release is whole: `quick` compares sizes, reads the last record and remembers what reads
 * missed, for a probe each second; `full` counts what the release consists of, for a load and an operator's command.
 */
export type IntegrityCheck = 'quick' | 'full';

/** Called with the number of bytes of the joined texts before they are read; when it throws, they are not read. */
export type ReserveBytes = (bytes: number) => void;

/** How long a text is, in bytes, and the numbers of the lookups that it refers to; a lookup's has none. */
export interface MeasuredText {
  readonly bytes: number;
  readonly references: readonly number[] | Uint32Array;
}

export interface ReleaseReader {
  readonly facts: ReleaseFacts;
  artifact(name: ArtifactName): Promise<Uint8Array | undefined>;
  /** Serialized record sets, in the order of the terms; undefined for a term that the release does not have. */
  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** `numbers` must be ascending, each once; so must those of the next two methods. */
  blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]>;
  texts(family: TextFamily, numbers: Uint32Array, reserve?: ReserveBytes): Promise<JoinedTexts>;
  /** In the order of the numbers. Few of the texts are read for it, or none. */
  measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]>;
  /** Lookups, records, geometries, places and names in the order of their numbers, then posting lists in any order. */
  parts(): AsyncIterable<ReleasePart>;
  /** The stored source rows, file by file, each as CSV text in pieces; the first piece starts with the header. */
  sourceFiles(): AsyncIterable<SourceFile>;
  /** Says what the store lacks of the release ("its records are missing"), and undefined when all of it is there. */
  findFault(check?: IntegrityCheck): Promise<string | undefined>;
}

export type ReleasePart =
  | { readonly kind: 'lookups'; readonly content: string }
  | { readonly kind: 'record'; readonly json: string; readonly references: readonly number[] }
  | { readonly kind: BlobFamily; readonly content: Uint8Array }
  | { readonly kind: 'posting'; readonly term: string; readonly content: Uint8Array };

export interface SourceFile {
  readonly name: string;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Nothing can be read before `finish`. Calls for different families may come in any order. */
export interface ReleaseWriter {
  /**
   * Called in the order of the numbers. Bytes are copied, and those of texts are UTF-8. `references` are the numbers of
   * the lookups that a record refers to.
   */
  addFragment(family: FragmentFamily, content: string | Uint8Array, references?: readonly number[]): void;
  addPosting(term: string, content: Uint8Array): void;
  /** Pieces have any length and are copied, so that a long artifact need not be in memory as a whole. */
  addArtifact(name: WrittenArtifact, pieces: Iterable<Uint8Array>): void;
  addSourcePiece(file: string, piece: Uint8Array): void;
  /** Waits until all that was added is stored: bounds the memory when the store is slower than the source. */
  drain(): Promise<void>;
  /**
   * Makes the release whole, durable and readable. An existing release of the same id stays unless it is damaged. From
   * here on `deleteRelease` keeps it until a publish of the same store names it, `abandon` is called, or this process
   * is gone.
   */
  finish(facts: ReleaseFacts): Promise<void>;
  /** Removes what was written. A finished release stays until somebody deletes it. */
  abandon(): Promise<void>;
}

export type PublishOutcome = 'published' | 'conflict';

export interface Store extends DocumentViews {
  /** The state that the pointer names; the empty state at first. */
  currentState(): Promise<CatalogState>;
  /** A state by its data version; undefined when there is none, or none any more. */
  findState(version: string): Promise<CatalogState | undefined>;
  /** Former states, the newest first. */
  history(): Promise<readonly CatalogState[]>;
  /** Makes `next` current if `expected` still is: the one step that readers see. */
  publish(expected: string, next: CatalogState): Promise<PublishOutcome>;
  /** Undefined when the release does not exist, or no longer does. */
  openRelease(releaseId: string): Promise<ReleaseReader | undefined>;
  startRelease(): Promise<ReleaseWriter>;
  /** Forgets the states that were superseded before a moment (ISO 8601, UTC); never the current one. */
  forgetStates(supersededBefore: string): Promise<void>;
  /** The ids of all finished releases. */
  listReleases(): Promise<readonly string[]>;
  /** Keeps a release that a state names, or that a writer has finished for a state still to come. */
  deleteRelease(releaseId: string): Promise<'deleted' | 'kept'>;
  /** Removes what the writers of dead processes left behind. */
  removeUnfinished(): Promise<void>;
  close(): Promise<void>;
}

/** A release that a catalog state names no longer exists: the state was superseded and its retention is over. */
export class ReleaseGoneError extends Error {
  constructor() {
    super('the release is no longer held');
  }
}

/** A release that another version of the program wrote. */
export class UnknownFormatError extends Error {
  constructor(releaseId: string) {
    super(`release ${releaseId} has a format that this program does not know; run: npm run releases -- rebuild`);
  }
}

/** The store could not be reached, or had no time, for as long as it makes sense to wait. */
export class StoreUnavailableError extends Error {}
