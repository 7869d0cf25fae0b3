// Where the places of a release lie, kept with it, so that the next release can tell which identifiers now mean another place.

import { Sections, writeSections } from '../../../shared/search/sections';
import type { Box } from '../../../shared/values/geometry';
import { KeyTable, keyFingerprint } from '../../build/index/fingerprints';
import { SMELL_LIMITS } from '../../format/smell-texts';
import { isOutsideState } from './state-bounds';

/** Longitude, latitude. */
type Position = readonly [longitude: number, latitude: number];

export interface PlacePositions {
  readonly keys: Float64Array;
  /** Longitude and latitude of each, rounded to 32 bits (a meter). */
  readonly positions: Float32Array;
}

export interface PlaceExample {
  readonly id: string;
  /** In the former release; undefined when that does not matter. */
  readonly before: Position | undefined;
  readonly after: Position;
}

export interface PlaceFindings {
  readonly moved: number;
  readonly movedExamples: readonly PlaceExample[];
  readonly outside: number;
  readonly outsideExamples: readonly PlaceExample[];
}

export class PlaceComparison {
  private keys = new Float64Array(256);
  private positions = new Float32Array(512);
  private count = 0;
  private outside = 0;
  private readonly outsideExamples: PlaceExample[] = [];
  private moved = 0;
  private readonly movedExamples: PlaceExample[] = [];
  private table: KeyTable | undefined;

  constructor(
    private readonly state: string,
    private former: PlacePositions | undefined,
    private readonly maxExamples: number,
  ) {
    this.table = former === undefined ? undefined : new KeyTable(former.keys);
  }

  /** `box` is the place's point or what its geometry covers. */
  add(id: string, box: Box): void {
    const after: Position = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const key = keyFingerprint(id);
    this.keep(key, after);
    if (isOutsideState(this.state, box)) {
      this.outside++;
      if (this.outsideExamples.length < this.maxExamples) this.outsideExamples.push({ id, before: undefined, after });
    }
    const before = this.formerPosition(key);
    if (before === undefined || !hasMoved(before, after)) return;
    this.moved++;
    if (this.movedExamples.length < this.maxExamples) this.movedExamples.push({ id, before, after });
  }

  /** For the release; frees what only the comparison needed. */
  finish(): Uint8Array {
    this.table = undefined;
    this.former = undefined;
    return writeSections([this.keys.subarray(0, this.count), this.positions.subarray(0, 2 * this.count)]);
  }

  findings(): PlaceFindings {
    const { moved, movedExamples, outside, outsideExamples } = this;
    return { moved, movedExamples, outside, outsideExamples };
  }

  private formerPosition(key: number): Position | undefined {
    const index = this.table?.indexOf(key);
    if (index === undefined || this.former === undefined) return undefined;
    return [this.former.positions[2 * index] ?? NaN, this.former.positions[2 * index + 1] ?? NaN];
  }

  private keep(key: number, [longitude, latitude]: Position): void {
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
  const { buffer, byteOffset, length } = sections.uint32(1);
  return { keys: sections.float64(0), positions: new Float32Array(buffer, byteOffset, length) };
}

function hasMoved(before: Position, after: Position): boolean {
  const degrees = Math.max(Math.abs(before[0] - after[0]), Math.abs(before[1] - after[1]));
  return degrees > SMELL_LIMITS.movedDegrees;
}
