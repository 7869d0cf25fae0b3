// What the tools of assistants answer (D67). Each asks the routes of the operations, below keys and sending, and makes
// their answers short: rows without empty members, with whose data they are and what one should not read out of them.

import { featureId, featureIdParts, rightId } from '../../render/feature-ids';
import { USE_CATEGORY } from '../../render/table-columns';
import { find, inventory, operations, totalsOperations, type Operation } from '../../query/operations';
import { RECORD_COUNT } from '../../query/paging-and-format';
import { withoutKeys } from '../../query/parameter';
import { splitQuery, type QueryItem } from '../../query/query-values';
import { readRequest, type OperationRequest } from '../../query/read-request';
import { dataSetLayouts, dataSetsOfPlaces, type DataSetKind } from '../../records/data-sets';
import type { FoundItem } from '../../records/found';
import type { InventoryDataSet, InventoryOrganization } from '../../records/inventory';
import { KNOWN_LIMITS } from '../../records/known-limits';
import type { Item } from '../../records/record-references';
import { entriesRead } from '../../search/plan-page';
import type { CatalogEntry } from '../../store/catalog-types';
import { queryText } from '../ogc/addresses';
import { featureRoute } from '../ogc/feature';
import type { Problem } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { Service } from '../pipeline/service';
import { findRoute } from '../v1/find';
import { inventoryRoute } from '../v1/inventory';
import { operationRoute } from '../v1/operations';
import { askedParameters, MOST_RECORDS, MOST_ROWS, shownOperations, thingCollections, type ToolName } from './tools';

export interface ToolAnswer {
  readonly kind: 'answer';
  /** What the rows are, behind their number. */
  readonly rowsAre: string;
  readonly address: string;
  readonly dataVersion: string;
  readonly matched: number;
  readonly rows: readonly Item[];
  readonly licences: readonly Item[];
  readonly caveats: readonly string[];
  readonly units?: Readonly<Record<string, string>>;
}

/** A sentence that says what is wrong and what to ask instead. */
interface Refused {
  readonly kind: 'refused';
  readonly sentence: string;
}

/** One call of a tool. It counts the records that it read, for the limits of the key. */
export class ToolCall {
  records = 0;

  constructor(
    private readonly service: Service,
    /** In front of all paths. */
    private readonly base: string,
  ) {}

  async answer(name: ToolName, given: Item): Promise<ToolAnswer | Refused> {
    switch (name) {
      case 'find':
        return this.find(given);
      case 'describe':
        return this.describe(given);
      case 'totals':
        return this.totals(given);
      case 'records':
        return this.show(given);
      case 'thing':
        return this.thing(given);
    }
  }

  /** The data sets, and the values of their filters. */
  async inventory(organization?: unknown): Promise<Read<{ readonly Organizations: readonly InventoryOrganization[] }>> {
    const query = organization === undefined ? [] : itemsOf('OrganizationUUID', organization);
    return this.read(inventoryRoute, `${inventory.route}?${queryText(query)}`);
  }

  private async find({ query, kind, state }: Item): Promise<ToolAnswer | Refused> {
    const items = [['Query', query] as const, ['Kind', kind] as const, ['State', state] as const];
    const path = `${find.route}?${queryText(items.flatMap(([name, value]) => itemsOf(name, value)))}`;
    const read = await this.read<{ readonly TotalFoundCount: number; readonly Found: readonly FoundItem[] }>(
      findRoute,
      path,
    );
    if (read.kind === 'refused') return read;
    const { TotalFoundCount: matched, Found } = read.json;
    const rows = Found.map((found) => ({
      ...{ kind: found.Kind, name: found.Name, identifier: found.Identifier, organization: found.OrganizationUUID },
      ...{ state: found.State, county: found.County, records: withoutEmpty(found.RecordsCounts), ...thingOf(found) },
      filters: Object.fromEntries(splitQuery(found.Filter).map((item) => [item.name, item.value])),
    }));
    const named = new Set(Found.map(({ OrganizationUUID }) => OrganizationUUID));
    const entries = (await this.entries(read.version)).filter(({ organizationUuid }) => named.has(organizationUuid));
    const nothing = 'Nothing has such a name. Ask with fewer or shorter words, or describe for what there is.';
    return {
      ...{ kind: 'answer', rowsAre: 'names', address: `${this.base}/${path}`, dataVersion: read.version, matched, rows },
      licences: licencesOf(entries),
      caveats: [...(matched === 0 ? [nothing] : []), ...samplesCaveat(entries)],
    };
  }

