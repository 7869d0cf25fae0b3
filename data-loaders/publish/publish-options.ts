// The options of one publish.

import { type CatalogState } from '../../shared/store/catalog-types';
import type { LoadOutcome } from '../format/report';

export interface PublishOptions {
  readonly isDryRun: boolean;
  /** The reason to publish nothing, if any. The report still says what would have changed. */
  readonly refusal: string | undefined;
  /** The code that confirms held data sets; undefined if none is held (D64). */
  readonly confirmation: { readonly code: string | undefined } | undefined;
  /** The number of rejected rows of all files. */
  readonly rejectedRows: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Adds a note to the report. A publish may take several tries and repeat a note. */
  readonly note: (sentence: string) => void;
  /** Called before the publish with the outcome and the next state. If it throws, nothing is published. */
  readonly beforePublish: (outcome: LoadOutcome, next: CatalogState) => Promise<void>;
}
