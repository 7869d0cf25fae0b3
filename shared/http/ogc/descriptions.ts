// The documents that describe the features: the landing page, the classes of the standard, the collections, the names
// of their filters and the schemas of their features (D47, D53). None of them needs a key.

import { propertyColumns } from '../../render/table-columns';
import { featureCollections, type FeatureCollection } from '../../query/cql2/feature-collections';
import type { ItemForm } from '../../query/cql2/item-parameters';
import type { Queryable } from '../../query/parameter';
import { tileCollections } from '../../query/tile-collections';
import { COORDINATE_SYSTEMS, CRS84 } from '../../values/coordinate-systems';
import type { Box } from '../../values/geometry';
import { SERVICE_TITLE } from '../pages/page';
import {
  API_TYPE,
  formLinks,
  GEOJSON_TYPE,
  HTML_TYPE,
  JSON_TYPE,
  OGC_RELATIONS,
  SCHEMA_TYPE,
  type OgcLink,
} from './addresses';

const CLASSES = [
  'ogcapi-common-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/oas30',
  'ogcapi-features-1/1.0/conf/geojson',
  'ogcapi-features-1/1.0/conf/html',
  'ogcapi-features-2/1.0/conf/crs',
  'ogcapi-features-3/1.0/conf/queryables',
  'ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'ogcapi-features-3/1.0/conf/filter',
  'ogcapi-features-3/1.0/conf/features-filter',
  'ogcapi-tiles-1/1.0/conf/core',
  'ogcapi-tiles-1/1.0/conf/tileset',
  'ogcapi-tiles-1/1.0/conf/tilesets-list',
  'ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'ogcapi-tiles-1/1.0/conf/mvt',
  'cql2/1.0/conf/cql2-text',
  'cql2/1.0/conf/cql2-json',
  'cql2/1.0/conf/basic-cql2',
  'cql2/1.0/conf/advanced-comparison-operators',
  'cql2/1.0/conf/case-insensitive-comparison',
  'cql2/1.0/conf/basic-spatial-functions',
];

/** What a description is of: where its address begins, and the form in which it is sent. */
export interface Described {
  /** In front of `/ogc`. */
  readonly base: string;
  readonly form: ItemForm;
}

export interface LandingDocument {
  readonly title: string;
  readonly description: string;
  readonly links: readonly OgcLink[];
}

export interface ConformanceDocument {
  readonly links: readonly OgcLink[];
  readonly conformsTo: readonly string[];
}

export interface CollectionsDocument {
  readonly links: readonly OgcLink[];
  readonly collections: readonly CollectionDocument[];
  readonly crs: readonly string[];
}

export interface CollectionDocument extends LandingDocument {
  readonly id: string;
  readonly extent?: ExtentDocument;
  readonly itemType: 'feature';
  readonly crs: readonly string[];
  readonly storageCrs: string;
}

interface ExtentDocument {
  readonly spatial?: { readonly bbox: readonly (readonly number[])[]; readonly crs: string };
  readonly temporal?: { readonly interval: readonly (readonly (string | null)[])[]; readonly trs: string };
}

const DESCRIPTION =
  'Water data that many states contribute: sites, reporting units, water rights and amounts as features. Features need ' +
  'an access key from the operator of the service; what describes them does not.';

export function landingDocument({ base, form }: Described): LandingDocument {
  const root = `${base}/ogc`;
  return {
    title: SERVICE_TITLE,
    description: DESCRIPTION,
    links: [
      ...formLinks(root, form, JSON_TYPE),
      { rel: 'service-desc', type: API_TYPE, href: `${root}/api`, title: 'The description of this service' },
      { rel: 'service-doc', type: HTML_TYPE, href: `${base}/docs`, title: 'Documentation' },
      { rel: 'conformance', type: JSON_TYPE, href: `${root}/conformance`, title: 'Classes of the standard' },
      { rel: 'data', type: JSON_TYPE, href: `${root}/collections`, title: 'Collections' },
      {
        rel: `${OGC_RELATIONS}/tiling-schemes`,
        type: JSON_TYPE,
        href: `${root}/tileMatrixSets`,
        title: 'Grids of tiles',
      },
    ],
  };
}

export function conformanceDocument({ base, form }: Described): ConformanceDocument {
  return {
    links: formLinks(`${base}/ogc/conformance`, form, JSON_TYPE),
    conformsTo: CLASSES.map((name) => `http://www.opengis.net/spec/${name}`),
  };
}

