// The points of one release. They are built once from its columns, then kept in memory while there is room (ADR 0088).

import type { PlaceColumns } from '../search/index/column-format';
import type { PlaceCodes } from '../search/index/place-codes';
import { loadPlaceCodes, loadPlaceColumns } from '../search/index/release-index';
import { getByteLength, type SearchableRelease } from '../search/index/search-caches';
import { numberAt } from '../values/number-arrays';
import { sortInMortonOrder } from './morton-order';
import { buildPlaceClasses, buildRightClasses, type ReleasePoints } from './point-classes';
import { toUnits } from './tile-grid';

type PointKind = 'places' | 'rights';

/** An item, and the ranks of the places where it has points. */
type ItemPlaces = readonly [item: number, ranks: readonly number[]];

export async function loadReleasePoints(kind: PointKind, release: SearchableRelease): Promise<ReleasePoints> {
  const { reader, caches } = release;
  const build = (): Promise<ReleasePoints> => buildReleasePoints(kind, release);
  return caches
    .getCache<ReleasePoints>('points')
    .getOrCompute(`${reader.facts.releaseId}/${kind}`, build, getByteLength);
}

async function buildReleasePoints(kind: PointKind, release: SearchableRelease): Promise<ReleasePoints> {
  const places = await loadPlaceColumns(release);
  const placeCodes = await loadPlaceCodes(release);
  const itemPlaces = kind === 'places' ? listPlaces(placeCodes) : listRightPlaces(placeCodes);
  const { x, y, items } = await collectPoints(itemPlaces, places);
  const itemClasses = await (kind === 'places' ? buildPlaceClasses(release) : buildRightClasses(release));
  const classes = items.map((item) => itemClasses.classes[item] ?? 0);
  const byteLength = 4 * x.byteLength + itemClasses.codes.byteLength;
  return { x, y, items, ...itemClasses, classes, byteLength };
}

/** Each place is an item at its own location. Includes places that no record refers to, which no search finds. */
function* listPlaces({ placeCount }: PlaceCodes): Iterable<ItemPlaces> {
  for (let rank = 0; rank < placeCount; rank++) yield [rank, [rank]];
}

function* listRightPlaces({ codes, sets, placeCount }: PlaceCodes): Iterable<ItemPlaces> {
  for (const [record, code] of codes.entries()) {
    if (code > 0) yield [record, code <= placeCount ? [code - 1] : (sets[code - placeCount - 1] ?? [])];
  }
}

/**
 * An item has one point per location, even if several of its places share the location (D53). Places without a location
 * have no point.
 */
async function collectPoints(
  itemPlaces: Iterable<ItemPlaces>,
  places: PlaceColumns,
): Promise<Pick<ReleasePoints, 'x' | 'y' | 'items'>> {
  const x: number[] = [];
  const y: number[] = [];
  const items: number[] = [];
  for (const [item, ranks] of itemPlaces) {
    const firstPoint = items.length;
    for (const rank of ranks) {
      const position = toUnits(numberAt(places.x, rank), numberAt(places.y, rank));
      if (position === undefined) continue;
      let point = firstPoint;
      while (point < items.length && (x[point] !== position[0] || y[point] !== position[1])) point++;
      if (point < items.length) continue;
      x.push(position[0]);
      y.push(position[1]);
      items.push(item);
    }
  }
  const order = await sortInMortonOrder({ x, y });
  const reorder = (column: readonly number[]): Uint32Array => order.map((point) => column[point] ?? 0);
  return { x: reorder(x), y: reorder(y), items: reorder(items) };
}
