// Where the sites of samples lie: along the courses of rivers, as fields, ditches and gages do. A course goes through
// places that the real river passes, with invented bends between; its watershed number is one that no watershed has.

import type { Position } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import { countyAt, type County } from './counties';
import { rounded, type SamplePlace } from './sample';

export interface River {
  readonly huc8: string;
  /** Longitude and latitude, from the springs down. */
  readonly through: readonly Position[];
}

export type Rivers = readonly [River, ...River[]];

/** Where on a river something lies. */
export interface PlaceOnRiver {
  /** 0 at the springs, 1 where the course ends. */
  readonly share: number;
  /** How far from the river it may lie, in degrees. */
  readonly away: number;
}

/** Each halving doubles the positions of a course: 16 pieces between two places that are passed. */
const HALVINGS = 4;

/** How far the middle of a piece is moved to a side, at most, as a share of the piece. */
const BEND = 0.22;

/** Places are drawn again until they are in the state; a course keeps to it but for its end. */
const MOST_DRAWS = 40;

/** Finds places along the rivers of one state. */
export class RiverValleys {
  private readonly courses: readonly (readonly Position[])[];

  constructor(
    private readonly rivers: Rivers,
    private readonly counties: readonly County[],
    private readonly random: SeededRandom,
  ) {
    this.courses = rivers.map(({ through }) => bent(through, random));
  }

  /** Rivers are taken again from the first one after the last. */
  placeAt(river: number, { share, away }: PlaceOnRiver): SamplePlace {
    const at = river % this.rivers.length;
    const course = this.courses[at] ?? [];
    for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
      const [longitude, latitude] = positionAlong(course, share);
      const aside = (): number => away * (this.random.next() + this.random.next() - 1);
      const position: Position = [rounded(longitude + aside()), rounded(latitude + aside())];
      const county = countyAt(this.counties, position);
      if (county !== undefined) return placeOf(this.rivers[at] ?? this.rivers[0], county, position, share);
    }
    throw new Error(`River ${at} leaves its state at ${share}.`);
  }
}

function placeOf({ huc8 }: River, county: County, position: Position, share: number): SamplePlace {
  const quarter = Math.min(4, 1 + Math.floor(4 * share));
  return { county: county.name, huc8, huc12: `${huc8}0${quarter}01`, position };
}

function positionAlong(course: readonly Position[], share: number): Position {
  const at = Math.min(1, Math.max(0, share)) * (course.length - 1);
  const [from = [0, 0], to = from] = course.slice(Math.floor(at), Math.floor(at) + 2);
  const part = at - Math.floor(at);
  return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
}

/** The same line with bends: the middle of each piece moves aside by a share of it, and again that of each half. */
export function bent(line: readonly Position[], random: SeededRandom, most = BEND): readonly Position[] {
  let course = line;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    course = course.flatMap((from, index): Position[] => {
      const to = course[index + 1];
      if (to === undefined) return [from];
      const [east, north] = [to[0] - from[0], to[1] - from[1]];
      const bend = most * (2 * random.next() - 1);
      return [from, [from[0] + east / 2 - bend * north, from[1] + north / 2 + bend * east]];
    });
  }
  return course;
}
