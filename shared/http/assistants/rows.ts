// Builds the rows of answers to assistants: drops empty members, and adds ids, units, licenses, and caveats about the
// figures.

import { type Operation, operations } from '../../query/operations';
import { type QueryItem, splitQuery } from '../../query/query-string';
import { type DataSetKind, dataSetLayouts } from '../../records/data-sets';
import { buildFeatureId, buildRightId } from '../../records/feature-ids';
import type { FindResult } from '../../records/find-results';
import type { InventoryDataSet, InventoryOrganization } from '../../records/inventory';
import { KNOWN_LIMITS } from '../../records/known-limits';
import { lookupIdentifiers } from '../../records/lookups';
import type { Item } from '../../records/record-references';
import { tableColumns } from '../../render/table-columns';
import type { CatalogEntry } from '../../store/catalog-types';
import { compareUtf8 } from '../../values/compare-utf8';
import { failure, type Result, success } from '../../values/result';
import { NO_FEATURE, type Problem } from '../pipeline/outcome';
import { listToolParameters } from './tools';

export function refuseUnknownKind(listed: readonly Operation[]): Result<never> {
  const [first] = listed;
  const example = first === undefined ? '' : ` Write it as an argument, such as {"kind": "${first.name}"}.`;
  return failure(`kind must be ${listed.map(({ name }) => name).join(' or ')}.${example}`);
}

/** Returns a sentence that says what is wrong and how to change the call. */
export function explainProblem(problem: Pick<Problem, 'title' | 'detail' | 'errors'>): string {
  const errors = problem.errors?.map(({ parameter, message, value }) => {
    return `${parameter} ${message}${value === '' ? '' : ` (it is "${value}")`}.`;
  });
  if (errors === undefined)
    return problem === NO_FEATURE ? `${problem.detail} Use find to get its id.` : problem.detail;
  return `${errors.slice(0, 10).join(' ')} Use describe with this kind to list the filters, and find for the spelling of names.`;
}

/**
 * Converts strings, numbers, and lists of these to query parameters. Other values become JSON text, which no filter
 * accepts.
 */
export function toQueryItems(values: Readonly<Record<string, unknown>>): readonly QueryItem[] {
  return Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (one === undefined || one === null) return [];
      const text = typeof one === 'string' ? one : JSON.stringify(one);
      return [{ name: name.toWellFormed(), value: text.toWellFormed(), isBroken: false }];
    }),
  );
}

/** Longer lists and strings are cut: a right may have a thousand sites. */
const MAX_ITEMS = 30;
const MAX_TEXT_LENGTH = 1_000;

/** Cuts long strings and lists within a value, at any depth. Omits empty members. */
export function shorten(value: unknown, maxLength = MAX_TEXT_LENGTH): unknown {
  if (typeof value === 'string' && value.length > maxLength) return `${value.slice(0, maxLength).toWellFormed()}…`;
  if (!Array.isArray(value)) return isItem(value) ? removeEmpty(value, maxLength) : value;
  const more = value.length - MAX_ITEMS;
  const items = value.slice(0, MAX_ITEMS).map((item) => shorten(item, maxLength));
  return [...items, ...(more > 0 ? [`… and ${more} more`] : [])];
}

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.every(isEmpty));
}

function removeEmpty(item: Item, maxLength = MAX_TEXT_LENGTH): Item {
  const members = Object.entries(item).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(members.map(([name, value]) => [name, shorten(value, maxLength)]));
}

const COLLECTIONS: Readonly<Partial<Record<string, string>>> = {
  Site: 'sites',
  Sites: 'sites',
  ReportingUnit: 'reporting-units',
  ReportingUnits: 'reporting-units',
  Right: 'allocations',
  SiteAllocationAmounts: 'allocations',
};

