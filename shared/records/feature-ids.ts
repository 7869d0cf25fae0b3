// What names a record through all publishes, as long as its key is the same, and the ids of features that follow from
// it (D48): an organization, a separator and what names the thing in it. An identifier may hold the separator, so the
// first one counts (D53).

import { digestContent } from '../values/digest';
import type { DataSetLayout } from './data-sets';
import type { Item } from './record-references';

const SEPARATOR = '~';

export interface FeatureIdParts {
  readonly organization: string;
  readonly localId: string;
}

/** Stays the same through all publishes, as long as the record is the same by its key. */
export function buildRecordKey({ kind, keyMembers }: DataSetLayout, organizationUuid: string, record: Item): string {
  // The uses of an amount are a set, so their order does not count (submissions.md, 4).
  const values = keyMembers.map((name) => {
    const value = record[name];
    return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  });
  return JSON.stringify([organizationUuid, kind, values]);
}

export function buildFeatureId(organizationUuid: string, localId: string): string {
  return `${organizationUuid}${SEPARATOR}${localId}`;
}

/** The id of a right. */
export function buildRightId(
  organizationUuid: string,
  { AllocationUUID: uuid, AllocationNativeID: native }: Item,
): string {
  return buildFeatureId(organizationUuid, String(uuid ?? native));
}

/** The id of a record: of a right its identifier, of an amount the digest of its key. */
export function buildRecordId(layout: DataSetLayout, organizationUuid: string, record: Item): string {
  if (layout.kind === 'WaterAllocations') return buildRightId(organizationUuid, record);
  return buildFeatureId(organizationUuid, digestContent(buildRecordKey(layout, organizationUuid, record)));
}

export function isFeatureId(text: string): boolean {
  return text.includes(SEPARATOR);
}

/** `id` is one by `isFeatureId`. */
export function parseFeatureId(id: string): FeatureIdParts {
  const separator = id.indexOf(SEPARATOR);
  return { organization: id.slice(0, separator), localId: id.slice(separator + 1) };
}
