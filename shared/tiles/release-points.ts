// The points of one release, made of its columns once and then in memory while there is room (ADR 0088).

import type { PlaceColumns } from '../search/index/column-format';
import type { PlaceCodes } from '../search/index/place-index';
import { placeCodesOf, placeColumnsOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { numberAt } from '../values/numbers';
import { narrowed } from '../values/bytes/sections';
import { mortonOrder } from './morton-order';
import { classesOfPlaces, classesOfRights, type ReleasePoints } from './point-values';
import { unitsOf } from './tile-grid';

/** What points are of: places to which a record refers, or rights. */
export type PointKind = 'places' | 'rights';

export async function releasePointsOf(
  kind: PointKind,
  reader: ReleaseReader,
  caches: SearchCaches,
): Promise<ReleasePoints> {
  const key = `${reader.facts.releaseId}/${kind}`;
  const cache = caches.partOf<ReleasePoints>('points');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const places = await placeColumnsOf(reader, caches);
  const codes = await placeCodesOf(reader, caches);
  const { x, y, items } = inMortonOrder(
    kind === 'places' ? pointsOfPlaces(places, codes) : pointsOfRights(places, codes),
  );
  const ofItems = await (kind === 'places' ? classesOfPlaces : classesOfRights)(reader, caches);
  const classes = narrowed(items.map((item) => ofItems.classes[item] ?? 0));
  const { classCount, members, codes: codesOfClasses } = ofItems;
  const byteLength = 3 * x.byteLength + classes.byteLength + codesOfClasses.byteLength;
  const points = { x, y, items, classes, classCount, members, codes: codesOfClasses, byteLength };
  cache.set(key, points, byteLength);
  return points;
}

/** The ranks of the places to which a record refers. */
function referredPlaces({ codes, sets, places }: PlaceCodes): BitSet {
  const ranks = new BitSet(places);
  for (const code of codes) if (code > 0 && code <= places) ranks.add(code - 1);
  for (const set of sets) for (const rank of set) ranks.add(rank);
  return ranks;
}

type Positions = Pick<ReleasePoints, 'x' | 'y' | 'items'>;

function pointsOfPlaces({ x, y }: PlaceColumns, codes: PlaceCodes): Positions {
  const ranks = referredPlaces(codes).numbers();
  const points = new PointCollector(ranks.length);
  for (const rank of ranks) points.add(numberAt(x, rank), numberAt(y, rank), rank);
  return points.finish();
}

/** A right stands once at each of its points, however many of its places lie there (D53). */
function pointsOfRights({ x, y }: PlaceColumns, { codes, sets, places }: PlaceCodes): Positions {
  const points = new PointCollector(codes.length + sets.reduce((sum, { length }) => sum + length, 0));
  codes.forEach((code, record) => {
    if (code === 0) return;
    if (code <= places) points.add(numberAt(x, code - 1), numberAt(y, code - 1), record);
    else for (const rank of sets[code - places - 1] ?? []) points.add(numberAt(x, rank), numberAt(y, rank), record);
  });
  return points.finish();
}

class PointCollector {
  private readonly x: Uint32Array;
  private readonly y: Uint32Array;
  private readonly items: Uint32Array;
  private count = 0;
  /** Where the points of the latest item begin. */
  private first = 0;

  constructor(most: number) {
    [this.x, this.y, this.items] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  }

  /** Points of one item follow one another. What lies nowhere has no point, and a point of an item stands once. */
  add(x: number, y: number, item: number): void {
    const position = unitsOf(x, y);
    if (position === undefined) return;
    if (this.count > 0 && this.items[this.count - 1] !== item) this.first = this.count;
    for (let point = this.first; point < this.count; point++) {
      if (this.x[point] === position[0] && this.y[point] === position[1]) return;
    }
    this.x[this.count] = position[0];
    this.y[this.count] = position[1];
    this.items[this.count++] = item;
  }

  finish(): Positions {
    const { x, y, items, count } = this;
    return { x: x.subarray(0, count), y: y.subarray(0, count), items: items.subarray(0, count) };
  }
}

function inMortonOrder({ x, y, items }: Positions): Positions {
  const order = mortonOrder({ x, y });
  const sorted = (column: Uint32Array): Uint32Array => order.map((point) => column[point] ?? 0);
  return { x: sorted(x), y: sorted(y), items: sorted(items) };
}
