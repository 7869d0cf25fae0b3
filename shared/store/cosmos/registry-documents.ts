// The documents by which releases are found and kept, in the container `catalog`.

import type { ReleaseFacts } from '../port';
import type { ContentReference, CosmosDocument, DocumentCounts, Partition } from './document-names';

/** The partition of the registry, which lists the releases and the locations of their documents. */
export const REGISTRY: Partition = { container: 'catalog', partition: 'releases' };

/** Longer than a long sort, or a store that has no time, can keep a writer from renewing. */
export const LEASE_MS = 15 * 60_000;

/** A process that needs a release for a state to come. */
export interface Lease {
  /** Identifies the process. */
  readonly holder: string;
  /** ISO 8601, UTC. A lease that is not renewed until then is over. */
  readonly until: string;
}

/** A readable release. Its id is the release's. */
export interface ReleaseDocument extends CosmosDocument {
  readonly kind: 'release';
  /** The names of the partitions of its documents begin with it. */
  readonly prefix: string;
  readonly facts: ReleaseFacts;
  readonly documents: DocumentCounts;
  /** The orders in which objects of its records and lookups have their members (member-orders.ts). */
  readonly orders: readonly (readonly string[])[];
  /** The location of its artifacts and directories. */
  readonly contents: Readonly<Record<string, ContentReference>>;
  readonly holders: readonly Lease[];
}

/** A prefix of documents that no release names: they are being written or deleted, or were left behind. */
export interface UnfinishedDocument extends CosmosDocument, Lease {
  readonly kind: 'unfinished';
  readonly prefix: string;
  readonly documents: DocumentCounts;
}

export interface ListedFile {
  readonly name: string;
  readonly pieces: readonly ContentReference[];
}
