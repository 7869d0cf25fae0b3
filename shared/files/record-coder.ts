// The texts of records as codes (ADR 0083): each member of a record is compared, byte by byte, with that of the record
// before, and only what differs is looked up among the texts that the group has already. So a text is parsed once for
// all records that have it, and so are the lookups that it refers to.

import {
  columnValue,
  ORGANIZATION_COLUMNS,
  tableColumns,
  valueOfMember,
  type JoinedColumns,
  type TableColumn,
} from '../render/table-columns';
import { dataSetLayouts, type DataSetKind } from '../records/data-sets';
import type { LookupKind } from '../records/lookups';
import type { Organization } from '../records/organization';
import { identifiersOfValue, type Item } from '../records/record-references';
import { digestNameOf } from '../values/digest';
import { CodedMember, GROUP_ROWS, type EntryWriter } from './coded-member';
import { ColumnCodes, EntryLists, type EncodedCell } from './column-values';
import { jsonValueEnd } from './json-bytes';
import { ListedLookups } from './listed-lookups';

/** Texts that few records share, their own or those of their lookups, make a smaller group: a right has many. */
const GROUP_CHARACTERS = 6_000_000;

/** Neighbouring columns that follow from one member of a record. */
export interface Segment {
  /** The entry of each row. */
  readonly entryOf: Uint32Array;
  readonly columns: readonly ColumnCodes[];
}

export interface RecordGroup {
  readonly rows: number;
  /** In the order of the columns. */
  readonly segments: readonly Segment[];
  /** The digest of each record's key; empty unless they were asked for. */
  readonly keys: readonly string[];
}

interface CodedSegment {
  readonly columns: readonly ColumnCodes[];
  readonly member: CodedMember;
}

const [COLON, COMMA, CLOSING] = [0x3a, 0x2c, 0x7d];

/** Codes one group after the other. */
export class RecordCoder {
  private readonly members: readonly CodedMember[];
  private readonly keyMembers: readonly CodedMember[];
  private readonly organization = new CodedMember('', 0, false);
  private readonly segments: readonly CodedSegment[];
  private readonly lookups = new Map<LookupKind, Map<string, Item>>();
  private readonly listed: ListedLookups[] = [];
  private readonly keys: string[] = [];
  private keyStart = '';
  private previous: Buffer = Buffer.alloc(0);
  private characters = 0;
  rows = 0;

  constructor(
    private readonly dataSet: DataSetKind,
    private readonly hasKeys: boolean,
  ) {
    const { recordMembers, keyMembers } = dataSetLayouts[dataSet];
    const inKey = new Set(keyMembers);
    this.members = Object.keys(recordMembers).map(
      (name) => new CodedMember(name, Buffer.byteLength(`{"${name}":`), inKey.has(name)),
    );
    this.keyMembers = keyMembers.map((name) => this.memberOf(name));
    this.segments = this.declaredSegments();
  }

  /** How many records there is room for. */
  get room(): number {
    return this.characters > GROUP_CHARACTERS ? 0 : GROUP_ROWS - this.rows;
  }

  /** What follows is of a release of this organization; the same text may mean something else in another. */
  startRelease(organization: Organization): void {
    this.keyStart = `${JSON.stringify([organization.OrganizationUUID, this.dataSet]).slice(0, -1)},[`;
    for (const member of this.members) member.startRelease();
    for (const listed of this.listed) listed.startRelease();
    this.lookups.clear();
    this.organization.add(organization);
  }

  /** What follows is another group, and begins with `startRelease`. What the former one had is gone. */
  startGroup(): void {
    for (const member of [this.organization, ...this.members]) member.clear();
    for (const { columns } of this.segments) for (const column of columns) column.clear();
    for (const listed of this.listed) listed.clear();
    this.keys.length = 0;
    this.characters = 0;
    this.rows = 0;
  }

  /** Those that the records to come refer to, by identifier. */
  addLookups(kind: LookupKind, items: Iterable<readonly [identifier: string, item: Item]>): void {
    const known = this.lookups.get(kind) ?? new Map<string, Item>();
    this.lookups.set(kind, known);
    for (const [identifier, item] of items) {
      known.set(identifier, item);
      for (const value of Object.values(item)) if (typeof value === 'string') this.characters += value.length;
    }
  }

  /** The texts of records, joined with commas; they must stay as they are until the next call. */
  add(texts: Buffer): void {
    for (let at = 0; at < texts.length; at += 2) {
      at = this.addRecord(texts, at);
      if (texts[at] !== CLOSING) throw new Error('a record that is not as its kind is declared');
    }
  }

