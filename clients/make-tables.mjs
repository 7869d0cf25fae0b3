// Writes the tables file that both clients read: the parameters of each operation from docs/openapi.json, and the
// columns of each kind of record from the service's own declarations. `npm run documents` runs it. With `--check` it
// only compares.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const { tableColumns, ORGANIZATION_COLUMNS, recordReferences, dataSetLayouts, lookupIdentifiers } =
  await importDeclarations();

const TABLES = ['python/src/waterdataquery/tables.json', 'r/inst/tables.json'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);
const openapi = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));

/** Coordinates are text in the service, so that every digit stays as submitted; a data frame has numbers. */
const NUMBERS = ['Longitude', 'Latitude'];
const INTEGERS = /Count$/;
/** Parameters that users do not give as filters: the client sets pages and formats, and `Query` is text to find. */
const OWN = ['StartIndex', 'RecordCount', 'format', 'Query'];

/** Bundles the service's declarations, which are TypeScript, and imports the bundle from memory. */
async function importDeclarations() {
  const modules = ['render/table-columns', 'records/record-references', 'records/data-sets', 'records/lookups'];
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: modules.map((path) => `export * from './shared/${path}';`).join('\n'),
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function snakeCase(name) {
  if (name === 'PODorPOUSite') return 'pod_or_pou_site';
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Shared parameters are defined in the components of the document. */
function referred(part) {
  return part.$ref === undefined ? part : openapi.components.parameters[part.$ref.split('/').at(-1)];
}

/** The allowed values of a parameter, from the schemas; undefined if any value is allowed. */
function valuesOf({ schema }) {
  const { $ref, enum: values } = schema.items ?? schema;
  return $ref === undefined ? values : openapi.components.schemas[$ref.split('/').at(-1)].enum;
}

function parametersOf(operation) {
  const all = operation.parameters.map(referred);
  const parameters = all.filter(({ in: place, name }) => place === 'query' && !OWN.includes(name));
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name, description, schema } = parameter;
      const values = valuesOf(parameter);
      const known = values === undefined ? {} : { values };
      return [snakeCase(name), { name, repeats: schema.type === 'array', ...known, description }];
    }),
  );
}

function typeOf({ name, type }) {
  if (NUMBERS.includes(name)) return 'number';
  return INTEGERS.test(name) ? 'integer' : type;
}

/** `source` names the lookup of a column; it is undefined for members of the record. */
function column(source, identifier, { name, member, within, isList, type }) {
  const described = { name, type: typeOf({ name, type }), list: isList, member };
  return {
    ...described,
    ...(within ? { within } : {}),
    ...(source ? { source } : {}),
    ...(isList && identifier ? { identifier } : {}),
  };
}

function columnsOf(kind) {
  const { record, joined } = tableColumns[kind];
  const organization = ORGANIZATION_COLUMNS.map((name) => ({
    name,
    type: 'text',
    list: false,
    member: name,
    source: 'Organization',
  }));
  const place = record.find(({ within, isList }) => isList && within === 'SiteUUID');
  return [
    ...organization,
    ...record.map((own) =>
      column(undefined, place !== undefined && own.member === 'Sites' ? 'SiteUUID' : undefined, own),
    ),
    ...joined.flatMap(({ reference, columns }) =>
      columns.map((own) => column(reference.lookups, reference.within ?? reference.member, own)),
    ),
  ];
}

function referencesOf(kind) {
  const references = recordReferences[kind] ?? [];
  return Object.fromEntries(
    references.map(({ lookups, ...reference }) => [lookups, { identifier: lookupIdentifiers[lookups], ...reference }]),
  );
}

const operations = Object.entries(openapi.paths)
  .filter(([path]) => /^\/v1\/(?!Submissions)[A-Za-z]+(\/(Totals|Facets|Removed))?$/.test(path))
  .map(([path, { get }]) => [path.slice('/v1/'.length), parametersOf(get)]);

const NUMBERED_GROUPS = /Year$|^PriorityDecade$|^Month$/;

function groupNames(path) {
  const { parameters } = openapi.paths[`/v1/${path}/Totals`].get;
  return valuesOf(parameters.map(referred).find(({ name }) => name === 'GroupBy'));
}

/** The columns of a row of totals with their types: its groups, and its other members. */
function totalsOf([path]) {
  const row = `${path.replace('SiteAllocationAmounts', 'WaterAllocations')}TotalsRow`;
  const names = groupNames(path);
  const properties = Object.entries(openapi.components.schemas[row].properties);
  // The first members are the groups, except those that every row has.
  const others = properties.slice(properties.findIndex(([name]) => !names.includes(name)));
  const members = others.map(([name, { type, format }]) => {
    if (INTEGERS.test(name)) return [name, 'integer'];
    return [name, [type].flat().includes('number') ? 'number' : (format ?? 'text')];
  });
  const groups = names.map((name) => [name, NUMBERED_GROUPS.test(name) ? 'integer' : 'text']);
  return [path, { groups: Object.fromEntries(groups), members: Object.fromEntries(members) }];
}

const tables = {
  serviceVersion: openapi.info.version,
  operations: Object.fromEntries(operations),
  totals: Object.fromEntries(operations.filter(([path]) => /Amounts$/.test(path)).map(totalsOf)),
  columns: Object.fromEntries(Object.keys(tableColumns).map((kind) => [kind, columnsOf(kind)])),
  /** The columns that identify a record within its organization, in the sort order of records. */
  keys: Object.fromEntries(Object.entries(dataSetLayouts).map(([kind, { keyMembers }]) => [kind, keyMembers])),
  references: Object.fromEntries(Object.keys(tableColumns).map((kind) => [kind, referencesOf(kind)])),
};

/** One line for each parameter and column, so that diffs are readable. */
const text = `${JSON.stringify(tables, null, 1).replace(/\{\s+("(?:name|identifier)"[^{}]*?)\s+\}/g, (_, inner) => `{ ${inner.replace(/\s*\n\s*/g, ' ')} }`)}\n`;
for (const file of TABLES) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what the service says: run npm run documents and commit it`);
    process.exitCode = 1;
  }
}
