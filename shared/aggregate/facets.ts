// Facets (D41): how many records each value of a filter would match, with all other filters unchanged. A facet counts
// the records that match the other filters. The codes of a column are counted once for all facets of that column.

import { buildConditionKey, type Condition, joinAll, listConjuncts } from '../query/condition';
import type { FilterField } from '../query/filter-fields';
import { toFilterTerm } from '../query/filter-terms';
import type { TextGrouping } from '../query/groupings';
import type { RequestedFacet } from '../query/read-request';
import { type ComparedRelease, evaluate } from '../search/evaluate';
import { loadFieldCodes, visitOrdinals } from '../search/index/field-codes';
import type { RecordSet } from '../search/index/record-set';
import { loadVocabulary } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';
import type { CatalogRelease } from '../search/open-releases';
import { giveWayIfSliceOver } from '../store/deadline';
import { compareUtf8 } from '../values/compare-utf8';
import { foldText } from '../values/fold-text';
import { getOrAdd } from '../values/maps';
import { numberAt } from '../values/number-arrays';
import type { ClassColumn } from './column-classes';
import { loadCodes, splitIntoChunks } from './matching-chunks';

/** The maximum number of values in a facet (D41). */
const MAX_VALUES = 1000;

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface CountedFacet {
  readonly name: string;
  /** Sorted by number of records, largest first, then by UTF-8 bytes. */
  readonly values: readonly FacetValue[];
  /** The number of values that are left out. */
  readonly moreValues: number;
}

export interface CountedFacets {
  /** The number of records that match all filters. */
  readonly total: number;
  readonly facets: readonly CountedFacet[];
}

/** The records of a release that match a condition, and how many of them have each code of a column. */
interface SearchResult {
  readonly matches: RecordSet;
  readonly countByCode: (column: ClassColumn, codeCount: number) => Promise<Uint32Array>;
}

/** Returns the condition without the filters of the facets. */
export function removeFacetFilters(condition: Condition, facets: readonly RequestedFacet[]): Condition {
  const filters = new Set(facets.map(({ filter }) => filter));
  return joinAll(listConjuncts(condition).filter((conjunct) => !filters.has(conjunct)));
}

/** `releases` must have been opened for the condition from `removeFacetFilters`. Throws what a search throws. */
export async function countFacets(
  releases: readonly CatalogRelease[],
  condition: Condition,
  facets: readonly RequestedFacet[],
): Promise<CountedFacets> {
  const counts = facets.map(() => new ValueCounts());
  let total = 0;
  for (const release of releases) {
    const search = createSearch(release);
    total += (await search(condition)).matches.size;
    for (const [index, facet] of facets.entries()) {
      const result = await search(removeFacetFilters(condition, [facet]));
      if (result.matches.size > 0) await counts[index]?.add(facet.grouping, release, result);
    }
  }
  return {
    total,
    facets: counts.map((valueCounts, index) => valueCounts.toFacet(facets[index]?.grouping.name ?? '')),
  };
}

/** Facets without a filter of their own match the same records, and share the counts of a column. */
function createSearch(release: ComparedRelease): (condition: Condition) => Promise<SearchResult> {
  const countsByKey = new Map<string, Promise<Uint32Array>>();
  return async (condition) => {
    const matches = await evaluate(condition, release);
    return {
      matches,
      countByCode: (column, codeCount) => {
        const key = `${column} ${buildConditionKey(condition)}`;
        return getOrAdd(countsByKey, key, () => countRecordsByCode(matches, column, codeCount, release));
      },
    };
  };
}

async function countRecordsByCode(
  matches: RecordSet,
  column: ClassColumn,
  codeCount: number,
  release: SearchableRelease,
): Promise<Uint32Array> {
  const counts = new Uint32Array(codeCount);
  for (const chunk of splitIntoChunks(matches, release.reader.facts.records)) {
    await giveWayIfSliceOver();
    const codes = await loadCodes(column, chunk, release);
    const { positions } = chunk;
    const { length } = positions;
    // Iterating over `positions` takes twice as long.
    for (let index = 0; index < length; index++) {
      const code = codes[positions[index] ?? 0] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  return counts;
}

/** Adds up the counts of one facet across all releases. */
class ValueCounts {
  /** Keyed by the folded value. */
  private readonly counts = new Map<string, { readonly value: string; count: number }>();

  async add(grouping: TextGrouping, release: SearchableRelease, result: SearchResult): Promise<void> {
    const { organization, records } = release.reader.facts;
    const { matches } = result;
    if (grouping.kind === 'organization') {
      this.addValue(foldText(organization.OrganizationUUID), organization.OrganizationUUID, matches.size);
      return;
    }
    const { field, read } = grouping.filter;
    const values = (await loadVocabulary(release))[field] ?? [];
    // The vocabulary already contains the counts over all records.
    const counts = matches.size === records ? undefined : await countByOrdinal(field, values.length, release, result);
    for (const [index, [value, allRecords]] of values.entries()) {
      let count = counts === undefined ? allRecords : numberAt(counts, index + 1);
      // The filter by state matches all records of an organization in that state (D10).
      if (field === 'state' && value === organization.OrganizationState) count = matches.size;
      if (count > 0 && read(value).ok) this.addValue(toFilterTerm(field, value), value, count);
    }
  }

  toFacet(name: string): CountedFacet {
    const values = [...this.counts.values()].sort((a, b) => b.count - a.count || compareUtf8(a.value, b.value));
    return { name, values: values.slice(0, MAX_VALUES), moreValues: Math.max(0, values.length - MAX_VALUES) };
  }

  private addValue(key: string, value: string, count: number): void {
    getOrAdd(this.counts, key, () => ({ value, count: 0 })).count += count;
  }
}

/** Counts, for each ordinal, the matches with its value. A match with several values counts for each of them. */
async function countByOrdinal(
  field: FilterField,
  valueCount: number,
  release: SearchableRelease,
  result: SearchResult,
): Promise<Uint32Array> {
  const fieldCodes = await loadFieldCodes(field, release);
  const codeCount = fieldCodes.ordinals.length + fieldCodes.lists.length;
  const counts = new Uint32Array(valueCount + 1);
  // No lookup of the release has this field.
  if (codeCount === 0) return counts;
  const countsOfCodes = await result.countByCode(fieldCodes.column, codeCount);
  // Keyed by ordinal: the last code with this value, plus one. A match counts only once per value, even if several of
  // its items have the value.
  const lastCode = new Uint32Array(counts.length);
  visitOrdinals(fieldCodes, (code, ordinal) => {
    if (lastCode[ordinal] === code + 1) return;
    lastCode[ordinal] = code + 1;
    counts[ordinal] = (counts[ordinal] ?? 0) + (countsOfCodes[code] ?? 0);
  });
  return counts;
}
