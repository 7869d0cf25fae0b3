// Cuts the JSON texts of objects without parsing them: bytes that one writer made of objects which all have the same
// members in the same order, without spaces. So only values have to be passed, and nothing becomes a string.

import { numberAt } from '../numbers';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What no other value begins with. */
const NULL_START = 0x6e;
const NULL_LENGTH = 4;

/** The end of a longer text is looked for by the platform. */
const LONG_TEXT = 64;

/** Passes over the value that starts at `start`, and returns where it ends. */
export type PassValue = (bytes: Buffer, start: number) => number;

/** A member that is not wanted has no slot. */
const NO_SLOT = -1;

export class MemberCutter {
  /** By member the length of its name, with quotes and colon. */
  private readonly nameLengths: Uint8Array;
  /** By member which of the wanted ones it is. */
  private readonly slots: Int8Array;
  private readonly passing: readonly (PassValue | undefined)[];
  /** Wanted members that are wanted once more, with the slots of both. */
  private readonly repeated: readonly { readonly from: number; readonly to: number }[];
  /** The start and the end of the value of each wanted member, as `locate` found them last. */
  readonly positions: Uint32Array;

  /**
   * `names` are all members in their order, `wanted` those that are cut out. Whoever needs what is inside a value
   * passes over it himself, so that it is gone through once.
   */
  constructor(
    names: readonly string[],
    wanted: readonly string[],
    passing: ReadonlyMap<string, PassValue> = new Map(),
  ) {
    const missing = wanted.find((name) => !names.includes(name));
    if (missing !== undefined) throw new Error(`objects have no member ${missing}`);
    this.nameLengths = Uint8Array.from(names, (name) => Buffer.byteLength(JSON.stringify(name)) + 1);
    this.slots = Int8Array.from(names, (name) => wanted.indexOf(name));
    this.passing = names.map((name) => passing.get(name));
    this.repeated = wanted.flatMap((name, to) =>
      wanted.indexOf(name) < to ? [{ from: wanted.indexOf(name), to }] : [],
    );
    this.positions = new Uint32Array(2 * wanted.length);
  }

  /**
   * Finds the members of the object that starts at `start`, and returns where it ends. What `positions` have stands in
   * `found` instead, from the index `offset` on, if that is given.
   */
  locate(bytes: Buffer, start: number, found = this.positions, offset = 0): number {
    const { nameLengths, slots, passing } = this;
    let at = start;
    let before = OPEN_OBJECT;
    for (let index = 0; index < nameLengths.length; index++) {
      const colon = at + (nameLengths[index] ?? 0);
      if (bytes[at] !== before || bytes[colon] !== COLON) throw lacksMember();
      before = COMMA;
      const first = colon + 1;
      const pass = passing[index];
      at = pass === undefined ? endOfValue(bytes, first) : pass(bytes, first);
      const slot = slots[index] ?? NO_SLOT;
      if (slot === NO_SLOT) continue;
      found[offset + 2 * slot] = first;
      found[offset + 2 * slot + 1] = at;
    }
    if (bytes[at] !== CLOSE_OBJECT) throw lacksMember();
    for (const { from, to } of this.repeated) {
      found[offset + 2 * to] = numberAt(found, offset + 2 * from);
      found[offset + 2 * to + 1] = numberAt(found, offset + 2 * from + 1);
    }
    return at + 1;
  }
}

function lacksMember(): Error {
  return new Error('an object that lacks a member');
}

/** Where the wanted members of many objects stand. */
export class LocatedObjects {
  /** Pairs of start and end, of each object those of its members. */
  positions = new Uint32Array();
  count = 0;
  private readonly members: number;

  constructor(private readonly cutter: MemberCutter) {
    this.members = cutter.positions.length / 2;
  }

  /** Finds the objects that stand from `start` to before `end`, with commas between them, in place of those before. */
  locate(bytes: Buffer, start: number, end: number): void {
    this.count = 0;
    for (let at = start; at < end; at++) at = this.add(bytes, at);
  }

  /** Finds the objects of the list that starts at `start`, in place of those before, and returns where it ends. */
  locateList(bytes: Buffer, start: number): number {
    this.count = 0;
    let at = start + 1;
    while (bytes[at] !== CLOSE_LIST) {
      at = this.add(bytes, at);
      if (bytes[at] === COMMA) at++;
    }
    return at + 1;
  }

  /** The number of the pair in `positions` of a member of an object. */
  pairOf(object: number, member: number): number {
    return object * this.members + member;
  }

  startOf(object: number, member: number): number {
    return numberAt(this.positions, 2 * this.pairOf(object, member));
  }

  endOf(object: number, member: number): number {
    return numberAt(this.positions, 2 * this.pairOf(object, member) + 1);
  }

  private add(bytes: Buffer, start: number): number {
    const length = 2 * this.members;
    const first = this.count++ * length;
    if (first + length > this.positions.length) this.makeRoom(2 * first + length);
    return this.cutter.locate(bytes, start, this.positions, first);
  }

  private makeRoom(length: number): void {
    const larger = new Uint32Array(length);
    larger.set(this.positions);
    this.positions = larger;
  }
}

/** Sets where the values inside the list that starts at `start` start and end, and returns how many they are. */
export function locateItems(bytes: Uint8Array, start: number, starts: number[], ends: number[]): number {
  let count = 0;
  let at = start + 1;
  while (bytes[at] !== CLOSE_LIST) {
    const end = endOfValue(bytes, at);
    starts[count] = at;
    ends[count] = end;
    count++;
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return count;
}

export function isText(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === QUOTE;
}

export function isNull(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === NULL_START;
}

export function isList(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === OPEN_LIST;
}

/** Whether the same bytes stand in two places. */
export function isSameText(
  a: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (a.end - a.start !== end - start) return false;
  for (let at = 0; at < end - start; at++) if (a.bytes[a.start + at] !== bytes[start + at]) return false;
  return true;
}

function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfText(bytes, start);
  if (first === NULL_START) return start + NULL_LENGTH;
  if (first === OPEN_LIST || first === OPEN_OBJECT) return endOfNested(bytes, start);
  let at = start;
  for (let byte = first; byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST; byte = bytes[++at]) {
    if (byte === undefined) throw lacksMember();
  }
  return at;
}

function endOfNested(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const byte = bytes[at];
    if (byte === undefined) throw lacksMember();
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    at = byte === QUOTE ? endOfText(bytes, at) : at + 1;
  } while (depth > 0);
  return at;
}

function endOfText(bytes: Uint8Array, start: number): number {
  const nearEnd = Math.min(bytes.length, start + LONG_TEXT);
  for (let at = start + 1; at < nearEnd; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return endOfLongText(bytes, start);
}

/** A quote is of the text where an odd number of backslashes stands before it. */
function endOfLongText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at === -1) throw lacksMember();
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}
