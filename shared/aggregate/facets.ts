// Facets (D41): how many records there would be for each value of a filter, with all other filters as they are. Each
// facet goes by the records that the others find; the codes of a column are counted once for all facets of that column.

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
import { CatalogRelease } from '../search/open-releases';
import { giveWayIfSliceOver } from '../store/deadline';
import { getOrAdd } from '../values/maps';
import { numberAt } from '../values/numbers';
import { compareUtf8, foldText } from '../values/text';
import type { ClassColumn } from './axes';
import { loadCodes, splitIntoChunks } from './scan';

/** The most values of a facet (D41). */
const MAX_VALUES = 1000;

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface CountedFacet {
  readonly name: string;
  /** Most records first, then by UTF-8 bytes. */
  readonly values: readonly FacetValue[];
  /** How many values were left out. */
  readonly moreValues: number;
}

export interface CountedFacets {
  /** The records that all filters find. */
  readonly total: number;
  readonly facets: readonly CountedFacet[];
}

/** The condition without the filters of the facets, which each facet leaves out. */
export function removeFacetFilters(condition: Condition, facets: readonly RequestedFacet[]): Condition {
  const filters = new Set(facets.map(({ filter }) => filter));
  return joinAll(listConjuncts(condition).filter((one) => !filters.has(one)));
}

/** `releases` are those of `conditionOfFacets`. Throws as a search does. */
export async function countFacets(
  releases: readonly CatalogRelease[],
  condition: Condition,
  facets: readonly RequestedFacet[],
): Promise<CountedFacets> {
  const counts = facets.map(() => new ValueCounts());
  let total = 0;
  for (const release of releases) {
    const search = createSearch(release);
    total += (await search(condition)).found.size;
    for (const [index, facet] of facets.entries()) {
      const found = await search(removeFacetFilters(condition, [facet]));
      if (found.found.size > 0) await counts[index]?.add(facet.grouping, release, found);
    }
  }
  return { total, facets: counts.map((each, index) => each.toFacet(facets[index]?.grouping.name ?? '')) };
}

/** What was found in a release, with how many of the found records have each code of a column. */
interface SearchResult {
  readonly found: RecordSet;
  readonly countByCode: (column: ClassColumn, codes: number) => Promise<Uint32Array>;
}

/** Facets without a filter of their own find the same records, so that the codes of a column are counted once. */
function createSearch(release: ComparedRelease): (condition: Condition) => Promise<SearchResult> {
  const counts = new Map<string, Promise<Uint32Array>>();
  return async (condition) => {
    const found = await evaluate(condition, release);
    const countsOf: SearchResult['countByCode'] = (column, codes) => {
      const key = `${column} ${buildConditionKey(condition)}`;
      return getOrAdd(counts, key, () => countRecordsByCode(found, column, codes, release));
    };
    return { found, countByCode: countsOf };
  };
}

async function countRecordsByCode(
  found: RecordSet,
  column: ClassColumn,
  codes: number,
  release: SearchableRelease,
): Promise<Uint32Array> {
  const counts = new Uint32Array(codes);
  for (const chunk of splitIntoChunks(found, release.reader.facts.records)) {
    await giveWayIfSliceOver();
    const ofChunk = await loadCodes(column, chunk, release);
    const { positions } = chunk;
    const { length } = positions;
    // A loop over the positions themselves takes twice as long.
    for (let index = 0; index < length; index++) {
      const code = ofChunk[positions[index] ?? 0] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  return counts;
}

class ValueCounts {
  /** By the folded text of the value. */
  private readonly counts = new Map<string, { readonly value: string; count: number }>();

  async add(grouping: TextGrouping, release: SearchableRelease, search: SearchResult): Promise<void> {
    const { organization } = release.reader.facts;
    if (grouping.kind === 'organization') {
      this.addValue(foldText(organization.OrganizationUUID), organization.OrganizationUUID, search.found.size);
      return;
    }
    const { field, read } = grouping.filter;
    const values = (await loadVocabulary(release))[field] ?? [];
    // The vocabulary has the counts of all records.
    const isOfAll = search.found.size === release.reader.facts.records;
    const counted = isOfAll ? undefined : await countOrdinals(field, values.length, release, search);
    for (const [index, [value, records]] of values.entries()) {
      // The filter by state finds all records of the organization (D10).
      const isOwnState = field === 'state' && value === organization.OrganizationState;
      const count = isOwnState ? search.found.size : counted === undefined ? records : numberAt(counted, index + 1);
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

/** How many of the found records have the value with each ordinal; one with several values counts for each of them. */
async function countOrdinals(
  field: FilterField,
  values: number,
  release: SearchableRelease,
  search: SearchResult,
): Promise<Uint32Array> {
  const codes = await loadFieldCodes(field, release);
  const size = codes.ordinals.length + codes.lists.length;
  const counts = new Uint32Array(values + 1);
  // No lookup of the release has the field.
  if (size === 0) return counts;
  const ofCodes = await search.countByCode(codes.column, size);
  // By ordinal the last code that had it, plus one: a record counts once for a value that several of its items have.
  const lastCode = new Uint32Array(counts.length);
  visitOrdinals(codes, (code, ordinal) => {
    if (lastCode[ordinal] === code + 1) return;
    lastCode[ordinal] = code + 1;
    counts[ordinal] = (counts[ordinal] ?? 0) + (ofCodes[code] ?? 0);
  });
  return counts;
}
