// Answers the tools of assistants (D67). Each tool calls the routes of operations directly, without the steps that
// check keys and send answers, and shortens the answers. It adds the sources of the data, and caveats about what the
// figures do not cover.

import { redactKeys, shortenForDisplay } from '../../query/access-key-parameter';
import { type Condition, EVERYTHING } from '../../query/condition';
import { find, inventory, type Operation, operations, totalsOperations } from '../../query/operations';
import { RECORD_COUNT } from '../../query/page-parameters';
import { type OperationRequest, readRequest } from '../../query/read-request';
import { DATA_SET_KINDS } from '../../records/data-sets';
import type { findMembers } from '../../records/find-results';
import type { inventoryMembers } from '../../records/inventory';
import { KNOWN_LIMITS } from '../../records/known-limits';
import type { ObjectValue } from '../../records/object-definition';
import type { Item } from '../../records/record-references';
import { USE_CATEGORY } from '../../render/table-columns';
import { openListedReleases } from '../../search/places/open-place-releases';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogEntry } from '../../store/catalog-types';
import { failure, type Result, success } from '../../values/result';
import { formatQuery } from '../ogc/addresses';
import { createFeatureRoute } from '../ogc/feature';
import { ANYONE, countNone } from '../pipeline/authorize';
import { badParameters } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import type { Service } from '../pipeline/service';
import { findRoute } from '../v1/find';
import { inventoryRoute } from '../v1/inventory';
import { operationRoute } from '../v1/operations';
import { findOperation, readNamedKind } from './kind-names';
import { quoteValue } from './quote-values';
import * as rowsOf from './rows';
import {
  listableOperations,
  listToolParameters,
  MAX_RECORDS,
  MAX_ROWS,
  thingCollections,
  type ToolName,
} from './tools';

export interface ToolAnswer {
  /** What the rows are, such as "rights", for use in a sentence. */
  readonly rowsAre: string;
  /** The address that returns the same data. Contains no key. */
  readonly address: string;
  readonly dataVersion: string;
  readonly matched: number;
  readonly rows: readonly Item[];
  readonly units: Item;
  readonly licences: readonly Item[];
  readonly caveats: readonly string[];
}

/** The query of a call to a route. */
interface RouteQuery extends Pick<OperationRequest, 'linkParameters' | 'dataVersion'> {
  /** The parameters that select the page and the format of the answer. */
  readonly page?: OperationRequest['linkParameters'];
}

/** The parsed answer of a route. */
interface RouteResult<Json> extends Pick<ToolAnswer, 'address' | 'dataVersion'> {
  readonly json: Json;
  readonly hint: string;
}

/** The result of a tool, before the members that all answers share are added. */
interface ToolResult extends Pick<ToolAnswer, 'rowsAre' | 'matched' | 'rows' | 'caveats'> {
  /** Defaults to the units of the rows. */
  readonly units?: Item;
  /**
   * The answer may contain data of every data set of this operation, or of every data set if it is undefined. If the
   * rows contain organizations, only the data sets of these organizations count.
   */
  readonly operation?: Operation | undefined;
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

/** One call of a tool. Each tool has a method of the same name, which takes the arguments as the client sent them. */
export class ToolCall implements Readonly<Record<ToolName, (given: Item) => Promise<Result<ToolAnswer>>>> {
  /** Counts the records that were read, for the limits of the key. */
  recordsRead = 0;

  constructor(
    private readonly service: Service,
    /** The prefix of all paths. */
    private readonly base: string,
  ) {}

  inventory(OrganizationUUID?: unknown): Promise<Result<RouteResult<ObjectValue<typeof inventoryMembers>>>> {
    return this.queryRoute(inventoryRoute, inventory.route, {
      linkParameters: rowsOf.toQueryItems({ OrganizationUUID }),
    });
  }

  async find({ query: Query, kind: Kind, state: State }: Item): Promise<Result<ToolAnswer>> {
    if (Query === undefined) return failure('Query is required: words from a name, such as {"query": "bear river"}.');
    const others = { Kind: readNamedKind(Kind), State };
    const whole = await this.findNames({ Query, ...others });
    if (!whole.ok) return whole;
    if (whole.value.json.TotalFoundCount > 0) return this.answerWithNames(whole.value, []);
    for (const words of listShorterQueries(typeof Query === 'string' ? Query : '')) {
      const part = await this.findNames({ Query: words, ...others });
      // Skips words that are only punctuation, which the operation refuses.
      if (!part.ok || part.value.json.TotalFoundCount === 0) continue;
      return this.answerWithNames(part.value, [
        `No name contains all the words. These names contain ${quoteValue(words)}.`,
      ]);
    }
    return this.answerWithNames(whole.value, ['No name matches. Use describe to see what is published.']);
  }

