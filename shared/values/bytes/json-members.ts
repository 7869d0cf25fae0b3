// Cuts the JSON texts of objects without parsing them: bytes that one writer made of objects which all have the same
// members in the same order, without spaces. So only values have to be passed, and nothing becomes a string.

import { numberAt } from '../numbers';
import { endOfValue, lacksMember } from './json-values';
import type { CopiedBytes } from './word-copying';

const COMMA = 0x2c;
const COLON = 0x3a;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Passes over the value that starts at `start`, and returns where it ends. */
export type PassValue = (texts: CopiedBytes, start: number) => number;

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
  locate(texts: CopiedBytes, start: number, found = this.positions, offset = 0): number {
    const { nameLengths, slots, passing } = this;
    const { bytes } = texts;
    let at = start;
    let before = OPEN_OBJECT;
    for (let index = 0; index < nameLengths.length; index++) {
      const colon = at + (nameLengths[index] ?? 0);
      if (bytes[at] !== before || bytes[colon] !== COLON) throw lacksMember();
      before = COMMA;
      const first = colon + 1;
      const pass = passing[index];
      at = pass === undefined ? endOfValue(texts, first) : pass(texts, first);
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

/** Where the wanted members of many objects stand. */
export class LocatedObjects {
  /** Pairs of start and end, of each object those of its members. */
  positions = new Uint32Array();
  count = 0;
  private readonly members: number;

  constructor(private readonly cutter: MemberCutter) {
    this.members = cutter.positions.length / 2;
  }

  /** Finds the objects that the texts are, with commas between them, in place of those before. */
  locate(texts: CopiedBytes): void {
    this.count = 0;
    for (let at = 0; at < texts.bytes.length; at++) at = this.add(texts, at);
  }

  /** Finds the objects of the list that starts at `start`, in place of those before, and returns where it ends. */
  locateList(texts: CopiedBytes, start: number): number {
    const { bytes } = texts;
    this.count = 0;
    let at = start + 1;
    while (bytes[at] !== CLOSE_LIST) {
      at = this.add(texts, at);
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

  private add(texts: CopiedBytes, start: number): number {
    const length = 2 * this.members;
    const first = this.count++ * length;
    if (first + length > this.positions.length) this.makeRoom(2 * first + length);
    return this.cutter.locate(texts, start, this.positions, first);
  }

  private makeRoom(length: number): void {
    const larger = new Uint32Array(length);
    larger.set(this.positions);
    this.positions = larger;
  }
}
