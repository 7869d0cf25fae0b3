// GET /v1/Inventory: describes the published data sets from the facts and vocabularies of releases. Reads no records
// (ADR 0038).

import { buildConditionKey } from '../../query/condition';
import { organizationUuid } from '../../query/filters';
import { inventory, operations, placesOperations } from '../../query/operations';
import { getTextFilter } from '../../query/text-filters';
import type { Vocabulary } from '../../query/vocabulary';
import { DATA_SET_KINDS, dataSetLayouts } from '../../records/data-sets';
import {
  type InventoryDataSet,
  inventoryMembers,
  type InventoryOrganization,
  type PreviousDataVersion,
} from '../../records/inventory';
import type { LookupKind } from '../../records/lookups';
import { createObjectWriter } from '../../records/object-definition';
import { loadVocabulary } from '../../search/index/release-index';
import type { SearchContext } from '../../search/index/search-caches';
import { type CatalogRelease, openReleases } from '../../search/open-releases';
import type { CatalogState } from '../../store/catalog-types';
import type { ReleaseFacts } from '../../store/port';
import { compareUtf8 } from '../../values/compare-utf8';
import { FEED, MEDIA_TYPES } from '../../values/media-types';
import { documentRoute } from '../pipeline/document-route';
import { readParameters } from '../pipeline/read-parameters';
import { digestState, identifyHistory } from '../pipeline/state-digests';

const write = createObjectWriter(inventoryMembers);

export const inventoryRoute = documentRoute({
  access: 'key',
  acceptsPost: true,
  vary: 'Accept-Encoding',
  read: (_, items, service) => readParameters(inventory, items, service),
  cacheKey: async ({ condition }, state, { caches, store, publicUrl }) => [
    'inventory',
    buildConditionKey(condition),
    publicUrl,
    digestState(state, caches),
    identifyHistory(await store.history(), caches),
  ],
  write: async ({ condition }, state, service) => {
    const ofKinds = DATA_SET_KINDS.map((kind) => openReleases(service, state, kind, condition));
    const releases = (await Promise.all(ofKinds)).flat();
    const Organizations = await listOrganizations(releases);
    const FormerDataVersions = listPreviousVersions(state, await service.store.history(), service);
    const body = write({ DataVersion: state.version, FormerDataVersions, Organizations });
    const entries = releases.map(({ entry }) => entry);
    const feed = `<${service.publicUrl}/${FEED.path}>; rel="alternate"; type="${FEED.type}"; title="${FEED.title}"`;
    return { body, contentType: MEDIA_TYPES.json, count: entries.length, entries, links: [feed] };
  },
});

/**
 * Lists each version once, even if a rollback made it current again. Omits the empty version before the first publish.
 */
function listPreviousVersions(
  { version }: CatalogState,
  history: readonly CatalogState[],
  { caches }: Pick<SearchContext, 'caches'>,
): readonly PreviousDataVersion[] {
  return caches.derive('data versions', history, listVersions).filter(({ DataVersion }) => DataVersion !== version);
}

function listVersions(history: readonly CatalogState[]): readonly PreviousDataVersion[] {
  const published = history.filter(({ entries }) => entries.length > 0);
  const newestFirst = new Map<string, PreviousDataVersion>();
  for (const { version: DataVersion, since: Since } of published) {
    if (!newestFirst.has(DataVersion)) newestFirst.set(DataVersion, { DataVersion, Since });
  }
  return [...newestFirst.values()];
}

/**
 * Lists the organizations by OrganizationUUID. The data sets of each organization are in the order of the operations.
 */
async function listOrganizations(releases: readonly CatalogRelease[]): Promise<readonly InventoryOrganization[]> {
  const organizations = new Map<string, InventoryOrganization & { readonly DataSets: InventoryDataSet[] }>();
  for (const release of releases) {
    const { OrganizationUUID, OrganizationName, OrganizationState, State } = release.reader.facts.organization;
    const known = organizations.get(OrganizationUUID);
    const organization = known ?? { OrganizationUUID, OrganizationName, OrganizationState, State, DataSets: [] };
    organization.DataSets.push(describeDataSet(release, await loadVocabulary(release)));
    organizations.set(OrganizationUUID, organization);
  }
  return [...organizations.values()].sort((a, b) => compareUtf8(a.OrganizationUUID, b.OrganizationUUID));
}

function describeDataSet({ entry, reader: { facts } }: CatalogRelease, vocabulary: Vocabulary): InventoryDataSet {
  const operation = operations.find(({ dataSet }) => dataSet === facts.dataSet);
  const { submission } = entry;
  const getLookupCount = (wanted: LookupKind): number | null =>
    facts.lookups.find(({ kind }) => kind === wanted)?.count ?? null;
  if (operation === undefined) throw new Error(`no operation reads ${facts.dataSet}`);
  const listed = operation.parameters.flatMap((parameter) => {
    if (parameter.kind !== 'term') return [];
    // Every data set uses the standard spelling of a filter name. Operations accept any letter case.
    const { name, unlistedReason } = getTextFilter(parameter.field);
    const values = unlistedReason === undefined ? vocabulary[parameter.field] : undefined;
    return values === undefined ? [] : [[name, values.map(([Value, Records]) => ({ Value, Records }))]];
  });
  return {
    DataSet: facts.dataSet,
    Path: `/${operation.route}`,
    PlacesPath: findPlacesPath(facts),
    Records: facts.records,
    Sites: getLookupCount('Sites'),
    ReportingUnits: getLookupCount('ReportingUnits'),
    FirstDay: facts.firstDay,
    LastDay: facts.lastDay,
    LastPublicationDate: facts.lastPublicationDay,
    PublishedAt: entry.publishedAt,
    IsSample: entry.isSample,
    Release: facts.releaseId,
    Submission: {
      Name: submission?.name ?? null,
      Contact: submission?.contact ?? null,
      Note: submission?.note ?? null,
      TermsOfUse: submission?.termsOfUse ?? null,
      License: submission?.license ?? null,
      Citation: submission?.citation ?? null,
    },
    Vocabulary: Object.fromEntries(listed) as InventoryDataSet['Vocabulary'], // Pairs of a filter name and its values.
  };
}

function findPlacesPath({ dataSet, organization }: ReleaseFacts): string {
  const { placeKind } = dataSetLayouts[dataSet];
  const operation = placesOperations.find((one) => dataSetLayouts[one.dataSet].placeKind === placeKind);
  if (operation === undefined) throw new Error(`no operation lists ${placeKind}`);
  return `/${operation.route}?${organizationUuid.name}=${encodeURIComponent(organization.OrganizationUUID)}`;
}