/** Where and when the data of a collection are; undefined ends where there are none. */
export interface Extent {
  readonly box: Box | undefined;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

export function collectionsDocument(
  { base, form }: Described,
  extents: ReadonlyMap<string, Extent>,
): CollectionsDocument {
  return {
    links: formLinks(`${base}/ogc/collections`, form, JSON_TYPE),
    collections: featureCollections.map((one) => collectionDocument(one, { base, form }, extents.get(one.id))),
    crs: COORDINATE_SYSTEMS.map(({ uri }) => uri),
  };
}

export function collectionDocument(
  { id, title, description }: FeatureCollection,
  { base, form }: Described,
  extent: Extent | undefined,
): CollectionDocument {
  const address = `${base}/ogc/collections/${id}`;
  const hasTiles = tileCollections.some((tiles) => tiles.id === id);
  const tiles = {
    rel: `${OGC_RELATIONS}/tilesets-vector`,
    type: JSON_TYPE,
    href: `${address}/tiles`,
    title: 'Vector tiles',
  };
  return {
    ...{ id, title, description },
    ...(extent === undefined ? {} : { extent: extentDocument(extent) }),
    itemType: 'feature',
    crs: COORDINATE_SYSTEMS.map(({ uri }) => uri),
    storageCrs: CRS84.uri,
    links: [
      ...formLinks(address, form, JSON_TYPE),
      { rel: 'items', type: GEOJSON_TYPE, href: `${address}/items`, title: 'The features' },
      { rel: 'items', type: HTML_TYPE, href: `${address}/items?f=html`, title: 'The features as a page' },
      {
        rel: `${OGC_RELATIONS}/queryables`,
        type: SCHEMA_TYPE,
        href: `${address}/queryables`,
        title: 'What filters can name',
      },
      // GDAL up to 3.6 knows the relation by its former spelling alone.
      ...['describedby', 'describedBy'].map((rel) => ({
        ...{ rel, type: SCHEMA_TYPE, href: `${address}/schema`, title: 'The schema of a feature' },
      })),
      ...(hasTiles ? [tiles] : []),
    ],
  };
}

/** Days are whole: the last one ends with its last second. */
function extentDocument({ box, firstDay, lastDay }: Extent): ExtentDocument {
  const timeOf = (day: string | null, time: string): string | null => (day === null ? null : `${day}T${time}Z`);
  const interval = [timeOf(firstDay, '00:00:00'), timeOf(lastDay, '23:59:59')];
  const trs = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';
  return {
    ...(box === undefined ? {} : { spatial: { bbox: [roundedOutwards(box)], crs: CRS84.uri } }),
    ...(firstDay === null && lastDay === null ? {} : { temporal: { interval: [interval], trs } }),
  };
}

/** A centimetre; who asks with the box of an extent may write fewer digits than a coordinate has (ADR 0077). */
const EXTENT_STEPS_PER_DEGREE = 1e7;

function roundedOutwards(box: Box): readonly number[] {
  return box.map((edge, side) => {
    const nearest = Math.round(edge * EXTENT_STEPS_PER_DEGREE);
    const rounded = nearest / EXTENT_STEPS_PER_DEGREE;
    if (side < 2) return rounded <= edge ? rounded : (nearest - 1) / EXTENT_STEPS_PER_DEGREE;
    return rounded >= edge ? rounded : (nearest + 1) / EXTENT_STEPS_PER_DEGREE;
  });
}

export interface MemberSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly type: string };
  readonly [member: string]: unknown;
}

export type MemberSchemas = Readonly<Record<string, MemberSchema>>;

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema. */
interface SchemaDocument {
  /** The address of the document. */
  readonly $id: string;
  readonly [member: string]: unknown;
}

export const QUERYABLES_DESCRIPTION = 'What CQL2 filters can name; the names of texts are parameters of items as well.';

export function queryablesDocument(collection: FeatureCollection, { base }: Described): SchemaDocument {
  return {
    $schema: SCHEMA,
    $id: `${base}/ogc/collections/${collection.id}/queryables`,
    type: 'object',
    title: collection.title,
    description: QUERYABLES_DESCRIPTION,
    properties: queryableSchemas(collection),
    additionalProperties: false,
  };
}

export function queryableSchemas({ queryables }: FeatureCollection): MemberSchemas {
  return Object.fromEntries(queryables.map((queryable) => [queryable.name, queryableSchema(queryable)]));
}

function queryableSchema({ name, type, meaning }: Queryable): MemberSchema {
  const described = { title: name, description: meaning };
  return type === 'geometry'
    ? { ...described, format: 'geometry-any', 'x-ogc-role': 'primary-geometry' }
    : { ...described, ...SCHEMAS[type] };
}

/** A whole feature (D53), each property with one type: clients take the types of their columns from it. */
export function schemaDocument(collection: FeatureCollection, { base }: Described): SchemaDocument {
  const geometry = collection.featureKind === 'WaterAllocations' ? 'MultiPoint' : 'Geometry';
  return {
    $schema: SCHEMA,
    $id: `${base}/ogc/collections/${collection.id}/schema`,
    title: collection.title,
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      geometry: { $ref: `https://geojson.org/schema/${geometry}.json` },
      properties: { type: 'object', properties: propertySchemas(collection) },
    },
  };
}

export function propertySchemas({ featureKind }: FeatureCollection): MemberSchemas {
  const schemas = propertyColumns(featureKind).map(({ name, type, isList, description }) => {
    const schema: MemberSchema = isList ? { type: 'array', items: { type: 'string' } } : SCHEMAS[type];
    return [name, { ...(description === undefined ? {} : { description }), ...schema }] as const;
  });
  return Object.fromEntries(schemas);
}

const SCHEMAS = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
} as const;
