// The points of a release that a tile may show.

import type { ReleasePoints } from '../search/points/point-columns';
import type { ReleaseReader } from '../store/port';
import type { BitSet } from '../values/bytes/bit-set';

export interface Label {
  readonly id: string;
  readonly name: string | null;
  /** Cubic feet per second and acre-feet; rights alone have them. */
  readonly amounts?: Readonly<Record<'flow' | 'volume', number | null>>;
}

/** The points of a release, and which of their items were found. */
export interface FoundPoints {
  readonly reader: ReleaseReader;
  readonly points: ReleasePoints;
  /** Undefined when all were. */
  readonly found: BitSet | undefined;
  /** What items are called, in their order; each stands once. */
  readonly labelsOf: (items: Uint32Array) => Promise<readonly Label[]>;
}

/** Classes are numbered over all releases of a tile. */
export interface PointSource extends FoundPoints {
  readonly firstClass: number;
}

export function numberClasses<Found extends FoundPoints>(releases: readonly Found[]): readonly (Found & PointSource)[] {
  let count = 0;
  return releases.map((release) => {
    const firstClass = count;
    count += release.points.classCount;
    return { ...release, firstClass };
  });
}
