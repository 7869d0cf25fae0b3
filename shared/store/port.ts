// The store port: everything that the service needs from a store. Two adapters implement it (architecture.md), and one
// contract suite tests both. The port has no query language: artifacts are read by name, posting lists by term and
// fragments by number; the catalog has one pointer that is replaced conditionally; the service has small documents.
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
 * Part of a release's name. Increase it when the content of releases changes: a filter field, a member, the layout of
 * an artifact. Operators then rebuild releases with `npm run releases -- rebuild`.
 */
export const FORMAT_VERSION = 14;

/** Text fragments go into answers; blob fragments are bytes. */
export const TEXT_FAMILIES = ['records', 'lookups'] as const;
export const BLOB_FAMILIES = ['geometries', 'places', 'names'] as const;

/** The fragments of a release are numbered from zero within their family. */
export const FRAGMENT_FAMILIES = [...TEXT_FAMILIES, ...BLOB_FAMILIES] as const;

export type TextFamily = (typeof TEXT_FAMILIES)[number];
export type BlobFamily = (typeof BLOB_FAMILIES)[number];
export type FragmentFamily = TextFamily | BlobFamily;

export interface ReleaseFacts {
  readonly releaseId: string;
  readonly formatVersion: number;
  readonly organization: Organization;
  readonly dataSet: DataSetKind;
  /** The statements about the data, which the files of the release contain, too. */
  readonly statement: DataStatement;
  readonly records: number;
  /** The number of lookups of each kind, in the order in which the release numbers them. */
  readonly lookups: readonly { readonly kind: LookupKind; readonly count: number }[];
  /** The first and last effective day (D7) as YYYY-MM-DD; null if no record has dates. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** The latest publication date of a record as YYYY-MM-DD; null if no record has a publication date. */
  readonly lastPublicationDay: string | null;
}

/** Fragments of a release in the order of their numbers, as one JSON text joined with commas. */
export interface JoinedFragments {
  readonly byteLength: number;
  /** Writes `byteLength` bytes to `target` at `offset`. Throws ReleaseGoneError like a reader. */
  copyTo(target: Uint8Array, offset: number): void;
}

/** Texts of a release, and the lookups that they refer to. Lookups refer to no other lookups. */
export interface JoinedTexts extends JoinedFragments {
  /** The numbers of the referenced lookups, ascending, without duplicates. */
  readonly references: Uint32Array;
}

/**
 * How a store verifies a release. `quick` compares sizes, considers earlier failed reads and, on the embedded store,
 * reads the next megabyte of its files; it is cheap enough for a probe every second. `full` reads everything, for loads
 * and for the operator's commands.
 */
export type IntegrityCheck = 'quick' | 'full';

/**
 * Called once with the number of bytes of texts, before they are joined and before most of them are read. When it throws,
 * nothing more is read.
 */
export type ReserveBytes = (bytes: number) => void;

/** The length of a text and the numbers of the lookups that it refers to. Lookups refer to no other lookups. */
export interface MeasuredText {
  readonly bytes: number;
  readonly references: readonly number[] | Uint32Array;
}

export interface ReleaseReader {
  readonly facts: ReleaseFacts;
  artifact(name: ArtifactName): Promise<Uint8Array | undefined>;
  /** Serialized record sets, in the order of the terms. Undefined for a term that the release does not have. */
  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** `numbers` must be ascending and without duplicates, here and in the next two methods. */
  blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]>;
  texts(family: TextFamily, numbers: Uint32Array, reserve?: ReserveBytes): Promise<JoinedTexts>;
  /**
   * Returns the measures in the order of the numbers. The embedded store reads no texts for this; Cosmos DB reads the
   * documents that contain them.
   */
  measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]>;
  /**
   * Yields lookups, records, geometries, places and names in the order of their numbers, then posting lists in any
   * order.
   */
  parts(): AsyncIterable<ReleasePart>;
  /** Returns the stored source rows, file by file, as CSV text in pieces. The first piece starts with the header. */
  sourceFiles(): AsyncIterable<SourceFile>;
  /** Finds the problem with the release, such as "its records are missing"; undefined if there is none. */
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

/** Writes a release, which cannot be read before `finish`. Families may be written in any order. */
export interface ReleaseWriter {
  /**
   * Must be called in the order of the numbers. Bytes are copied; the bytes of texts are UTF-8. `references` are the
   * numbers of the lookups that a record refers to.
   */
  addFragment(family: FragmentFamily, content: string | Uint8Array, references?: readonly number[]): void;
  addPosting(term: string, content: Uint8Array): void;
  /** Pieces may have any length and are copied. A long artifact need not be in memory as a whole. */
  addArtifact(name: WrittenArtifact, pieces: Iterable<Uint8Array>): void;
  addSourcePiece(file: string, piece: Uint8Array): void;
  /** Waits until everything added is stored. Bounds memory when the store is slower than the source. */
  drain(): Promise<void>;
  /**
   * Makes the release complete, durable and readable. An existing release with the same id stays unless it is damaged.
   * Afterwards, `deleteRelease` keeps the release until this store publishes a state with it, `abandon` is called or
   * this process ends.
   */
  finish(facts: ReleaseFacts): Promise<void>;
  /** Removes what was written. A finished release stays until it is deleted. */
  abandon(): Promise<void>;
}

export type PublishOutcome = 'published' | 'conflict';

export interface Store extends DocumentViews {
  /** Returns the state that the pointer identifies; initially the empty state. */
  currentState(): Promise<CatalogState>;
  /** Finds a state by its data version. Undefined if it does not exist or was forgotten. */
  findState(version: string): Promise<CatalogState | undefined>;
  /** Returns all states, newest first. */
  history(): Promise<readonly CatalogState[]>;
  /** Makes `next` the current state if `expected` is still current. The change is atomic for readers. */
  publish(expected: string, next: CatalogState): Promise<PublishOutcome>;
  /** Undefined when the release does not exist. */
  openRelease(releaseId: string): Promise<ReleaseReader | undefined>;
  startRelease(): Promise<ReleaseWriter>;
  /** Forgets the states that were superseded before a time (ISO 8601, UTC), but never the current one. */
  forgetStates(supersededBefore: string): Promise<void>;
  /** Lists the ids of all finished releases. */
  listReleases(): Promise<readonly string[]>;
  /** Keeps a release that a state refers to, or that a writer has finished but not yet published. */
  deleteRelease(releaseId: string): Promise<'deleted' | 'kept'>;
  /** Removes the remains of writers of dead processes. */
  removeUnfinished(): Promise<void>;
  close(): Promise<void>;
}

/** A release no longer exists: the state that refers to it was superseded and its retention period is over. */
export class ReleaseGoneError extends Error {
  constructor() {
    super('the release is no longer available');
  }
}

/** A release was written by another version of the program. */
export class UnknownFormatError extends Error {
  constructor(releaseId: string) {
    super(`release ${releaseId} uses a format that this version does not support; run: npm run releases -- rebuild`);
  }
}

/** The store could not be reached, or was overloaded, for as long as it makes sense to wait. */
export class StoreUnavailableError extends Error {}
