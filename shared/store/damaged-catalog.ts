import { StoreUnavailableError } from './port';

/** Part of the catalog differs from what was written (ADR 0050). It is not used for answers, because it may name other releases. */
export class DamagedCatalogError extends StoreUnavailableError {
  /** `problem` completes a sentence that begins with "The catalog is damaged:". */
  constructor(problem: string) {
    super(`The catalog is damaged: ${problem}. Stop the service and restore the last backup: npm run restore`);
  }
}
