// What a brief shows without a key, if the service returns features and tiles without a key (D51): the numbers of
// rights, sites and reporting units, and a map.

import { type BriefArea, toAreaFilters } from '../state/brief-area';
import { getKind, type Kind, KINDS } from '../state/kinds';
import type { Selection } from '../state/state';
import { type AreaOutline, fetchOutline } from './area-outline';
import type { ServiceClient } from './client';
import type { CountyOutlines } from './county-outlines';
import { combineReplies, mapReply, type Reply } from './reply';
import { fetchRightPoints, type RightPoint } from './right-points';
import { buildTileQuery } from './tiles';

export interface OpenBrief {
  readonly area: BriefArea;
  readonly outline: AreaOutline;
  /** Rights, sites with amounts, and reporting units. */
  readonly counts: Readonly<Record<Kind, number>>;
  readonly points: readonly RightPoint[];
}

/** If requests fail, returns the first failure. */
export async function fetchOpenBrief(
  client: ServiceClient,
  area: BriefArea,
  { version, outlines }: { readonly version: string; readonly outlines: CountyOutlines },
): Promise<Reply<OpenBrief>> {
  const select = (kind: Kind): Selection => ({
    kind,
    filters: toAreaFilters(area, getKind(kind).boundary, version),
  });
  const [counted, outline] = await Promise.all([
    Promise.all(KINDS.map((kind) => fetchFeatureCount(client, select(kind)))),
    // Reporting units, which may have the outline of a watershed, need a key.
    fetchOutline(client, area, { version, outlines, units: [] }),
  ]);
  const counts = combineReplies(counted);
  if (counts.kind !== 'answer') return counts;
  if (outline.kind !== 'answer') return outline;
  const [rights = 0, series = 0, aggregates = 0] = counts.value;
  const { extent } = outline.value;
  const value = { area, outline: outline.value, counts: { rights, series, aggregates }, points: [] };
  if (extent === undefined || rights === 0) return { ...counts, value };
  const points = await fetchRightPoints(client, select('rights'), { extent, rights });
  return mapReply(points, (drawn) => ({ ...value, points: drawn }));
}

/** The features of a selection (D48). */
function fetchFeatureCount(client: ServiceClient, selection: Selection): Promise<Reply<number>> {
  const query = { ...buildTileQuery(selection), limit: '1', f: 'json' };
  const route = `ogc/collections/${getKind(selection.kind).places.collection}/items`;
  return client.request(route, query, async (response) => {
    const { numberMatched } = (await response.json()) as { readonly numberMatched: number }; // OGC API - Features.
    return numberMatched;
  });
}
