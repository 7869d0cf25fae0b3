// Compares the places of a release with those of the former one and with the boxes around their state (ADR 0066), and
// finds the holds that follow from where they lie (D64). The positions of places are stored with each release, so that
// the next one can tell which identifiers now stand for another place.

import { join } from 'node:path';
import type { DataSetKind } from '../../shared/records/data-sets';
import { KeyTable } from '../../shared/search/fingerprints';
import { sectionBuffers, Sections } from '../../shared/values/bytes/sections';
import type { Box } from '../../shared/values/geometry';
import { readNumber } from '../../shared/values/numbers';
import { readPoint } from '../../shared/values/site-point';
import { getStateName } from '../../shared/values/states';
import type { ObservedPlace } from '../build/build-release';
import { ColumnFile } from '../build/record-columns';
import { keyFingerprint } from '../build/release-digests';
import { CountedExamples, formatNumber, type Hold } from '../format/report';
import { type HoldReason, WARNING_LIMITS } from '../format/rules';
import { findMajorityHold } from './holds';
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
  /** The position in the former release; undefined when the warning is not about a move. */
  readonly before: Position | undefined;
  readonly after: Position;
}

/** How a report names the places of a kind, and the member that identifies them. */
export function getPlaceWords(kind: DataSetKind): { readonly noun: string; readonly member: string } {
  if (kind === 'AggregatedAmounts') return { noun: 'reporting unit', member: 'ReportingUnitUUID' };
  return { noun: 'site', member: 'SiteUUID' };
}

/** A projection's metres are far beyond all degrees. */
const MIN_PROJECTED_METERS = 1000;

/** Positions that are not where they should be, and what they look like. */
class WrongPositions extends CountedExamples<Hold['examples'][number]> {
  of = 0;
  private exchanged = 0;
  private projected = 0;

  constructor(private readonly placeMember: string) {
    super();
  }

  /** `isInside` tells whether a point lies where the organization's places do. */
  addPosition(id: string, texts: ObservedPlace['coordinates'], isInside: (point: Box) => boolean): void {
    const [longitude, latitude] = texts;
    this.addPlace(id, null, texts.map((text) => text ?? '(empty)').join(' '));
    const swapped = readPoint(latitude, longitude);
    if (swapped !== undefined && isInside(toBox(swapped))) this.exchanged++;
    else if (texts.some((text) => Math.abs(readNumber(text ?? '') ?? 0) > MIN_PROJECTED_METERS)) this.projected++;
  }

  /** A geometry can be a polygon of megabytes; the warning on its row says what is wrong with it. */
  addUnusable(id: string): void {
    this.addPlace(id, 'Geometry', 'cannot be used');
  }

  private addPlace(id: string, member: string | null, after: string): void {
    this.add(() => ({ identity: { [this.placeMember]: id }, member, before: null, after }));
  }

  /** What follows a sentence about them. */
  describeCauses(): string {
    const exchanged = `Longitude and Latitude look exchanged in ${formatNumber(this.exchanged)} of them.`;
    const projected = `The coordinates of ${formatNumber(this.projected)} of them look like metres of a projection, not degrees.`;
    return `${this.exchanged > 0 ? ` ${exchanged}` : ''}${this.projected > 0 ? ` ${projected}` : ''}`;
  }
}

function toBox({ longitude, latitude }: { readonly longitude: number; readonly latitude: number }): Box {
  return [longitude, latitude, longitude, latitude];
}

export class PlaceComparison {
  readonly moved = new CountedExamples<PlaceExample>();
  readonly outside = new CountedExamples<PlaceExample>();
  private readonly keys: ColumnFile;
  private readonly positions: ColumnFile;
  private readonly table: KeyTable | undefined;
  private readonly wrongCoordinates: WrongPositions;
  private readonly wrongGeometries: WrongPositions;
  private readonly outsideStates: WrongPositions;
  private readonly states: readonly string[];

  /** `state` is the organization's two-letter code. The files of what is stored lie in `folder`. */
  constructor(
    private readonly kind: DataSetKind,
    private readonly state: string,
    private readonly previous: PlacePositions | undefined,
    folder: string,
  ) {
    this.keys = new ColumnFile(join(folder, 'place-keys'), Float64Array);
    this.positions = new ColumnFile(join(folder, 'place-positions'), Float32Array);
    this.table = previous && KeyTable.from(previous.keys);
    const { member } = getPlaceWords(kind);
    this.wrongCoordinates = new WrongPositions(member);
    this.wrongGeometries = new WrongPositions(member);
    this.outsideStates = new WrongPositions(member);
    this.states = listStatesAround(state);
  }

  /** A place without a point is taken to lie in the middle of the box around its geometry. */
  add({ id, box, point, coordinates, geometry }: ObservedPlace): void {
    const { states } = this;
    const isInside = (at: Box): boolean => states.length === 0 || states.some((state) => !isOutsideState(state, at));
    if (coordinates.some((text) => text !== null)) {
      this.wrongCoordinates.of++;
      if (point === undefined) this.wrongCoordinates.addPosition(id, coordinates, isInside);
    }
    if (geometry !== 'none') this.wrongGeometries.of++;
    if (geometry === 'unusable') this.wrongGeometries.addUnusable(id);
    if (box === undefined) return;
    const after: Position = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    this.outsideStates.of++;
    if (!isInside(box)) this.outsideStates.addPosition(id, [formatDegree(after[0]), formatDegree(after[1])], isInside);
    const key = keyFingerprint(id);
    this.keys.add(key);
    for (const degrees of after) this.positions.add(degrees);
    if (isOutsideState(this.state, box)) this.outside.add(() => ({ id, before: undefined, after }));
    const before = this.findPreviousPosition(key);
    if (before !== undefined && hasMoved(before, after)) this.moved.add(() => ({ id, before, after }));
  }

  findHolds(): readonly Hold[] {
    const { noun } = getPlaceWords(this.kind);
    const useless = 'have none that can be used';
    const around = `lie outside ${getStateName(this.state)} and its neighbours`;
    const findHold = (reason: HoldReason, wrong: WrongPositions, group: string, predicate: string): readonly Hold[] =>
      findMajorityHold(reason, wrong, [noun, group, predicate], wrong.describeCauses());
    return [
      ...findHold('positions-unusable', this.wrongCoordinates, 'with coordinates', useless),
      ...findHold('positions-unusable', this.wrongGeometries, 'with a geometry', useless),
      ...findHold('outside-states', this.outsideStates, 'with a position', around),
    ];
  }

  /** The `positions` artifact; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    return sectionBuffers([this.keys, this.positions]);
  }

  private findPreviousPosition(key: number): Position | undefined {
    const index = this.table?.indexOf(key);
    if (index === undefined || this.previous === undefined) return undefined;
    const [longitude, latitude] = this.previous.positions.subarray(2 * index, 2 * index + 2);
    if (longitude === undefined || latitude === undefined) throw new Error('a place was stored without its position');
    return [longitude, latitude];
  }
}

export function readPlacePositions(content: Uint8Array): PlacePositions {
  const sections = new Sections(content);
  return { keys: sections.numbers(Float64Array, 0), positions: sections.numbers(Float32Array, 1) };
}

/** Rounds a degree to a meter, the precision of stored positions. */
export function formatDegree(degree: number): string {
  return String(Number(degree.toFixed(5)));
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
const NEIGHBORS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(bounds.neighbours));

/** A state and its neighbours; none for one without a box (US), whose places may lie anywhere. */
export function listStatesAround(state: string): readonly string[] {
  return STATE_BOXES.has(state) ? [state, ...(NEIGHBORS.get(state) ?? [])] : [];
}
