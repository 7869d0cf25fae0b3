// The properties that a feature has of the lookups of its record, by the JSON texts of both.

import { lookupIdentifiers, lookupMembers, type LookupKind } from '../../records/lookups';
import type { Allocate, ByteWriter } from '../../values/bytes/byte-writer';
import { LocatedObjects, MemberCutter } from '../../values/bytes/json-members';
import { locateItems } from '../../values/bytes/json-values';
import { TextTable } from '../../values/bytes/text-table';
import type { CopiedBytes } from '../../values/bytes/word-copying';
import type { PlaceAt } from './feature-geometry';
import { propertyWriter, remembering, type TextWriter } from './feature-members';
import { ListColumns } from './list-columns';
import { listBytesOf, type SliceTexts } from '../page-texts';
import type { JoinedColumns, TableColumn } from '../table-columns';

const COMMA = 0x2c;

/** The texts of a page's lookups, and the memory that they are read into. */
export interface LookupList {
  readonly records: CopiedBytes;
  readonly of: SliceTexts['lookups'];
  readonly allocate: Allocate;
}

/** The lookups of one kind on a page, with some members of each. */
export class LookupTexts {
  /** With a comma behind each but the last. */
  readonly text: CopiedBytes;
  /** The texts of the records that refer to them. */
  readonly records: CopiedBytes;
  readonly allocate: Allocate;
  private readonly objects: LocatedObjects;
  private readonly identifier: number;
  private readonly numbers = new TextTable();

  constructor(kind: LookupKind, members: readonly string[], texts: LookupList) {
    this.allocate = texts.allocate;
    this.records = texts.records;
    this.text = listBytesOf(texts.of.get(kind), texts.allocate);
    this.identifier = members.length;
    const names = Object.keys(lookupMembers[kind]);
    this.objects = new LocatedObjects(new MemberCutter(names, [...members, lookupIdentifiers[kind]]));
    this.objects.locate(this.text);
    for (let lookup = 0; lookup < this.objects.count; lookup++) {
      const [start, end] = [this.startOf(lookup, this.identifier), this.endOf(lookup, this.identifier)];
      this.numbers.set(this.bytes, start, end, lookup);
    }
  }

  get bytes(): Buffer {
    return this.text.bytes;
  }

  /** The number of the lookup with an identifier; -1 without one. */
  find(bytes: Buffer, start: number, end: number): number {
    return this.objects.count === 0 ? -1 : (this.numbers.get(bytes, start, end) ?? -1);
  }

  /** The member has this index among those that were named. */
  startOf(lookup: number, member: number): number {
    return this.objects.startOf(lookup, member);
  }

  endOf(lookup: number, member: number): number {
    return this.objects.endOf(lookup, member);
  }

  get positions(): Uint32Array {
    return this.objects.positions;
  }

  /** The number of the pair in `positions` of a member. */
  pairOf(lookup: number, member: number): number {
    return this.objects.pairOf(lookup, member);
  }

  /** The lookup as a place: the first of its members are those that say where it lies. */
  placeAt(lookup: number): PlaceAt {
    return { bytes: this.bytes, positions: this.objects.positions, first: this.objects.pairOf(lookup, 0) };
  }

  /** The JSON of its identifier. */
  idOf(lookup: number): string {
    return this.bytes.toString('utf8', this.startOf(lookup, this.identifier), this.endOf(lookup, this.identifier));
  }
}

/** What properties are made of: the lookups, and the number of their first member that is shown. */
export interface JoinedLookups {
  readonly lookups: LookupTexts;
  readonly first: number;
}

/** Writes the properties by the text of the member that refers to the lookups, as members with a comma before each. */
export function joinedWriter(joined: JoinedColumns, source: JoinedLookups, target: ByteWriter): TextWriter {
  if (joined.reference.isList) return listsWriter(joined, source, target);
  const { lookups } = source;
  const write = membersWriter(joined, source, target);
  return remembering({ target, records: lookups.records }, write, (bytes, start, end) =>
    lookups.find(bytes, start, end),
  );
}

/** Properties that are lists, with an item for each lookup. */
function listsWriter({ columns }: JoinedColumns, { lookups, first }: JoinedLookups, target: ByteWriter): TextWriter {
  const lists = new ListColumns(columns, ',', target, lookups.allocate);
  /** Those of what is no lookup, then by lookup. */
  const objects: number[] = [];
  const [starts, ends, listed]: [number[], number[], number[]] = [[], [], []];
  return (bytes, start) => {
    const count = locateItems(lookups.records, start, starts, ends);
    for (let at = 0; at < count; at++) {
      const lookup = lookups.find(bytes, starts[at] ?? 0, ends[at] ?? 0);
      listed[at] = objects[lookup + 1] ??=
        lookup === -1 ? lists.addNothing() : lists.add(lookups.text, lookups.positions, lookups.pairOf(lookup, first));
    }
    lists.write(listed, count);
  };
}

/** Properties of a lookup: neighbouring members as they stand in its text, or one whose value is written anew. */
interface PropertyRun {
  readonly first: number;
  last: number;
  /** How long the name of the first member is in the text, with quotes and colon. */
  readonly nameLength: number;
  readonly writeValue: TextWriter | undefined;
  /** Those of no lookup. */
  missing: string;
}

function membersWriter({ reference, columns }: JoinedColumns, source: JoinedLookups, target: ByteWriter): TextWriter {
  const { lookups, first } = source;
  const runs = propertyRuns(reference.lookups, columns, target);
  return (bytes, start, end) => {
    const lookup = lookups.find(bytes, start, end);
    for (const run of runs) {
      if (lookup === -1) {
        target.ascii(run.missing);
        continue;
      }
      const valueStart = lookups.startOf(lookup, first + run.first);
      const lastEnd = lookups.endOf(lookup, first + run.last);
      target.byte(COMMA);
      const copiedEnd = run.writeValue === undefined ? lastEnd : valueStart;
      target.copyWords(lookups.text.words, valueStart - run.nameLength, copiedEnd);
      run.writeValue?.(lookups.bytes, valueStart, lastEnd);
    }
  };
}

function propertyRuns(kind: LookupKind, columns: readonly TableColumn[], target: ByteWriter): readonly PropertyRun[] {
  const names = Object.keys(lookupMembers[kind]);
  const runs: PropertyRun[] = [];
  columns.forEach((column, index) => {
    const { name, isList } = column;
    const missing = `,"${name}":${isList ? '[]' : 'null'}`;
    const writeValue = propertyWriter(column, target);
    const run = runs.at(-1);
    const isNext = names.indexOf(name) === names.indexOf(columns[index - 1]?.name ?? '') + 1;
    if (run !== undefined && isNext && run.writeValue === undefined && writeValue === undefined) {
      run.last = index;
      run.missing += missing;
    } else {
      runs.push({ first: index, last: index, nameLength: JSON.stringify(name).length + 1, writeValue, missing });
    }
  });
  return runs;
}
