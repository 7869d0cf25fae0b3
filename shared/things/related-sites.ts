// The sites to which a site is related (D29), with what its page says of them.

import { parseItems } from '../answer/page-texts';
import { filterTerm } from '../query/text-filters';
import type { Item } from '../records/record-references';
import { placesIdentified } from '../search/places/place-sets';
import type { ReadRelease } from '../search/plan-page';
import { lookupRange, placeRecordsOf } from '../search/index/release-index';
import type { SearchCaches } from '../search/index/search-caches';
import { dayOfIsoDate } from '../values/dates';

export interface LinkedSite {
  readonly siteUuid: string;
  /** Those that follow each other without a day between are one. */
  readonly periods: readonly RelationPeriod[];
  /** Null where it has none, or no release has the site. */
  readonly name: string | null;
  /** Only sites with records are listed (D42), and have pages. */
  readonly hasPage: boolean;
}

/** Days, YYYY-MM-DD; null for an open end. */
export interface RelationPeriod {
  readonly start: string | null;
  readonly end: string | null;
}

export interface RelatedSites {
  /** Where the water of a place of use is taken. */
  readonly diversions: readonly LinkedSite[];
  /** Where the water of a point of diversion is used. */
  readonly uses: readonly LinkedSite[];
}

/** What a release says of a site. */
type KnownSite = Pick<LinkedSite, 'name' | 'hasPage'>;

const UNKNOWN: KnownSite = { name: null, hasPage: false };

/** A reporting unit has none. `releases` are those of the organization. */
export async function relatedSitesOf(
  item: Item,
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<RelatedSites> {
  const [pods, pous] = [relationsOf(item['RelatedPODSites']), relationsOf(item['RelatedPOUSites'])];
  const identifiers = [...new Set([...pods, ...pous].map(({ SiteUUID }) => SiteUUID))];
  const known = identifiers.length === 0 ? new Map<string, KnownSite>() : await sitesOf(identifiers, releases, caches);
  const related = (relations: readonly Relation[]): readonly LinkedSite[] =>
    [...Map.groupBy(relations, ({ SiteUUID }) => SiteUUID)].map(([siteUuid, ofSite]) => ({
      ...{ siteUuid, periods: joinedPeriods(ofSite) },
      ...(known.get(siteUuid) ?? UNKNOWN),
    }));
  return { diversions: related(pods), uses: related(pous) };
}

/** The relations of a site stand by their start. */
function joinedPeriods(relations: readonly Relation[]): readonly RelationPeriod[] {
  const periods: RelationPeriod[] = [];
  for (const { StartDate: start, EndDate: end } of relations) {
    const before = periods.at(-1);
    const follows = before?.end != null && start !== null && dayOfIsoDate(start) === dayOfIsoDate(before.end) + 1;
    if (follows) periods[periods.length - 1] = { start: before.start, end };
    else periods.push({ start, end });
  }
  return periods;
}

interface Relation {
  readonly SiteUUID: string;
  readonly StartDate: string | null;
  readonly EndDate: string | null;
}

function relationsOf(member: unknown): readonly Relation[] {
  return (member ?? []) as readonly Relation[]; // The loader wrote it as its declaration has it.
}

async function sitesOf(
  identifiers: readonly string[],
  releases: readonly ReadRelease[],
  caches: SearchCaches,
): Promise<ReadonlyMap<string, KnownSite>> {
  const terms = identifiers.map((identifier) => filterTerm('site', identifier));
  const known = new Map<string, KnownSite>();
  for (const { reader } of releases) {
    const records = await placeRecordsOf(reader, caches);
    const ranks = (await placesIdentified(terms, { reader, caches })).numbers();
    const [first] = lookupRange(reader, 'Sites');
    const items = parseItems(await reader.lookups(ranks.map((rank) => first + rank)));
    for (const [index, { SiteUUID, SiteName }] of items.entries()) {
      const identifier = String(SiteUUID);
      const before = known.get(identifier) ?? UNKNOWN;
      const name = before.name ?? (typeof SiteName === 'string' ? SiteName : null);
      known.set(identifier, { name, hasPage: before.hasPage || records[ranks[index] ?? 0] !== 0 });
    }
  }
  return known;
}
