// The options of one publish.

import { type CatalogState } from '../../shared/store/catalog-types';
import type { LoadOutcome } from '../format/report';

export interface PublishOptions {
  readonly isDryRun: boolean;
  /** Why nothing of what was built may be published. The report says all the same what would have changed. */
  readonly refusal: string | undefined;
  /** The code with which somebody confirms what has holds; undefined where nothing is held (D64). */
  readonly confirmation: { readonly code: string | undefined } | undefined;
  /** The number of rejected rows of all files. */
  readonly rejectedRows: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Adds a note to the report; the same one may come several times, since a publish may take several tries. */
  readonly note: (sentence: string) => void;
  /** Called with what is about to be published and the state that will name it; if it throws, nothing is published. */
  readonly beforePublish: (outcome: LoadOutcome, next: CatalogState) => Promise<void>;
}