  private findNames(query: Item): Promise<Result<RouteResult<ObjectValue<typeof findMembers>>>> {
    return this.queryRoute(findRoute, find.route, { linkParameters: rowsOf.toQueryItems(query) });
  }

  private answerWithNames(
    found: RouteResult<ObjectValue<typeof findMembers>>,
    caveats: readonly string[],
  ): Promise<Result<ToolAnswer>> {
    const { TotalFoundCount: matched, Found: items } = found.json;
    return this.buildAnswer(found, { rowsAre: 'names', matched, rows: items.map(rowsOf.toFoundRow), caveats });
  }

  async describe({ organization: OrganizationUUID, kind }: Item): Promise<Result<ToolAnswer>> {
    const operation = findOperation(listableOperations, kind);
    if (kind !== undefined && operation === undefined) return rowsOf.refuseUnknownKind(listableOperations);
    const result = await this.inventory(OrganizationUUID);
    if (!result.ok) return result;
    if (OrganizationUUID !== undefined && result.value.json.Organizations.length === 0) {
      return this.refuseUnknownOrganization(OrganizationUUID);
    }
    const variables: Item[] = [];
    for (const totals of totalsOperations.filter(({ dataSet }) => dataSet !== 'WaterAllocations')) {
      const linkParameters = rowsOf.toQueryItems({ OrganizationUUID, GroupBy: 'OrganizationUUID' });
      const found = await this.queryRoute<TotalsPage>(operationRoute(totals), totals.route, { linkParameters });
      if (!found.ok) return found;
      variables.push(...found.value.json.Totals.map((row) => ({ ...row, DataSet: totals.dataSet })));
    }
    const rows = rowsOf.describeDataSets(result.value.json.Organizations, variables, operation);
    const caveats = Object.values(KNOWN_LIMITS);
    const found = { rowsAre: 'data sets', matched: rows.length, rows, units: rowsOf.RIGHT_UNITS, caveats, operation };
    return this.buildAnswer(result.value, found);
  }

  async totals({ kind, filters, groupBy: GroupBy, orderBy }: Item): Promise<Result<ToolAnswer>> {
    const counted = findOperation(operations, kind);
    const operation = totalsOperations.find(({ name }) => name === `${counted?.name}Totals`);
    if (operation === undefined) return rowsOf.refuseUnknownKind(operations);
    const misplaced = findMisplaced(filters, ['OrderBy', 'GroupBy']);
    if (misplaced !== undefined) {
      const place = misplaced.toLowerCase() === 'orderby' ? 'orderBy' : 'groupBy';
      return failure(
        `${shortenForDisplay(misplaced, 100)} is not a filter of totals. Write it as the argument ${place}, next to filters.`,
      );
    }
    if (orderBy !== undefined && typeof orderBy !== 'string') {
      return failure(
        'orderBy must be the name of one member of the rows, such as "-RecordsCount". A leading - puts the largest first.',
      );
    }
    const filtered = this.readFilters(operation, filters, { GroupBy });
    if (!filtered.ok) return filtered;
    const isOrdered = typeof orderBy === 'string' && orderBy !== '';
    const RecordCount = isOrdered ? RECORD_COUNT.maximum : MAX_ROWS;
    const paged = { ...filtered.value, page: rowsOf.toQueryItems({ RecordCount }) };
    const result = await this.queryRoute<TotalsPage>(operationRoute(operation), operation.route, paged);
    if (!result.ok) return result;
    const { TotalGroupsCount: matched, GroupsOverlap, Totals } = result.value.json;
    if (isOrdered && matched > RecordCount) {
      const limitSentence = `There are ${matched} groups, and orderBy can sort at most ${RecordCount}.`;
      return failure(`${limitSentence} Use filters, or a shorter groupBy.`);
    }
    const ordered = isOrdered ? rowsOf.sortRows(Totals, orderBy) : success(Totals);
    if (!ordered.ok) return ordered;
    const rows = ordered.value.slice(0, MAX_ROWS);
    const { linkParameters, condition } = filtered.value;
    const isGrouped = JSON.stringify(GroupBy ?? '').includes(USE_CATEGORY.name);
    const isCompared = isGrouped || linkParameters.some(({ name }) => name === USE_CATEGORY.name);
    const caveats = [
      ...rowsOf.buildNoMatchCaveats(rows, result.value.hint),
      ...(rows.length < matched
        ? [`This answer has only ${rows.length} of ${matched} groups: do not add them up.`]
        : []),
      ...(GroupsOverlap ? [rowsOf.OVERLAP] : []),
      ...(rows.length > 0 ? rowsOf.buildHintCaveats(result.value.hint) : []),
      ...rowsOf.buildTotalsCaveats(rows, operation.dataSet),
      ...(isCompared ? [KNOWN_LIMITS['Uses across states']] : []),
    ];
    return this.buildAnswer(result.value, { rowsAre: 'groups', matched, rows, caveats, operation, condition });
  }

