// The documents of the registry, in the container `catalog`. They list the releases and prevent their deletion while
// they are in use.

import type { ReleaseFacts } from '../port';
import type { ContentReference, CosmosDocument, DocumentCounts, Partition } from './document-names';

/** The partition of the registry, which lists the releases and the locations of their documents. */
export const REGISTRY: Partition = { container: 'catalog', partition: 'releases' };

/** Longer than a long sort or a busy store can prevent a writer from renewing its lease. */
export const LEASE_MS = 15 * 60_000;

/** Keeps a release from being deleted while a process is about to publish it. */
export interface Lease {
  /** Identifies the process. */
  readonly holder: string;
  /** ISO 8601, UTC. The time at which the lease expires unless it is renewed. */
  readonly until: string;
}

/** A readable release. The document has the same id as the release. */
export interface ReleaseDocument extends CosmosDocument {
  readonly kind: 'release';
  /** The common prefix of the names of its partitions. */
  readonly prefix: string;
  readonly facts: ReleaseFacts;
  readonly documents: DocumentCounts;
  /** The order of members in the objects of its records and lookups (member-orders.ts). */
  readonly orders: readonly (readonly string[])[];
  /** The location of its artifacts and directories. */
  readonly contents: Readonly<Record<string, ContentReference>>;
  readonly holders: readonly Lease[];
}

/** A prefix of documents that belong to no release: they are being written or deleted, or were left behind. */
export interface UnfinishedDocument extends CosmosDocument, Lease {
  readonly kind: 'unfinished';
  readonly prefix: string;
  readonly documents: DocumentCounts;
}

export interface ListedFile {
  readonly name: string;
  readonly pieces: readonly ContentReference[];
}
