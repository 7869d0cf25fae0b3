// What a submission says of itself, for the catalog entries of the data sets that it publishes.

import type { CatalogEntry, SubmissionStatement } from '../../shared/store/catalog-types';
import type { SubmissionMetadata } from '../format/submission-metadata';

/** What stands in the entry of a data set, whose former entry may have terms that a merge keeps (ADR 0023). */
export type StatementOf = (former: CatalogEntry | undefined) => SubmissionStatement;

export function statementOf(name: string, metadata: SubmissionMetadata): StatementOf {
  const { mode, contact = null, note = null } = metadata;
  return (former) => {
    const terms = mode === 'merge' ? former?.submission : undefined;
    const { termsOfUse = terms?.termsOfUse, license = terms?.license, citation = terms?.citation } = metadata;
    const stated = { termsOfUse: termsOfUse ?? null, license: license ?? null, citation: citation ?? null };
    return { name, contact, note, ...stated };
  };
}
