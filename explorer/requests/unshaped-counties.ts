// Counties among the reporting units that have no usable submitted shape: the map draws their built-in outlines (D78).

import type { Selection } from '../state/state';
import type { ServiceClient } from './client';
import { parseCsv } from './csv';
import { WORLD } from './mappable-counts';
import { fetchPages } from './pages';
import { combineReplies, mapReply, type Reply } from './reply';

export interface UnshapedCounty {
  /** The identifier of the feature, ORGANIZATION~UNIT. */
  readonly id: string;
  readonly name: string;
  readonly nativeId: string;
  /** The postal abbreviation of its state, or if unknown, of its organization's state. */
  readonly state: string;
}

/**
 * `filters` are the filters of the map, with the type County. Empty if there is a boundary filter, because only units
 * with a shape match a boundary.
 */
export async function fetchUnshapedCounties(
  client: ServiceClient,
  { filters }: Selection,
): Promise<Reply<readonly UnshapedCounty[]>> {
  const shaped = { ...filters, SearchBoundary: [WORLD] };
  const replies = await Promise.all([filters, shaped].map((query) => fetchUnits(client, query)));
  return mapReply(combineReplies(replies), ([all = [], withShape = []]) => {
    const known = new Set(withShape.map(({ id }) => id));
    return all.filter(({ id }) => !known.has(id));
  });
}

async function fetchUnits(
  client: ServiceClient,
  filters: Selection['filters'],
): Promise<Reply<readonly UnshapedCounty[]>> {
  const read = async (response: Response): Promise<readonly UnshapedCounty[]> => {
    const [head = [], ...rows] = parseCsv(await response.text());
    return rows.map((row) => {
      const cell = (name: string): string => row[head.indexOf(name)] ?? '';
      return {
        id: `${cell('OrganizationUUID')}~${cell('ReportingUnitUUID')}`,
        name: cell('ReportingUnitName'),
        nativeId: cell('ReportingUnitNativeID'),
        state: cell('StateCV') || cell('OrganizationState'),
      };
    });
  };
  const reply = await fetchPages(client, { route: 'v1/ReportingUnits', query: { ...filters, format: 'csv' }, read });
  return mapReply(reply, ({ pages }) => pages.flat());
}
