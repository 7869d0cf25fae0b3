// What the tools of assistants answer (D67). Each asks the routes of the operations, below keys and sending, and makes
// their answers short, with whose data they are and what nobody should read out of them.

import { find, inventory, type Operation, operations, totalsOperations } from '../../query/operations';
import { RECORD_COUNT } from '../../query/paging-and-format';
import { withoutKeys } from '../../query/parameter';
import { type OperationRequest, readRequest } from '../../query/read-request';
import { type Condition, EVERYTHING } from '../../query/condition';
import { DATA_SET_KINDS, type DataSetKind, dataSetLayouts, dataSetsOfPlaces, type Item } from '../../records/data-sets';
import type { findMembers } from '../../records/found';
import type { InventoryOrganization } from '../../records/inventory';
import { KNOWN_LIMITS } from '../../records/known-limits';
import type { ObjectOf } from '../../records/object-definition';
import { USE_CATEGORY } from '../../render/table-columns';
import { openReleases } from '../../search/plan-page';
import type { CatalogEntry } from '../../store/catalog-types';
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
import { refusal, type Refusal, sentenceOf } from './rows';
import { askedParameters, MOST_RECORDS, MOST_ROWS, shownOperations, thingCollections, type ToolName } from './tools';

export interface ToolAnswer {
  readonly kind: 'answer';
  /** What the rows are, for a sentence. */
  readonly rowsAre: string;
  /** Reproduces the answer; it has no key. */
  readonly address: string;
  readonly dataVersion: string;
  readonly matched: number;
  readonly rows: readonly Item[];
  readonly units: Item;
  readonly licences: readonly Item[];
  readonly caveats: readonly string[];
}

/** What a route has answered. */
interface Read<Json> extends Pick<ToolAnswer, 'address' | 'dataVersion'> {
  readonly kind: 'read';
  readonly json: Json;
  readonly hint: string;
}

/** The values of a query; a list gives each of its values. */
type Values = Readonly<Record<string, unknown>>;

/** What a tool makes of it. */
interface Found extends Pick<ToolAnswer, 'rowsAre' | 'matched' | 'rows' | 'caveats'> {
  /** Those of the rows without it. */
  readonly units?: Item;
  /** Whose data it can have, all without it; where rows name their organizations, these alone. */
  readonly kinds?: readonly DataSetKind[];
  readonly condition?: Condition;
}

interface TotalsPage {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly Item[];
}

interface Feature {
  readonly properties: Item;
}

