// The header Query-Hint of an answer without records. It states which filter value is not in the data, and which value
// may have been meant (ADR 0038).

import { shortenForDisplay } from '../../query/access-key-parameter';
import { buildTermCondition, findConjuncts } from '../../query/condition';
import { type FilterField, filterFields, isPlaceField } from '../../query/filter-fields';
import { toFilterTerm } from '../../query/filter-terms';
import { AREA_FIELDS } from '../../query/filters';
import type { Operation, OperationParameter } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import { VALUE_KINDS } from '../../query/text-filter-definition';
import { DATA_SET_KINDS, type DataSetKind, dataSetLayouts, findDataSetsAtPlaces } from '../../records/data-sets';
import { canMatch } from '../../search/evaluate';
import { openEntry } from '../../search/index/open-release';
import { loadVocabulary } from '../../search/index/release-index';
import type { SearchableRelease, SearchContext } from '../../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { DeadlinePassedError } from '../../store/deadline';
import { StoreUnavailableError } from '../../store/port';
import { readNamedBoundary } from '../../values/boundary';
import { foldText } from '../../values/fold-text';
import { findNearestNames } from '../../values/nearest-names';
import type { HeaderFields } from '../pipeline/outcome';
import { encodeForHeader } from './header-text';

/** Maximum number of characters of all hints together, because proxies limit header lines. */
const MAX_HINTS = 1_000;

/** Maximum number of characters of a value before it is escaped. */
const MAX_VALUE = 60;

/** Builds hints for an answer without records. No header if the data contain every value, but not the combination. */
export async function buildQueryHint(
  operation: Operation,
  request: OperationRequest,
  state: CatalogState,
  context: SearchContext,
): Promise<HeaderFields> {
  const hints: string[] = [];
  for (const parameter of operation.parameters) {
    const { kind, name } = parameter;
    const values = request.linkParameters.filter((item) => item.name === name).map(({ value }) => value);
    const [first] = values;
    if (first === undefined) continue;
    if (kind === 'organization') {
      hints.push(...buildOrganizationHint(name, values, state));
    } else if (kind === 'boundary' && isBoundaryOfPlace(request)) {
      hints.push(`${name} ${quote(first)} is not in the data, or has no geometry`);
    } else {
      const requested = kind === 'term' ? { field: parameter.field, values } : readAreaField(parameter, first);
      if (requested === undefined) continue;
      const hint = await buildTermHint(
        { name, value: first, requested, isList: kind === 'term' },
        listDataSets(operation, requested),
        state,
        context,
      );
      if (hint !== undefined) hints.push(hint);
    }
  }
  let length = 0;
  const fitting: string[] = [];
  for (const hint of hints) {
    length += hint.length;
    if (length <= MAX_HINTS) fitting.push(hint);
  }
  return fitting.length === 0 ? {} : { 'Query-Hint': fitting.join('; ') };
}

interface RequestedParameter {
  readonly name: string;
  /** The first value, as it was sent. */
  readonly value: string;
  readonly requested: RequestedValues;
  /** Whether the parameter may be repeated. People often send several values as one. */
  readonly isList: boolean;
}

async function buildTermHint(
  { name, value, requested, isList }: RequestedParameter,
  dataSets: readonly DataSetKind[],
  state: CatalogState,
  context: SearchContext,
): Promise<string | undefined> {
  const unknown = await findUnknownValue(context, state, dataSets, requested);
  if (unknown === undefined) return undefined;
  const parts = isList ? splitList(requested.values) : [];
  if (parts.length > 1 && (await hasAny(context, state, dataSets, { ...requested, values: parts })))
    return writeListHint(name, value, parts);
  return (await findElsewhere(context, state, dataSets, requested)) ?? writeHint(name, { ...unknown, value });
}

/** Excludes counties, for which the hint is about their name. */
function isBoundaryOfPlace({ condition }: OperationRequest): boolean {
  return findConjuncts(condition, 'boundaryOfPlace').some(({ place }) => place.field !== AREA_FIELDS.county);
}

/** Lists the data sets that can contain the value. For attributes of places, these are all data sets at such places. */
function listDataSets({ kind, dataSet }: Operation, { field }: RequestedValues): readonly DataSetKind[] {
  const hasAll = kind === 'places' && isPlaceField(field);
  return hasAll ? findDataSetsAtPlaces(dataSetLayouts[dataSet].placeKind) : [dataSet];
}

/** Returns the field and value of a named boundary; undefined for any other boundary. */
function readAreaField({ kind }: OperationParameter, value: string): RequestedValues | undefined {
  const area = kind === 'boundary' ? readNamedBoundary(value) : undefined;
  if (area?.ok !== true) return undefined;
  switch (area.value.kind) {
    case 'huc8':
    case 'county':
    case 'state':
      return { field: AREA_FIELDS[area.value.kind], values: [area.value.name] };
    case 'geometry':
    case 'reportingunit':
    case 'site':
      return undefined;
  }
}

function buildOrganizationHint(name: string, values: readonly string[], { entries }: CatalogState): readonly string[] {
  const idsByFoldedId = new Map(entries.map(({ organizationUuid: id }) => [foldText(id), id]));
  const [value] = values;
  if (value === undefined || values.some((one) => idsByFoldedId.has(foldText(one)))) return [];
  return [writeHint(name, { value, nearest: findNearestNames(value, idsByFoldedId.values(), 1) })];
}

