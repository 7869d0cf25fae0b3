// The registry: which releases are held and where their documents lie, and which are being written or deleted.

import type { ReleaseFacts } from '../port';
import type { ContentReference, CosmosDocument, Family } from './documents';
import type { RecordShape } from './record-runs';

export const REGISTRY = 'releases';

export type DocumentCounts = Readonly<Record<Family, number>>;

/** A process that needs a release for a state to come. */
export interface Holder {
  readonly holder: string;
  /** ISO 8601, UTC: what is not renewed until then is over. */
  readonly until: string;
}

/** A release that can be read. Its id is the release's. */
export interface ReleaseDocument extends CosmosDocument {
  readonly kind: 'release';
  /** What the partitions of its documents begin with. */
  readonly prefix: string;
  readonly facts: ReleaseFacts;
  readonly documents: DocumentCounts;
  readonly shape: RecordShape;
  /** Where its artifacts and directories lie. */
  readonly contents: Readonly<Record<string, ContentReference>>;
  readonly holders: readonly Holder[];
}

/** Documents under a prefix that no release names: they are being written, or deleted, or were left behind. */
export interface UnfinishedDocument extends CosmosDocument {
  readonly kind: 'unfinished';
  readonly prefix: string;
  readonly documents: DocumentCounts;
  /** Who is at work. */
  readonly holder: string;
  /** After it the documents may be removed by anybody. */
  readonly until: string;
}

export interface ListedFile {
  readonly name: string;
  readonly pieces: readonly ContentReference[];
}

/** Content that only this adapter has, beside the artifacts of the port. */
export const SOURCE_LIST = 'sources';

export function directoryOf(family: Family): string {
  return `${family}.firsts`;
}
