// Builds the statement of a data set for the catalog: who submitted it, and under what terms.

import { type CatalogEntry, type DataStatement, type SubmissionStatement } from '../../shared/store/catalog-types';
import type { SubmissionMetadata } from '../format/submission-metadata';

/** Builds the statement of a data set. A merge keeps the terms of the previous entry (ADR 0105). */
export type StatementBuilder = (previous: CatalogEntry | undefined) => SubmissionStatement;

/** Creates a function that builds statements from a submission's metadata. */
export function createStatementBuilder(name: string, metadata: SubmissionMetadata): StatementBuilder {
  const { mode, note = null } = metadata;
  return (previous) => {
    const terms = mode === 'merge' ? previous?.submission : undefined;
    const stated = { contact: null, termsOfUse: null, license: null, citation: null, ...terms, ...metadata };
    const { contact, termsOfUse, license, citation } = stated;
    return { name, contact, note, termsOfUse, license, citation };
  };
}

export function toDataStatement({ contact, termsOfUse, license, citation }: SubmissionStatement): DataStatement {
  return { contact, termsOfUse, license, citation };
}
