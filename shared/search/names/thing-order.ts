// The order in which a search for names returns the things of a release (D60): most records first.

import { BitSet } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/number-arrays';
import { getRecordCount, type NameDirectory, sortByRecords } from '../index/name-directory';
import { type RecordSet, toRecordSet } from '../index/record-set';

export interface ThingOrder {
  /** Keyed by position: the number of the named item in the directory. */
  readonly numbers: ArrayLike<number>;
  readonly byteLength: number;
  getRecordCount(position: number): number;
  toPositions(things: RecordSet): RecordSet;
}

/** The order in which the release numbers its things. */
export class StoredOrder implements ThingOrder {
  readonly numbers: ArrayLike<number>;
  readonly byteLength = 0;

  constructor(private readonly directory: NameDirectory) {
    this.numbers = directory.thingNumbers;
  }

  getRecordCount(position: number): number {
    return getRecordCount(this.directory, position);
  }

  toPositions(things: RecordSet): RecordSet {
    return things;
  }
}

/** The order of the sites of amounts if their record counts include the organization's rights. */
export class CombinedOrder implements ThingOrder {
  readonly numbers: ArrayLike<number>;
  readonly byteLength: number;
  /** Keyed by position. */
  private readonly things: Uint32Array;
  private readonly positionByThing: Uint32Array;

  /** `records` contains the combined record count of each thing. */
  constructor(
    { thingNumbers, placesByName }: NameDirectory,
    private readonly records: Uint32Array,
  ) {
    this.things = sortByRecords(placesByName, (thing) => numberAt(records, thing));
    this.numbers = this.things.map((thing) => numberAt(thingNumbers, thing));
    this.positionByThing = new Uint32Array(this.things.length);
    this.things.forEach((thing, position) => {
      this.positionByThing[thing] = position;
    });
    // The arrays `things`, `numbers`, `positionByThing` and `records`.
    this.byteLength = 4 * this.things.byteLength;
  }

  getRecordCount(position: number): number {
    return numberAt(this.records, numberAt(this.things, position));
  }

  toPositions(things: RecordSet): RecordSet {
    const positions = new BitSet(this.things.length);
    for (const thing of things.slice()) positions.add(numberAt(this.positionByThing, thing));
    return toRecordSet(positions);
  }
}
