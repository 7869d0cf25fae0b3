// The members of features over all releases: the codes of each release become numbers of values that all of them share,
// so that points of several releases can be counted together.

import type { PointValue } from '../search/points/point-columns';
import type { ReleaseReader } from '../store/port';
import { numberAt } from '../values/numbers';
import type { PointKind } from './release-points';
import type { FoundPoints } from './shown-points';

/** The points of a release that a tile may show. */
export interface PointSource extends FoundPoints {
  readonly kind: PointKind;
  readonly reader: ReleaseReader;
}

export interface SharedMember {
  readonly name: string;
  /** By number. */
  readonly values: readonly PointValue[];
  readonly releases: readonly MemberOfRelease[];
}

interface MemberOfRelease {
  /** By point; undefined where all points of the release have code 0. */
  readonly codes: ArrayLike<number> | undefined;
  /** By code. */
  readonly numbers: Uint32Array;
}

/** The number of the value null. */
export const NO_VALUE = 0;

/** The member that says whose a point is. */
const ORGANIZATION = 'organization';

export function sharedMembers(sources: readonly PointSource[]): readonly SharedMember[] {
  const organizations = sources.map(({ reader }) => ({ values: [reader.facts.organization.OrganizationUUID] }));
  const names = [...new Set(sources.flatMap(({ points }) => points.columns.map(({ name }) => name)))];
  return [
    sharedMember(ORGANIZATION, organizations),
    ...names.map((name) => {
      const columns = sources.map(({ points }) => points.columns.find((column) => column.name === name));
      return sharedMember(
        name,
        columns.map((column) => column ?? { values: [null] }),
      );
    }),
  ];
}

interface ValuesOfRelease {
  readonly codes?: ArrayLike<number>;
  readonly values: readonly PointValue[];
}

function sharedMember(name: string, releases: readonly ValuesOfRelease[]): SharedMember {
  const values = [...new Set<PointValue>([null, ...releases.flatMap((release) => release.values)])];
  const numbers = new Map(values.map((value, number) => [value, number]));
  const ofReleases = releases.map((release) => ({
    codes: release.codes,
    numbers: Uint32Array.from(release.values, (value) => numbers.get(value) ?? NO_VALUE),
  }));
  return { name, values, releases: ofReleases };
}

/** The number of the value that a point of a release has. */
export function valueNumber({ releases }: SharedMember, release: number, point: number): number {
  const ofRelease = releases[release];
  if (ofRelease === undefined) return NO_VALUE;
  return numberAt(ofRelease.numbers, ofRelease.codes === undefined ? 0 : numberAt(ofRelease.codes, point));
}
