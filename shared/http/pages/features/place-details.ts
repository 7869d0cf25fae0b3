// Reads the content of the page of a site or a reporting unit (D49) from the releases of its organization.

import { dataSetLayouts, type PlaceKind } from '../../../records/data-sets';
import { buildRightId } from '../../../records/feature-ids';
import type { Item } from '../../../records/record-references';
import { evaluate } from '../../../search/evaluate';
import { loadColumnDirectory, loadOrdinalChunk, loadPlaceSeries } from '../../../search/index/release-index';
import { readLookups } from '../../../search/index/release-lookups';
import type { SearchContext } from '../../../search/index/search-caches';
import type { CatalogRelease } from '../../../search/open-releases';
import { CHUNK_RECORDS } from '../../../store/artifacts';
import type { CatalogState } from '../../../store/catalog-types';
import { giveWayIfSliceOver } from '../../../store/deadline';
import { parseItems } from '../../../store/joined-fragments';
import type { MeasuredText } from '../../../store/port';
import type { FeatureMatch, FeatureSources } from './feature-match';
import { findLastChange } from './last-change';
import { readRelatedSites, type RelatedSites } from './related-sites';
import { findPlaceRecords, readSeriesFigures, type RecordRange, type SeriesFigures } from './series-figures';

/** Methods, water sources and uses are those of the amounts at the place, without duplicates. */
export interface PlaceDetails extends FeatureSources {
  readonly placeKind: PlaceKind;
  /** The lookup of the place. */
  readonly item: Item;
  readonly series: readonly SeriesFigures[];
  /** The number of rights on the site, and the first of them; undefined for reporting units. */
  readonly rights: RightsAtSite | undefined;
  readonly related: RelatedSites;
  readonly uses: readonly Item[];
}

interface RightsAtSite {
  readonly total: number;
  readonly listed: readonly { readonly id: string; readonly record: Item }[];
}

type PlaceReferences = Pick<PlaceDetails, 'methods' | 'waterSources' | 'uses'>;

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

/**
 * Reads the lookups that the records at a place refer to. The release must be of amounts, because its columns contain
 * these references.
 */
async function readPlaceReferences(release: CatalogRelease, rank: number): Promise<PlaceReferences> {
  const { reader } = release;
  const range = findPlaceRecords(await loadPlaceSeries(release), rank);
  const { useSets } = await loadColumnDirectory(release);
  const sources = await readOrdinals(release, 'source', range);
  const uses = new Set([...(await readOrdinals(release, 'useSet', range))].flatMap((set) => useSets[set] ?? []));
  return {
    methods: await readLookups(reader, 'Methods', await readOrdinals(release, 'method', range)),
    // Ordinal 0 means that there is no water source.
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
    await giveWayIfSliceOver();
    const first = chunk * CHUNK_RECORDS;
    const chunkOrdinals = await loadOrdinalChunk(release, column, chunk);
    for (const ordinal of chunkOrdinals.subarray(Math.max(0, from - first), end - first)) ordinals.add(ordinal);
  }
  return ordinals;
}

/** The maximum number of rights that a page links to. The API returns all of them. */
const MAX_RIGHTS = 50;

/** Limits the total size of these rights, because a right can list thousands of sites. */
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
  const count = countFitting(await reader.measure('records', first), MAX_RIGHTS_BYTES);
  const records = parseItems(await reader.texts('records', first.subarray(0, count)));
  const { OrganizationUUID: organization } = reader.facts.organization;
  const isOfSite = ({ SiteUUID }: Item): boolean => SiteUUID === site['SiteUUID'];
  return records
    .filter(({ Sites }) => (Sites as readonly Item[]).some(isOfSite))
    .map((record) => ({ id: buildRightId(organization, record), record }));
}

/** Returns how many texts, from the first on, fit into `maxBytes` together. */
function countFitting(texts: readonly MeasuredText[], maxBytes: number): number {
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    bytes += text.bytes;
    if (bytes > maxBytes) return index;
  }
  return texts.length;
}
