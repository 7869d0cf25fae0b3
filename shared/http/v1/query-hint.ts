// The header Query-Hint of an answer without records: which filter asked for what the data does not have, and what in
// the data it may be a misspelling of (ADR 0038).

import { shortenForDisplay } from '../../query/access-key-parameter';
import { buildTermCondition, findConjuncts } from '../../query/condition';
import { type FilterField, filterFields, isPlaceField } from '../../query/filter-fields';
import { toFilterTerm } from '../../query/filter-terms';
import { AREA_FIELDS } from '../../query/filters';
import type { Operation, OperationParameter } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import { VALUE_KINDS } from '../../query/text-filter-definition';
import { type DataSetKind, dataSetLayouts, findDataSetsAtPlaces } from '../../records/data-sets';
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

/** Bounds all hints together, in characters: proxies bound the header lines that they pass on. */
const MAX_HINTS = 1_000;

/** Bounds one value, in characters before it is escaped. */
const MAX_VALUE = 60;

/** For answers without records. There is no header when each value is in the data and only the combination is not. */
export async function buildQueryHint(
  operation: Operation,
  request: OperationRequest,
  state: CatalogState,
  context: SearchContext,
): Promise<HeaderFields> {
  const hints: string[] = [];
  for (const parameter of operation.parameters) {
    const { kind, name } = parameter;
    const values = request.linkParameters.filter((given) => given.name === name).map(({ value }) => value);
    const [first] = values;
    if (first === undefined) continue;
    if (kind === 'organization') {
      hints.push(...organizationHint(name, values, state));
    } else if (kind === 'boundary' && findConjuncts(request.condition, 'boundaryOfPlace').length > 0) {
      hints.push(`${name} ${quoted(first)} is not in the data, or has no geometry`);
    } else {
      const asked = kind === 'term' ? { field: parameter.field, values } : askedByBoundary(parameter, first);
      const unknown = asked && (await unknownValue(context, state, dataSetsOf(operation, asked), asked));
      if (unknown !== undefined) hints.push(sentenceOf(name, { ...unknown, value: first }));
    }
  }
  let length = 0;
  const text = hints.filter((hint) => (length += hint.length) <= MAX_HINTS).join('; ');
  return text === '' ? {} : { 'Query-Hint': text };
}

/** The data sets that can have the value: places of all kinds of records have what is said of places themselves. */
function dataSetsOf({ kind, dataSet }: Operation, { field }: RequestedValues): readonly DataSetKind[] {
  const hasAll = kind === 'places' && isPlaceField(field);
  return hasAll ? findDataSetsAtPlaces(dataSetLayouts[dataSet].placeKind) : [dataSet];
}

/** The field and value that a boundary by name asks for; undefined for any other boundary. */
function askedByBoundary({ kind }: OperationParameter, value: string): RequestedValues | undefined {
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

function organizationHint(name: string, values: readonly string[], { entries }: CatalogState): readonly string[] {
  const known = new Map(entries.map(({ organizationUuid: id }) => [foldText(id), id]));
  const [value] = values;
  if (value === undefined || values.some((one) => known.has(foldText(one)))) return [];
  return [sentenceOf(name, { value, nearest: findNearestNames(value, known.values(), 1) })];
}

function sentenceOf(name: string, { value, nearest }: UnknownValue): string {
  const suggestion = nearest.length === 0 ? '' : ` (nearest: ${nearest.map(quoted).join(', ')})`;
  return `${name} ${quoted(value)} is not in the data${suggestion}`;
}

/** In ASCII, so that every client reads the same: other characters, quotes and percent signs are percent-encoded. */
function quoted(value: string): string {
  const shown = shortenForDisplay(value, MAX_VALUE).toWellFormed();
  return `"${shown.replaceAll(/[^ -~]|["%]/gu, (character) => (character === '"' ? '%22' : encodeURIComponent(character)))}"`;
}

/** A field and the values that were asked for, any of which would do. */
export interface RequestedValues {
  readonly field: FilterField;
  readonly values: readonly string[];
}

export interface UnknownValue {
  readonly value: string;
  /** Values of the data, the nearest first; none for identifiers and codes. */
  readonly nearest: readonly string[];
}

const MOST_NEAREST = 3;

/** Bounds what a suggestion may cost; real data has some thousand values of its largest field. */
const MOST_CANDIDATES = 10_000;

/** The first value of the field when no release of the data sets has any of them, else undefined. */
async function unknownValue(
  context: SearchContext,
  state: CatalogState,
  dataSets: readonly DataSetKind[],
  { field, values }: RequestedValues,
): Promise<UnknownValue | undefined> {
  const [value] = values;
  if (value === undefined) return undefined;
  const entries = state.entries.filter(({ dataSet }) => dataSets.includes(dataSet));
  const releases = await openAll(context, entries);
  if (releases === undefined) return undefined;
  for (const release of releases) if (await canMatch(release, buildTermCondition(field, values))) return undefined;
  const { valueKind: kind = 'text' } = filterFields[field];
  if (!VALUE_KINDS[kind].isSuggested) return { value, nearest: [] };
  /** Each value by the folded text that it is compared by. */
  const candidates = new Map<string, string>();
  for (const release of releases) {
    for (const [candidate] of (await loadVocabulary(release))[field] ?? []) {
      const folded = foldedOf(field, candidate);
      if (candidates.size < MOST_CANDIDATES && !candidates.has(folded)) candidates.set(folded, candidate);
    }
  }
  const nearest = findNearestNames(foldedOf(field, value), candidates.keys(), MOST_NEAREST);
  return { value, nearest: nearest.map((folded) => candidates.get(folded) ?? folded) };
}

/** Undefined when one of them cannot be read: whether a value is in the data is not known then. */
async function openAll(
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

/** The value as the field compares it. */
function foldedOf(field: FilterField, value: string): string {
  return toFilterTerm(field, value).slice(field.length + 1);
}
