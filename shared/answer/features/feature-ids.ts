// The ids of features (D48): an organization, a separator and what names the thing in it. An identifier may hold the
// separator, so the first one counts (D53).

import type { Item } from '../../records/record-references';

const SEPARATOR = '~';

export interface FeatureIdParts {
  readonly organization: string;
  readonly own: string;
}

export function featureId(organizationUuid: string, own: string): string {
  return `${organizationUuid}${SEPARATOR}${own}`;
}

/** The id of a right. */
export function rightId(organizationUuid: string, { AllocationUUID: uuid, AllocationNativeID: native }: Item): string {
  return featureId(organizationUuid, String(uuid ?? native));
}

export function isFeatureId(text: string): boolean {
  return text.includes(SEPARATOR);
}

/** `id` is one by `isFeatureId`. */
export function featureIdParts(id: string): FeatureIdParts {
  const separator = id.indexOf(SEPARATOR);
  return { organization: id.slice(0, separator), own: id.slice(separator + 1) };
}