  private async describe({ organization, kind }: Item): Promise<ToolAnswer | Refused> {
    const operation = operations.find(({ name }) => name === kind);
    if (kind !== undefined && operation === undefined) return unknownKind(kind, operations);
    const read = await this.inventory(organization);
    if (read.kind === 'refused') return read;
    const isWanted = ({ DataSet }: InventoryDataSet): boolean => operation === undefined || DataSet === operation.dataSet;
    const described = read.json.Organizations.flatMap(({ DataSets, ...whose }) =>
      DataSets.filter(isWanted).map((dataSet) => ({ whose, dataSet })),
    );
    const variables = await this.variables(organization);
    if (!(variables instanceof Map)) return variables;
    const mostValues = Math.max(3, Math.min(25, Math.floor(60 / described.length)));
    const rows = described.map(({ whose, dataSet }) => ({
      ...{ organization: whose.OrganizationUUID, organizationName: whose.OrganizationName, state: whose.OrganizationState },
      ...{ kind: nameOf(dataSet.DataSet), records: dataSet.Records, sites: dataSet.Sites },
      ...{ reportingUnits: dataSet.ReportingUnits, firstDay: dataSet.FirstDay, lastDay: dataSet.LastDay },
      ...{ publishedAt: dataSet.PublishedAt, note: dataSet.Submission.Note },
      variables: variables.get(`${whose.OrganizationUUID} ${dataSet.DataSet}`) ?? [],
      values: valuesOf(dataSet, mostValues),
      ...(operation === undefined ? {} : { asks: parametersOf(operation) }),
    }));
    const entries = (await this.entries(read.version)).filter(({ organizationUuid, dataSet }) =>
      described.some((one) => one.whose.OrganizationUUID === organizationUuid && one.dataSet.DataSet === dataSet),
    );
    const address = `${this.base}/${inventory.route}?${queryText(itemsOf('OrganizationUUID', organization))}`;
    return {
      ...{ kind: 'answer', rowsAre: 'data sets', address, dataVersion: read.version, matched: rows.length, rows },
      ...{ licences: licencesOf(entries), units: RIGHT_UNITS },
      caveats: [...samplesCaveat(entries), ...Object.values(KNOWN_LIMITS)],
    };
  }

  /** By organization and kind of amounts; rights have none that says more than their units. */
  private async variables(organization: unknown): Promise<ReadonlyMap<string, Item[]> | Refused> {
    const found = new Map<string, Item[]>();
    for (const operation of totalsOperations.filter(({ dataSet }) => dataSet !== 'WaterAllocations')) {
      const items = [...itemsOf('OrganizationUUID', organization), ...itemsOf('GroupBy', 'OrganizationUUID')];
      const read = await this.read<TotalsPage>(operationRoute(operation), `${operation.route}?${queryText(items)}`);
      if (read.kind === 'refused') return read;
      for (const { OrganizationUUID, Sum: _, Mean: __, Minimum: ___, Maximum: ____, ...variable } of read.json.Totals) {
        const key = `${String(OrganizationUUID)} ${operation.dataSet}`;
        found.set(key, [...(found.get(key) ?? []), variable]);
      }
    }
    return found;
  }

