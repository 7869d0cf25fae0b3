// Lists of objects by which records refer to lookups, such as the sites of rights. Many records of a page name the same
// lookups, so what features have of each is written once, and copied for each record that names it.

import type { Members } from '../../records/object-definition';
import type { RecordReference } from '../../records/record-references';
import { ByteWriter } from '../../values/bytes/byte-writer';
import { MemberCutter } from '../../values/bytes/json-members';
import { isNull } from '../../values/bytes/json-values';
import { TextTable } from '../../values/bytes/text-table';
import { copiedText, isSameAt, type CopiedBytes } from '../../values/bytes/word-copying';
import { GeometryWriter, LYING_MEMBERS, type GeometrySource } from './feature-geometry';
import type { LookupTexts } from './feature-lookups';
import { objectMembers, type MemberList } from './feature-members';
import { ListColumns } from './list-columns';
import type { TableColumn } from '../table-columns';

/** What the columns of a list are made of. */
export interface NamedSource {
  /** The texts of the records that have the lists. */
  readonly records: CopiedBytes;
  readonly members: Members;
  readonly reference: RecordReference;
  /** Those of the record show members of the objects, those that are joined in show members of the lookups. */
  readonly own: readonly TableColumn[];
  readonly joined: readonly TableColumn[];
  /** With the members that the joined columns show. */
  readonly lookups: LookupTexts;
  readonly geometry: GeometrySource;
}

const [LONGITUDE, LATITUDE] = LYING_MEMBERS.Sites;

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;

/** Not the number of an object. */
const NONE = -1;

const MULTI_POINT = copiedText('{"type":"MultiPoint","coordinates":[');

const FIRST_BYTES = 65_536;

/** Its loops run for each object of each record, and so read lists directly: what is read is always there. */
export class NamedLookups implements MemberList {
  private readonly cutter: MemberCutter;
  /** By object where its text stands, and the object that stood behind it last. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nexts: number[] = [];
  /** By identifier the last object that has it. */
  private readonly named = new TextTable();
  /** The pair of an object's longitude in its members, before that of the latitude; NONE where it is no place. */
  private readonly longitude: number;
  /** What the columns have of the objects, and the number of each there. */
  private readonly own: ListColumns;
  private readonly joined: ListColumns;
  private readonly ownNumbers: number[] = [];
  private readonly joinedNumbers: number[] = [];
  /** The number there of all objects whose lookups have none of the members. */
  private nothing = NONE;
  /** The positions of the objects, and where each starts; the last one ends at the last bound. */
  private readonly points: ByteWriter;
  private readonly positions: GeometryWriter;
  private readonly bounds: number[] = [0];
  /** The objects of the list that was passed last, and their numbers in the columns. */
  private readonly objects: number[] = [];
  private readonly ownObjects: number[] = [];
  private readonly joinedObjects: number[] = [];
  private count = 0;

  constructor(
    private readonly source: NamedSource,
    private readonly target: ByteWriter,
  ) {
    const { members, reference, own, joined, lookups, geometry } = source;
    const wanted = [reference.within ?? '', ...own.map(({ within }) => within ?? '')];
    const longitude = wanted.indexOf(LONGITUDE);
    this.longitude = wanted[longitude + 1] === LATITUDE ? longitude : NONE;
    this.cutter = new MemberCutter(objectMembers(members, reference.member), wanted);
    this.own = new ListColumns(own, '', target, lookups.allocate);
    this.joined = new ListColumns(joined, ',', target, lookups.allocate);
    this.points = new ByteWriter(FIRST_BYTES, lookups.allocate);
    this.positions = new GeometryWriter(geometry, this.points);
  }

