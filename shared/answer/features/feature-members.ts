// The properties of a feature, cut out of the JSON text of a record or a place: what a column has as it stands in the
// text is copied with its neighbours, and only lists, geometries and days of timestamps are written anew.

import type { Member, Members } from '../../records/object-definition';
import type { ByteWriter } from '../../values/bytes/byte-writer';
import { LocatedObjects, MemberCutter, type PassValue } from '../../values/bytes/json-members';
import { isNull, isText } from '../../values/bytes/json-values';
import { copiedText, isSameAt, type CopiedBytes } from '../../values/bytes/word-copying';
import type { TableColumn } from '../table-columns';

/** Writes what becomes of the JSON text from `start` to before `end`. */
export type TextWriter = (bytes: Buffer, start: number, end: number) => void;

/** A member that is a list of objects, from which the record has a list for each column. */
export interface MemberList {
  /** Passes over the list that starts at `start`, and returns where it ends. */
  pass(texts: CopiedBytes, start: number): number;
  /** Writes the columns of the list that was passed last, with commas between them. */
  readonly write: () => void;
}

/** A member whose text is not a property as it stands. */
interface RewrittenMember {
  readonly slot: number;
  /** How long its name is in the text, with quotes and colon. */
  readonly nameLength: number;
  /** Writes members with commas between them; undefined for none. */
  readonly write: TextWriter | undefined;
}

const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** What the properties of objects are made of. */
export interface PropertySource {
  readonly members: Members;
  /** Those of the members. */
  readonly columns: readonly TableColumn[];
  /** By member. */
  readonly lists?: ReadonlyMap<string, MemberList>;
}

export class PropertiesWriter {
  private readonly cutter: MemberCutter;
  private readonly rewritten: readonly RewrittenMember[];
  private start = 0;
  private end = 0;

  /** `lists` are those of `columns` that somebody else writes; `named` are members whose positions come first. */
  constructor(
    { members, columns, lists = new Map<string, MemberList>() }: PropertySource,
    named: readonly string[],
    private readonly target: ByteWriter,
  ) {
    const names = Object.keys(members);
    const others = names.filter((name) => columns.find(({ member }) => member === name) === undefined);
    if (others.includes(names.at(-1) ?? '')) throw new Error('the last member is no property');
    const passing = new Map<string, PassValue>();
    const written = names.flatMap((name) => {
      const own = columns.filter(({ member }) => member === name);
      const list = own[0]?.within === undefined ? undefined : (lists.get(name) ?? new ObjectList(members, own, target));
      if (list !== undefined) passing.set(name, (texts, start) => list.pass(texts, start));
      const write = list === undefined ? this.memberWriter(members[name], own) : list.write;
      return own.length === 0 || write !== undefined ? [{ name, write }] : [];
    });
    this.cutter = new MemberCutter(names, [...named, ...written.map(({ name }) => name)], passing);
    this.rewritten = written.map(({ name, write }, index) => {
      return { slot: named.length + index, nameLength: name.length + 3, write };
    });
  }

  /** The starts and ends of the named members of the object that was located last. */
  get positions(): Uint32Array {
    return this.cutter.positions;
  }

  /** Finds the members of the object that starts at `start`, and returns where it ends. */
  locate(texts: CopiedBytes, start: number): number {
    this.start = start;
    this.end = this.cutter.locate(texts, start);
    return this.end;
  }

  /** Writes the properties of the object that was located last in the texts, as members with commas between them. */
  write(texts: CopiedBytes): void {
    const { positions, target } = this;
    let at = this.start + 1;
    for (const { slot, nameLength, write } of this.rewritten) {
      // Read directly: numberAt, which sees arrays of several types, takes as long as a short copy.
      const [start = NaN, end = NaN] = [positions[2 * slot], positions[2 * slot + 1]];
      target.copyPart(texts, at, start - nameLength);
      write?.(texts.bytes, start, end);
      // Another member follows, behind a comma.
      at = write === undefined ? end + 1 : end;
    }
    target.copyPart(texts, at, this.end - 1);
  }

