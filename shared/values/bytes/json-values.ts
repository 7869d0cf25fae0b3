// Values in JSON texts that one writer made, without spaces: where they end, and what they begin with. Texts are passed
// over four bytes at a time.

import type { CopiedBytes } from './word-copying';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

/** What no other value begins with. */
const NULL_START = 0x6e;
const NULL_LENGTH = 4;

/** The end of a longer text is looked for by the platform. */
const LONG_TEXT = 128;

/** A mark in each byte of a word, and what is 1 and what is the highest bit of each. */
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const ONES = 0x01010101;
const HIGHEST_BITS = 0x80808080;

/** Sets where the values inside the list that starts at `start` start and end, and returns how many they are. */
export function locateItems(texts: CopiedBytes, start: number, starts: number[], ends: number[]): number {
  const { bytes } = texts;
  let count = 0;
  let at = start + 1;
  while (bytes[at] !== CLOSE_LIST) {
    const end = endOfValue(texts, at);
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

/** Where the value that starts at `start` ends. Throws where it does not. */
export function endOfValue(texts: CopiedBytes, start: number): number {
  const { bytes } = texts;
  const first = bytes[start];
  if (first === QUOTE) return endOfText(texts, start);
  if (first === NULL_START) return start + NULL_LENGTH;
  if (first === OPEN_LIST || first === OPEN_OBJECT) return endOfNested(texts, start);
  let at = start;
  for (let byte = first; byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST; byte = bytes[++at]) {
    if (byte === undefined) throw lacksMember();
  }
  return at;
}

function endOfNested(texts: CopiedBytes, start: number): number {
  const { bytes } = texts;
  let depth = 0;
  let at = start;
  do {
    const byte = bytes[at];
    if (byte === undefined) throw lacksMember();
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    at = byte === QUOTE ? endOfText(texts, at) : at + 1;
  } while (depth > 0);
  return at;
}

/** Four bytes at a time, which the slack behind the texts allows. What stands there is not of the texts. */
function endOfText({ bytes, words }: CopiedBytes, start: number): number {
  const nearEnd = Math.min(bytes.length, start + LONG_TEXT);
  for (let at = start + 1; at < nearEnd;) {
    const marks = marksIn(words.getInt32(at, true));
    if (marks === 0) {
      at += 4;
      continue;
    }
    at += (31 - Math.clz32(marks & -marks)) >> 3;
    if (bytes[at] === QUOTE) return at + 1;
    // What stands behind a backslash is no mark.
    at += 2;
  }
  return endOfLongText(bytes, start);
}

/** The highest bit of the first byte that is a quote or a backslash, and of others behind it; 0 where none is. */
function marksIn(word: number): number {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  // A byte that is 0 borrows from its highest bit: https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
  return (((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes)) & HIGHEST_BITS;
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

export function lacksMember(): Error {
  return new Error('an object that lacks a member');
}