  async records({ kind, filters, limit = 10 }: Item): Promise<Result<ToolAnswer>> {
    const operation = findOperation(listableOperations, kind);
    if (operation === undefined) return rowsOf.refuseUnknownKind(listableOperations);
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MAX_RECORDS) {
      return failure(
        `limit must be a whole number from 1 to ${MAX_RECORDS}. To get sums or counts, use the tool totals.`,
      );
    }
    const filtered = this.readFilters(operation, filters, {});
    if (!filtered.ok) return filtered;
    const paged = { ...filtered.value, page: rowsOf.toQueryItems({ format: 'geojson', RecordCount: limit }) };
    const result = await this.queryRoute<FeaturePage>(operationRoute(operation), operation.route, paged);
    if (!result.ok) return result;
    const { numberMatched: matched, features } = result.value.json;
    const rows = rowsOf.removeRepeatedRows(features.map(({ properties }) => rowsOf.toRecordRow(operation, properties)));
    const { linkParameters, condition } = filtered.value;
    const all = this.buildAddress(operation.route, {
      linkParameters,
      dataVersion: result.value.dataVersion,
    });
    const partial = `Do not add these up: use totals for sums. All ${matched} are at ${all}`;
    const caveats = [
      ...rowsOf.buildNoMatchCaveats(rows, result.value.hint),
      ...(rows.length < matched ? [partial] : []),
      ...rowsOf.buildDateCaveats(rows),
    ];
    return this.buildAnswer(result.value, { rowsAre: 'records', matched, rows, caveats, operation, condition });
  }

  async thing({ collection: requestedCollection, id }: Item): Promise<Result<ToolAnswer>> {
    const requestedOperation = findOperation(listableOperations, requestedCollection);
    const collection = thingCollections.find(
      (one) => one.id === requestedCollection || one.operation === requestedOperation,
    );
    const collectionNames = thingCollections.map((one) => one.id).join(' or ');
    if (collection === undefined) return failure(`collection must be ${collectionNames}.`);
    const { operation } = collection;
    const feature = String(id).toWellFormed();
    const path = `ogc/collections/${collection.id}/items/${encodeURIComponent(feature)}`;
    const linkParameters = rowsOf.toQueryItems({ f: 'json' });
    const result = await this.queryRoute<Feature>(createFeatureRoute(collection, [feature], this.service), path, {
      linkParameters,
    });
    if (!result.ok) return result;
    const rows = [rowsOf.toRecordRow(operation, result.value.json.properties)];
    const caveats = rowsOf.buildDateCaveats(rows);
    return this.buildAnswer(result.value, { rowsAre: 'thing', matched: 1, rows, caveats, operation });
  }

  private async refuseUnknownOrganization(organization: unknown): Promise<Result<never>> {
    const all = await this.inventory();
    if (!all.ok) return all;
    const ids = all.value.json.Organizations.map(({ OrganizationUUID }) => quoteValue(OrganizationUUID));
    const sentence = `No organization ${quoteValue(organization)} has published data.`;
    return failure(`${sentence} OrganizationUUID is one of ${ids.slice(0, MAX_LISTED).join(', ')}.`);
  }

  /** Calls a route as any key holder could, and parses the answer. */
  private async queryRoute<Json>(route: Route, path: string, query: RouteQuery): Promise<Result<RouteResult<Json>>> {
    const url = `http://localhost/${path}?${formatRouteQuery(query)}`;
    const outcome = await route.answer({ method: 'GET', url, headers: NO_HEADERS }, this.service, countNone, ANYONE);
    if (outcome.kind === 'problem') return failure(rowsOf.explainProblem(outcome.createProblem));
    if (outcome.kind !== 'answer') throw new Error(`${path} was answered with ${outcome.kind}`);
    outcome.reservation?.release();
    this.recordsRead += outcome.records ?? 0;
    const { 'Data-Version': dataVersion = '', 'Query-Hint': hint = '' } = outcome.headers;
    const address = this.buildAddress(path, { ...query, dataVersion });
    // The type of the route's answer.
    return success({ address, json: JSON.parse(outcome.body.toString()) as Json, dataVersion, hint });
  }

  private readFilters(operation: Operation, filters: unknown, more: Item): Result<OperationRequest> {
    if (!(filters === undefined || rowsOf.isItem(filters))) {
      return failure('filters must be an object with names and values, such as {"State": "UT"}.');
    }
    const group = findGroupAmongFilters(operation, filters);
    if (group !== undefined) return failure(group);
    const items = rowsOf.toQueryItems({ ...filters, ...more });
    const result = readRequest(listToolParameters(operation), items, this.service.readingSettings);
    return result.ok ? success(result.query) : failure(rowsOf.explainProblem(badParameters(result.errors)));
  }

