// What the tools of assistants answer (D67). Each asks the routes of the operations, below keys and sending, and makes
// their answers short, with whose data they are and what nobody should read out of them.

import { find, inventory, operations, totalsOperations, type Operation } from '../../query/operations';
import { RECORD_COUNT } from '../../query/paging-and-format';
import { withoutKeys } from '../../query/parameter';
import { readRequest, type OperationRequest } from '../../query/read-request';
import { EVERYTHING, type Condition } from '../../query/condition';
import { DATA_SET_KINDS, dataSetLayouts, dataSetsOfPlaces, type DataSetKind } from '../../records/data-sets';
import type { findMembers } from '../../records/found';
import type { InventoryOrganization } from '../../records/inventory';
import { KNOWN_LIMITS } from '../../records/known-limits';
import type { ObjectOf } from '../../records/object-definition';
import type { Item } from '../../records/record-references';
import { USE_CATEGORY } from '../../render/table-columns';
import { openReleases } from '../../search/plan-page';
import { resolveBoundary } from '../../search/resolve-boundary';
import { queryText } from '../ogc/addresses';
import { featureRoute } from '../ogc/feature';
import { badParameters } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { Service } from '../pipeline/service';
import { findRoute } from '../v1/find';
import { inventoryRoute } from '../v1/inventory';
import { operationRoute } from '../v1/operations';
import * as rowsOf from './rows';
import { refusal, sentenceOf, type Refusal, type Sources } from './rows';
import { askedParameters, MOST_RECORDS, MOST_ROWS, shownOperations, thingCollections, type ToolName } from './tools';

export interface ToolAnswer extends Sources {
  readonly kind: 'answer';
  /** What the rows are, for a sentence. */
  readonly rowsAre: string;
  /** Reproduces the answer; it has no key. */
  readonly address: string;
  readonly dataVersion: string;
  readonly matched: number;
  readonly rows: readonly Item[];
  readonly units: Item;
}

interface Read<Json> {
  readonly kind: 'read';
  readonly address: string;
  readonly json: Json;
  readonly version: string;
  readonly hint: string;
}

interface TotalsPage {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly Item[];
}

interface FeaturePage {
  readonly numberMatched: number;
  readonly features: readonly { readonly properties: Item }[];
}

/** The values of a query; a list gives each of its values. */
type Values = Readonly<Record<string, unknown>>;

/** What a tool has found. */
interface Found extends Pick<ToolAnswer, 'rowsAre' | 'matched' | 'rows'> {
  /** Those of the rows without it. */
  readonly units?: Item;
  /** Whose data it can have; where rows name their organizations, these alone. */
  readonly kinds: readonly DataSetKind[];
  readonly condition?: Condition;
  /** In front of the caveats of the data, and behind them. */
  readonly caveats: readonly [first: readonly string[], last: readonly string[]];
}

/** One call of a tool: each has a method of its name, which takes the arguments as they were sent. */
export class ToolCall implements Readonly<Record<ToolName, (given: Item) => Promise<ToolAnswer | Refusal>>> {
  /** Counts what was read, for the limits of the key. */
  recordsRead = 0;

  constructor(
    private readonly service: Service,
    /** In front of all paths. */
    private readonly base: string,
  ) {}

  inventory(OrganizationUUID?: unknown): Promise<Read<Inventory> | Refusal> {
    return this.read(inventoryRoute, inventory.route, { OrganizationUUID });
  }

  async find({ query: Query, kind: Kind, state: State }: Item): Promise<ToolAnswer | Refusal> {
    const asked = { Query, Kind, State };
    const read = await this.read<ObjectOf<typeof findMembers>>(findRoute, find.route, asked);
    if (read.kind === 'refused') return read;
    const { TotalFoundCount: matched, Found: items } = read.json;
    const nothing = 'Nothing has such a name. Ask with fewer or shorter words, or ask describe what there is.';
    return this.answerOf(read, {
      ...{ rowsAre: 'names', matched, rows: items.map(rowsOf.foundRow) },
      ...{ kinds: DATA_SET_KINDS, caveats: [matched === 0 ? [nothing] : [], []] },
    });
  }

