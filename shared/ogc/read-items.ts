// From the query of items to what is asked of the operation behind the collection, all errors at once (D4, D48).

import { allOf, type Condition } from '../query/condition';
import { RECORD_COUNT } from '../query/paging-and-format';
import type { ReadingSettings } from '../query/parameter';
import { QueryValues, type ParameterError, type QueryItem } from '../query/query-values';
import { readRequest, type OperationRequest } from '../query/read-request';
import { CRS84, type CoordinateSystem } from '../values/coordinate-systems';
import { boxBoundary } from './box';
import type { FeatureCollection } from './collections';
import { parseCqlJson } from './cql2/parse-json';
import { parseCqlText } from './cql2/parse-text';
import { conditionOf } from './filter-condition';
import * as parameters from './item-parameters';

export interface ItemsRequest {
  readonly request: OperationRequest;
  readonly system: CoordinateSystem;
  /** Undefined when the header Accept decides. */
  readonly form: parameters.ItemForm | undefined;
  /** What links repeat, without the page and the form. */
  readonly given: OperationRequest['given'];
}

export type ReadItems =
  | { readonly ok: true; readonly asked: ItemsRequest }
  | { readonly ok: false; readonly errors: readonly ParameterError[] };

const spelledBy = new Map(parameters.itemParameters.map(({ name }) => [name, name]));

export function readItems(
  collection: FeatureCollection,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadItems {
  const isOfStandard = ({ name }: QueryItem): boolean => spelledBy.has(name.trim().toLowerCase());
  const read = readRequest(
    collection.parameters,
    items.filter((item) => !isOfStandard(item)),
    settings,
  );
  const values = new QueryValues({ spelledBy, spellings: [] }, items.filter(isOfStandard), settings);
  const startIndex = values.readOne(parameters.offset) ?? 0;
  const recordCount = values.readOne(parameters.limit) ?? RECORD_COUNT.default;
  const system = values.readOne(parameters.crs) ?? CRS84;
  const form = values.readOne(parameters.form);
  const conditions = conditionsOf(collection, values);
  if (!read.ok || values.errors.length > 0) {
    return { ok: false, errors: [...(read.ok ? [] : read.errors), ...values.errors] };
  }
  const criteria = {
    ...read.request.criteria,
    ...(conditions.length === 0 ? {} : { condition: allOf(conditions) }),
  };
  const given = [...read.request.given, ...givenOf(values)];
  const request = { ...read.request, startIndex, recordCount, criteria };
  return { ok: true, asked: { request, system, form, given } };
}

function conditionsOf({ queryables }: FeatureCollection, values: QueryValues): readonly Condition[] {
  const conditions: Condition[] = [];
  const box = values.readOne(parameters.bbox);
  const boxSystem = values.readOne(parameters.bboxCrs) ?? CRS84;
  if (box !== undefined) {
    const read = boxBoundary(box, boxSystem);
    if (read.ok) conditions.push({ kind: 'boundary', boundary: read.value });
    else values.refuse(parameters.bbox.name, read.problem, box.join());
  }
  const interval = values.readOne(parameters.datetime);
  if (interval?.from !== undefined || interval?.to !== undefined) conditions.push({ kind: 'during', ...interval });
  const text = values.readOne(parameters.filter);
  const language = values.readOne(parameters.filterLang) ?? 'cql2-text';
  const system = values.readOne(parameters.filterCrs) ?? CRS84;
  if (text !== undefined) {
    const expression = language === 'cql2-text' ? parseCqlText(text, system) : parseCqlJson(text, system);
    const meant = expression.ok ? conditionOf(expression.value, { queryables, system }) : expression;
    if (meant.ok) conditions.push(meant.value);
    else values.refuse(parameters.filter.name, meant.problem, text);
  }
  return conditions;
}

const OF_PAGE: readonly string[] = [parameters.limit.name, parameters.offset.name, parameters.form.name];

function givenOf(values: QueryValues): OperationRequest['given'] {
  const names = parameters.itemParameters.map(({ name }) => name).filter((name) => !OF_PAGE.includes(name));
  return names.flatMap((name) => values.textsOf({ name }).map((value) => ({ name, value })));
}
