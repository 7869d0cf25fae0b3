// Compares the places of a release with those of the former one and with the box around their state (ADR 0016). The
// positions of places are stored with each release, so that the next one can tell which identifiers now stand for
// another place.

import { sectionOf, sectionPieces, Sections } from '../../../shared/values/bytes/sections';
import type { Box } from '../../../shared/values/geometry';
import { KeyTable } from '../../../shared/search/release-changes';
import { keyFingerprint } from '../../build/index/fingerprints';
import { MAX_EXAMPLES_SHOWN } from '../../format/report';
import { SMELL_LIMITS } from '../../format/smell-texts';
import bounds from './state-bounds.json';

/** Degrees. */
type Position = readonly [longitude: number, latitude: number];

/** The `positions` artifact. */
export interface PlacePositions {
  /** Fingerprints of the places' identifiers. */
  readonly keys: Float64Array;
  /** Longitude and latitude of each place, rounded to 32 bits (a meter). */
  readonly positions: Float32Array;
}

export interface PlaceExample {
  readonly id: string;
  /** The position in the former release; undefined when the smell is not about a move. */
  readonly before: Position | undefined;
  readonly after: Position;
}

export interface PlaceFindings {
  moved: number;
  readonly movedExamples: PlaceExample[];
  outside: number;
  readonly outsideExamples: PlaceExample[];
}

export class PlaceComparison {
  private keys = new Float64Array(256);
  private positions = new Float32Array(512);
  private count = 0;
  private readonly found: PlaceFindings = { moved: 0, movedExamples: [], outside: 0, outsideExamples: [] };
  private table: KeyTable | undefined;

  /** `state` is the organization's two-letter code. */
  constructor(
    private readonly state: string,
    private former: PlacePositions | undefined,
  ) {
    this.table = former === undefined ? undefined : KeyTable.withAll(former.keys);
  }

  /** `box` is the place's point, or the box around its geometry; the place is taken to lie in the middle. */
  add(id: string, box: Box): void {
    const after: Position = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const key = keyFingerprint(id);
    const { found } = this;
    this.store(key, after);
    if (isOutsideState(this.state, box)) {
      found.outside++;
      if (found.outsideExamples.length < MAX_EXAMPLES_SHOWN)
        found.outsideExamples.push({ id, before: undefined, after });
    }
    const before = this.formerPosition(key);
    if (before === undefined || !hasMoved(before, after)) return;
    found.moved++;
    if (found.movedExamples.length < MAX_EXAMPLES_SHOWN) found.movedExamples.push({ id, before, after });
  }

  /** Returns the `positions` artifact and frees what only the comparison needed. */
  finish(): Iterable<Uint8Array> {
    this.table = undefined;
    this.former = undefined;
    const sections = [this.keys.subarray(0, this.count), this.positions.subarray(0, 2 * this.count)];
    [this.keys, this.positions] = [new Float64Array(), new Float32Array()];
    return sectionPieces(sections.map(sectionOf));
  }

  findings(): Readonly<PlaceFindings> {
    return this.found;
  }

  private formerPosition(key: number): Position | undefined {
    const index = this.table?.indexOf(key);
    if (index === undefined || this.former === undefined) return undefined;
    const [longitude, latitude] = this.former.positions.subarray(2 * index, 2 * index + 2);
    if (longitude === undefined || latitude === undefined) throw new Error('a place was stored without its position');
    return [longitude, latitude];
  }

  private store(key: number, [longitude, latitude]: Position): void {
    if (this.count === this.keys.length) {
      const { keys, positions } = this;
      this.keys = new Float64Array(2 * keys.length);
      this.positions = new Float32Array(2 * positions.length);
      this.keys.set(keys);
      this.positions.set(positions);
    }
    this.keys[this.count] = key;
    this.positions[2 * this.count] = longitude;
    this.positions[2 * this.count + 1] = latitude;
    this.count++;
  }
}

export function readPlacePositions(content: Uint8Array): PlacePositions {
  const sections = new Sections(content);
  return { keys: sections.numbers(Float64Array, 0), positions: sections.numbers(Float32Array, 1) };
}

function hasMoved(before: Position, after: Position): boolean {
  const degrees = Math.max(Math.abs(before[0] - after[0]), Math.abs(before[1] - after[1]));
  return degrees > SMELL_LIMITS.movedDegrees;
}

/** By two-letter code; the type of the JSON file says lists of numbers, each of which is a box. */
const STATE_BOXES: ReadonlyMap<string, readonly Box[]> = new Map(
  Object.entries(bounds.boxes as Record<string, readonly (readonly number[])[]>) as [string, readonly Box[]][],
);

const { outsideDegrees: MARGIN } = SMELL_LIMITS;

/** Whether a place lies beyond the margin around the boxes of a state; places of one without a box (US) never do. */
export function isOutsideState(state: string, [west, south, east, north]: Box): boolean {
  const boxes = STATE_BOXES.get(state) ?? [];
  const isOutside = boxes.every(([stateWest, stateSouth, stateEast, stateNorth]) => {
    const isBeside = east < stateWest - MARGIN || west > stateEast + MARGIN;
    return isBeside || north < stateSouth - MARGIN || south > stateNorth + MARGIN;
  });
  return boxes.length > 0 && isOutside;
}
