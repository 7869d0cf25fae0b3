// What a collection's features have: the names of its filters, and the schema of a feature (D47, D53).

import { propertyColumns } from '../../answer/features/feature-properties';
import { type FeatureCollection, GEOMETRY_NAME, type Queryable } from '../../query/cql2/feature-collections';
import type { Described } from './metadata';

export interface MemberSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly type: string };
  readonly [member: string]: unknown;
}

type MemberSchemas = Readonly<Record<string, MemberSchema>>;

export interface QueryablesDocument {
  readonly title: string;
  readonly description: string;
  readonly properties: MemberSchemas;
  readonly [member: string]: unknown;
}

export interface SchemaDocument {
  readonly title: string;
  readonly properties: { readonly properties: MemberSchema & { readonly properties: MemberSchemas } } & MemberSchemas;
  readonly [member: string]: unknown;
}

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

export function queryablesDocument(
  { id, title, queryables }: FeatureCollection,
  { base }: Described,
): QueryablesDocument {
  return {
    $schema: SCHEMA,
    $id: `${base}/ogc/collections/${id}/queryables`,
    type: 'object',
    title,
    description: 'What CQL2 filters can name; the names of texts are parameters of items as well.',
    properties: Object.fromEntries(queryables.map((queryable) => [queryable.name, queryableSchema(queryable)])),
    additionalProperties: false,
  };
}

function queryableSchema({ name, type, meaning }: Queryable): MemberSchema {
  switch (type) {
    case 'geometry':
      return { title: name, description: meaning, format: 'geometry-any', 'x-ogc-role': 'primary-geometry' };
    case 'date':
      return { title: name, description: meaning, type: 'string', format: 'date' };
    case 'number':
    case 'boolean':
      return { title: name, description: meaning, type };
    case 'text':
      return { title: name, description: meaning, type: 'string' };
  }
}

/** A whole feature (D53), each property with one type: clients take the types of their columns from it. */
export function schemaDocument({ id, title, featureKind }: FeatureCollection, { base }: Described): SchemaDocument {
  const columns = propertyColumns(featureKind);
  const properties = Object.fromEntries(
    columns.map(({ name, type, isList, description }) => {
      const schema = isList ? { type: 'array', items: { type: 'string' } } : PROPERTY_SCHEMAS[type];
      return [name, { ...(description === undefined ? {} : { description }), ...schema }];
    }),
  );
  return {
    $schema: SCHEMA,
    $id: `${base}/ogc/collections/${id}/schema`,
    title,
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      [GEOMETRY_NAME]: { $ref: GEOMETRY_SCHEMAS[featureKind] },
      properties: { type: 'object', properties },
    },
  };
}

const PROPERTY_SCHEMAS = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
} as const;

const GEOMETRY_SCHEMAS = {
  Sites: 'https://geojson.org/schema/Geometry.json',
  ReportingUnits: 'https://geojson.org/schema/Geometry.json',
  SiteVariableAmounts: 'https://geojson.org/schema/Geometry.json',
  AggregatedAmounts: 'https://geojson.org/schema/Geometry.json',
  WaterAllocations: 'https://geojson.org/schema/MultiPoint.json',
} as const;
