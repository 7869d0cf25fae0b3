// A page of what is found by name in a catalog state (D60): each release, and the list of owners and terms, say how
// many they have found and of which rank each is; only what the page shows is read.

import { dataSetLayouts, dataSetsOfPlaces } from '../../records/data-sets';
import type { FoundItem } from '../../records/found';
import { firstThat } from '../../values/numbers';
import type { SearchCaches } from '../index/search-caches';
import type { Page, ReadRelease } from '../plan-page';
import { findListed } from './listed-names';
import { compareNames, compareRanks, type FoundNames, type NameQuery } from './ranked';
import { findInRelease } from './release-names';

export interface FoundPage {
  readonly total: number;
  readonly items: readonly FoundItem[];
}

/** `releases` are all of a state. Throws as planPage does. */
export async function findNames(
  releases: readonly ReadRelease[],
  query: NameQuery,
  page: Pick<Page, 'startIndex' | 'recordCount'>,
  caches: SearchCaches,
): Promise<FoundPage> {
  const sources = await Promise.all([
    findListed(releases, query, caches),
    ...releases.map((release) => findInRelease({ release, other: otherRelease(release, releases) }, query, caches)),
  ]);
  const total = sources.reduce((sum, one) => sum + one.total, 0);
  const pieces = await Promise.all(piecesOf(sources, page).map(readPiece));
  return { total, items: pieces.flat() };
}

/** The release of the same organization that has the same kind of places, if there is one. */
function otherRelease(release: ReadRelease, releases: readonly ReadRelease[]): ReadRelease | undefined {
  const { dataSet, organization } = release.reader.facts;
  const dataSets = dataSetsOfPlaces(dataSetLayouts[dataSet].placeKind);
  return releases.find((one) => {
    const { facts } = one.reader;
    const isSame = facts.organization.OrganizationUUID === organization.OrganizationUUID;
    return one !== release && isSame && dataSets.includes(facts.dataSet);
  });
}

interface Range {
  readonly source: FoundNames;
  readonly from: number;
  readonly to: number;
}

/** What follows each other in one source, or what has the same rank in several and is ordered by name. */
interface Piece {
  readonly ranges: readonly Range[];
  /** So many of them stand before the page. */
  readonly skipped: number;
  readonly count: number;
}

function piecesOf(
  sources: readonly FoundNames[],
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest: readonly Range[] = sources.map((source) => ({ source, from: 0, to: source.total }));
  let [skipped, wanted] = [startIndex, recordCount];
  while (wanted > 0) {
    rest = rest.filter(({ from, to }) => from < to);
    if (rest.length === 0) break;
    const ranges = nextRanges(rest);
    const size = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const count = Math.min(wanted, Math.max(0, size - skipped));
    if (count > 0) pieces.push({ ranges, skipped, count });
    skipped = Math.max(0, skipped - size);
    wanted -= count;
    rest = rest.map((range) => ({
      ...range,
      from: ranges.find(({ source }) => source === range.source)?.to ?? range.from,
    }));
  }
  return pieces;
}

/** All of the source with the best rank that comes before the others; or all of this rank, where several have it. */
function nextRanges(rest: readonly Range[]): readonly Range[] {
  const ranked = rest.map((range) => ({ ...range, rank: range.source.rankAt(range.from) }));
  const [first, second] = ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  if (first === undefined) return [];
  const endOf = ({ source, from, to }: Range, isBehind: (order: number) => boolean, rank = first.rank): number =>
    firstThat(from, to, (index) => isBehind(compareRanks(source.rankAt(index), rank)));
  if (second === undefined) return [first];
  if (compareRanks(first.rank, second.rank) < 0) {
    return [{ ...first, to: endOf(first, (order) => order >= 0, second.rank) }];
  }
  const same = ranked.filter(({ rank }) => compareRanks(rank, first.rank) === 0);
  return same.map((range) => ({ ...range, to: endOf(range, (order) => order > 0) }));
}

async function readPiece({ ranges, skipped, count }: Piece): Promise<readonly FoundItem[]> {
  const [only, ...others] = ranges;
  if (only !== undefined && others.length === 0) {
    return only.source.read(only.from + skipped, only.from + skipped + count);
  }
  const most = skipped + count;
  const read = ranges.map(({ source, from, to }) => source.read(from, Math.min(to, from + most)));
  return (await Promise.all(read)).flat().sort(compareNames).slice(skipped, most);
}
