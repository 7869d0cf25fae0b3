// What the pages of sites, reporting units and rights show of them (D49), read from their releases: the series, rights
// and related sites of a place, what a right refers to, and when their records changed.

import { type Condition, joinAll } from '../../query/condition';
import { toFilterTerm } from '../../query/filter-terms';
import { dataSetLayouts, type PlaceKind } from '../../records/data-sets';
import { buildRightId } from '../../records/feature-ids';
import type { LookupKind } from '../../records/lookups';
import { type Item, readIdentifiers, recordReferences } from '../../records/record-references';
import type { Organization } from '../../records/records';
import { indexLookups, readSlice } from '../../render/read-page';
import { evaluate } from '../../search/evaluate';
import {
  loadColumnDirectory,
  loadOrdinalChunk,
  loadPlaceRecordCounts,
  loadPlaceSeries,
} from '../../search/index/release-index';
import { readLookups } from '../../search/index/release-lookups';
import type { SearchContext } from '../../search/index/search-caches';
import { type CatalogRelease, openPreviousEntry, PreviousVersionGoneError } from '../../search/open-releases';
import { findPlacesByIdentifier } from '../../search/places/place-sets';
import { CHUNK_RECORDS } from '../../store/artifacts';
import { type CatalogState, findEntry } from '../../store/catalog-types';
import { parseItems } from '../../store/joined-fragments';
import { parseIsoDay } from '../../values/dates';
import { findPlaceRecords, readSeriesFigures, type RecordRange, type SeriesFigures } from './series-figures';

/** Where the data of a feature are from. */
export interface FeatureSources {
  readonly organization: Organization;
  readonly waterSources: readonly Item[];
  readonly methods: readonly Item[];
  readonly change: LastChange;
}

/** Methods, water sources and uses are those of the amounts at the place, each once. */
export interface PlaceDetails extends FeatureSources {
  readonly placeKind: PlaceKind;
  /** As the lookups have it. */
  readonly item: Item;
  readonly series: readonly SeriesFigures[];
  /** How many rights name the site, and the first of them; undefined of reporting units. */
  readonly rights: RightsAtSite | undefined;
  readonly related: RelatedSites;
  readonly uses: readonly Item[];
}

interface RightsAtSite {
  readonly total: number;
  readonly listed: readonly { readonly id: string; readonly record: Item }[];
}

type PlaceReferences = Pick<PlaceDetails, 'methods' | 'waterSources' | 'uses'>;

/** A feature as it was found in a catalog state. */
export interface FeatureMatch {
  /** As GeoJSON. */
  readonly text: string;
  readonly release: CatalogRelease;
  /** The number of the record, or of the place within its kind. */
  readonly number: number;
  /** What found it, and what else its identifier stands for, in these releases. */
  readonly condition: Condition;
  readonly releases: readonly CatalogRelease[];
  /** How many rights name it; undefined of what is no site. */
  readonly allocations?: number | undefined;
}

export async function readPlaceDetails(
  match: FeatureMatch,
  state: CatalogState,
  context: SearchContext,
): Promise<PlaceDetails> {
  const { release, number, releases, allocations } = match;
  const { reader, entry } = release;
  const { placeKind } = dataSetLayouts[entry.dataSet];
  const [item = {}] = await readLookups(reader, placeKind, [number]);
  const hasAmounts = entry.dataSet !== 'WaterAllocations';
  return {
    placeKind,
    organization: reader.facts.organization,
    item,
    ...(hasAmounts ? await readPlaceReferences(release, number) : NO_REFERENCES),
    rights: allocations === undefined ? undefined : { total: allocations, listed: await readRightsAt(item, match) },
    series: hasAmounts ? await readSeriesFigures(release, number) : [],
    related: await readRelatedSites(item, releases),
    change: await findLastChange(match, state, context),
  };
}

const NO_REFERENCES: PlaceReferences = { methods: [], waterSources: [], uses: [] };

