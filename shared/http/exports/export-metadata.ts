// What the file of an export says of itself (D46): what was asked, of which data, and under which terms these may be
// used.

import type { FileMetadata } from '../../files/records-files';
import type { ExportOperation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import { withoutKeys } from '../../query/parameter';
import type { ReadRelease } from '../../search/plan-page';
import type { CatalogState } from '../../store/catalog-types';

interface DescribedExport {
  readonly operation: ExportOperation;
  readonly request: OperationRequest;
  readonly state: CatalogState;
  readonly releases: readonly ReadRelease[];
}

export function exportMetadata(
  { operation, request, state, releases }: DescribedExport,
  records: number,
): FileMetadata {
  const { dataSet } = operation;
  const names = releases.map(({ reader }) => reader.facts.organization.OrganizationName);
  const sources = releases.map(({ entry, reader }) => ({
    organization: reader.facts.organization.OrganizationUUID,
    name: reader.facts.organization.OrganizationName,
    release: entry.releaseId,
    publishedAt: entry.publishedAt,
    license: entry.submission?.license ?? null,
    citation: entry.submission?.citation ?? null,
    termsOfUse: entry.submission?.termsOfUse ?? null,
  }));
  return {
    title: names.length === 1 ? `${dataSet} of ${names.join()}` : `${dataSet} of ${names.length} organizations`,
    dataSet,
    dataVersion: state.version,
    // A file may be handed on, and somebody may have written a key where it does not belong.
    query: withoutKeys(request.given.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')),
    records: String(records),
    sources: JSON.stringify(sources),
  };
}
