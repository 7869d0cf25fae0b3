// The filtered records as an address, and as a few lines for the programs that people use. The key has its place in a
// header and stands as a word to replace: no text that is copied holds one.

import { withQuery, type Query } from '../../requests/client';

const KEY = 'YOUR_KEY';

export interface ProgramText {
  readonly name: string;
  readonly text: string;
}

export interface Source {
  /** The address of the operation, with scheme and host. */
  readonly operation: string;
  readonly query: Query;
  /** The address of the tiles, with places for zoom, row and column. */
  readonly layer: string;
}

/** The functions of clients/ have these names behind `get_` in Python and `read_` in R. */
const functions: Readonly<Record<string, string>> = {
  SiteVariableAmounts: 'site_amounts',
  AggregatedAmounts: 'aggregated_amounts',
  SiteAllocationAmounts: 'allocations',
};

export function programsOf({ operation, query, layer }: Source): readonly [ProgramText, ...ProgramText[]] {
  const records = withQuery(operation, query);
  const csv = withQuery(`${operation}/Export`, { ...query, format: 'csv.gz' });
  const parquet = withQuery(`${operation}/Export`, { ...query, format: 'parquet' });
  return [
    { name: 'Python, with the package waterdataquery', text: pythonClientOf(operation, query) },
    { name: 'R, with the package waterdataquery', text: rClientOf(operation, query) },
    { name: 'Address', text: records },
    { name: 'curl', text: `curl -H "X-API-Key: ${KEY}" -o records.parquet \\\n  "${parquet}"` },
    {
      name: 'Python',
      text: `import pandas\n\nrecords = pandas.read_csv(\n    "${csv}",\n    compression="gzip",\n    storage_options={"X-API-Key": "${KEY}"},\n    low_memory=False,\n)\nprint(records)`,
    },
    {
      name: 'R',
      text: `source <- gzcon(url("${csv}",\n  headers = c("X-API-Key" = "${KEY}")))\nrecords <- read.csv(text = readLines(source, encoding = "UTF-8"))\nclose(source)\nstr(records)`,
    },
    { name: 'JavaScript', text: javaScriptOf(records) },
    {
      name: 'QGIS',
      text:
        `Layer > Add Layer > Add Vector Tile Layer > New Generic Connection\n` +
        `URL: ${layer}\n` +
        `Max. Zoom Level: 18; Authentication: Basic, user name ${KEY}, no password`,
    },
  ];
}

/** The clients have pages, limits and interruptions for their business. */
function pythonClientOf(operation: string, query: Query): string {
  const [service, name = ''] = operation.split('/v1/');
  const given = argumentsOf(query, (texts) => `[${texts}]`).map(([argument, text]) => `    ${argument}=${text},\n`);
  return `import waterdataquery as water  # clients/python of the service's repository

records, metadata = water.get_${functions[name] ?? ''}(
${given.join('')}    url="${service}",
    key="${KEY}",
)
print(records)`;
}

function rClientOf(operation: string, query: Query): string {
  const [service, name = ''] = operation.split('/v1/');
  const given = argumentsOf(query, (texts) => `c(${texts})`).map(([argument, text]) => `  ${argument} = ${text},\n`);
  return `library(waterdataquery)  # clients/r of the service's repository

records <- read_${functions[name] ?? ''}(
${given.join('')}  url = "${service}",
  key = "${KEY}"
)
print(records)`;
}

/** The arguments that the clients have for a query, each with its value, or a list of several as `listOf` writes it. */
function argumentsOf(query: Query, listOf: (texts: string) => string): readonly (readonly [string, string])[] {
  return Object.entries(query).flatMap(([parameter, given = []]) => {
    const values = [given].flat();
    const texts = values.map((value) => JSON.stringify(value)).join(', ');
    return values.length === 0 ? [] : [[argumentOf(parameter), values.length === 1 ? texts : listOf(texts)] as const];
  });
}

/** The name that the clients have for a parameter of the service. */
export function argumentOf(parameter: string): string {
  if (parameter === 'PODorPOUSite') return 'pod_or_pou_site';
  return parameter
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The records come in pages, each of which names the next. */
function javaScriptOf(address: string): string {
  return `const headers = { "X-API-Key": "${KEY}" };
const organizations = [];
let next = "${address}";
while (next !== undefined) {
  const answer = await fetch(next, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  organizations.push(...(await answer.json()).Organizations);
  const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "");
  next = link ? new URL(link[1], next).href : undefined;
}
console.log(organizations);`;
}