export function toFoundRow({ Kind, OrganizationUUID, Identifier, RecordsCounts, Filter, ...found }: FindResult): Item {
  const collection = OrganizationUUID === null ? undefined : COLLECTIONS[Kind];
  const filters = Object.fromEntries(splitQuery(Filter).map(({ name, value }) => [name, value]));
  const organization = OrganizationUUID ?? '';
  // A right may have only a native identifier. If so, the filters of the result contain it.
  const id =
    Kind === 'Right'
      ? buildRightId(organization, { AllocationUUID: Identifier, ...filters })
      : buildFeatureId(organization, Identifier ?? '');
  return {
    ...removeEmpty({ Kind, ...found, Identifier, OrganizationUUID, collection }),
    ...(collection === undefined ? {} : { id }),
    records: RecordsCounts,
    filters,
  };
}

/**
 * Returns the properties of a feature, with the id to use in `thing`. The series of a place become a list of objects.
 */
export function toRecordRow({ kind, name, dataSet }: Operation, properties: Item): Item {
  const collection = COLLECTIONS[name];
  const organization = String(properties['OrganizationUUID']);
  const { placeKind } = dataSetLayouts[dataSet];
  const isPlace = kind === 'places';
  const own = String(properties[lookupIdentifiers[placeKind]]);
  const id = isPlace ? buildFeatureId(organization, own) : buildRightId(organization, properties);
  const columns = isPlace ? tableColumns[placeKind].record.filter(({ member }) => member === 'Series') : [];
  const lists = columns.flatMap((column) => {
    const list = properties[column.name];
    return Array.isArray(list) ? [[column.name, list as readonly unknown[]] as const] : [];
  });
  const series = lists[0]?.[1].map((_, at) => Object.fromEntries(lists.map(([one, list]) => [one, list[at]])));
  // A GeoJSON feature covers one site of a right. Its properties include the members of this site, and the list of all
  // sites.
  const { Sites: sites, Series: listed = series } = properties;
  const repeated = [
    ...lists.map(([one]) => one),
    ...(Array.isArray(sites) && isItem(sites[0]) ? Object.keys(sites[0]) : []),
  ];
  const others = Object.entries(properties).filter(([one]) => !repeated.includes(one));
  return {
    ...(collection === undefined ? {} : { collection, id }),
    ...removeEmpty({ ...Object.fromEntries(others), UnreadableGeometry: null, Series: listed }),
  };
}

/** Removes repeated rights: GeoJSON contains a feature for each site of a right. */
export function removeRepeatedRows(rows: readonly Item[]): readonly Item[] {
  return rows.filter(({ id }, at) => id === undefined || rows[at - 1]?.['id'] !== id);
}

/** Describes data sets with their variables and filter values. Each list is cut so that the whole answer fits. */
export function describeDataSets(
  organizations: readonly InventoryOrganization[],
  variables: readonly Item[],
  operation: Operation | undefined,
): readonly Item[] {
  const all = organizations.flatMap(({ DataSets, ...whose }) => DataSets.map((dataSet) => ({ ...whose, ...dataSet })));
  const wanted = all.filter((one) => operation === undefined || hasDataFor(operation, one));
  const maxValues = Math.max(3, Math.min(25, Math.floor(60 / wanted.length)));
  const parameters = operation && listToolParameters(operation).map(({ name, meaning }) => [name, meaning] as const);
  return wanted.map(({ Vocabulary, Submission, DataSet, ...described }) => {
    const own = variables.filter((one) => {
      return one['OrganizationUUID'] === described.OrganizationUUID && one['DataSet'] === DataSet;
    });
    const more = { Note: Submission.Note, Variables: own.map((one) => omit(one, NOT_OF_VARIABLES)) };
    return {
      kind: operations.find(({ dataSet }) => dataSet === DataSet)?.name,
      ...removeEmpty({ ...omit(described, NOT_DESCRIBED), ...more }),
      Values: listValues(Vocabulary, maxValues),
      ...(parameters === undefined ? {} : { Parameters: Object.fromEntries(parameters) }),
    };
  });
}

