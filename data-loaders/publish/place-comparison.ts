// Compares the places of a release with those of the previous release and with the boxes around their state (ADR 0066),
// and derives holds (D64). The positions of places are stored with each release, so that the next comparison can detect
// identifiers that now refer to another place.

import type { DataSetKind } from '../../shared/records/data-sets';
import type { ReleaseReader } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import { getStateName } from '../../shared/values/states';
import { keyFingerprint } from '../build/fingerprints';
import type { ObservedPlace } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import { WARNING_LIMITS } from '../format/quality-warnings';
import type { Hold } from '../format/report';
import { findMajorityHold, findUnusableHold } from './holds';
import { type ExplainedLosses, PlaceLosses } from './place-losses';
import { type PlacePositions, PlacePositionsBuilder, type Position } from './place-positions';
import { getPlaceWords } from './place-words';
import { isOutsideState, listStatesAround } from './state-boxes';
import { WrongPositions } from './wrong-positions';

export interface PlaceExample {
  readonly id: string;
  /** The position in the previous release; undefined if the warning is not about a move. */
  readonly before: Position | undefined;
  readonly after: Position;
}

export class PlaceComparison {
  readonly moved = new CountedExamples<PlaceExample>();
  readonly outside = new CountedExamples<PlaceExample>();
  private readonly positions: PlacePositionsBuilder;
  private readonly losses: PlaceLosses | undefined;
  private readonly wrongCoordinates: WrongPositions;
  private readonly wrongGeometries: WrongPositions;
  private readonly outsideStates: WrongPositions;
  private readonly states: readonly string[];

  /** `state` is the two-letter code of the organization's state. Files for the artifact are created in `folder`. */
  constructor(
    private readonly kind: DataSetKind,
    private readonly state: string,
    previous: PlacePositions | undefined,
    folder: string,
  ) {
    this.positions = new PlacePositionsBuilder(folder);
    this.losses = previous && new PlaceLosses(kind, previous);
    const { member } = getPlaceWords(kind);
    this.wrongCoordinates = new WrongPositions(member);
    this.wrongGeometries = new WrongPositions(member);
    this.outsideStates = new WrongPositions(member);
    this.states = listStatesAround(state);
  }

  /** A place without a point is located at the center of the box around its geometry. */
  add(place: ObservedPlace): void {
    const { id, box, point, coordinates, geometry } = place;
    const { states } = this;
    const isInside = (at: Box): boolean => states.length === 0 || states.some((state) => !isOutsideState(state, at));
    if (coordinates.some((text) => text !== null)) {
      this.wrongCoordinates.of++;
      if (point === undefined) this.wrongCoordinates.addPosition(id, coordinates, isInside);
    }
    if (geometry !== 'none') this.wrongGeometries.of++;
    if (geometry === 'unusable') this.wrongGeometries.addUnusable(id);
    const after = findCenter(box);
    const key = keyFingerprint(id);
    this.positions.add(key, after, place);
    const before = this.losses?.addPlace(key, place);
    if (box === undefined || after === undefined) return;
    this.outsideStates.of++;
    if (!isInside(box)) this.outsideStates.addPosition(id, [formatDegree(after[0]), formatDegree(after[1])], isInside);
    if (isOutsideState(this.state, box)) this.outside.add(() => ({ id, before: undefined, after }));
    if (before !== undefined && hasMoved(before, after)) this.moved.add(() => ({ id, before, after }));
  }

  findHolds(): readonly Hold[] {
    const { noun } = getPlaceWords(this.kind);
    const useless = 'have none that can be used';
    const around = `lie outside ${getStateName(this.state)} and its neighbors`;
    const findUnusable = (wrong: WrongPositions, group: string): readonly Hold[] =>
      findUnusableHold(wrong, [`${noun}s ${group}`, useless], wrong.describeCauses());
    return [
      ...findUnusable(this.wrongCoordinates, 'with coordinates'),
      ...findUnusable(this.wrongGeometries, 'with a geometry'),
      ...findMajorityHold(
        'outside-states',
        this.outsideStates,
        [`${noun}s with a position`, around],
        this.outsideStates.describeCauses(),
      ),
    ];
  }

  /** The holds for places, positions and relations that the previous release had and this release lacks. */
  async findLosses(explained: ExplainedLosses, reader: ReleaseReader): Promise<readonly Hold[]> {
    return (await this.losses?.findHolds(explained, reader)) ?? [];
  }

  /** The `positions` artifact. A buffer is overwritten after the next buffer is requested. */
  pieces(): Iterable<Uint8Array> {
    return this.positions.pieces();
  }
}

function findCenter(box: Box | undefined): Position | undefined {
  return box && [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

/** Rounds degrees to about a meter, the precision of stored positions. */
export function formatDegree(degree: number): string {
  return String(Number(degree.toFixed(5)));
}

function hasMoved(before: Position, after: Position): boolean {
  const degrees = Math.max(Math.abs(before[0] - after[0]), Math.abs(before[1] - after[1]));
  return degrees > WARNING_LIMITS.movedDegrees;
}
