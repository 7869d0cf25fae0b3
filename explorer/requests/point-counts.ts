// Counts the points of the whole map by the member that colors them, as the rings do for their points. The counts come
// from the single tile of the whole world.

import { getKind } from '../state/kinds';
import type { Selection } from '../state/state';
import type { ServiceClient } from './client';
import type { Reply } from './reply';
import { readTileProperties, type TileProperties } from './tile-properties';
import { buildTileQuery, buildTilesetRoute } from './tiles';

export type PointValue = string | number | null;

/**
 * The listed values with their numbers of points, and the total number of points. The service may not list all values.
 */
export interface PointCounts {
  readonly values: readonly (readonly [value: PointValue, count: number])[];
  readonly total: number;
}

/** The largest clusters: squares of this many tile pixels. */
const WIDEST_CLUSTER = '64';

/** Counts by a member of the features of the tiles. */
export interface MemberCounts extends PointCounts {
  readonly member: string;
}

export async function fetchPointCounts(
  client: ServiceClient,
  selection: Selection,
  member: string,
): Promise<Reply<MemberCounts>> {
  const query = { ...buildTileQuery(selection), cluster: WIDEST_CLUSTER, mix: member };
  const route = `${buildTilesetRoute(selection.kind)}/0/0/0`;
  return client.request(route, query, async (response) => {
    const tile = new Uint8Array(await response.arrayBuffer());
    return { member, ...countPoints(tile, getKind(selection.kind).places.collection, member) };
  });
}

/** A tile without features is empty. */
function countPoints(tile: Uint8Array, layerName: string, member: string): PointCounts {
  const counts = new Map<PointValue, number>();
  let total = 0;
  for (const properties of readTileProperties(tile, layerName)) {
    const count = Number(properties['count'] ?? 0);
    if (count === 0) continue;
    total += count;
    for (const [value, points] of readMix(properties, count, member)) {
      counts.set(value, (counts.get(value) ?? 0) + points);
    }
  }
  return { values: [...counts].sort(([, a], [, b]) => b - a), total };
}

/** A single point has its value as a member instead of a mix. */
function readMix(properties: TileProperties, count: number, member: string): PointCounts['values'] {
  const { mix } = properties;
  if (typeof mix === 'string') return JSON.parse(mix) as PointCounts['values']; // The service wrote this JSON.
  const value = properties[member];
  return [[typeof value === 'boolean' || value === undefined ? null : value, count]];
}
