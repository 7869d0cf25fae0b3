// Returns a page of the results of a search for names in a catalog state (D60). Each release, and the list of owners
// and terms, provides the number of its results and the rank of each. Only the results on the page are read.

import { dataSetLayouts, findDataSetsAtPlaces } from '../../records/data-sets';
import type { FindResult } from '../../records/find-results';
import type { CountyOutlines } from '../../values/county-outlines';
import { findFirst } from '../../values/number-arrays';
import type { CatalogRelease } from '../open-releases';
import type { Page } from '../plan-page';
import { findListedNames } from './listed-names';
import type { NameQuery } from './name-query';
import { compareNames, compareRanks, type Rank, type RankedNames } from './name-ranking';
import { findReleaseNames } from './release-names';

export interface FoundPage {
  readonly total: number;
  readonly items: readonly FindResult[];
}

/** `releases` are all releases of a state. Throws the same errors as planPage. */
export async function findNames(
  releases: readonly CatalogRelease[],
  query: NameQuery,
  page: Pick<Page, 'startIndex' | 'recordCount'>,
  outlines: CountyOutlines,
): Promise<FoundPage> {
  const sources = await Promise.all([
    findListedNames(releases, query, outlines),
    // Async, so that an exception becomes a rejection. Otherwise a rejection of the promise above would be unhandled.
    ...releases.map(async (release) => findReleaseNames(release, findCompanion(release, releases), query)),
  ]);
  const total = sources.reduce((sum, source) => sum + source.total, 0);
  return { total, items: await readPage(sources, page) };
}

/** Finds the other release of the same organization with the same kind of places, if there is one. */
function findCompanion(release: CatalogRelease, releases: readonly CatalogRelease[]): CatalogRelease | undefined {
  const { dataSet, organizationUuid } = release.entry;
  const dataSets = findDataSetsAtPlaces(dataSetLayouts[dataSet].placeKind);
  return releases.find(
    (other) =>
      other !== release && other.entry.organizationUuid === organizationUuid && dataSets.includes(other.entry.dataSet),
  );
}

/** Consecutive results of one source; `to` is excluded. */
interface Range {
  readonly source: RankedNames;
  readonly from: number;
  readonly to: number;
}

async function readPage(
  sources: readonly RankedNames[],
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
): Promise<readonly FindResult[]> {
  const parts: Promise<readonly FindResult[]>[] = [];
  /** The next result of each source. */
  const positions = new Map(sources.map((source) => [source, 0]));
  let skipped = startIndex;
  let remaining = recordCount;
  while (remaining > 0) {
    const ranges = findNextRanges(positions);
    if (ranges.length === 0) break;
    const size = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const count = Math.min(remaining, Math.max(0, size - skipped));
    if (count > 0) parts.push(readRanges(ranges, skipped, count));
    skipped = Math.max(0, skipped - size);
    remaining -= count;
    for (const { source, to } of ranges) positions.set(source, to);
  }
  return (await Promise.all(parts)).flat();
}

/**
 * Returns the next results. If only one source has the best rank, these are its results up to the rank of the next
 * source. Otherwise, they are the results of this rank from all sources that have it.
 */
function findNextRanges(positions: ReadonlyMap<RankedNames, number>): readonly Range[] {
  const unfinished = [...positions].filter(([{ total }, from]) => from < total);
  const ranked = unfinished.map(([source, from]) => ({ source, from, rank: source.getRank(from) }));
  const [first, second] = ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  if (first === undefined) return [];
  const alike = ranked.filter(({ rank }) => compareRanks(rank, first.rank) === 0);
  const isAfter = (rank: Rank): boolean =>
    alike.length > 1
      ? compareRanks(rank, first.rank) > 0
      : second !== undefined && compareRanks(rank, second.rank) >= 0;
  return alike.map(({ source, from }) => {
    const to = findFirst(from, source.total, (index) => isAfter(source.getRank(index)));
    return { source, from, to };
  });
}

/** Results of the same rank of several sources are ordered by name. */
async function readRanges(ranges: readonly Range[], skipped: number, count: number): Promise<readonly FindResult[]> {
  const [only, ...others] = ranges;
  if (only !== undefined && others.length === 0) {
    return only.source.read(only.from + skipped, only.from + skipped + count);
  }
  const end = skipped + count;
  const results = await Promise.all(ranges.map(({ source, from, to }) => source.read(from, Math.min(to, from + end))));
  return results.flat().sort(compareNames).slice(skipped, end);
}