  pass({ bytes }: CopiedBytes, start: number): number {
    const { starts, ends, nexts, objects, ownObjects, joinedObjects } = this;
    let before = NONE;
    let expected = this.count === 0 ? NONE : (objects[0] ?? NONE);
    this.count = 0;
    let at = start + 1;
    while (bytes[at] !== CLOSE_LIST) {
      const object = this.objectAt(bytes, at, expected);
      if (before !== NONE) nexts[before] = object;
      objects[this.count] = object;
      ownObjects[this.count] = this.ownNumbers[object] ?? NONE;
      joinedObjects[this.count] = this.joinedNumbers[object] ?? NONE;
      this.count++;
      at += (ends[object] ?? 0) - (starts[object] ?? 0);
      if (bytes[at] === COMMA) at++;
      before = object;
      expected = nexts[object] ?? NONE;
    }
    return at + 1;
  }

  /** Writes the columns of the record. */
  readonly write = (): void => {
    this.own.write(this.ownObjects, this.count);
  };

  /** Writes the columns that are joined in, with a comma before each. */
  readonly writeJoined = (): void => {
    this.joined.write(this.joinedObjects, this.count);
  };

  /** Writes the points of the objects; null where none has one. None is long. */
  readonly writePoints = (): undefined => {
    const { target, points, bounds, objects } = this;
    let written = 0;
    for (let at = 0; at < this.count; at++) {
      const object = objects[at] ?? 0;
      const start = bounds[object] ?? 0;
      const end = bounds[object + 1] ?? 0;
      if (start === end) continue;
      if (written === 0) target.copyText(MULTI_POINT);
      else target.byte(COMMA);
      target.copyWords(points.words, start, end);
      written++;
    }
    target.ascii(written === 0 ? 'null' : ']}');
  };

  /** The number of the object at `start`, which is often the expected one, or the one that stood behind it last. */
  private objectAt(bytes: Buffer, start: number, expected: number): number {
    if (expected !== NONE) {
      if (this.isAt(expected, start)) return expected;
      const next = this.nexts[expected] ?? NONE;
      if (next !== NONE && this.isAt(next, start)) return next;
    }
    const end = this.cutter.locate(this.source.records, start);
    const [identifierStart = 0, identifierEnd = 0] = this.cutter.positions;
    const number = this.starts.length;
    const known = this.named.getOrSet(bytes, identifierStart, identifierEnd, number);
    if (known !== number) {
      if (this.isAt(known, start)) return known;
      this.named.set(bytes, identifierStart, identifierEnd, number);
    }
    this.starts.push(start);
    this.ends.push(end);
    this.nexts.push(NONE);
    this.addObject(this.source.lookups.find(bytes, identifierStart, identifierEnd));
    return number;
  }

  /** No object's text begins with that of another. */
  private isAt(object: number, at: number): boolean {
    const { bytes, words } = this.source.records;
    const start = this.starts[object] ?? 0;
    const end = this.ends[object] ?? 0;
    return at + end - start <= bytes.length && isSameAt(words, start, end, at);
  }

  /** Adds what features have of the object that was located last, and of the lookup that it refers to. */
  private addObject(lookup: number): void {
    const { cutter, own, joined, source, ownNumbers, joinedNumbers, points, bounds } = this;
    const { lookups, records } = source;
    const { positions } = cutter;
    ownNumbers.push(own.add(records, positions, 1));
    if (this.hasMembers(lookup)) {
      joinedNumbers.push(joined.add(lookups.text, lookups.positions, lookups.pairOf(lookup, 0)));
    } else {
      if (this.nothing === NONE) this.nothing = joined.addNothing();
      joinedNumbers.push(this.nothing);
    }
    if (this.longitude !== NONE)
      this.positions.writePosition({ bytes: records.bytes, positions, first: this.longitude });
    bounds.push(points.length);
  }

  /** Whether a lookup has any of the members that are joined in. */
  private hasMembers(lookup: number): boolean {
    const { joined, lookups } = this.source;
    if (lookup === NONE) return false;
    for (let index = 0; index < joined.length; index++) {
      if (!isNull(lookups.bytes, lookups.startOf(lookup, index))) return true;
    }
    return false;
  }
}
