// What a load needs, whoever starts it.

import type { CatalogEntry, CatalogState } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import type { Report } from './format/report';
import type { LoadProgress } from './stage/progress';

export interface LoadInput {
  readonly folder: string;
  /** The name of the submission in the catalog; that of its folder when left out. */
  readonly name?: string;
  readonly store: Store;
  /** Where staging folders are made. */
  readonly stagingDirectory: string;
  /** The share of rejected rows of an amounts file above which the submission is refused (0 to 1). */
  readonly rejectedShareLimit: number;
  /** Where the rejected rows of each file are written; nowhere when left out. */
  readonly rejectedDirectory?: string;
  /** The entry that a rebuild loads anew; if it is not current any more, nothing is published. */
  readonly rebuildOf?: CatalogEntry;
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  readonly progress: LoadProgress;
  readonly now: () => Date;
  /** Left out for a load that begins anew after each end. */
  readonly resumption?: Resumption;
  /** Hears of the report and of the coming state before the publish; if it throws, nothing is published. */
  readonly beforePublish?: (report: Report, next: CatalogState) => Promise<void>;
}

/** How a load ends early and goes on (ADR 0021). */
export interface Resumption {
  /** Where staged rows stay until the caller removes them; a load of the same files goes on from them. */
  readonly folder: string;
  /** Asked between batches of rows; when true, the load ends with a StoppedError. */
  readonly isToStop: () => boolean;
}