interface FeaturePage {
  readonly numberMatched: number;
  readonly features: readonly Feature[];
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
    const read = await this.read<ObjectOf<typeof findMembers>>(findRoute, find.route, { Query, Kind, State });
    if (read.kind === 'refused') return read;
    const { TotalFoundCount: matched, Found: items } = read.json;
    const nothing = 'Nothing has such a name. Ask with fewer or shorter words, or ask describe what there is.';
    const caveats = matched === 0 ? [nothing] : [];
    return this.answerOf(read, { rowsAre: 'names', matched, rows: items.map(rowsOf.foundRow), caveats });
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
      ...{ rowsAre: 'data sets', matched: rows.length, rows, caveats: Object.values(KNOWN_LIMITS) },
      ...{ units: rowsOf.RIGHT_UNITS, ...(operation === undefined ? {} : { kinds: [operation.dataSet] }) },
    });
  }

  async totals({ kind, filters, groupBy: GroupBy, orderBy }: Item): Promise<ToolAnswer | Refusal> {
    const operation = totalsOperations.find(({ name }) => name === `${String(kind)}Totals`);
    if (operation === undefined) return rowsOf.unknownKind(operations);
    const request = this.readFilters(operation, filters, { GroupBy });
    if (request.kind === 'refused') return request;
    const { given, condition } = request;
    const isOrdered = typeof orderBy === 'string' && orderBy !== '';
    const RecordCount = isOrdered ? RECORD_COUNT.maximum : MOST_ROWS;
    const read = await this.read<TotalsPage>(operationRoute(operation), operation.route, { ...given, RecordCount });
    if (read.kind === 'refused') return read;
    const { TotalGroupsCount: matched, GroupsOverlap, Totals } = read.json;
    if (isOrdered && matched > RecordCount) {
      const most = `There are ${matched} groups, and orderBy takes ${RecordCount}.`;
      return refusal(`${most} Use filters, or a shorter groupBy.`);
    }
    const ordered = isOrdered ? rowsOf.orderedRows(Totals, orderBy) : Totals;
    if ('sentence' in ordered) return ordered;
    const rows = ordered.slice(0, MOST_ROWS);
    const isCompared = USE_CATEGORY.name in given || JSON.stringify(GroupBy ?? '').includes(USE_CATEGORY.name);
    const caveats = [
      ...rowsOf.noMatchCaveat(rows, read.hint),
      ...(rows.length < matched ? [`Only ${rows.length} of ${matched} groups are here: do not add them up.`] : []),
      ...(GroupsOverlap ? [rowsOf.OVERLAP] : []),
      ...rowsOf.totalsCaveats(rows, operation.dataSet),
      ...(isCompared ? [KNOWN_LIMITS['Uses across states']] : []),
    ];
    return this.answerOf(read, { rowsAre: 'groups', matched, rows, caveats, kinds: kindsOf(operation), condition });
  }

  async records({ kind, filters, limit = 10 }: Item): Promise<ToolAnswer | Refusal> {
    const operation = shownOperations.find(({ name }) => name === kind);
    if (operation === undefined) return rowsOf.unknownKind(shownOperations);
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MOST_RECORDS) {
      return refusal(`limit must be a whole number from 1 to ${MOST_RECORDS}. For how much or how many ask totals.`);
    }
    const request = this.readFilters(operation, filters, {});
    if (request.kind === 'refused') return request;
    const { given, condition } = request;
    const asked = { ...given, format: 'geojson', RecordCount: limit };
    const read = await this.read<FeaturePage>(operationRoute(operation), operation.route, asked);
    if (read.kind === 'refused') return read;
    const { numberMatched: matched, features } = read.json;
    const rows = rowsOf.distinctRows(features.map(({ properties }) => rowsOf.shownRow(operation, properties)));
    const all = this.addressOf(operation.route, given, read.dataVersion);
    const partial = `Do not add these up: totals does. Walk through all ${matched} at ${all}`;
    const caveats = [
      ...rowsOf.noMatchCaveat(rows, read.hint),
      ...(rows.length < matched ? [partial] : []),
      ...rowsOf.dateCaveats(rows),
    ];
    return this.answerOf(read, { rowsAre: 'records', matched, rows, caveats, kinds: kindsOf(operation), condition });
  }

  async thing({ collection: wanted, id }: Item): Promise<ToolAnswer | Refusal> {
    const collection = thingCollections.find((one) => one.id === wanted);
    const known = thingCollections.map((one) => one.id).join(' or ');
    if (collection === undefined) return refusal(`collection must be ${known}.`);
    const feature = String(id).toWellFormed();
    const path = `ogc/collections/${collection.id}/items/${encodeURIComponent(feature)}`;
    const read = await this.read<Feature>(featureRoute(collection, feature, this.service), path, { f: 'json' });
    if (read.kind === 'refused') return read;
    const rows = [rowsOf.shownRow(collection.operation, read.json.properties)];
    const kinds = kindsOf(collection.operation);
    return this.answerOf(read, { rowsAre: 'thing', matched: 1, rows, caveats: rowsOf.dateCaveats(rows), kinds });
  }

  /** The answer of a route, as anybody has it who asks it with a key. */
  private async read<Json>(route: Route, path: string, values: Values): Promise<Read<Json> | Refusal> {
    const url = `http://localhost/${path}?${queryText(rowsOf.itemsOf(values))}`;
    const outcome = await route.answer({ method: 'GET', url, headers: NO_HEADERS }, this.service);
    if (outcome.kind === 'problem') return refusal(sentenceOf(outcome.problem));
    if (outcome.kind !== 'answer') throw new Error(`${path} was answered with ${outcome.kind}`);
    outcome.reservation?.release();
    this.recordsRead += outcome.records ?? 0;
    const { 'Data-Version': dataVersion = '', 'Query-Hint': hint = '' } = outcome.headers;
    const address = this.addressOf(path, values, dataVersion);
    // The route has written it.
    return { kind: 'read', address, json: JSON.parse(outcome.body.toString()) as Json, dataVersion, hint };
  }

  private readFilters(operation: Operation, filters: unknown, more: Values): AskedFilters | Refusal {
    if (!(filters === undefined || rowsOf.isItem(filters))) {
      return refusal('filters must be an object of names and values, such as {"State": "UT"}.');
    }
    const items = rowsOf.itemsOf({ ...filters, ...more });
    const read = readRequest(askedParameters(operation), items, this.service.reading);
    if (!read.ok) return refusal(sentenceOf(badParameters(read.errors)));
    const { given, dataVersion: DataVersion, condition } = read.asked;
    const lists = [...Map.groupBy(given, ({ name }) => name)].map(([name, some]) => {
      return [name, some.map(({ value }) => value)] as const;
    });
    return { kind: 'filters', condition, given: { ...Object.fromEntries(lists), DataVersion } };
  }

  private addressOf(path: string, values: Values, DataVersion: string): string {
    return withoutKeys(`${this.base}/${path}?${queryText(rowsOf.itemsOf({ ...values, DataVersion }))}`);
  }

  private async answerOf({ address, dataVersion }: Read<unknown>, found: Found): Promise<ToolAnswer> {
    const { kinds = DATA_SET_KINDS, condition = EVERYTHING, rows, ...answer } = found;
    const entries = rowsOf.entriesOfRows(await this.entriesOf(kinds, condition, dataVersion), rows);
    const sample = entries.some(({ isSample }) => isSample) ? ['These are invented samples, not real data.'] : [];
    return {
      ...{ kind: 'answer', address, dataVersion, units: rowsOf.unitsOf(rows) },
      ...{ ...answer, rows, licences: entries.map(rowsOf.licenceOf), caveats: [...found.caveats, ...sample] },
    };
  }

  /** The data sets that can have what the condition asks for. */
  private async entriesOf(
    kinds: readonly DataSetKind[],
    condition: Condition,
    dataVersion: string,
  ): Promise<readonly CatalogEntry[]> {
    const state = await this.service.store.stateOf(dataVersion);
    const resolved = state && (await resolveBoundary(this.service, state, condition));
    if (state === undefined || resolved === undefined) return [];
    const opened = await Promise.all(kinds.map((kind) => openReleases(this.service, state, kind, resolved)));
    return opened.flat().map(({ entry }) => entry);
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
