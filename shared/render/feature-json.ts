// Writes GeoJSON features as JSON text.

import type { Organization } from '../records/records';
import { ORGANIZATION_COLUMNS } from './table-columns';

/** `geometry` is JSON; `properties` are JSON members separated by commas. */
export function writeFeature(id: string, geometry: string, properties: string): string {
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":{${properties}}}`;
}

/** Returns JSON members separated by commas. */
export function writeOrganizationProperties(organization: Organization): string {
  const members = ORGANIZATION_COLUMNS.map((name) => [name, organization[name]] as const);
  return JSON.stringify(Object.fromEntries(members)).slice(1, -1);
}