  private buildAddress(path: string, query: RouteQuery): string {
    return redactKeys(`${this.base}/${path}?${formatRouteQuery(query)}`);
  }

  private async buildAnswer(
    { address, dataVersion }: RouteResult<unknown>,
    found: ToolResult,
  ): Promise<Result<ToolAnswer>> {
    const { operation, condition = EVERYTHING, rows, ...answer } = found;
    const entries = rowsOf.filterEntriesByRows(await this.findEntries(operation, condition, dataVersion), rows);
    const organizations = await this.readOrganizationNames(dataVersion);
    const samples = entries.some(({ isSample }) => isSample) ? ['These are invented samples, not real data.'] : [];
    return success({
      address,
      dataVersion,
      units: rowsOf.findUnits(rows),
      ...answer,
      rows,
      licences: entries.map((entry) => rowsOf.describeLicense(entry, organizations)),
      caveats: [...found.caveats, ...samples],
    });
  }

  /** Returns organization names by identifier. Cached per data version. */
  private async readOrganizationNames(dataVersion: string): Promise<ReadonlyMap<string, string>> {
    const cache = this.service.caches.getCache<ReadonlyMap<string, string>>('assistantOrganizations');
    const cached = cache.get(dataVersion);
    if (cached !== undefined) return cached;
    const { recordsRead } = this;
    const read = await this.inventory();
    this.recordsRead = recordsRead;
    const organizations = read.ok ? read.value.json.Organizations : [];
    const names = new Map(organizations.map((one) => [one.OrganizationUUID, one.OrganizationName] as const));
    if (read.ok && read.value.dataVersion === dataVersion)
      cache.set(dataVersion, names, JSON.stringify([...names]).length);
    return names;
  }

  /**
   * Finds the data sets that can contribute to an answer of the operation, ordered by kind. Without an operation, these
   * are all data sets.
   */
  private async findEntries(
    operation: Operation | undefined,
    condition: Condition,
    dataVersion: string,
  ): Promise<readonly CatalogEntry[]> {
    const state = await this.service.store.findState(dataVersion);
    const resolved = state && (await resolveBoundary(this.service, state, condition));
    if (state === undefined || resolved === undefined) return [];
    const opened = operation && (await openListedReleases(operation, state, resolved, this.service));
    const entries = opened?.map(({ entry }) => entry) ?? state.entries;
    return entries.toSorted((a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet));
  }
}

/** Maximum number of organizations listed in a sentence. */
const MAX_LISTED = 100;

/**
 * Returns the query without one of its words, for each word, and then each word alone. Limited to a few words, so that
 * trying all of these stays fast.
 */
function listShorterQueries(query: string): readonly string[] {
  const words = query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_TRIED_WORDS);
  if (words.length < 2) return [];
  const withoutOne = words.map((_, index) => words.filter((_word, other) => other !== index).join(' ')).toReversed();
  return [...new Set([...withoutOne, ...words])];
}

const MAX_TRIED_WORDS = 6;

/** Finds which of these names was written as a filter, if any. */
function findMisplaced(filters: unknown, names: readonly string[]): string | undefined {
  if (!rowsOf.isItem(filters)) return undefined;
  return Object.keys(filters).find((name) => names.some((other) => other.toLowerCase() === name.toLowerCase()));
}

/** If a time grouping was written as a filter, returns a sentence that says what to write instead. */
function findGroupAmongFilters({ parameters, dataSet }: Operation, filters: unknown): string | undefined {
  const name = findMisplaced(filters, TIME_GROUPS);
  if (name === undefined || parameters.some((parameter) => parameter.name.toLowerCase() === name.toLowerCase())) {
    return undefined;
  }
  const [first, last] =
    dataSet === 'WaterAllocations' ? ['StartPriorityDate', 'EndPriorityDate'] : ['StartDate', 'EndDate'];
  const [year = '2000'] = /\d{4}/.exec(JSON.stringify(filters)) ?? [];
  return (
    `${shortenForDisplay(name, 100)} is not a filter. Choose days with filters such as ` +
    `{"${first}": "${year}-01-01", "${last}": "${year}-12-31"}; in totals, use groupBy to group by time.`
  );
}

const TIME_GROUPS = ['Year', 'WaterYear', 'Month', 'ReportYear', 'PriorityYear', 'PriorityDecade', 'Decade'];

const NO_HEADERS = { get: () => null, has: () => false };

function formatRouteQuery({ linkParameters, dataVersion: DataVersion, page = [] }: RouteQuery): string {
  return formatQuery([...linkParameters, ...rowsOf.toQueryItems({ DataVersion }), ...page]);
}
