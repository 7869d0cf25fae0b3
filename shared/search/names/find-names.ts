// A page of what is found by name in a catalog state (D60): each release, and the list of owners and terms, say how
// many they have found and of which rank each is; only what the page shows is read.

import { dataSetLayouts, findDataSetsAtPlaces } from '../../records/data-sets';
import type { FindResult } from '../../records/found';
import { findFirst } from '../../values/numbers';
import type { Page, CatalogRelease } from '../plan-page';
import { findListedNames } from './listed-names';
import { compareNames, compareRanks, type FoundNames, type NameQuery, type Rank } from './ranked';
import { findReleaseNames } from './release-names';

export interface FoundPage {
  readonly total: number;
  readonly items: readonly FindResult[];
}

/** `releases` are all of a state. Throws as planPage does. */
export async function findNames(
  releases: readonly CatalogRelease[],
  query: NameQuery,
  page: Pick<Page, 'startIndex' | 'recordCount'>,
): Promise<FoundPage> {
  const sources = await Promise.all([
    findListedNames(releases, query),
    ...releases.map((release) => findReleaseNames(release, findCompanion(release, releases), query)),
  ]);
  const total = sources.reduce((sum, one) => sum + one.total, 0);
  return { total, items: await readPage(sources, page) };
}

/** The release of the same organization that has the same kind of places, if there is one. */
function findCompanion(release: CatalogRelease, releases: readonly CatalogRelease[]): CatalogRelease | undefined {
  const { dataSet, organizationUuid } = release.entry;
  const dataSets = findDataSetsAtPlaces(dataSetLayouts[dataSet].placeKind);
  const others = releases.filter(({ entry }) => entry.organizationUuid === organizationUuid);
  return others.find((one) => one !== release && dataSets.includes(one.entry.dataSet));
}

/** What follows each other in one source. */
interface Range {
  readonly source: FoundNames;
  readonly from: number;
  readonly to: number;
}

async function readPage(
  sources: readonly FoundNames[],
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
): Promise<readonly FindResult[]> {
  const parts: Promise<readonly FindResult[]>[] = [];
  /** Where each source goes on. */
  const places = new Map(sources.map((source) => [source, 0]));
  let skipped = startIndex;
  let remaining = recordCount;
  while (remaining > 0) {
    const ranges = nextRanges(places);
    if (ranges.length === 0) break;
    const size = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const count = Math.min(remaining, Math.max(0, size - skipped));
    if (count > 0) parts.push(readRanges(ranges, skipped, count));
    skipped = Math.max(0, skipped - size);
    remaining -= count;
    for (const { source, to } of ranges) places.set(source, to);
  }
  return (await Promise.all(parts)).flat();
}

/** All of the source with the best rank that comes before the others; or all of this rank, where several have it. */
function nextRanges(places: ReadonlyMap<FoundNames, number>): readonly Range[] {
  const rest = [...places].filter(([{ total }, from]) => from < total);
  const ranked = rest.map(([source, from]) => ({ source, from, rank: source.rankAt(from) }));
  const [first, second] = ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  if (first === undefined) return [];
  const alike = ranked.filter(({ rank }) => compareRanks(rank, first.rank) === 0);
  const isAfter = (rank: Rank): boolean =>
    alike.length > 1
      ? compareRanks(rank, first.rank) > 0
      : second !== undefined && compareRanks(rank, second.rank) >= 0;
  return alike.map(({ source, from }) => {
    return { source, from, to: findFirst(from, source.total, (index) => isAfter(source.rankAt(index))) };
  });
}

/** What has the same rank in several sources is ordered by name. */
async function readRanges(ranges: readonly Range[], skipped: number, count: number): Promise<readonly FindResult[]> {
  const [only, ...others] = ranges;
  if (only !== undefined && others.length === 0) {
    return only.source.read(only.from + skipped, only.from + skipped + count);
  }
  const most = skipped + count;
  const read = ranges.map(({ source, from, to }) => source.read(from, Math.min(to, from + most)));
  return (await Promise.all(read)).flat().sort(compareNames).slice(skipped, most);
}