/** The release is of amounts: its columns say to what the records of the place refer. */
async function readPlaceReferences(release: CatalogRelease, rank: number): Promise<PlaceReferences> {
  const { reader } = release;
  const range = findPlaceRecords(await loadPlaceSeries(release), rank);
  const { useSets } = await loadColumnDirectory(release);
  const sources = await readOrdinals(release, 'source', range);
  const uses = new Set([...(await readOrdinals(release, 'useSet', range))].flatMap((set) => useSets[set] ?? []));
  return {
    methods: await readLookups(reader, 'Methods', await readOrdinals(release, 'method', range)),
    // Ordinal 0 stands for no water source.
    waterSources: await readLookups(
      reader,
      'WaterSources',
      [...sources].flatMap((ordinal) => (ordinal === 0 ? [] : [ordinal - 1])),
    ),
    uses: await readLookups(reader, 'BeneficialUses', uses),
  };
}

async function readOrdinals(
  release: CatalogRelease,
  column: 'method' | 'source' | 'useSet',
  { from, end }: RecordRange,
): Promise<ReadonlySet<number>> {
  const ordinals = new Set<number>();
  for (let chunk = Math.floor(from / CHUNK_RECORDS); chunk * CHUNK_RECORDS < end; chunk++) {
    const first = chunk * CHUNK_RECORDS;
    const chunkOrdinals = await loadOrdinalChunk(release, column, chunk);
    for (const ordinal of chunkOrdinals.subarray(Math.max(0, from - first), end - first)) ordinals.add(ordinal);
  }
  return ordinals;
}

/** A page links to so many rights; the others are one request away. */
const MAX_RIGHTS = 50;

/** The most bytes of their texts: a right can name thousands of sites. */
const MAX_RIGHTS_BYTES = 4 * 1024 * 1024;

async function readRightsAt(
  site: Item,
  { releases, condition, allocations }: FeatureMatch,
): Promise<RightsAtSite['listed']> {
  const release = releases.find(({ entry }) => entry.dataSet === 'WaterAllocations');
  if (release === undefined || allocations === 0) return [];
  const { reader } = release;
  const matches = await evaluate(condition, release);
  const first = matches.slice(0, MAX_RIGHTS);
  let bytes = 0;
  const tooMany = (await reader.measure('records', first)).findIndex(
    (text) => (bytes += text.bytes) > MAX_RIGHTS_BYTES,
  );
  const records = parseItems(await reader.texts('records', tooMany === -1 ? first : first.subarray(0, tooMany)));
  const { OrganizationUUID: organization } = reader.facts.organization;
  const isOfSite = ({ SiteUUID }: Item): boolean => SiteUUID === site['SiteUUID'];
  return records
    .filter(({ Sites }) => (Sites as readonly Item[]).some(isOfSite))
    .map((record) => ({ id: buildRightId(organization, record), record }));
}

/** A site to which a site is related (D29). */
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
interface RelationPeriod {
  readonly start: string | null;
  readonly end: string | null;
}

interface RelatedSites {
  /** Where the water of a place of use is taken. */
  readonly diversions: readonly LinkedSite[];
  /** Where the water of a point of diversion is used. */
  readonly uses: readonly LinkedSite[];
}

/** What a release says of a site. */
type SiteSummary = Pick<LinkedSite, 'name' | 'hasPage'>;

const UNKNOWN_SITE: SiteSummary = { name: null, hasPage: false };

