// The properties of a feature, cut out of the JSON text of a record or a place: what a column has as it stands in the
// text is copied with its neighbours, and only lists, geometries and days of timestamps are written anew.

import type { Members } from '../../records/object-definition';
import type { ByteWriter } from '../../values/byte-writer';
import { isNull, isSameText, isText, itemPositions, LocatedObjects, MemberCutter } from '../../values/json-members';
import { numberAt } from '../../values/numbers';
import type { TableColumn } from '../table-columns';

/** Writes what becomes of the JSON text from `start` to before `end`. */
export type TextWriter = (bytes: Buffer, start: number, end: number) => void;

/** A member whose text is not a property as it stands. */
interface RewrittenMember {
  readonly slot: number;
  /** How long its name is in the text, with quotes and colon. */
  readonly nameLength: number;
  /** Writes members with commas between them; undefined for none. */
  readonly write: TextWriter | undefined;
}

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const QUOTE = 0x22;

export class PropertiesWriter {
  private readonly cutter: MemberCutter;
  private readonly rewritten: readonly RewrittenMember[];
  private readonly lists = new Map<string, ObjectList>();
  private start = 0;
  private end = 0;

  /** `named` are members whose positions come first; `columns` are those of the members. */
  constructor(
    members: Members,
    columns: readonly TableColumn[],
    named: readonly string[],
    private readonly target: ByteWriter,
  ) {
    const names = Object.keys(members);
    const others = names.filter((name) => columns.find(({ member }) => member === name) === undefined);
    if (others.includes(names.at(-1) ?? '')) throw new Error('the last member is no property');
    const written = names.flatMap((name) => {
      const own = columns.filter(({ member }) => member === name);
      const write = this.memberWriter(members, name, own);
      return own.length === 0 || write !== undefined ? [{ name, write }] : [];
    });
    this.cutter = new MemberCutter(names, [...named, ...written.map(({ name }) => name)]);
    this.rewritten = written.map(({ name, write }, index) => {
      return { slot: named.length + index, nameLength: name.length + 3, write };
    });
  }

  /** The starts and ends of the named members of the object that was located last. */
  get positions(): Uint32Array {
    return this.cutter.positions;
  }

  /** The objects of a member that is a list of objects. */
  objectsOf(member: string): ObjectList {
    const list = this.lists.get(member);
    if (list === undefined) throw new Error(`${member} is no list of objects`);
    return list;
  }

  /** Finds the members of the object that starts at `start`, and returns where it ends. */
  locate(bytes: Buffer, start: number): number {
    this.start = start;
    this.end = this.cutter.locate(bytes, start);
    return this.end;
  }

  /** Writes the properties of the object that was located last, as members with commas between them. */
  write(bytes: Buffer): void {
    const { positions, target } = this;
    let at = this.start + 1;
    for (const { slot, nameLength, write } of this.rewritten) {
      const start = numberAt(positions, 2 * slot);
      const end = numberAt(positions, 2 * slot + 1);
      target.copy(bytes, at, start - nameLength);
      write?.(bytes, start, end);
      // Another member follows, behind a comma.
      at = write === undefined ? end + 1 : end;
    }
    target.copy(bytes, at, this.end - 1);
  }

  /** Undefined where the text is the property, and where there is none. */
  private memberWriter(members: Members, name: string, columns: readonly TableColumn[]): TextWriter | undefined {
    const { target } = this;
    const [first] = columns;
    if (first === undefined) return undefined;
    if (first.within === undefined) {
      const isOther = first.isList || (first.type === 'date' && members[name]?.schema['pattern'] !== undefined);
      if (!isOther) return undefined;
      const writeValue = propertyWriter(first, target);
      return (bytes, start, end) => {
        target.text(`"${name}":`);
        writeValue(bytes, start, end);
      };
    }
    const list = new ObjectList(members, name);
    this.lists.set(name, list);
    return columnsWriter(list, columns, target);
  }
}

/** A list of objects becomes a list for each column. */
function columnsWriter(list: ObjectList, columns: readonly TableColumn[], target: ByteWriter): TextWriter {
  const parts = columns.map(({ name, within }, index) => {
    return { head: Buffer.from(`${index === 0 ? '' : ','}"${name}":[`), member: list.memberAt(within ?? '') };
  });
  return (bytes, start, end) => {
    const objects = list.locate(bytes, start, end);
    for (const { head, member } of parts) {
      target.copyAll(head);
      for (let item = 0; item < objects.count; item++) {
        if (item > 0) target.byte(COMMA);
        writeItem(target, bytes, objects.startOf(item, member), objects.endOf(item, member));
      }
      target.byte(CLOSE_LIST);
    }
  };
}

/** The objects of a list, found once for all who ask for members of them. */
class ObjectList {
  readonly objects: LocatedObjects;
  private readonly names: readonly string[];
  private last: { readonly bytes: Buffer; readonly start: number } | undefined;

  constructor(members: Members, name: string) {
    const { properties } = members[name]?.schema['items'] as { readonly properties: object }; // A list of objects.
    this.names = Object.keys(properties);
    this.objects = new LocatedObjects(new MemberCutter(this.names, this.names));
  }

  /** The number of a member, by which its text is asked for. */
  memberAt(name: string): number {
    return this.names.indexOf(name);
  }

  /** Finds the objects of the list from `start` to before `end`. */
  locate(bytes: Buffer, start: number, end: number): LocatedObjects {
    if (this.last?.bytes !== bytes || this.last.start !== start) {
      this.last = { bytes, start };
      this.objects.locate(bytes, start + 1, end - 1);
    }
    return this.objects;
  }
}

/** Writes a property as the text of the member has it; what is in a list is a text. */
export function propertyWriter({ type, isList }: TableColumn, target: ByteWriter): TextWriter {
  if (isList) {
    return (bytes, start) => {
      const items = itemPositions(bytes, start);
      target.byte(OPEN_LIST);
      for (let at = 0; at < items.length; at += 2) {
        if (at > 0) target.byte(COMMA);
        writeItem(target, bytes, numberAt(items, at), numberAt(items, at + 1));
      }
      target.byte(CLOSE_LIST);
    };
  }
  if (type !== 'date') {
    return (bytes, start, end) => {
      target.copy(bytes, start, end);
    };
  }
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
export function writeItem(target: ByteWriter, bytes: Buffer, start: number, end: number): void {
  if (isText(bytes, start)) {
    target.copy(bytes, start, end);
    return;
  }
  target.byte(QUOTE);
  if (!isNull(bytes, start)) target.copy(bytes, start, end);
  target.byte(QUOTE);
}

interface WrittenText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** What was written for it. */
  readonly first: number;
  readonly last: number;
}

/** For texts that many objects share, such as identifiers: what was written is copied from where it stands. */
export function remembering(target: ByteWriter, write: TextWriter): TextWriter {
  const known = new Map<string, WrittenText>();
  let last: WrittenText | undefined;
  return (bytes, start, end) => {
    // Neighbours often have the same, which is seen faster than it is looked up.
    if (last === undefined || !isSameText(last, bytes, start, end)) {
      const key = bytes.toString('latin1', start, end);
      last = known.get(key);
      if (last === undefined) {
        const first = target.length;
        write(bytes, start, end);
        last = { bytes, start, end, first, last: target.length };
        known.set(key, last);
        return;
      }
    }
    target.repeat(last.first, last.last);
  };
}
