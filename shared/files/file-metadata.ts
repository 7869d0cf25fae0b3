// The metadata in the files of a release. It depends only on the release, so the files have the same bytes with every
// store (D45).

import type { ReleaseFacts } from '../store/port';
import type { FileMetadata } from './records-file';

/** Uses nothing from the catalog, which may differ between stores. Members without a value are omitted. */
export function buildFileMetadata(facts: ReleaseFacts): FileMetadata {
  const { releaseId, organization, dataSet, statement, records, firstDay, lastDay } = facts;
  const statements = Object.entries(statement).flatMap(([name, text]) =>
    text === null ? [] : [[name, text] as const],
  );
  return {
    title: `${dataSet} of ${organization.OrganizationName}`,
    organization: JSON.stringify(organization),
    ...Object.fromEntries(statements),
    dataSet,
    release: releaseId,
    records: String(records),
    period: `${firstDay ?? '..'}/${lastDay ?? '..'}`,
  };
}