  async describe({ organization: OrganizationUUID, kind }: Item): Promise<ToolAnswer | Refusal> {
    const operation = operations.find(({ name }) => name === kind);
    if (kind !== undefined && operation === undefined) return rowsOf.unknownKind(operations);
    const read = await this.inventory(OrganizationUUID);
    if (read.kind === 'refused') return read;
    const variables: Item[] = [];
    for (const totals of totalsOperations.filter(({ dataSet }) => dataSet !== 'WaterAllocations')) {
      const asked = { OrganizationUUID, GroupBy: 'OrganizationUUID' };
      const found = await this.read<TotalsPage>(operationRoute(totals), totals.route, asked);
      if (found.kind === 'refused') return found;
      variables.push(...found.json.Totals.map((row) => ({ ...row, DataSet: totals.dataSet })));
    }
    const rows = rowsOf.describedRows(read.json.Organizations, variables, operation);
    return this.answerOf(read, {
      ...{ rowsAre: 'data sets', matched: rows.length, rows },
      ...{ units: rowsOf.RIGHT_UNITS, kinds: operation === undefined ? DATA_SET_KINDS : [operation.dataSet] },
      caveats: [[], Object.values(KNOWN_LIMITS)],
    });
  }

  async totals({ kind, filters, groupBy: GroupBy, orderBy }: Item): Promise<ToolAnswer | Refusal> {
    const dataSet = operations.find(({ name }) => name === kind)?.dataSet;
    const operation = totalsOperations.find((one) => one.dataSet === dataSet);
    if (operation === undefined) return rowsOf.unknownKind(operations);
    const request = this.readFilters(operation, filters, { GroupBy });
    if (request.kind === 'refused') return request;
    const isOrdered = typeof orderBy === 'string' && orderBy !== '';
    const RecordCount = isOrdered ? RECORD_COUNT.maximum : MOST_ROWS;
    const asked = { ...request.given, RecordCount };
    const read = await this.read<TotalsPage>(operationRoute(operation), operation.route, asked);
    if (read.kind === 'refused') return read;
    const { TotalGroupsCount: matched, GroupsOverlap, Totals } = read.json;
    if (isOrdered && matched > RecordCount) {
      return refusal(
        `There are ${matched} groups, and orderBy takes ${RecordCount}. Use filters, or a shorter groupBy.`,
      );
    }
    const ordered = isOrdered ? rowsOf.orderedRows(Totals, orderBy) : Totals;
    if ('sentence' in ordered) return ordered;
    const rows = ordered.slice(0, MOST_ROWS);
    const isCompared = USE_CATEGORY.name in request.given || JSON.stringify(GroupBy ?? '').includes(USE_CATEGORY.name);
    const last = [
      ...(rows.length < matched ? [`Only ${rows.length} of ${matched} groups are here: do not add them up.`] : []),
      ...(GroupsOverlap ? [rowsOf.OVERLAP] : []),
      ...rowsOf.totalsCaveats(rows, operation.dataSet),
      ...(isCompared ? [KNOWN_LIMITS['Uses across states']] : []),
    ];
    return this.answerOf(read, {
      ...{ rowsAre: 'groups', matched, rows },
      ...{ kinds: [operation.dataSet], condition: request.condition },
      caveats: [rowsOf.noMatchCaveat(rows, read.hint), last],
    });
  }

