// The properties of a feature, cut out of the JSON text of a record or a place: what a column has as it stands in the
// text is copied with its neighbours, and only lists, geometries and days of timestamps are written anew.

import type { Members } from '../../records/object-definition';
import { MemberCutter, visitObjects } from '../../values/json-members';
import type { Scalar, TableColumn } from '../table-columns';

/** A member whose text is not a property as it stands. */
interface RewrittenMember {
  readonly slot: number;
  /** How long its name is in the text, with quotes and colon. */
  readonly nameLength: number;
  /** Members with commas between them; an empty text for none. */
  readonly write: (text: string) => string;
}

/** The text of the value of a member; one of those that were named. */
type MemberText = (slot: number) => string;

export class PropertiesWriter {
  private readonly cutter: MemberCutter;
  private readonly rewritten: readonly RewrittenMember[];
  private positions: Uint32Array = new Uint32Array();
  private text = '';
  /** Texts that were asked for: who asks again gets the same string, whose hash is then known. */
  private texts: (string | undefined)[] = [];

  /** `named` are members whose texts `write` hands over; `columns` are those of the members. */
  constructor(members: Members, columns: readonly TableColumn[], named: readonly string[]) {
    const names = Object.keys(members);
    const writers = names.flatMap((name) => {
      const own = columns.filter(({ member }) => member === name);
      const write = memberWriter(members, name, own);
      return write === undefined ? [] : [{ name, write }];
    });
    if (!columns.some(({ member }) => member === names.at(-1))) throw new Error('the last member is no property');
    this.cutter = new MemberCutter(names, [...named, ...writers.map(({ name }) => name)]);
    this.rewritten = writers.map(({ name, write }, index) => {
      return { slot: named.length + index, nameLength: name.length + 3, write };
    });
  }

  /** The properties of the object from `start` to before `end`, as members with commas between them. */
  write(text: string, start: number, end: number): string {
    this.text = text;
    this.positions = this.cutter.locate(text, start, end);
    this.texts = [];
    let written = '';
    let at = start + 1;
    for (const { slot, nameLength, write } of this.rewritten) {
      const members = write(this.memberText(slot));
      written += text.slice(at, this.position(2 * slot) - nameLength) + members;
      // Another member follows, behind a comma.
      at = this.position(2 * slot + 1) + Number(members === '');
    }
    return written + text.slice(at, end - 1);
  }

  /** The text of a member of the object that was written last. */
  readonly memberText: MemberText = (slot) =>
    (this.texts[slot] ??= this.text.slice(this.position(2 * slot), this.position(2 * slot + 1)));

  private position(index: number): number {
    return this.positions[index] ?? NaN;
  }
}

/** Undefined where the text is the property. */
function memberWriter(
  members: Members,
  name: string,
  columns: readonly TableColumn[],
): RewrittenMember['write'] | undefined {
  const [first] = columns;
  if (first === undefined) return () => '';
  if (first.within === undefined) {
    const isOther = first.isList || (first.type === 'date' && members[name]?.schema['pattern'] !== undefined);
    return isOther ? remembering((text) => `"${name}":${propertyText(first, text)}`) : undefined;
  }
  const within = columns.map((column) => column.within ?? '');
  const cutObjects = objectCutter(members, name, within);
  return rememberingLast((text) => {
    const objects = cutObjects(text);
    let written = '';
    columns.forEach((column, slot) => {
      written += `${slot === 0 ? '' : ','}"${column.name}":[`;
      for (let at = 0; at < objects.length; at++) written += (at === 0 ? '' : ',') + itemText(objects[at]?.[slot]);
      written += ']';
    });
    return written;
  });
}

/** Cuts the named members of each object of a list. */
export function objectCutter(
  members: Members,
  name: string,
  wanted: readonly string[],
): (text: string) => readonly (readonly string[])[] {
  const { properties } = members[name]?.schema['items'] as { readonly properties: object }; // A list of objects.
  const names = Object.keys(properties);
  const cutter = new MemberCutter(names, wanted);
  return (text) => {
    const list = text.slice(1, -1);
    const objects: (readonly string[])[] = [];
    visitObjects(list, names[0] ?? '', (start, end) => objects.push(cutter.cut(list, start, end)));
    return objects;
  };
}

/** A property as the text of the member has it; what is in a list is a text. */
export function propertyText({ type, isList }: TableColumn, text: string): string {
  if (isList) return JSON.stringify((JSON.parse(text) as readonly Scalar[]).map((item) => String(item ?? '')));
  // Days of a timestamp are days in the files as well (D53).
  return type === 'date' && text !== 'null' ? `${text.slice(0, 11)}"` : text;
}

/** A value as a text in a list: lists beside one another have their items at the same places. */
export function itemText(text: string | undefined): string {
  if (text === undefined || text === 'null') return '""';
  return text.startsWith('"') ? text : `"${text}"`;
}

/** For texts of which each stands in few objects, such as lists of objects, but in neighbours. */
export function rememberingLast<Value>(make: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: make(text) };
    return last.value;
  };
}

/** For texts that many objects share, such as identifiers. */
export function remembering<Value>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      known.set(text, value);
    }
    return value;
  };
}
