// Compares the places of a release with those of the former one and with the box around their state (ADR 0066). The
// positions of places are stored with each release, so that the next one can tell which identifiers now stand for
// another place.

import { join } from 'node:path';
import bounds from './state-bounds.json';
import type { DataSetKind } from '../../shared/records/data-sets';
import { sectionPieces, Sections } from '../../shared/values/bytes/sections';
import type { Box } from '../../shared/values/geometry';
import { KeyTable } from '../../shared/search/release-changes';
import { ColumnFile } from '../build/record-columns';
import { keyFingerprint } from '../build/release-digests';
import { CountedExamples } from '../format/report';
import { WARNING_LIMITS } from '../format/rules';

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
  /** The position in the former release; undefined when the warning is not about a move. */
  readonly before: Position | undefined;
  readonly after: Position;
}

/** How a report names the places of a kind, and the member that identifies them. */
export function wordsOfPlaces(kind: DataSetKind): { readonly noun: string; readonly member: string } {
  if (kind === 'AggregatedAmounts') return { noun: 'reporting unit', member: 'ReportingUnitUUID' };
  return { noun: 'site', member: 'SiteUUID' };
}

export class PlaceComparison {
  readonly moved = new CountedExamples<PlaceExample>();
  readonly outside = new CountedExamples<PlaceExample>();
  private readonly keys: ColumnFile;
  private readonly positions: ColumnFile;
  private readonly table: KeyTable | undefined;

  /** `state` is the organization's two-letter code. The files of what is stored lie in `folder`. */
  constructor(
    private readonly state: string,
    private readonly former: PlacePositions | undefined,
    folder: string,
  ) {
    this.keys = new ColumnFile(join(folder, 'place-keys'), Float64Array);
    this.positions = new ColumnFile(join(folder, 'place-positions'), Float32Array);
    this.table = former && KeyTable.withAll(former.keys);
  }

  /** `box` is the place's point, or the box around its geometry; the place is taken to lie in the middle. */
  add(id: string, box: Box): void {
    const after: Position = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const key = keyFingerprint(id);
    this.keys.add(key);
    for (const degrees of after) this.positions.add(degrees);
    if (isOutsideState(this.state, box)) this.outside.add(() => ({ id, before: undefined, after }));
    const before = this.formerPosition(key);
    if (before !== undefined && hasMoved(before, after)) this.moved.add(() => ({ id, before, after }));
  }

  /** The `positions` artifact; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    return sectionPieces([this.keys, this.positions]);
  }

  private formerPosition(key: number): Position | undefined {
    const index = this.table?.indexOf(key);
    if (index === undefined || this.former === undefined) return undefined;
    const [longitude, latitude] = this.former.positions.subarray(2 * index, 2 * index + 2);
    if (longitude === undefined || latitude === undefined) throw new Error('a place was stored without its position');
    return [longitude, latitude];
  }
}

export function readPlacePositions(content: Uint8Array): PlacePositions {
  const sections = new Sections(content);
  return { keys: sections.numbers(Float64Array, 0), positions: sections.numbers(Float32Array, 1) };
}

function hasMoved(before: Position, after: Position): boolean {
  const degrees = Math.max(Math.abs(before[0] - after[0]), Math.abs(before[1] - after[1]));
  return degrees > WARNING_LIMITS.movedDegrees;
}

/** By two-letter code; the type of the JSON file says lists of numbers, each of which is a box. */
const STATE_BOXES: ReadonlyMap<string, readonly Box[]> = new Map(
  Object.entries(bounds.boxes as Record<string, readonly (readonly number[])[]>) as [string, readonly Box[]][],
);

const { outsideDegrees: MARGIN } = WARNING_LIMITS;

/** Whether a place lies beyond the margin around the boxes of a state; places of one without a box (US) never do. */
export function isOutsideState(state: string, [west, south, east, north]: Box): boolean {
  const boxes = STATE_BOXES.get(state) ?? [];
  const isOutside = boxes.every(([stateWest, stateSouth, stateEast, stateNorth]) => {
    const isBeside = east < stateWest - MARGIN || west > stateEast + MARGIN;
    return isBeside || north < stateSouth - MARGIN || south > stateNorth + MARGIN;
  });
  return boxes.length > 0 && isOutside;
}

/** By two-letter code, those with a common border or corner; a test holds that each stands at both of its ends. */
const NEIGHBOURS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(bounds.neighbours));

/** A state and its neighbours; none for one without a box (US), whose places may lie anywhere. */
export function statesAround(state: string): readonly string[] {
  return STATE_BOXES.has(state) ? [state, ...(NEIGHBOURS.get(state) ?? [])] : [];
}
