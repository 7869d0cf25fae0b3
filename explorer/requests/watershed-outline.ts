// The outline of a watershed (HUC8), taken from a published reporting unit with the same code, because no package has
// outlines of watersheds (D78).

import type { Geometry } from 'geojson';
import type { ServiceClient } from './client';
import { mapReply, type Reply } from './reply';

interface Units {
  readonly features: readonly {
    readonly geometry: Geometry | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

/** Empty if no unit with this code has a shape. An empty version means the current one. */
export async function fetchWatershedOutline(
  client: ServiceClient,
  code: string,
  version = '',
): Promise<Reply<readonly Geometry[]>> {
  const query = {
    SearchBoundary: `huc8:${code}`,
    format: 'geojson',
    RecordCount: '10',
    DataVersion: version || undefined,
  };
  const reply = await client.request<Units>('v1/ReportingUnits', query);
  return mapReply(reply, ({ features }) => {
    const isWatershed = ({ properties }: Units['features'][number]): boolean =>
      /^huc/i.test(String(properties['ReportingUnitTypeCV'])) &&
      String(properties['ReportingUnitNativeID']).endsWith(code.replace(/^0/, ''));
    return features.filter(isWatershed).flatMap(({ geometry }) => (geometry === null ? [] : [geometry]));
  });
}
