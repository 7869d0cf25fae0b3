// Translates the query of an items request into a request for the collection's operation. Reports all errors together
// (D4, D48).

import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { type Condition, joinAll } from '../condition';
import { RECORD_COUNT } from '../page-parameters';
import type { ReadingSettings } from '../parameter';
import type { QueryItem } from '../query-string';
import { QueryValues, type ReadQuery } from '../query-values';
import { type OperationRequest, readRequest } from '../read-request';
import type { TileCollection } from '../tile-collections';
import { readBoxBoundary } from './box-boundary';
import { type FeatureCollection, featureCollections } from './feature-collections';
import { toCondition } from './filter-condition';
import * as parameters from './item-parameters';
import { parseCqlJson } from './parse-json';
import { parseCqlText } from './parse-text';

export interface ItemsRequest {
  readonly request: OperationRequest;
  readonly system: CoordinateSystem;
  /** Undefined if the header Accept determines the format. */
  readonly format: parameters.ItemFormat | undefined;
}

/** The members of a collection that are needed to read its filters. */
type FilteredCollection = Pick<FeatureCollection, 'parameters' | 'queryables'>;

export function readItems(
  collection: FilteredCollection & Pick<FeatureCollection, 'featureKind'>,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadQuery<ItemsRequest> {
  const standard = parameters.listItemParameters(collection.featureKind);
  const { read, values } = readFilters(collection, standard, items, settings);
  const startIndex = values.readOne(parameters.offset) ?? 0;
  const recordCount = values.readOne(parameters.limit) ?? RECORD_COUNT.default;
  const system = values.readOne(parameters.crs) ?? CRS84;
  const form = values.readOne(parameters.format);
  if (!read.ok || values.errors.length > 0) {
    return { ok: false, errors: [...(read.ok ? [] : read.errors), ...values.errors] };
  }
  return { ok: true, query: { request: { ...read.query, startIndex, recordCount }, system, format: form } };
}

export interface TileRequest {
  readonly request: OperationRequest;
  readonly cluster: number;
  readonly spacing: number;
  readonly mix: string | undefined;
}

/**
 * Reads a request for a tile. It accepts the parameters that determine which features match, but none for pages,
 * formats and coordinate systems (D50).
 */
export function readTileRequest(
  collection: TileCollection,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadQuery<TileRequest> {
  const ofItems = featureCollections.find(({ id }) => id === collection.id);
  if (ofItems === undefined) throw new Error(`${collection.id} has tiles but no items`);
  const filtered = { parameters: collection.parameters, queryables: ofItems.queryables };
  const { read, values } = readFilters(filtered, parameters.listTileParameters(collection), items, settings);
  const cluster = values.readOne(parameters.cluster) ?? 1;
  const spacing = values.readOne(parameters.spacing) ?? 1;
  const mix = values.readOne(parameters.mix);
  if (mix !== undefined && collection.members[mix] === undefined) {
    values.refuse(parameters.mix.name, 'must be a member of the features in these tiles', mix);
  }
  if (read.ok && values.errors.length === 0) return { ok: true, query: { request: read.query, cluster, spacing, mix } };
  return { ok: false, errors: [...(read.ok ? [] : read.errors), ...values.errors] };
}

/** Reads the request with all conditions and the values of the standard's parameters, and collects all errors. */
function readFilters(
  collection: FilteredCollection,
  standard: readonly parameters.ItemParameter<unknown>[],
  items: readonly QueryItem[],
  settings: ReadingSettings,
): { readonly read: ReadQuery<OperationRequest>; readonly values: QueryValues } {
  const names = standard.map(({ name }) => name);
  const isOfStandard = ({ name }: QueryItem): boolean => names.includes(name.trim().toLowerCase());
  const others = items.filter((item) => !isOfStandard(item));
  const read = readRequest(collection.parameters, others, settings, names);
  const values = new QueryValues(standard, items.filter(isOfStandard), settings);
  const conditions = readConditions(collection, values);
  if (!read.ok) return { read, values };
  const { query: request } = read;
  const linkParameters = [...request.linkParameters, ...collectLinkParameters(values)];
  return {
    read: {
      ok: true,
      query: { ...request, condition: joinAll([request.condition, ...conditions]), linkParameters },
    },
    values,
  };
}

function readConditions({ queryables }: FilteredCollection, values: QueryValues): readonly Condition[] {
  const conditions: Condition[] = [];
  const box = values.readOne(parameters.bbox);
  const boxSystem = values.readOne(parameters.bboxCrs) ?? CRS84;
  if (box !== undefined) {
    const read = readBoxBoundary(box, boxSystem);
    if (read.ok) conditions.push({ kind: 'boundary', boundary: read.value });
    else values.refuse(parameters.bbox.name, read.problem, box.join());
  }
  const words = values.readOne(parameters.q);
  if (words !== undefined) conditions.push({ kind: 'named', words });
  const interval = values.readOne(parameters.datetime);
  if (interval?.from !== undefined || interval?.to !== undefined) conditions.push({ kind: 'during', ...interval });
  const text = values.readOne(parameters.filter);
  const language = values.readOne(parameters.filterLang) ?? 'cql2-text';
  const system = values.readOne(parameters.filterCrs) ?? CRS84;
  if (text !== undefined) {
    const expression = language === 'cql2-text' ? parseCqlText(text, system) : parseCqlJson(text, system);
    const condition = expression.ok ? toCondition(expression.value, { queryables, system }) : expression;
    if (condition.ok) conditions.push(condition.value);
    else values.refuse(parameters.filter.name, condition.problem, text);
  }
  return conditions;
}

/** Collects the parameters to repeat in links, except those of format and page. */
function collectLinkParameters(values: QueryValues): OperationRequest['linkParameters'] {
  const { filterParameters, q, crs, cluster, spacing, mix } = parameters;
  const names = [...filterParameters, q, crs, cluster, spacing, mix].map(({ name }) => name);
  return names.flatMap((name) => values.getTexts({ name }).map((value) => ({ name, value })));
}
