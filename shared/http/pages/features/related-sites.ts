// The sites that are related to a site (D29): its points of diversion and its places of use.

import { toFilterTerm } from '../../../query/filter-terms';
import type { Item } from '../../../records/record-references';
import { loadPlaceRecordCounts } from '../../../search/index/release-index';
import { readLookups } from '../../../search/index/release-lookups';
import type { CatalogRelease } from '../../../search/open-releases';
import { findPlacesByIdentifier } from '../../../search/places/place-sets';
import { parseIsoDay } from '../../../values/dates';

/** A related site (D29). */
export interface LinkedSite {
  readonly siteUuid: string;
  /** Periods that follow each other without a gap are joined. */
  readonly periods: readonly RelationPeriod[];
  /** Null if the site has no name, or if no release contains the site. */
  readonly name: string | null;
  /** Only sites with records are listed (D42) and have pages. */
  readonly hasPage: boolean;
}

/** Days in the form YYYY-MM-DD; null for an open end. */
interface RelationPeriod {
  readonly start: string | null;
  readonly end: string | null;
}

export interface RelatedSites {
  /** The points of diversion that belong to a place of use. */
  readonly diversions: readonly LinkedSite[];
  /** The places of use that belong to a point of diversion. */
  readonly uses: readonly LinkedSite[];
}

/** What the releases contain about a site. */
type SiteSummary = Pick<LinkedSite, 'name' | 'hasPage'>;

const UNKNOWN_SITE: SiteSummary = { name: null, hasPage: false };

/** The maximum number of sites that a page lists in each direction. Names are read only for these. */
export const MAX_RELATED = 100;

/** Reads the related sites of a site; none for a reporting unit. `releases` are the releases of the organization. */
export async function readRelatedSites(item: Item, releases: readonly CatalogRelease[]): Promise<RelatedSites> {
  const pods = groupBySite(item['RelatedPODSites']);
  const pous = groupBySite(item['RelatedPOUSites']);
  const listed = [pods, pous].flatMap((groups) => [...groups.keys()].slice(0, MAX_RELATED));
  const sites = listed.length === 0 ? new Map<string, SiteSummary>() : await readSites([...new Set(listed)], releases);
  const linkSites = (groups: ReturnType<typeof groupBySite>): readonly LinkedSite[] =>
    [...groups].map(([siteUuid, ofSite]) => ({
      siteUuid,
      periods: joinPeriods(ofSite),
      ...(sites.get(siteUuid) ?? UNKNOWN_SITE),
    }));
  return { diversions: linkSites(pods), uses: linkSites(pous) };
}

/** `relations` must be sorted by start. */
function joinPeriods(relations: readonly Relation[]): readonly RelationPeriod[] {
  const periods: RelationPeriod[] = [];
  for (const { StartDate: start, EndDate: end } of relations) {
    const previous = periods.at(-1);
    const follows = previous?.end != null && start !== null && parseIsoDay(start) === parseIsoDay(previous.end) + 1;
    if (follows) periods[periods.length - 1] = { start: previous.start, end };
    else periods.push({ start, end });
  }
  return periods;
}

interface Relation {
  readonly SiteUUID: string;
  readonly StartDate: string | null;
  readonly EndDate: string | null;
}

function groupBySite(member: unknown): ReadonlyMap<string, readonly Relation[]> {
  const relations = (member ?? []) as readonly Relation[]; // The declared type of this member.
  return Map.groupBy(relations, ({ SiteUUID }) => SiteUUID);
}

async function readSites(
  identifiers: readonly string[],
  releases: readonly CatalogRelease[],
): Promise<ReadonlyMap<string, SiteSummary>> {
  const terms = identifiers.map((identifier) => toFilterTerm('site', identifier));
  const sites = new Map<string, SiteSummary>();
  for (const release of releases) {
    const records = await loadPlaceRecordCounts(release);
    const ranks = (await findPlacesByIdentifier(terms, release)).slice();
    for (const [index, { SiteUUID, SiteName }] of (await readLookups(release.reader, 'Sites', ranks)).entries()) {
      const identifier = String(SiteUUID);
      const previous = sites.get(identifier) ?? UNKNOWN_SITE;
      const name = previous.name ?? (typeof SiteName === 'string' ? SiteName : null);
      sites.set(identifier, { name, hasPage: previous.hasPage || records[ranks[index] ?? 0] !== 0 });
    }
  }
  return sites;
}
