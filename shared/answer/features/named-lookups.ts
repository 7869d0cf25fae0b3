// Lists of objects by which records refer to lookups, such as the sites of rights. Many records of a page name the same
// lookups, so what features have of each is written once, and copied for each record that names it.

import type { Members } from '../../records/object-definition';
import type { RecordReference } from '../../records/record-references';
import { ByteWriter } from '../../values/byte-writer';
import { MemberCutter } from '../../values/json-members';
import { GeometryWriter, type GeometrySource } from './feature-geometry';
import type { LookupTexts } from './feature-lookups';
import { objectMembers, writeItem, type MemberList } from './feature-members';
import type { TableColumn } from '../table-columns';

/** What the columns of a list are made of. */
export interface NamedSource {
  readonly members: Members;
  readonly reference: RecordReference;
  /** Those of the record show members of the objects, those that are joined in show members of the lookups. */
  readonly own: readonly TableColumn[];
  readonly joined: readonly TableColumn[];
  readonly lookups: LookupTexts;
  /** The number of the first member of a lookup that a column shows. */
  readonly first: number;
  readonly geometry: GeometrySource;
}

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;

const FIRST_BYTES = 65_536;

/** Not the number of an object. */
const NONE = -1;

/** Its loops run for each object of each record, and so read lists directly: what is read is always there. */
export class NamedLookups implements MemberList {
  private readonly cutter: MemberCutter;
  private readonly heads: readonly Buffer[];
  /** By object where its text stands, and the object that stood behind it last. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nexts: number[] = [];
  /** The last object with an identifier. */
  private readonly numbers = new Map<string, number>();
  /** The items of all columns of each object, a comma behind each, then its position. */
  private readonly parts = new ByteWriter(FIRST_BYTES);
  /** Where the parts start, and the last one ends. */
  private readonly bounds: number[] = [0];
  private readonly positions: GeometryWriter;
  /** The first object of the list that was passed last, and of each the index of its first bound. */
  private first = NONE;
  private readonly firsts: number[] = [];
  private count = 0;

  constructor(
    private readonly source: NamedSource,
    private readonly target: ByteWriter,
  ) {
    const { members, reference, own, joined, geometry } = source;
    const wanted = [reference.within ?? '', ...own.map(({ within }) => within ?? '')];
    this.cutter = new MemberCutter(objectMembers(members, reference.member), wanted);
    this.heads = [...own, ...joined].map(({ name }, index) => Buffer.from(`${index === 0 ? '' : ','}"${name}":[`));
    this.positions = new GeometryWriter(geometry, this.parts);
  }

  pass(bytes: Buffer, start: number): number {
    const { starts, ends, nexts, firsts } = this;
    const partsOfObject = this.heads.length + 1;
    let [before, expected] = [NONE, this.first];
    this.count = 0;
    let at = start + 1;
    while (bytes[at] !== CLOSE_LIST) {
      const object = this.objectAt(bytes, at, expected);
      if (before === NONE) this.first = object;
      else nexts[before] = object;
      firsts[this.count++] = object * partsOfObject;
      at += (ends[object] ?? 0) - (starts[object] ?? 0);
      if (bytes[at] === COMMA) at++;
      [before, expected] = [object, nexts[object] ?? NONE];
    }
    return at + 1;
  }

  /** Writes the columns of the record. */
  readonly write = (): void => {
    this.writeColumns(0, this.source.own.length);
  };

  /** Writes the columns that are joined in, with a comma before each. */
  readonly writeJoined = (): void => {
    this.writeColumns(this.source.own.length, this.heads.length);
  };

  /** Writes the points of the objects; null where none has one. None is long. */
  readonly writePoints = (): undefined => {
    const { target, parts, bounds, firsts, heads } = this;
    let points = 0;
    for (let at = 0; at < this.count; at++) {
      const bound = (firsts[at] ?? 0) + heads.length;
      const [start, end] = [bounds[bound] ?? 0, bounds[bound + 1] ?? 0];
      if (start === end) continue;
      target.ascii(points === 0 ? '{"type":"MultiPoint","coordinates":[' : ',');
      target.copyWritten(parts, start, end);
      points++;
    }
    target.ascii(points === 0 ? 'null' : ']}');
  };

  private writeColumns(from: number, to: number): void {
    const { target, parts, bounds, heads, count } = this;
    const firsts = { list: this.firsts, count };
    for (let column = from; column < to; column++) {
      const head = heads[column];
      if (head !== undefined) target.copyAll(head);
      target.copyParts(parts, bounds, firsts, column);
      if (count > 0) target.truncate(target.length - 1);
      target.byte(CLOSE_LIST);
    }
  }

  /** The number of the object at `start`, which is often the expected one, or the one that stood behind it last. */
  private objectAt(bytes: Buffer, start: number, expected: number): number {
    if (expected !== NONE) {
      if (this.isAt(expected, bytes, start)) return expected;
      const next = this.nexts[expected] ?? NONE;
      if (next !== NONE && this.isAt(next, bytes, start)) return next;
    }
    const end = this.cutter.locate(bytes, start);
    const [identifierStart, identifierEnd] = this.cutter.positions;
    const identifier = bytes.toString('latin1', identifierStart, identifierEnd);
    const known = this.numbers.get(identifier);
    if (known !== undefined && this.isAt(known, bytes, start)) return known;
    const number = this.starts.push(start) - 1;
    this.ends.push(end);
    this.nexts.push(NONE);
    this.numbers.set(identifier, number);
    this.writeParts(bytes);
    return number;
  }

  /** No object's text begins with that of another. */
  private isAt(object: number, bytes: Buffer, at: number): boolean {
    const [start, end] = [this.starts[object] ?? 0, this.ends[object] ?? 0];
    const atEnd = at + end - start;
    return atEnd <= bytes.length && bytes.compare(bytes, start, end, at, atEnd) === 0;
  }

  /** Writes what features have of the object that was located last. */
  private writeParts(bytes: Buffer): void {
    const { cutter, parts, bounds, source } = this;
    const { own, joined, lookups, first } = source;
    const { positions } = cutter;
    const lookup = lookups.find(bytes, positions[0] ?? 0, positions[1] ?? 0);
    const endPart = (): void => {
      parts.byte(COMMA);
      bounds.push(parts.length);
    };
    for (let slot = 1; slot <= own.length; slot++) {
      writeItem(parts, bytes, positions[2 * slot] ?? 0, positions[2 * slot + 1] ?? 0);
      endPart();
    }
    for (let member = first; member < first + joined.length; member++) {
      if (lookup === NONE) parts.ascii('""');
      else writeItem(parts, lookups.bytes, lookups.startOf(lookup, member), lookups.endOf(lookup, member));
      endPart();
    }
    if (lookup !== NONE) this.positions.writePosition(lookups.placeAt(lookup));
    bounds.push(parts.length);
  }
}
