// The keys of records, which stay the same from one publish to the next, and the ids of features (D48): an
// organization, a separator and a local id. A local id may contain the separator, so an id is split at the first
// separator (D53).

import { digestContent } from '../values/digest';
import { MAX_TEXT_LENGTH } from '../values/text-length';
import type { DataSetLayout } from './data-sets';
import type { Item } from './record-references';

const SEPARATOR = '~';

/** An organization, the separator and a local id. */
const MAX_ID_LENGTH = 2 * MAX_TEXT_LENGTH + SEPARATOR.length;

export interface FeatureIdParts {
  readonly organization: string;
  readonly localId: string;
}

/** Builds the key that identifies a record across all publishes. */
export function buildRecordKey({ kind, keyMembers }: DataSetLayout, organizationUuid: string, record: Item): string {
  // The uses of an amount are a set, so their order is ignored (submissions.md, 4).
  const values = keyMembers.map((name) => {
    const value = record[name];
    return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  });
  return JSON.stringify([organizationUuid, kind, values]);
}

export function buildFeatureId(organizationUuid: string, localId: string): string {
  return `${organizationUuid}${SEPARATOR}${localId}`;
}

/** Builds the id of a right. */
export function buildRightId(
  organizationUuid: string,
  { AllocationUUID: uuid, AllocationNativeID: native }: Item,
): string {
  return buildFeatureId(organizationUuid, String(uuid ?? native));
}

/** The local id of a right is its identifier; the local id of an amount is the digest of its key. */
export function buildRecordId(layout: DataSetLayout, organizationUuid: string, record: Item): string {
  if (layout.kind === 'WaterAllocations') return buildRightId(organizationUuid, record);
  return buildFeatureId(organizationUuid, digestContent(buildRecordKey(layout, organizationUuid, record)));
}

/** Returns false for a text without the separator, or longer than any id. */
export function isFeatureId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && text.includes(SEPARATOR);
}

/** `id` must satisfy `isFeatureId`. */
export function parseFeatureId(id: string): FeatureIdParts {
  const separator = id.indexOf(SEPARATOR);
  return { organization: id.slice(0, separator), localId: id.slice(separator + 1) };
}
