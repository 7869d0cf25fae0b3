// The texts of records as codes (ADR 0083): each member of a record is compared, byte by byte, with that of the record
// before, and only what differs is looked up among the texts that the group has already. So a text is parsed once for
// all records that have it, and so are the lookups that it refers to.

import {
  columnValue,
  ORGANIZATION_COLUMNS,
  tableColumns,
  valueOfMember,
  type JoinedColumns,
  type Scalar,
  type TableColumn,
} from '../answer/table-columns';
import { dataSetLayouts, type DataSetKind } from '../records/data-sets';
import type { LookupKind } from '../records/lookups';
import type { Organization } from '../records/organization';
import { identifiersOfValue, type Item } from '../records/record-references';
import { digestNameOf } from '../values/digest';
import { numberAt } from '../values/numbers';
import { CodedMember, GROUP_ROWS, type EntryWriter } from './coded-member';
import { ColumnCodes, type EncodedCell } from './column-values';
import { jsonValueEnd } from './json-bytes';

/** Texts that no two records share make a smaller group: a right has some thirty columns of lists. */
const GROUP_CHARACTERS = 10_000_000;

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

/** Codes one group. */
export class RecordCoder {
  private readonly members: readonly CodedMember[];
  private readonly keyMembers: readonly CodedMember[];
  private readonly organization = new CodedMember('', 0, false);
  private readonly segments: readonly CodedSegment[];
  private readonly lookups = new Map<LookupKind, Map<string, Item>>();
  /** What each lookup of a list has in the columns of its reference. */
  private readonly itemCodes = new Map<JoinedColumns, Map<string, readonly number[]>>();
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
    this.lookups.clear();
    this.itemCodes.clear();
    this.organization.add(organization);
  }

  /** Those that the records to come refer to, by identifier. */
  addLookups(kind: LookupKind, items: Iterable<readonly [identifier: string, item: Item]>): void {
    const known = this.lookups.get(kind) ?? new Map<string, Item>();
    this.lookups.set(kind, known);
    for (const [identifier, item] of items) known.set(identifier, item);
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
    return [
      this.organizationSegment(),
      ...this.members.map((member) => ownSegment(member, record)),
      ...joined.map((join) => this.joinedSegment(join)),
    ];
  }

  private organizationSegment(): CodedSegment {
    const columns = ORGANIZATION_COLUMNS.map(() => new ColumnCodes(false));
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
    const columns = declared.map(({ isList }) => new ColumnCodes(isList));
    member.writers.push((value) => {
      const identifiers = identifiersOfValue(value, reference);
      if (reference.isList) {
        const items = identifiers.map((identifier) => this.codesOf(identifier, join, columns));
        columns.forEach((values, at) => {
          values.addList(items.map((codes) => numberAt(codes, at)));
        });
        return;
      }
      const item = this.lookups.get(reference.lookups)?.get(identifiers[0] ?? '');
      declared.forEach((column, at) => columns[at]?.add(columnValue(item, column)));
    });
    return { member, columns };
  }

  /** What a lookup has in the columns of a list. Many records may share it, and few share all of a list. */
  private codesOf(identifier: string, join: JoinedColumns, columns: readonly ColumnCodes[]): readonly number[] {
    const known = this.itemCodes.get(join) ?? new Map<string, readonly number[]>();
    this.itemCodes.set(join, known);
    const found = known.get(identifier);
    if (found !== undefined) return found;
    const item = this.lookups.get(join.reference.lookups)?.get(identifier);
    const codes = columns.map((values, at) => values.codeOfItem(itemValue(item, join.columns[at])));
    known.set(identifier, codes);
    return codes;
  }
}

/** The lookups of a list have no lists inside. */
function itemValue(item: Item | undefined, column: TableColumn | undefined): Scalar {
  return column === undefined ? null : ((item?.[column.member] ?? null) as Scalar);
}

/** The columns that show the member itself. */
function ownSegment(member: CodedMember, record: readonly TableColumn[]): CodedSegment {
  const columns = record
    .filter((column) => column.member === member.name)
    .map((column) => {
      const values = new ColumnCodes(column.isList);
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