/** A reporting unit has none. `releases` are those of the organization. */
async function readRelatedSites(item: Item, releases: readonly CatalogRelease[]): Promise<RelatedSites> {
  const pods = asRelations(item['RelatedPODSites']);
  const pous = asRelations(item['RelatedPOUSites']);
  const identifiers = [...new Set([...pods, ...pous].map(({ SiteUUID }) => SiteUUID))];
  const sites = identifiers.length === 0 ? new Map<string, SiteSummary>() : await readSites(identifiers, releases);
  const linkSites = (relations: readonly Relation[]): readonly LinkedSite[] =>
    [...Map.groupBy(relations, ({ SiteUUID }) => SiteUUID)].map(([siteUuid, ofSite]) => ({
      siteUuid,
      periods: joinPeriods(ofSite),
      ...(sites.get(siteUuid) ?? UNKNOWN_SITE),
    }));
  return { diversions: linkSites(pods), uses: linkSites(pous) };
}

/** The relations of a site stand by their start. */
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

function asRelations(member: unknown): readonly Relation[] {
  return (member ?? []) as readonly Relation[]; // The loader wrote it as its declaration has it.
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

/** Lists are in the order of the record. */
export interface RightDetails extends FeatureSources {
  readonly record: Item;
  readonly sites: readonly Item[];
}

export async function readRightDetails(
  match: FeatureMatch,
  state: CatalogState,
  context: SearchContext,
): Promise<RightDetails> {
  const numbers = Uint32Array.of(match.number);
  const slice = await readSlice({ reader: match.release.reader, numbers }, () => undefined);
  const [record = {}] = parseItems(slice.records);
  const lookups = indexLookups(slice);
  const listReferred = (kind: LookupKind): readonly Item[] => selectLookups(record, kind, lookups.get(kind));
  return {
    organization: slice.organization,
    record,
    sites: listReferred('Sites'),
    waterSources: listReferred('WaterSources'),
    methods: listReferred('Methods'),
    change: await findLastChange(match, state, context),
  };
}

function selectLookups(record: Item, kind: LookupKind, items?: ReadonlyMap<unknown, Item>): readonly Item[] {
  const reference = recordReferences.WaterAllocations.find(({ lookups }) => lookups === kind);
  if (reference === undefined) return [];
  return readIdentifiers(record, reference)
    .map((identifier) => items?.get(identifier))
    .filter((item) => item !== undefined);
}

/** With so many former releases the current one is compared; each comparison stays in memory for all records. */
const MAX_PREVIOUS_RELEASES = 5;

/** Times are ISO 8601, UTC. */
export type LastChange =
  /** The release before that of `publishedAt` has them otherwise, or not at all. */
  | { readonly kind: 'changed'; readonly publishedAt: string }
  /** All releases since have them as they are. */
  | { readonly kind: 'unchanged'; readonly publishedAt: string }
  | { readonly kind: 'nothing older' };

/** The last change of the records that are found with a feature of the state that is shown. */
async function findLastChange(
  { release, condition }: FeatureMatch,
  shownState: CatalogState,
  { store }: SearchContext,
): Promise<LastChange> {
  const { entry } = release;
  const comparedReleases = new Set([entry.releaseId]);
  let { publishedAt } = entry;
  const history = await store.history();
  // A former state is shown by its version: what was published after it is not older.
  const olderStates = history.slice(1 + history.findIndex(({ version }) => version === shownState.version));
  for (const state of olderStates) {
    const previous = findEntry(state, entry);
    if (previous === undefined || comparedReleases.has(previous.releaseId)) continue;
    if (comparedReleases.size > MAX_PREVIOUS_RELEASES) break;
    try {
      const comparedWith = await openPreviousEntry(store, previous);
      const changedCondition = joinAll([condition, { kind: 'changedSince', version: state.version }]);
      const changed = await evaluate(changedCondition, { ...release, comparedWith });
      comparedReleases.add(previous.releaseId);
      if (changed.size > 0) return { kind: 'changed', publishedAt };
    } catch (error) {
      // Nothing older is held, or only a former program can read it.
      if (error instanceof PreviousVersionGoneError) break;
      throw error;
    }
    publishedAt = previous.publishedAt;
  }
  return comparedReleases.size === 1 ? { kind: 'nothing older' } : { kind: 'unchanged', publishedAt };
}
