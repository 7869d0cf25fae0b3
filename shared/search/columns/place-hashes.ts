// Finds places by their identifiers without reading those of all places: the places of a release by a hash of the term
// that a filter compares. A hash stands for few places, whose identifiers are then compared (ADR 0057).

import { Sections, writeSections } from '../../values/bytes/sections';
import { hashEntry, numbersOfHash } from '../index/hash-entries';

/** Entries, ascending. */
export type PlaceHashes = Float64Array;

/** `term` is the filter term of the place's identifier. */
export function placeHash(term: string, rank: number): number {
  return hashEntry(hashOf(term), rank);
}

/** Entries may come in any order. */
export function writePlaceHashes(entries: Float64Array): Uint8Array {
  return writeSections([entries.sort()]);
}

export function readPlaceHashes(content: Uint8Array): PlaceHashes {
  return new Sections(content).numbers(Float64Array, 0);
}

/** The ranks of the places that may have the term of their identifier; ascending. */
export function ranksOfTerm(hashes: PlaceHashes, term: string): readonly number[] {
  return numbersOfHash(hashes, hashOf(term));
}

/** FNV-1a over the UTF-16 units of the text, without its 7 lowest bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 7;
}