/** Whether the data set has data for the operation. If it has sites, it has data for every operation on sites. */
function hasDataFor({ kind, dataSet }: Operation, described: Pick<InventoryDataSet, 'DataSet' | 'Sites'>): boolean {
  if (kind !== 'places' || dataSet === 'AggregatedAmounts') return described.DataSet === dataSet;
  return described.Sites !== null;
}

const NOT_DESCRIBED = ['Path', 'PlacesPath', 'Release'];
const NOT_OF_VARIABLES = ['OrganizationUUID', 'DataSet', 'Sum', 'Mean', 'Minimum', 'Maximum', 'LargestAmountShare'];

function omit(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** Maximum number of characters of a filter value that `describe` lists. */
const MAX_VALUE_LENGTH = 100;

function listValues(vocabulary: InventoryDataSet['Vocabulary'], maxValues: number): Item {
  const lists = Object.entries(vocabulary).map(([name, values]) => {
    const first = values.toSorted((a, b) => b.Records - a.Records).slice(0, maxValues);
    const more = values.length - first.length;
    const texts = first.map(({ Value, Records }) => `${String(shorten(Value, MAX_VALUE_LENGTH))} (${Records})`);
    return [name, [...texts, ...(more > 0 ? [`… and ${more} more`] : [])]];
  });
  return Object.fromEntries(lists) as Item; // The values are lists of strings.
}

/** Sorts by a member; a leading hyphen means largest first. Rows without a value for the member come last. */
export function sortRows(rows: readonly Item[], orderBy: string): Result<readonly Item[]> {
  const isDescending = orderBy.startsWith('-');
  const wanted = orderBy.slice(isDescending ? 1 : 0);
  const [first] = rows;
  if (first === undefined) return success(rows);
  const name = Object.keys(first).find((member) => member.toLowerCase() === wanted.toLowerCase());
  if (name === undefined) return failure(explainOrder(Object.keys(first), wanted, isDescending));
  const compare = (a: unknown, b: unknown): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareUtf8(String(a), String(b));
  const known = rows.filter((row) => row[name] !== null);
  const unknown = rows.filter((row) => row[name] === null);
  const ordered = known.toSorted((a, b) => (isDescending ? -1 : 1) * compare(a[name], b[name]));
  return success([...ordered, ...unknown]);
}

function explainOrder(members: readonly string[], wanted: string, isDescending: boolean): string {
  const near = members.filter((member) => member.toLowerCase().includes(wanted.toLowerCase()));
  const sum = near.find((member) => member.endsWith('Sum')) ?? near[0];
  const hint = sum === undefined ? '' : `; did you mean ${isDescending ? '-' : ''}${sum}?`;
  return `orderBy must be ${members.join(', ')}, with a leading - for the largest first${hint}`;
}

/** Returns the entries of the organizations in the rows, or all entries if the rows contain no organizations. */
export function filterEntriesByRows(entries: readonly CatalogEntry[], rows: readonly Item[]): readonly CatalogEntry[] {
  const named = new Set(rows.flatMap(({ OrganizationUUID: id }) => (typeof id === 'string' ? [id] : [])));
  return named.size === 0 ? entries : entries.filter(({ organizationUuid }) => named.has(organizationUuid));
}

/** `names` maps organization identifiers to names. */
export function describeLicense(
  { organizationUuid, dataSet, publishedAt, submission }: CatalogEntry,
  names: ReadonlyMap<string, string>,
): Item {
  return {
    organization: organizationUuid,
    organizationName: names.get(organizationUuid) ?? organizationUuid,
    dataSet,
    publishedAt,
    license: submission?.license ?? 'not stated',
    citation: submission?.citation ?? 'not stated',
    termsOfUse: submission?.termsOfUse ?? 'not stated',
  };
}

export const RIGHT_UNITS = {
  AllocationFlow_CFS: 'cubic feet per second',
  AllocationVolume_AF: 'acre-feet',
  FlowSum: 'cubic feet per second',
  VolumeSum: 'acre-feet',
} as const;

/** Returns the distinct units of the amounts in the rows. */
export function findUnits(rows: readonly Item[]): Item {
  const units = [...new Set(rows.flatMap(({ AmountUnitCV: unit }) => (typeof unit === 'string' ? [unit] : [])))];
  const unit = units.length > 1 ? `AmountUnitCV of each row: ${units.join(', ')}` : units.join();
  const amounts = unit === '' ? [] : AMOUNTS.map((name) => [name, unit] as const);
  const known = [...amounts, ...Object.entries(RIGHT_UNITS)].filter(([name]) => rows.some((row) => name in row));
  return Object.fromEntries(known);
}

const AMOUNTS = ['Amount', 'Sum', 'Mean', 'Minimum', 'Maximum'];

export const OVERLAP =
  'A record with several uses or sites counts in each of its groups, so the groups add up to more than the total. For the total, ' +
  'call totals without groupBy.';

export function buildNoMatchCaveats(rows: readonly Item[], hint: string): readonly string[] {
  if (rows.length > 0) return [];
  const why = hint === '' ? 'no record matches all filters' : decodeURIComponent(hint);
  return [
    `Nothing matches: ${why}. Use describe with this kind to list values, find to look up names, or fewer filters.`,
  ];
}

/** Returns the caveats from the header Query-Hint, for an answer that has rows. */
export function buildHintCaveats(hint: string): readonly string[] {
  return hint === '' ? [] : [decodeURIComponent(hint)];
}

export function buildTotalsCaveats(rows: readonly Item[], dataSet: DataSetKind): readonly string[] {
  const isOfRights = dataSet === 'WaterAllocations';
  const kinds = new Set(rows.map((row) => JSON.stringify(MIXED.map((name) => row[name] ?? null))));
  const isPartial = rows.some((row) => COUNTS.some((count) => Number(row[count]) < Number(row['RecordsCount'])));
  return [
    ...(isOfRights ? [KNOWN_LIMITS['A right is not a use']] : []),
    ...(!isOfRights && kinds.size > 1 ? [KNOWN_LIMITS['What adds up']] : []),
    ...(isPartial
      ? [`Not every record has a value: sums include only the records that ${COUNTS.join(', ')} count.`]
      : []),
    ...buildDateCaveats(rows),
  ];
}

/** Amounts that differ in one of these members must not be added up. */
const MIXED = ['VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV', 'AggregationStatisticCV'];

const COUNTS = ['AmountsCount', 'FlowCount', 'VolumeCount'];

const PRIORITY = ['AllocationPriorityDate', 'FirstPriorityDate', 'LastPriorityDate'];

/**
 * Matches placeholder dates: January 1 of a year that ends in 00, or any date in a year in which no right can have
 * begun.
 */
const PLACEHOLDER = /^(\d\d00-01-01|1[0-6]|0|[3-9])/;

export function buildDateCaveats(rows: readonly Item[]): readonly string[] {
  const texts = (row: Item, names: readonly string[]): readonly string[] =>
    names.map((name) => row[name]).filter((value) => typeof value === 'string');
  const isPlaceholder = rows.some((row) => texts(row, PRIORITY).some((date) => PLACEHOLDER.test(date)));
  const isReversed = rows.some((row) => {
    const [from = '', to] = texts(row, ['TimeframeStart', 'TimeframeEnd']);
    return to !== undefined && from.length > 'MM/DD'.length && from > to;
  });
  return [
    ...(isPlaceholder ? [KNOWN_LIMITS['Placeholder priority dates']] : []),
    ...(isReversed
      ? ['Some timeframes end before they start, as submitted; filters treat the earlier date as the start.']
      : []),
  ];
}
