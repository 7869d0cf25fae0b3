// The header Query-Hint of an answer without records: which filter asked for something that the data does not have (ADR 0038).

import type { Binding, Operation } from '../query/operation';
import { ATTRIBUTE_FIELDS, type OperationRequest } from '../query/read-request';
import { nearestNames } from '../values/nearest-name';
import { shownText } from '../query/shown-text';
import type { SearchContext } from '../search/search-caches';
import { unknownValue, type AskedField, type UnknownValue } from '../search/unknown-terms';
import type { CatalogState } from '../store/catalog-types';
import { readNamedBoundary } from '../values/boundary/boundary-names';
import { foldText } from '../values/folded-text';

/** Of all hints together: proxies bound the header lines that they pass on. */
const MOST_CHARACTERS = 1_000;

/** Of one value, before it is escaped. */
const MOST_OF_VALUE = 60;

/** No header when every value is in the data and only their combination is not. Meant for answers with a total of 0. */
export async function queryHint(
  operation: Operation,
  request: OperationRequest,
  state: CatalogState,
  context: SearchContext,
): Promise<Readonly<Record<string, string>>> {
  const hints: string[] = [];
  for (const binding of operation.bindings) {
    const { name } = binding.parameter;
    const values = request.given.filter((given) => given.name === name).map(({ value }) => value);
    const [first] = values;
    if (first === undefined) continue;
    if (binding.role === 'organization') {
      hints.push(...organizationHint(name, values, state));
    } else if (binding.role === 'boundary' && request.criteria.boundaryPlace !== undefined) {
      hints.push(`${name} ${quoted(first)} is not in the data, or has no geometry`);
    } else {
      const asked = binding.role === 'term' ? { field: binding.field, values } : fieldOfBoundary(binding, first);
      const unknown = asked && (await unknownValue(context, state, operation.dataSet, asked));
      if (unknown !== undefined) hints.push(sentenceOf(name, { ...unknown, value: first }));
    }
  }
  const text = fitting(hints).join('; ');
  return text === '' ? {} : { 'Query-Hint': text };
}

/** What a boundary by name asks places themselves for. */
function fieldOfBoundary({ role }: Binding, value: string): AskedField | undefined {
  const area = role === 'boundary' ? readNamedBoundary(value) : undefined;
  if (area?.ok !== true || !('name' in area.value)) return undefined;
  const { form, name } = area.value;
  return form === 'site' || form === 'reportingunit' ? undefined : { field: ATTRIBUTE_FIELDS[form], values: [name] };
}

function organizationHint(name: string, values: readonly string[], { entries }: CatalogState): readonly string[] {
  const known = new Map(entries.map(({ organizationUuid: id }) => [foldText(id), id]));
  const [value] = values;
  if (value === undefined || values.some((one) => known.has(foldText(one)))) return [];
  return [sentenceOf(name, { value, nearest: nearestNames(value, known.values(), 1) })];
}

function sentenceOf(name: string, { value, nearest }: UnknownValue): string {
  const suggestion = nearest.length === 0 ? '' : ` (nearest: ${nearest.map(quoted).join(', ')})`;
  return `${name} ${quoted(value)} is not in the data${suggestion}`;
}

/** In ASCII, so that every client reads the same: what is not, quotes and percent signs are percent-encoded as UTF-8. */
function quoted(value: string): string {
  const shown = shownText(value, MOST_OF_VALUE).toWellFormed();
  return `"${shown.replaceAll(/[^ -~]|["%]/gu, (character) => (character === '"' ? '%22' : encodeURIComponent(character)))}"`;
}

/** Whole hints only. */
function fitting(hints: readonly string[]): readonly string[] {
  let length = 0;
  return hints.filter((hint) => (length += hint.length) <= MOST_CHARACTERS);
}