/**
 * Splits values that were written as one list: separated by commas, semicolons or bars, with or without brackets and
 * quotes.
 */
function splitList(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.replaceAll(/^\s*[[({]|[\])}]\s*$/g, '').split(/[,;|]/))
    .map((part) => part.trim().replaceAll(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
}

function writeListHint(name: string, value: string, parts: readonly string[]): string {
  const examples = parts.slice(0, MAX_LISTED_PARTS).map((part) => `${name}=${encodeURIComponent(part)}`);
  return `${name} ${quote(value)} is not in the data; commas do not separate values: write ${examples.join('&')}`;
}

/** What sentences call the data sets. */
const DATA_SET_NOUNS: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'site amounts',
  AggregatedAmounts: 'aggregated amounts',
  WaterAllocations: 'water rights',
};

/**
 * Finds other data sets with data from the requested state. Works only for states, because the values of other filters
 * mean different things in different data sets.
 */
async function findElsewhere(
  context: SearchContext,
  state: CatalogState,
  dataSets: readonly DataSetKind[],
  requested: RequestedValues,
): Promise<string | undefined> {
  const [dataSet] = dataSets;
  if (requested.field !== 'state' || dataSet === undefined || dataSets.length > 1) return undefined;
  const others: string[] = [];
  for (const other of DATA_SET_KINDS) {
    if (other !== dataSet && (await hasAny(context, state, [other], requested))) others.push(DATA_SET_NOUNS[other]);
  }
  if (others.length === 0) return undefined;
  const states = requested.values.map((value) => encodeForHeader(value.toUpperCase())).join(' or ');
  return `No ${DATA_SET_NOUNS[dataSet]} from ${states}. It has ${others.join(' and ')}.`;
}

async function hasAny(
  context: SearchContext,
  state: CatalogState,
  dataSets: readonly DataSetKind[],
  { field, values }: RequestedValues,
): Promise<boolean> {
  const entries = state.entries.filter(({ dataSet }) => dataSets.includes(dataSet));
  for (const release of (await openReadable(context, entries)) ?? []) {
    if (await canMatch(release, buildTermCondition(field, values))) return true;
  }
  return false;
}

function writeHint(name: string, { value, nearest }: UnknownValue): string {
  const suggestion = nearest.length === 0 ? '' : ` (nearest: ${nearest.map(quote).join(', ')})`;
  return `${name} ${quote(value)} is not in the data${suggestion}`;
}

/** Quotes a value in ASCII. Percent-encodes other characters, quotes and percent signs. */
function quote(value: string): string {
  const shown = shortenForDisplay(value, MAX_VALUE).toWellFormed();
  return `"${shown.replaceAll(/[^ -~]|["%]/gu, (character) => (character === '"' ? '%22' : encodeURIComponent(character)))}"`;
}

/** A field and its requested values, any of which may match. */
export interface RequestedValues {
  readonly field: FilterField;
  readonly values: readonly string[];
}

export interface UnknownValue {
  readonly value: string;
  /** Values from the data, nearest first; empty for codes and booleans. */
  readonly nearest: readonly string[];
}

const MAX_SUGGESTIONS = 3;

/** Maximum number of parts in the example of a hint. */
const MAX_LISTED_PARTS = 5;

/** Limits the cost of a suggestion. In real data, the largest field has a few thousand values. */
const MAX_CANDIDATES = 10_000;

/** Returns the first of the values if no release of the data sets contains any of them; otherwise undefined. */
async function findUnknownValue(
  context: SearchContext,
  state: CatalogState,
  dataSets: readonly DataSetKind[],
  { field, values }: RequestedValues,
): Promise<UnknownValue | undefined> {
  const [value] = values;
  if (value === undefined) return undefined;
  const entries = state.entries.filter(({ dataSet }) => dataSets.includes(dataSet));
  const releases = await openReadable(context, entries);
  if (releases === undefined) return undefined;
  for (const release of releases) if (await canMatch(release, buildTermCondition(field, values))) return undefined;
  const { valueKind: kind = 'text' } = filterFields[field];
  if (!VALUE_KINDS[kind].isSuggested) return { value, nearest: [] };
  /** Each value, keyed by its folded form. */
  const candidates = new Map<string, string>();
  for (const release of releases) {
    for (const [candidate] of (await loadVocabulary(release))[field] ?? []) {
      const folded = foldValue(field, candidate);
      if (candidates.size < MAX_CANDIDATES && !candidates.has(folded)) candidates.set(folded, candidate);
    }
  }
  const nearest = findNearestNames(foldValue(field, value), candidates.keys(), MAX_SUGGESTIONS);
  return { value, nearest: nearest.map((folded) => candidates.get(folded) ?? folded) };
}

/** Undefined if a release cannot be read, because it might contain the value. */
async function openReadable(
  { store, caches }: SearchContext,
  entries: readonly CatalogEntry[],
): Promise<readonly SearchableRelease[] | undefined> {
  try {
    return await Promise.all(entries.map(async (entry) => ({ reader: await openEntry(store, entry), caches })));
  } catch (error) {
    if (error instanceof StoreUnavailableError || error instanceof DeadlinePassedError) throw error;
    return undefined;
  }
}

/** Folds a value in the way in which the field is compared. */
function foldValue(field: FilterField, value: string): string {
  return toFilterTerm(field, value).slice(field.length + 1);
}
