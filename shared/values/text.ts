// How two texts are compared: filters fold the query's value and the record's value in the same way (D8, D9, D12), what
// an answer lists stands in the order of UTF-8 bytes (D17), and a misspelt name is answered with the nearest one (D2).

import { numberAt as at } from './numbers';

/** Trims, composes (NFC), lowers the case and makes each run of white space one space (D8). */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Folds as `foldText` does, and removes white space, commas, underscores, hyphens and slashes (D9). */
export function foldVariable(text: string): string {
  return foldText(text).replace(/[\s,_\-/]+/g, '');
}

/** Folds as `foldText` does, and ignores a trailing "County" (D12). */
export function foldCounty(text: string): string {
  const folded = foldText(text);
  return folded.endsWith(' county') ? folded.slice(0, -' county'.length) : folded;
}

/**
 * The words of a name, by which it is found (D60): without letter case and diacritics. Whatever is no letter or digit
 * parts words, but an apostrophe inside one vanishes.
 */
export function splitWords(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  return plain.replace(/(?<=[\p{L}\p{N}])['’ʼ](?=[\p{L}\p{N}])/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Its words with a space between: two names with the same are equal but for their bytes. */
export function foldName(name: string): string {
  return splitWords(name).join(' ');
}

/**
 * Compares by UTF-8 bytes (D17). The order of UTF-16 differs from it only where a surrogate meets a unit above the
 * surrogates, so everything but astral characters compares as JavaScript does.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rankCodeUnit(left) - rankCodeUnit(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters above U+FFFF, so they sort after every other unit. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The candidate with the smallest edit distance without regard to case; undefined when there are none. */
export function findNearestName(name: string, candidates: readonly string[]): string | undefined {
  return findWithin(Infinity, toComparable(name), candidates)[0];
}

/** A misspelling changes no more than this share of a text. */
const MAX_CHANGED_SHARE = 0.4;

/** The candidates near enough to be meant, the nearest first, at most `most`. Takes some 10 µs a candidate. */
export function findNearestNames(name: string, candidates: Iterable<string>, maxCount: number): readonly string[] {
  const query = toComparable(name);
  return findWithin(Math.max(1, Math.floor(query.length * MAX_CHANGED_SHARE)), query, candidates).slice(0, maxCount);
}

function findWithin(maxDistance: number, query: string, candidates: Iterable<string>): readonly string[] {
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = measureDistance(query, toComparable(candidate), maxDistance);
    if (distance <= maxDistance) near.push({ candidate, distance });
  }
  return near.sort((a, b) => a.distance - b.distance).map(({ candidate }) => candidate);
}

/** A name of hundreds of characters is no misspelling, and its distance is not worth computing. */
function toComparable(name: string): string {
  return name.slice(0, 64).toLowerCase();
}

/** A name with parts left out (StartDate for StartPriorityDate) is nearer than its missing letters say. */
function measureDistance(query: string, candidate: string, limit: number): number {
  const isAbbreviation = query.length >= MIN_ABBREVIATION_LENGTH && isSubsequence(query, candidate);
  const distance = editDistance(query, candidate, limit);
  return isAbbreviation ? Math.min(distance, ABBREVIATION_DISTANCE) : distance;
}

/** Fewer letters are in many names by chance. */
const MIN_ABBREVIATION_LENGTH = 6;

/** More than one slip of the finger, less than two. */
const ABBREVIATION_DISTANCE = 1.5;

function isSubsequence(query: string, candidate: string): boolean {
  let matched = 0;
  for (const character of candidate) if (character === query[matched]) matched++;
  return matched === query.length;
}

/**
 * Letters changed, left out, added, or swapped with their neighbour (optimal string alignment, the simpler
 * Damerau-Levenshtein distance), one row at a time; Infinity as soon as it is over `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let rowMin = i;
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(beforePrevious, j - 2) + 1 : Infinity;
      const distance = Math.min(substituted, swapped, at(previous, j) + 1, at(row, j - 1) + 1);
      row.push(distance);
      rowMin = Math.min(rowMin, distance);
    }
    if (rowMin > limit) return Infinity;
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}
