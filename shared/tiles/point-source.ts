// The points that a tile may show: the points of one release, with the items that match a condition.

import type { ReleaseReader } from '../store/port';
import type { BitSet } from '../values/bytes/bit-set';
import type { PointValue, ReleasePoints } from './point-classes';

export interface Label {
  readonly id: string;
  readonly name: string | null;
  /** For a right: its flow in cubic feet per second, its volume in acre-feet and its priority date. */
  readonly right?: Readonly<Record<'flow' | 'volume' | 'priority', PointValue>>;
}

export interface MatchingPoints {
  readonly reader: ReleaseReader;
  readonly points: ReleasePoints;
  /** The matching items; undefined if all match. */
  readonly matches: BitSet | undefined;
  /** `items` are ascending and distinct; the labels are returned in their order. */
  readonly loadLabels: (items: Uint32Array) => Promise<readonly Label[]>;
}

export interface PointSource extends MatchingPoints {
  /** The number of the release's first class. Classes are numbered over all releases of the tile. */
  readonly firstClass: number;
}

/** Numbers the classes over all releases of a tile. */
export function assignClasses<Matches extends MatchingPoints>(
  releases: readonly Matches[],
): readonly (Matches & PointSource)[] {
  let count = 0;
  return releases.map((release) => {
    const firstClass = count;
    count += release.points.classCount;
    return { ...release, firstClass };
  });
}
