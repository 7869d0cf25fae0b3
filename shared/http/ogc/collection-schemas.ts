// The JSON schemas of a collection: the names to use in filters, and the properties of a feature.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { Queryable } from '../../query/parameter';
import { listPropertyColumns } from '../../render/table-columns';
import type { PageBody } from '../pages/framed-page';
import { scrolledTable } from '../pages/page-parts';
import { getCollectionAddress, SCHEMA_TYPE } from './addresses';
import type { Description, DescriptionContext } from './description';
import { renderMemberRow, renderOgcPage } from './ogc-pages';

interface MemberSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly type: string };
  readonly [member: string]: unknown;
}

type MemberSchemas = Readonly<Record<string, MemberSchema>>;

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

export function describeQueryables(collection: FeatureCollection, { root }: DescriptionContext): Description {
  const { id, title, queryables } = collection;
  const description = 'The properties that CQL2 filters can use. Text properties are also parameters of items.';
  const properties = Object.fromEntries(
    queryables.map((queryable) => [queryable.name, buildQueryableSchema(queryable)]),
  );
  const document = {
    $schema: SCHEMA,
    $id: `${root}/collections/${id}/queryables`,
    type: 'object',
    title,
    description,
    properties,
    additionalProperties: false,
  };
  const page = (): PageBody => renderMembersPage('Queryable fields', document, properties);
  return { type: SCHEMA_TYPE, document, page };
}

function buildQueryableSchema({ name, type, meaning }: Queryable): MemberSchema {
  const base = { title: name, description: meaning };
  return type === 'geometry'
    ? { ...base, format: 'geometry-any', 'x-ogc-role': 'primary-geometry' }
    : { ...base, ...SCHEMAS[type] };
}

/** Describes a feature (D53). Each property has a single type, from which clients derive the types of their columns. */
export function describeSchema(
  { id, title, featureKind }: FeatureCollection,
  { root }: DescriptionContext,
): Description {
  const geometry = featureKind === 'WaterAllocations' ? 'MultiPoint' : 'Geometry';
  const properties: MemberSchemas = Object.fromEntries(
    listPropertyColumns(featureKind).map(({ name, type, isList, description }) => {
      const schema: MemberSchema = isList ? { type: 'array', items: { type: 'string' } } : SCHEMAS[type];
      return [name, { ...(description === undefined ? {} : { description }), ...schema }];
    }),
  );
  const document = {
    $schema: SCHEMA,
    $id: `${root}/collections/${id}/schema`,
    title,
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      geometry: { $ref: `https://geojson.org/schema/${geometry}.json` },
      properties: { type: 'object', properties },
    },
  };
  return {
    type: SCHEMA_TYPE,
    document,
    page: () => renderMembersPage('Properties of a feature', document, properties),
  };
}

const SCHEMAS = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
} as const;

/** Renders the members of a schema as a table. */
function renderMembersPage(
  name: string,
  {
    title: collectionTitle,
    $id: address,
    description = '',
  }: { readonly title: string; readonly $id: string; readonly description?: string },
  members: MemberSchemas,
): PageBody {
  const links = [
    { rel: 'collection', href: getCollectionAddress(address), title: collectionTitle },
    { rel: 'alternate', href: `${address}?f=json`, title: 'This resource as JSON' },
  ];
  const rows = Object.entries(members).map(([member, schema]) =>
    renderMemberRow(member, [formatType(schema), schema.description ?? '']),
  );
  const content = scrolledTable(['Name', 'Type', 'Meaning'], rows, { label: name });
  return {
    ...renderOgcPage({ kind: collectionTitle, title: name, description, links, content }),
    title: `${collectionTitle}: ${name.toLowerCase()}`,
  };
}

function formatType({ type, format, items }: MemberSchema): string {
  if (format !== undefined) return format.replace('geometry-any', 'geometry');
  return items === undefined ? (type ?? '') : `list of ${items.type}`;
}
