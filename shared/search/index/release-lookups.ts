// The lookups of a release: the range of numbers of each kind, and the contents. Lookups are numbered kind by kind.

import { dataSetLayouts, type PlaceKind } from '../../records/data-sets';
import type { LookupKind } from '../../records/lookups';
import type { Item } from '../../records/record-references';
import { parseItems } from '../../store/joined-fragments';
import type { ReleaseReader } from '../../store/port';
import type { SearchableRelease } from './search-caches';

/**
 * Returns the range of the numbers of a kind's lookups; `end` is excluded. The range is empty if the release has no
 * such lookups.
 */
export function getLookupRange({ facts }: ReleaseReader, kind: LookupKind): readonly [first: number, end: number] {
  let first = 0;
  for (const lookups of facts.lookups) {
    if (lookups.kind === kind) return [first, first + lookups.count];
    first += lookups.count;
  }
  return [0, 0];
}

/** `numbers` count from the first lookup of the kind. Returns the lookups in ascending order of their numbers. */
export async function readLookups(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: Iterable<number>,
): Promise<readonly Item[]> {
  const [first] = getLookupRange(reader, kind);
  return parseItems(await reader.texts('lookups', Uint32Array.from(numbers, (number) => first + number).sort()));
}

/**
 * Returns the kind of lookup that contains the places of a release. The number of a lookup within the kind is the
 * place's rank.
 */
export function getPlaceKind({ facts }: ReleaseReader): PlaceKind {
  return dataSetLayouts[facts.dataSet].placeKind;
}

/** In the index of names, numbers at or above this count stand for rights. */
export function countPlaces({ reader }: Pick<SearchableRelease, 'reader'>): number {
  const [first, end] = getLookupRange(reader, getPlaceKind(reader));
  return end - first;
}
