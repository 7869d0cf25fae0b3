import { StoreUnavailableError } from './port';

/**
 * Part of the catalog is damaged (ADR 0050). It is not used for answers, because it may refer to the wrong releases.
 */
export class DamagedCatalogError extends StoreUnavailableError {
  /** `problem` completes a sentence that begins with "The catalog is damaged:". */
  constructor(problem: string) {
    super(`The catalog is damaged: ${problem}. Stop the service and restore the last backup: npm run restore`);
  }
}
