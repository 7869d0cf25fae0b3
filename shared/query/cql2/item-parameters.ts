// The parameters of items in OGC API - Features (D48), declared like the parameters of operations. None of them may be
// repeated.

import type { AnswerLayout } from '../../records/data-sets';
import { COORDINATE_SYSTEMS, type CoordinateSystem, readCoordinateSystem } from '../../values/coordinate-systems';
import { readInteger, readNumber } from '../../values/numbers';
import { failure, type Result, success } from '../../values/result';
import type { Period } from '../condition';
import { words } from '../find-parameters';
import { RECORD_COUNT } from '../page-parameters';
import { createChoice, joinNames, type Parameter } from '../parameter';
import { readInterval } from './datetime-interval';

export interface ItemParameter<Value> extends Parameter<Value> {
  /** The schema of the value in the API document. An array is written as a comma-separated list. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ItemFormat = 'json' | 'html';

export type FeatureFormat = ItemFormat | 'jsonld';

export const limit = createItemParameter<number>('limit', {
  meaning: `Number of features in the answer; values above ${RECORD_COUNT.maximum} are treated as ${RECORD_COUNT.maximum}.`,
  example: '100',
  schema: { type: 'integer', minimum: 1, maximum: RECORD_COUNT.maximum, default: RECORD_COUNT.default },
  read: (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : undefined;
    if (value === undefined || value < 1)
      return failure('must be a whole number of at least 1, written in decimal digits');
    return success(Math.min(value, RECORD_COUNT.maximum));
  },
});

export const offset = createItemParameter<number>('offset', {
  meaning: 'Number of features to skip.',
  example: '1000',
  schema: { type: 'integer', minimum: 0, default: 0 },
  read: (text) => {
    const value = readInteger(text);
    return value === undefined ? failure('must be a whole number, written in decimal digits') : success(value);
  },
});

/** The numbers are in the coordinate system of bbox-crs. */
export const bbox = createItemParameter<readonly number[]>('bbox', {
  meaning: 'Only features that touch the box: west, south, east, north; heights are ignored.',
  example: '-112,40,-111,41',
  schema: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  read: (text) => {
    const numbers = text.split(',').map((part) => readNumber(part.trim()));
    const valid = numbers.filter((number) => number !== undefined);
    const isBox = valid.length === numbers.length && (valid.length === 4 || valid.length === 6);
    return isBox ? success(valid) : failure('must be four numbers separated by commas, or six with heights');
  },
});

export const bboxCrs = createSystemParameter('bbox-crs', 'The coordinate reference system of bbox.');

export const crs = createSystemParameter('crs', 'The coordinate reference system of the geometries in the answer.');

export const filterCrs = createSystemParameter(
  'filter-crs',
  'The coordinate reference system of geometries in the filter.',
);

export const datetime = createItemParameter<Period>('datetime', {
  meaning: 'Only features that have at least one day in this instant or interval, or that have no time.',
  example: '2010-01-01/2010-12-31',
  schema: { type: 'string' },
  read: readInterval,
});

export const filter = createItemParameter<string>('filter', {
  meaning: 'A filter in CQL2. Its property names are the queryables; values are case-sensitive.',
  example: "State = 'UT' OR State = 'NM'",
  schema: { type: 'string' },
  read: success,
});

const LANGUAGES = ['cql2-text', 'cql2-json'] as const;

export const filterLang = createItemParameter<(typeof LANGUAGES)[number]>('filter-lang', {
  meaning: 'The filter language.',
  example: 'cql2-text',
  schema: { type: 'string', enum: LANGUAGES, default: 'cql2-text' },
  read: createChoice(LANGUAGES.map((name) => [name, name] as const)).read,
});

export const format = createFormatParameter<ItemFormat>(['json', 'html'], 'json');

/** The format of a site, a reporting unit or a right. These are also available as JSON-LD (D49). */
export const formatWithJsonLd = createFormatParameter<FeatureFormat>(['json', 'html', 'jsonld'], 'jsonld');

/** The parameters that determine which features match. */
export const filterParameters: readonly ItemParameter<unknown>[] = [
  bbox,
  bboxCrs,
  datetime,
  filter,
  filterLang,
  filterCrs,
];

/** Powers of two, so that no square of pixels crosses the edge of a 256-pixel tile. */
const CLUSTER_PIXELS = [1, 2, 4, 8, 16, 32, 64] as const;

function readPixels(text: string): Result<number> {
  const size = CLUSTER_PIXELS.find((pixels) => String(pixels) === text);
  return size === undefined ? failure(`must be ${CLUSTER_PIXELS.join(', ')}`) : success(size);
}

/** Only for tiles of points (ADR 0088). */
export const cluster = createItemParameter<number>('cluster', {
  meaning:
    'Points in the same square of this many pixels (256 to a tile) become one feature with their count. ' +
    'From zoom 14 on, in tiles of at most 1,000 points, each point is its own feature.',
  example: '16',
  schema: { type: 'integer', enum: CLUSTER_PIXELS, default: 1 },
  read: readPixels,
});

/** Only for tiles of points (ADR 0088). */
export const spacing = createItemParameter<number>('spacing', {
  meaning:
    'Features that stand for several points are at least this many pixels apart within a tile. Nearer ones are merged around those with ' +
    'the most points, at the mean position of their points. The tile then contains no points from neighboring tiles.',
  example: '16',
  schema: { type: 'integer', enum: CLUSTER_PIXELS, default: 1 },
  read: readPixels,
});

/** Only for tiles of points (ADR 0088). */
export const mix = createItemParameter<string>('mix', {
  meaning:
    'The name of a property such as use. A feature that stands for several points then has `mix`: the most frequent values of that ' +
    'property (at most 8), each with its number of points, as a JSON list.',
  example: 'use',
  schema: { type: 'string' },
  read: success,
});

/** Only for collections whose features have names, or identifiers from their agencies (D60). */
export const q = createItemParameter<readonly string[]>('q', {
  meaning:
    'Only features whose name or identifier matches all of these words. The beginning of a word is enough, as in /v1/Find.',
  example: 'bear riv',
  schema: { type: 'string' },
  read: words.read,
});

/** Lists the parameters of tiles whose features are points (dimension 0) or areas (dimension 2). */
export function listTileParameters({ dimension }: { readonly dimension: 0 | 2 }): readonly ItemParameter<unknown>[] {
  return dimension === 0 ? [...filterParameters, q, cluster, spacing, mix] : [...filterParameters, q];
}

/**
 * Lists the parameters of a collection, in the order of the API document. The parameter `q` is left out for amounts,
 * which have no names.
 */
export function listItemParameters(featureKind: AnswerLayout['kind']): readonly ItemParameter<unknown>[] {
  const isNamed = featureKind !== 'SiteVariableAmounts' && featureKind !== 'AggregatedAmounts';
  return [limit, offset, crs, ...filterParameters, ...(isNamed ? [q] : []), format];
}

function createItemParameter<Value>(
  name: string,
  definition: Pick<ItemParameter<Value>, 'meaning' | 'example' | 'schema' | 'read'>,
): ItemParameter<Value> {
  return { name, type: 'string', ...definition };
}

function createFormatParameter<Format extends FeatureFormat>(
  names: readonly Format[],
  example: Format,
): ItemParameter<Format> {
  const { limits, read } = createChoice(names.map((name) => [name, name] as const));
  return createItemParameter('f', {
    meaning: `The format of the answer: ${joinNames(names)}. Without it, the header Accept decides.`,
    example,
    schema: { type: 'string', ...limits },
    read: (text, settings) => read(/^geojson$/i.test(text) ? 'json' : text, settings),
  });
}

function createSystemParameter(name: string, meaning: string): ItemParameter<CoordinateSystem> {
  const uris = COORDINATE_SYSTEMS.map(({ uri }) => uri);
  return createItemParameter(name, {
    meaning,
    example: uris[0] ?? '',
    schema: { type: 'string', format: 'uri', enum: uris, default: uris[0] },
    read: readCoordinateSystem,
  });
}
