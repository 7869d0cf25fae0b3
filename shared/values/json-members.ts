// Cuts the JSON texts of objects without parsing them: bytes that one writer made of objects which all have the same
// members in the same order, without spaces. So only values have to be passed, and nothing becomes a string.

import { numberAt } from './numbers';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The end of a longer text is looked for by the platform. */
const LONG_TEXT = 64;

/** Passes over the value that starts at `start`, and returns where it ends. */
export type PassValue = (bytes: Buffer, start: number) => number;

interface CutMember {
  /** With its quotes and the colon. */
  readonly nameLength: number;
  /** Where the value stands in what is returned: more than once if it is named so, nowhere if it is not wanted. */
  readonly slots: readonly number[];
  readonly pass: PassValue;
}

export class MemberCutter {
  private readonly members: readonly CutMember[];
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
    this.members = names.map((name) => ({
      nameLength: Buffer.byteLength(JSON.stringify(name)) + 1,
      slots: wanted.flatMap((one, slot) => (one === name ? [slot] : [])),
      pass: passing.get(name) ?? endOfValue,
    }));
    this.positions = new Uint32Array(2 * wanted.length);
  }

  /** Finds the members of the object that starts at `start`, and returns where it ends. */
  locate(bytes: Buffer, start: number): number {
    const { members, positions } = this;
    let at = start;
    for (let index = 0; index < members.length; index++) {
      const { nameLength, slots, pass } = members[index] ?? NO_MEMBER;
      if (bytes[at] !== (index === 0 ? OPEN_OBJECT : COMMA) || bytes[at + nameLength] !== COLON) throw lacksMember();
      const first = at + nameLength + 1;
      at = pass(bytes, first);
      for (const slot of slots) {
        positions[2 * slot] = first;
        positions[2 * slot + 1] = at;
      }
    }
    if (bytes[at] !== CLOSE_OBJECT) throw lacksMember();
    return at + 1;
  }
}

const NO_MEMBER: CutMember = { nameLength: NaN, slots: [], pass: endOfValue };

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
    const end = this.cutter.locate(bytes, start);
    const { positions } = this.cutter;
    const first = this.count++ * positions.length;
    if (first + positions.length > this.positions.length) this.makeRoom(2 * first + positions.length);
    for (let index = 0; index < positions.length; index++) this.positions[first + index] = positions[index] ?? NaN;
    return end;
  }

  private makeRoom(length: number): void {
    const larger = new Uint32Array(length);
    larger.set(this.positions);
    this.positions = larger;
  }
}

/** The values inside the list that starts at `start`, as pairs of start and end. */
export function itemPositions(bytes: Uint8Array, start: number): readonly number[] {
  const positions: number[] = [];
  let at = start + 1;
  while (bytes[at] !== CLOSE_LIST) {
    const end = endOfValue(bytes, at);
    positions.push(at, end);
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return positions;
}

export function isText(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === QUOTE;
}

export function isNull(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 0x6e;
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