  private async totals({ kind, filters, groupBy, orderBy }: Item): Promise<ToolAnswer | Refused> {
    const dataSet = operations.find(({ name }) => name === kind)?.dataSet;
    const operation = totalsOperations.find((one) => one.dataSet === dataSet);
    if (operation === undefined) return unknownKind(kind, operations);
    const asked = this.readFilters(operation, filters, itemsOf('GroupBy', groupBy));
    if ('sentence' in asked) return asked;
    const isOrdered = typeof orderBy === 'string' && orderBy !== '';
    const count = isOrdered ? RECORD_COUNT.maximum : MOST_ROWS;
    const path = pathOf(operation, asked, [{ name: 'RecordCount', value: String(count) }]);
    const read = await this.read<TotalsPage>(operationRoute(operation), path);
    if (read.kind === 'refused') return read;
    const { TotalGroupsCount: matched, GroupsOverlap, Totals } = read.json;
    if (isOrdered && matched > count) {
      return refusal(`There are ${matched} groups, and orderBy takes ${count} at most. Use filters, or fewer groupBy.`);
    }
    const ordered = isOrdered ? orderedRows(Totals, orderBy) : Totals;
    if ('sentence' in ordered) return ordered;
    const rows = ordered.slice(0, MOST_ROWS);
    const isOfRights = operation.dataSet === 'WaterAllocations';
    return {
      ...{ kind: 'answer', rowsAre: 'groups', address: this.addressOf(path, read.version), dataVersion: read.version },
      ...{ matched, rows, ...(await this.sources(operation, asked, rows, read.version)) },
      units: isOfRights ? { FlowSum: RIGHT_UNITS.AllocationFlow_CFS, VolumeSum: RIGHT_UNITS.AllocationVolume_AF } : amountUnits('Sum', rows),
      caveats: [
        ...(await this.hints(operation, asked, read, rows)),
        ...(GroupsOverlap ? [OVERLAP] : []),
        ...(rows.length < matched ? [`These are ${rows.length} of ${matched} groups: do not add them up.`] : []),
        ...(isOfRights ? rightCaveats(rows) : amountCaveats(rows)),
        ...(JSON.stringify(asked.given).includes(USE_CATEGORY.name) ? [KNOWN_LIMITS['Uses across states']] : []),
      ],
    };
  }

