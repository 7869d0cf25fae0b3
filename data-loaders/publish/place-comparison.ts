// Compares the places of a release with those of the previous release and with the boxes around their state (ADR 0066),
// and finds the holds that follow (D64). The positions of places are stored with each release, so that the next
// comparison can tell which identifiers now stand for another place.

import { join } from 'node:path';
import type { DataSetKind } from '../../shared/records/data-sets';
import { KeyTable } from '../../shared/search/fingerprints';
import { sectionBuffers, Sections } from '../../shared/values/bytes/sections';
import type { Box } from '../../shared/values/geometry';
import { getStateName } from '../../shared/values/states';
import { ColumnFile } from '../build/column-file';
import { keyFingerprint } from '../build/fingerprints';
import type { ObservedPlace } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import type { HoldReason } from '../format/hold-reasons';
import { WARNING_LIMITS } from '../format/quality-warnings';
import type { Hold } from '../format/report';
import { findMajorityHold } from './holds';
import { isOutsideState, listStatesAround } from './state-boxes';
import { WrongPositions } from './wrong-positions';

/** Degrees. */
type Position = readonly [longitude: number, latitude: number];

/** The `positions` artifact. */
export interface PlacePositions {
  /** Fingerprints of the identifiers of places. */
  readonly keys: Float64Array;
  /** Longitude and latitude of each place, rounded to 32 bits (a meter). */
  readonly positions: Float32Array;
}

export interface PlaceExample {
  readonly id: string;
  /** The position in the previous release; undefined if the warning is not about a move. */
  readonly before: Position | undefined;
  readonly after: Position;
}

/** The noun for the places of a kind, and the member that identifies them. */
export function getPlaceWords(kind: DataSetKind): { readonly noun: string; readonly member: string } {
  if (kind === 'AggregatedAmounts') return { noun: 'reporting unit', member: 'ReportingUnitUUID' };
  return { noun: 'site', member: 'SiteUUID' };
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

  /** `state` is the two-letter code of the organization's state. Files with what is stored are in `folder`. */
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

  /** A place without a point counts as located in the middle of the box around its geometry. */
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

  /** The `positions` artifact. A buffer is overwritten after the next one is requested. */
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