  async records({ kind, filters, limit = 10 }: Item): Promise<ToolAnswer | Refusal> {
    const operation = shownOperations.find(({ name }) => name === kind);
    if (operation === undefined) return rowsOf.unknownKind(shownOperations);
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MOST_RECORDS) {
      return refusal(`limit must be a whole number from 1 to ${MOST_RECORDS}. For how much or how many ask totals.`);
    }
    const request = this.readFilters(operation, filters, {});
    if (request.kind === 'refused') return request;
    const asked = { ...request.given, format: 'geojson', RecordCount: limit };
    const read = await this.read<FeaturePage>(operationRoute(operation), operation.route, asked);
    if (read.kind === 'refused') return read;
    const { numberMatched: matched, features } = read.json;
    const rows = rowsOf.distinctRows(features.map(({ properties }) => rowsOf.shownRow(operation, properties)));
    const all = this.addressOf(operation.route, request.given, read.version);
    const partial = `Do not add these up: totals does. Walk through all ${matched} at ${all}`;
    return this.answerOf(read, {
      ...{ rowsAre: 'records', matched, rows },
      ...{ kinds: kindsOf(operation), condition: request.condition },
      caveats: [
        rowsOf.noMatchCaveat(rows, read.hint),
        [...(rows.length < matched ? [partial] : []), ...rowsOf.dateCaveats(rows)],
      ],
    });
  }

  async thing({ collection: wanted, id }: Item): Promise<ToolAnswer | Refusal> {
    const collection = thingCollections.find((one) => one.id === wanted);
    if (collection === undefined)
      return refusal(`collection must be ${thingCollections.map((one) => one.id).join(' or ')}.`);
    if (typeof id !== 'string' || !id.includes('~')) {
      return refusal('id must be an organization, ~ and an identifier, as find and records give it. Ask find for it.');
    }
    const path = `ogc/collections/${collection.id}/items/${encodeURIComponent(id.toWellFormed())}`;
    const asked = { f: 'json' };
    const read = await this.read<{ readonly properties: Item }>(
      featureRoute(collection, id, this.service),
      path,
      asked,
    );
    if (read.kind === 'refused') return read;
    const rows = [rowsOf.shownRow(collection.operation, read.json.properties)];
    return this.answerOf(read, {
      ...{ rowsAre: 'thing', matched: 1, rows },
      kinds: kindsOf(collection.operation),
      caveats: [[], rowsOf.dateCaveats(rows)],
    });
  }

  /** The answer of a route, as anybody has it who asks it with a key. */
  private async read<Json>(route: Route, path: string, values: Values): Promise<Read<Json> | Refusal> {
    const url = `http://localhost/${path}?${queryText(rowsOf.itemsOf(values))}`;
    const outcome = await route.answer({ method: 'GET', url, headers: NO_HEADERS }, this.service);
    if (outcome.kind === 'problem') return refusal(sentenceOf(outcome.problem));
    if (outcome.kind !== 'answer') throw new Error(`${path} was answered with ${outcome.kind}`);
    outcome.reservation?.release();
    this.recordsRead += outcome.records ?? 0;
    const { 'Data-Version': version = '', 'Query-Hint': hint = '' } = outcome.headers;
    const address = this.addressOf(path, values, version);
    // The route has written it.
    return { kind: 'read', address, json: JSON.parse(outcome.body.toString()) as Json, version, hint };
  }

  private readFilters(operation: Operation, filters: unknown, more: Values): AskedFilters | Refusal {
    const isObject = typeof filters === 'object' && filters !== null && !Array.isArray(filters);
    if (filters !== undefined && !isObject) {
      return refusal('filters must be an object of names and values, such as {"State": "UT"}.');
    }
    const items = rowsOf.itemsOf({ ...filters, ...more });
    const read = readRequest(askedParameters(operation), items, this.service.reading);
    if (!read.ok) return refusal(sentenceOf(badParameters(read.errors)));
    const { given, dataVersion, condition } = read.request;
    const names = new Set(given.map(({ name }) => name));
    const lists = [...names].map((one) => [one, given.flatMap(({ name, value }) => (name === one ? [value] : []))]);
    const version = dataVersion === undefined ? {} : { DataVersion: dataVersion };
    return { kind: 'filters', condition, given: { ...(Object.fromEntries(lists) as Values), ...version } }; // Lists.
  }

  private addressOf(path: string, values: Values, DataVersion: string): string {
    return withoutKeys(`${this.base}/${path}?${queryText(rowsOf.itemsOf({ ...values, DataVersion }))}`);
  }

  private async answerOf(read: Read<unknown>, found: Found): Promise<ToolAnswer> {
    const { service } = this;
    const { rows, units = rowsOf.unitsOf(rows), kinds, condition = EVERYTHING } = found;
    const state = await service.store.stateOf(read.version);
    const where = state && (await resolveBoundary(service, state, condition));
    const releases =
      state === undefined || where === undefined
        ? []
        : await Promise.all(kinds.map((kind) => openReleases(service, state, kind, where)));
    const entries = releases.flat().map(({ entry }) => entry);
    const { licences, caveats } = rowsOf.sourcesOf(entries, rows);
    const [first, last] = found.caveats;
    return {
      ...{ kind: 'answer', rowsAre: found.rowsAre, address: read.address, dataVersion: read.version },
      ...{ matched: found.matched, rows, units, licences, caveats: [...first, ...caveats, ...last] },
    };
  }
}

interface Inventory {
  readonly Organizations: readonly InventoryOrganization[];
}

interface AskedFilters extends Pick<OperationRequest, 'condition'> {
  readonly kind: 'filters';
  /** By name, as links repeat them. */
  readonly given: Values;
}

const NO_HEADERS = { get: () => null, has: () => false };

function kindsOf({ kind, dataSet }: Operation): readonly DataSetKind[] {
  return kind === 'places' ? dataSetsOfPlaces(dataSetLayouts[dataSet].placeKind) : [dataSet];
}