  /** Undefined where the text is the property, and where there is none. */
  private memberWriter(member: Member<unknown> | undefined, [column]: readonly TableColumn[]): TextWriter | undefined {
    const { target } = this;
    const writeValue = column && propertyWriter(column, target);
    // A date without a pattern has no time that would be cut off.
    const isDay = column?.type === 'date' && member?.schema['pattern'] === undefined;
    if (column === undefined || writeValue === undefined || isDay) return undefined;
    const head = copiedText(`"${column.name}":`);
    return (bytes, start, end) => {
      target.copyText(head);
      writeValue(bytes, start, end);
    };
  }
}

/** The members of each object of a member that is a list of objects. */
export function objectMembers(members: Members, name: string): readonly string[] {
  const { properties } = members[name]?.schema['items'] as { readonly properties: object }; // A list of objects.
  return Object.keys(properties);
}

/** A list of objects that becomes a list for each column. */
class ObjectList implements MemberList {
  private readonly objects: LocatedObjects;
  private readonly heads: readonly CopiedBytes[];
  private bytes: Buffer = Buffer.alloc(0);

  constructor(
    members: Members,
    columns: readonly TableColumn[],
    private readonly target: ByteWriter,
  ) {
    const wanted = columns.map(({ within }) => within ?? '');
    this.objects = new LocatedObjects(new MemberCutter(objectMembers(members, columns[0]?.member ?? ''), wanted));
    this.heads = columns.map(({ name }, index) => copiedText(`${index === 0 ? '' : ','}"${name}":[`));
  }

  pass(texts: CopiedBytes, start: number): number {
    this.bytes = texts.bytes;
    return this.objects.locateList(texts, start);
  }

  readonly write = (): void => {
    const { target, bytes, objects, heads } = this;
    heads.forEach((head, member) => {
      target.copyText(head);
      for (let item = 0; item < objects.count; item++) {
        if (item > 0) target.byte(COMMA);
        writeItem(target, bytes, objects.startOf(item, member), objects.endOf(item, member));
      }
      target.byte(CLOSE_LIST);
    });
  };
}

/** Writes the value of a property that is not the text of its member; undefined where it is, as for lists of texts. */
export function propertyWriter({ type }: TableColumn, target: ByteWriter): TextWriter | undefined {
  if (type !== 'date') return undefined;
  // Days of a timestamp are days in the files as well (D53).
  return (bytes, start, end) => {
    if (isNull(bytes, start)) target.copy(bytes, start, end);
    else {
      target.copy(bytes, start, start + DAY_LENGTH);
      target.byte(QUOTE);
    }
  };
}

/** A quote and the ten characters of a day. */
const DAY_LENGTH = 11;

/** A value as a text in a list: lists beside one another have their items at the same places. */
function writeItem(target: ByteWriter, bytes: Buffer, start: number, end: number): void {
  if (isText(bytes, start)) {
    target.copy(bytes, start, end);
    return;
  }
  target.byte(QUOTE);
  if (!isNull(bytes, start)) target.copy(bytes, start, end);
  target.byte(QUOTE);
}

interface WrittenText {
  readonly start: number;
  readonly end: number;
  /** What was written for it. */
  readonly first: number;
  readonly last: number;
}

/**
 * For texts in records that many of them share, such as identifiers: what was written is copied from where it stands.
 * Texts that become the same have the same number, from -1 on.
 */
export function remembering(
  { target, records }: { readonly target: ByteWriter; readonly records: CopiedBytes },
  write: TextWriter,
  numberOf: (bytes: Buffer, start: number, end: number) => number,
): TextWriter {
  const written: (WrittenText | undefined)[] = [];
  const { words } = records;
  let last: WrittenText | undefined;
  return (bytes, start, end) => {
    // Neighbours often have the same, which is seen faster than it is looked up.
    if (last === undefined || last.end - last.start !== end - start || !isSameAt(words, start, end, last.start)) {
      const number = numberOf(bytes, start, end) + 1;
      last = written[number];
      if (last === undefined) {
        const first = target.length;
        write(bytes, start, end);
        last = { start, end, first, last: target.length };
        written[number] = last;
        return;
      }
    }
    target.repeat(last.first, last.last);
  };
}