  private async show({ kind, filters, limit = 10 }: Item): Promise<ToolAnswer | Refused> {
    const operation = shownOperations.find(({ name }) => name === kind);
    if (operation === undefined) return unknownKind(kind, shownOperations);
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MOST_RECORDS) {
      return refusal(`limit must be a whole number from 1 to ${MOST_RECORDS}. For sums ask totals, for all the address.`);
    }
    const asked = this.readFilters(operation, filters, []);
    if ('sentence' in asked) return asked;
    const page = [['format', 'geojson'] as const, ['RecordCount', String(limit)] as const];
    const path = pathOf(operation, asked, page.map(([name, value]) => ({ name, value })));
    const read = await this.read<FeaturePage>(operationRoute(operation), path);
    if (read.kind === 'refused') return read;
    const { numberMatched: matched, features } = read.json;
    const rows = features.map(({ properties }) => ({ ...thingOfRow(operation, properties), ...withSeries(properties) }));
    const more = `These are ${rows.length} of ${matched}; all are at ${this.base}/${operation.route}?${queryText(asked.given)}`;
    const isReversed = rows.some(({ TimeframeStart: from, TimeframeEnd: to }: Item) => isText(from) && isText(to) && from > to);
    return {
      ...{ kind: 'answer', rowsAre: 'records', address: this.addressOf(path, read.version), dataVersion: read.version },
      ...{ matched, rows, ...(await this.sources(operation, asked, rows, read.version)) },
      units: operation === shownOperations[2] ? RIGHT_UNITS : amountUnits('Amount', rows),
      caveats: [
        ...(await this.hints(operation, asked, read, rows)),
        ...(rows.length < matched ? [`${more}. Do not add these up: totals does.`] : []),
        ...(isReversed ? ['Some timeframes end before they start, as submitted; dates are read in their order.'] : []),
        ...placeholderCaveat(rows, 'AllocationPriorityDate'),
      ],
    };
  }

  private async thing({ collection: wanted, id }: Item): Promise<ToolAnswer | Refused> {
    const collection = thingCollections.find((one) => one.id === wanted);
    const ids = thingCollections.map((one) => one.id).join(', ');
    if (collection === undefined) return refusal(`collection must be one of ${ids}, as find and records give it.`);
    if (typeof id !== 'string' || !id.includes('~')) {
      return refusal('id must be as find and records give it: an organization, ~ and an identifier. Ask find for it.');
    }
    const path = `ogc/collections/${collection.id}/items/${encodeURIComponent(id.toWellFormed())}`;
    const read = await this.read<{ readonly properties: Item }>(featureRoute(collection, id, this.service), `${path}?f=json`);
    if (read.kind === 'refused') return read;
    const kinds = collection.featureKind === 'Sites' || collection.featureKind === 'ReportingUnits' ? dataSetsOfPlaces(collection.featureKind) : ['WaterAllocations'];
    const { organization } = featureIdParts(id);
    const entries = (await this.entries(read.version)).filter(
      ({ organizationUuid, dataSet }) => organizationUuid === organization && kinds.includes(dataSet),
    );
    const rows = [withSeries(read.json.properties)];
    return {
      ...{ kind: 'answer', rowsAre: 'thing', address: withoutKeys(`${this.base}/${path}`), dataVersion: read.version },
      ...{ matched: 1, rows, licences: licencesOf(entries) },
      units: collection.featureKind === 'WaterAllocations' ? RIGHT_UNITS : {},
      caveats: [...samplesCaveat(entries), ...placeholderCaveat(rows, 'AllocationPriorityDate')],
    };
  }

  /** The answer of a route, as anybody has it who asks it with a key. */
  private async read<Json>(route: Route, path: string): Promise<Read<Json>> {
    const url = `http://localhost/${path}`;
    const headers = { get: () => null, has: () => false };
    const outcome = await route.answer({ method: 'GET', url, headers }, this.service);
    if (outcome.kind === 'problem') return refusal(sentenceOf(outcome.problem));
    if (outcome.kind !== 'answer') throw new Error(`${path} was answered with ${outcome.kind}`);
    outcome.reservation?.release();
    this.records += outcome.records ?? 0;
    const { 'Data-Version': version = '', 'Query-Hint': hint } = outcome.headers;
    const json = JSON.parse(outcome.body.toString()) as Json; // The route has written it.
    return { kind: 'read', json, version, hint };
  }

  private readFilters(operation: Operation, filters: unknown, more: readonly QueryItem[]): OperationRequest | Refused {
    if (filters !== undefined && (typeof filters !== 'object' || filters === null || Array.isArray(filters))) {
      return refusal('filters must be an object of names and values, such as {"State": "UT"}.');
    }
    const items = Object.entries(filters ?? {}).flatMap(([name, value]) => itemsOf(name, value));
    const read = readRequest(askedParameters(operation), [...items, ...more], this.service.reading);
    if (read.ok) return read.request;
    return refusal(sentenceOf({ status: 400, title: '', detail: '', errors: read.errors }));
  }

  private addressOf(path: string, version: string): string {
    return withoutKeys(`${this.base}/${path}${path.includes('DataVersion=') ? '' : `&DataVersion=${version}`}`);
  }

  private async entries(version: string): Promise<readonly CatalogEntry[]> {
    return (await this.service.store.stateOf(version))?.entries ?? [];
  }

  /** Whose data the answer can have; where the rows say it, only theirs. */
  private async sources(
    { kind, dataSet }: Operation,
    { condition }: OperationRequest,
    rows: readonly Item[],
    version: string,
  ): Promise<Pick<ToolAnswer, 'licences'>> {
    const state = await this.service.store.stateOf(version);
    if (state === undefined) return { licences: [] };
    const kinds = kind === 'places' ? dataSetsOfPlaces(dataSetLayouts[dataSet].placeKind) : [dataSet];
    const entries = kinds.flatMap((one) => entriesRead(state, one, condition));
    const named = new Set(rows.flatMap(({ OrganizationUUID: id }) => (isText(id) ? [id] : [])));
    return { licences: licencesOf(named.size === 0 ? entries : entries.filter((one) => named.has(one.organizationUuid))) };
  }

  private async hints(
    { dataSet }: Operation,
    { condition }: OperationRequest,
    { hint, version }: { readonly hint: string | undefined; readonly version: string },
    rows: readonly Item[],
  ): Promise<readonly string[]> {
    const state = await this.service.store.stateOf(version);
    const samples = state === undefined ? [] : samplesCaveat(entriesRead(state, dataSet, condition));
    if (rows.length > 0) return samples;
    const why = hint === undefined ? 'each value is in the data, but not together' : decodeURIComponent(hint);
    return [...samples, `Nothing matches: ${why}. Ask describe with this kind for values, or use fewer filters.`];
  }
}

type Read<Json> =
  | { readonly kind: 'read'; readonly json: Json; readonly version: string; readonly hint: string | undefined }
  | Refused;

interface TotalsPage {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly Item[];
}

interface FeaturePage {
  readonly numberMatched: number;
  readonly features: readonly { readonly properties: Item }[];
}