  /** The group as it is now. */
  group(): RecordGroup {
    const { rows, keys } = this;
    const segments = this.segments.map(({ member, columns }) => ({
      entryOf: member.entryOf.subarray(0, rows),
      columns,
    }));
    return { rows, segments, keys };
  }

  /** Returns where the members end. */
  private addRecord(texts: Buffer, from: number): number {
    const { previous, rows } = this;
    let at = from;
    for (const member of this.members) {
      at += member.before;
      if (texts[at - 1] !== COLON) throw new Error('a record that is not as its kind is declared');
      const { start, end } = member;
      const stop = at + end - start;
      let same = at;
      for (let other = start; same < stop && texts[same] === previous[other]; other++) same++;
      // A number may begin with the one before.
      const isSame = end > start && same === stop && (texts[stop] === COMMA || texts[stop] === CLOSING);
      member.start = at;
      member.end = at = isSame ? stop : jsonValueEnd(texts, at);
      if (!isSame) member.last = this.entryOf(member, texts.toString('utf8', member.start, at));
      member.entryOf[rows] = member.last;
    }
    this.organization.entryOf[rows] = this.organization.last;
    this.previous = texts;
    if (this.hasKeys) this.keys.push(this.keyOfLast());
    this.rows++;
    return at;
  }

  private keyOfLast(): string {
    let text = '';
    for (const { keyTexts, last } of this.keyMembers) text += `,${keyTexts[last] ?? ''}`;
    return digestNameOf(`${this.keyStart}${text.slice(1)}]]`);
  }

  private entryOf(member: CodedMember, text: string): number {
    const known = member.known.get(text);
    if (known !== undefined) return known;
    this.characters += text.length;
    return member.addText(text);
  }

  private memberOf(name: string): CodedMember {
    const member = this.members.find((one) => one.name === name);
    if (member === undefined) throw new Error(`records have no ${name}`);
    return member;
  }

  private declaredSegments(): readonly CodedSegment[] {
    const { record, joined } = tableColumns[this.dataSet];
    for (const { reference } of joined) this.memberOf(reference.member).isReference = true;
    if (new Set(joined.map(({ reference }) => reference.lookups)).size < joined.length) {
      throw new Error('two members that name lookups of one kind');
    }
    return [
      this.organizationSegment(),
      ...this.members.map((member) => ownSegment(member, record)),
      ...joined.map((join) => this.joinedSegment(join)),
    ];
  }

  private organizationSegment(): CodedSegment {
    const columns = ORGANIZATION_COLUMNS.map(() => newColumn({ isList: false }));
    this.organization.writers.push((organization) => {
      ORGANIZATION_COLUMNS.forEach((name, at) => {
        columns[at]?.add((organization as Organization)[name]); // Entries of organizations are organizations.
      });
    });
    return { member: this.organization, columns };
  }

  private joinedSegment(join: JoinedColumns): CodedSegment {
    const { reference, columns: declared } = join;
    const member = this.memberOf(reference.member);
    const take = (identifier = ''): Item | undefined => this.takeLookup(reference.lookups, identifier);
    if (reference.isList) {
      const listed = new ListedLookups(join, take);
      this.listed.push(listed);
      member.writers.push(listed.add);
      return { member, columns: listed.columns };
    }
    const columns = declared.map(newColumn);
    member.writers.push((value) => {
      const item = take(identifiersOfValue(value, reference)[0]);
      declared.forEach((column, at) => columns[at]?.add(columnValue(item, column)));
    });
    return { member, columns };
  }

  /** Only one member names lookups of a kind, and what it has seen stays coded, so nobody asks for the item again. */
  private takeLookup(kind: LookupKind, identifier: string): Item | undefined {
    const known = this.lookups.get(kind);
    const item = known?.get(identifier);
    known?.delete(identifier);
    return item;
  }
}

function newColumn({ isList }: Pick<TableColumn, 'isList'>): ColumnCodes {
  return new ColumnCodes(isList ? new EntryLists() : undefined);
}

/** The columns that show the member itself. */
function ownSegment(member: CodedMember, record: readonly TableColumn[]): CodedSegment {
  const columns = record
    .filter((column) => column.member === member.name)
    .map((column) => {
      const values = newColumn(column);
      member.writers.push(ownWriter(member, column, values));
      return values;
    });
  return { member, columns };
}

/** Entries of a member differ in their texts, and so in their values, unless they are coded anew for each release. */
function ownWriter({ isReference }: CodedMember, column: TableColumn, values: ColumnCodes): EntryWriter {
  if (column.isList || isReference) {
    return (value) => {
      values.add(valueOfMember(value, column));
    };
  }
  return (value) => {
    values.addDistinct(value as EncodedCell | null); // As the member is declared.
  };
}
