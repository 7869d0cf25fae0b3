// Finds the names that a misspelled name probably means (D2).

import { numberAt as at } from './number-arrays';

/** A text in which a larger share of the characters differs is not a misspelling. */
const MAX_CHANGED_SHARE = 0.4;

/** Returns the most similar candidates, nearest first, at most `maxCount`. Takes about 10 µs per candidate. */
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

/** The start of a name is enough: names of hundreds of characters are not misspellings of each other. */
function toComparable(name: string): string {
  return name.slice(0, 64).toLowerCase();
}

/**
 * A name with words left out (StartDate for StartPriorityDate) counts as nearer than the number of missing letters
 * suggests.
 */
function measureDistance(query: string, candidate: string, limit: number): number {
  const isAbbreviation = query.length >= MIN_ABBREVIATION_LENGTH && isSubsequence(query, candidate);
  const distance = editDistance(query, candidate, limit);
  return isAbbreviation ? Math.min(distance, ABBREVIATION_DISTANCE) : distance;
}

/** Shorter texts occur in many names by chance. */
const MIN_ABBREVIATION_LENGTH = 6;

/** Farther than one typing error, nearer than two. */
const ABBREVIATION_DISTANCE = 1.5;

function isSubsequence(query: string, candidate: string): boolean {
  let matched = 0;
  for (const character of candidate) if (character === query[matched]) matched++;
  return matched === query.length;
}

/**
 * Counts letters that are changed, left out, added or swapped with their neighbor (optimal string alignment, the
 * simpler Damerau-Levenshtein distance). Infinity as soon as the distance exceeds `limit`.
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
