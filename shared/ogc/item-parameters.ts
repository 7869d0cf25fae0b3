// The parameters that OGC API - Features gives to items (D48), declared as those of operations are. Each may stand
// once.

import { COORDINATE_SYSTEMS, readCoordinateSystem, type CoordinateSystem } from '../values/coordinate-systems';
import { readInteger, readNumber } from '../values/numbers';
import { failure, success } from '../values/result';
import { RECORD_COUNT } from '../query/paging-and-format';
import type { Parameter } from '../query/parameter';
import { readInterval, type DayInterval } from './datetime-interval';

/** The order of the schema of an array as OpenAPI has it; `form` without `explode` is a list with commas. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

export interface ItemParameter<Value> extends Parameter<Value> {
  /** What the API document says of the value. */
  readonly schema: ParameterSchema;
}

export type ItemForm = 'json' | 'html';

export type FeatureForm = ItemForm | 'jsonld';

export const limit = itemParameter<number>('limit', {
  meaning: `Number of features in the answer; more than ${RECORD_COUNT.maximum} count as ${RECORD_COUNT.maximum}.`,
  example: '100',
  schema: { type: 'integer', minimum: 1, maximum: RECORD_COUNT.maximum, default: RECORD_COUNT.default },
  read: (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : undefined;
    if (value === undefined || value < 1)
      return failure('must be a whole number of at least 1, in decimal digits only');
    return success(Math.min(value, RECORD_COUNT.maximum));
  },
});

export const offset = itemParameter<number>('offset', {
  meaning: 'How many features are passed over.',
  example: '1000',
  schema: { type: 'integer', minimum: 0, default: 0 },
  read: (text) => {
    const value = readInteger(text);
    return value === undefined ? failure('must be a whole number, in decimal digits only') : success(value);
  },
});

/** The numbers are read in the system of bbox-crs. */
export const bbox = itemParameter<readonly number[]>('bbox', {
  meaning: 'Only features that touch the box: west, south, east, north; heights are passed over.',
  example: '-112,40,-111,41',
  schema: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  read: (text) => {
    const numbers = text.split(',').map((part) => readNumber(part.trim()));
    const known = numbers.filter((number) => number !== undefined);
    const isBox = known.length === numbers.length && (known.length === 4 || known.length === 6);
    return isBox ? success(known) : failure('must be four numbers with commas between, or six with heights');
  },
});

export const bboxCrs = systemParameter('bbox-crs', 'The coordinate reference system of bbox.');

export const crs = systemParameter('crs', 'The coordinate reference system of the geometries in the answer.');

export const filterCrs = systemParameter('filter-crs', 'The coordinate reference system of geometries in the filter.');

export const datetime = itemParameter<DayInterval>('datetime', {
  meaning: 'Only features whose time has a day in common with this instant or interval; those without a time as well.',
  example: '2010-01-01/2010-12-31',
  schema: { type: 'string' },
  read: readInterval,
});

export const filter = itemParameter<string>('filter', {
  meaning: 'What must be true of a feature, in CQL2; its names are the queryables, and letter case counts in values.',
  example: "State = 'UT' AND Amount > 5",
  schema: { type: 'string' },
  read: success,
});

const LANGUAGES = ['cql2-text', 'cql2-json'] as const;

export const filterLang = itemParameter<(typeof LANGUAGES)[number]>('filter-lang', {
  meaning: 'The language of the filter.',
  example: 'cql2-text',
  schema: { type: 'string', enum: LANGUAGES, default: 'cql2-text' },
  read: (text) => {
    const found = LANGUAGES.find((name) => name === text.toLowerCase());
    return found === undefined ? failure(`must be ${LANGUAGES.join(' or ')}`) : success(found);
  },
});

export const form = itemParameter<ItemForm>('f', {
  meaning: 'The form of the answer: json or html; without it the header Accept decides.',
  example: 'json',
  schema: { type: 'string', enum: ['json', 'html'] },
  read: (text) => {
    const name = text.toLowerCase();
    if (name === 'json' || name === 'geojson') return success('json');
    return name === 'html' ? success('html') : failure('must be json or html');
  },
});

/** The form of a site, a unit or a right, which have JSON-LD as well (D49). */
export const formWithJsonLd = itemParameter<FeatureForm>('f', {
  meaning: 'The form of the answer: json, html or jsonld; without it the header Accept decides.',
  example: 'jsonld',
  schema: { type: 'string', enum: ['json', 'html', 'jsonld'] },
  read: (text, settings) => {
    if (text.toLowerCase() === 'jsonld') return success('jsonld');
    const read = form.read(text, settings);
    return read.ok ? read : failure('must be json, html or jsonld');
  },
});

/** Those that say which features are found; tiles take them as well. */
export const filterParameters: readonly ItemParameter<unknown>[] = [
  ...[bbox, bboxCrs, datetime, filter, filterLang, filterCrs],
];

/** Powers of two, so that no square of pixels lies in two tiles of 256. */
const CLUSTER_PIXELS = [1, 2, 4, 8, 16, 32, 64] as const;

/** Only tiles of points take it (ADR 0088). */
export const cluster = itemParameter<number>('cluster', {
  meaning:
    'Points in the same square of so many pixels (256 to a tile) stand as one feature with their count. ' +
    'From zoom 14 on, in tiles of at most 1,000 points, each stands by itself.',
  example: '16',
  schema: { type: 'integer', enum: CLUSTER_PIXELS, default: 1 },
  read: (text) => {
    const found = CLUSTER_PIXELS.find((pixels) => String(pixels) === text);
    return found === undefined ? failure(`must be ${CLUSTER_PIXELS.join(', ')}`) : success(found);
  },
});

/** What the tiles of a collection take, whose features are points (0) or areas (2). */
export function tileParametersOf({ dimension }: { readonly dimension: 0 | 2 }): readonly ItemParameter<unknown>[] {
  return dimension === 0 ? [...filterParameters, cluster] : filterParameters;
}

/** As the API document lists them. */
export const itemParameters: readonly ItemParameter<unknown>[] = [limit, offset, crs, ...filterParameters, form];

function itemParameter<Value>(
  name: string,
  declared: Pick<ItemParameter<Value>, 'meaning' | 'example' | 'schema' | 'read'>,
): ItemParameter<Value> {
  return { name, synonyms: [], isRepeatable: false, type: 'string', ...declared };
}

function systemParameter(name: string, meaning: string): ItemParameter<CoordinateSystem> {
  const uris = COORDINATE_SYSTEMS.map(({ uri }) => uri);
  return itemParameter(name, {
    meaning,
    example: uris[0] ?? '',
    schema: { type: 'string', format: 'uri', enum: uris, default: uris[0] },
    read: readCoordinateSystem,
  });
}
