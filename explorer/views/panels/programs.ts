// Example programs that fetch the filtered records. They have a placeholder instead of the key, so that no copied text
// contains a key.

import { appendQuery, type Query } from '../../requests/client';

const KEY = 'YOUR_KEY';

export interface ProgramText {
  readonly name: string;
  readonly text: string;
}

export interface Source {
  /** The full address of the operation. */
  readonly operation: string;
  readonly query: Query;
  /** The address template of the tiles, with placeholders for zoom, row and column. */
  readonly layer: string;
}

/** Function names of the packages in clients/, after `get_` in Python and `read_` in R. */
const functions: Readonly<Record<string, string>> = {
  SiteVariableAmounts: 'site_amounts',
  AggregatedAmounts: 'aggregated_amounts',
  SiteAllocationAmounts: 'allocations',
};

export function buildPrograms({ operation, query, layer }: Source): readonly [ProgramText, ...ProgramText[]] {
  const records = appendQuery(operation, query);
  const csv = appendQuery(`${operation}/Export`, { ...query, format: 'csv.gz' });
  const parquet = appendQuery(`${operation}/Export`, { ...query, format: 'parquet' });
  return [
    ...buildClientPrograms(operation, query),
    { name: 'Address', text: records },
    { name: 'curl', text: `curl -H "X-API-Key: ${KEY}" -o records.parquet \\\n  "${parquet}"` },
    {
      name: 'Python',
      text: `import pandas\n\nrecords = pandas.read_csv(\n    "${csv}",\n    compression="gzip",\n    storage_options={"X-API-Key": "${KEY}"},\n    dtype=str,  # Identifiers keep leading zeros. For numbers: pandas.to_numeric(records["Amount"])\n    keep_default_na=False,\n    na_values=[""],\n)\nprint(records)`,
    },
    {
      name: 'R',
      text: `source <- gzcon(url("${csv}",\n  headers = c("X-API-Key" = "${KEY}")))\n# Identifiers keep leading zeros. For numbers: as.numeric(records$Amount)\nrecords <- read.csv(\n  text = readLines(source, encoding = "UTF-8"), colClasses = "character", na.strings = ""\n)\nclose(source)\nstr(records)`,
    },
    { name: 'JavaScript', text: buildJavaScript(records) },
    {
      name: 'QGIS',
      text:
        `Layer > Add Layer > Add Vector Tile Layer > New Generic Connection\n` +
        `URL: ${layer}\n` +
        `Max. Zoom Level: 18; Authentication: Basic, user name ${KEY}, no password`,
    },
  ];
}

/** Calls of the client packages, which handle pages, limits and interruptions. */
function buildClientPrograms(operation: string, query: Query): readonly [python: ProgramText, r: ProgramText] {
  const [service = '', name = ''] = operation.split('/v1/');
  const call = functions[name] ?? '';
  const values = Object.entries({ ...query, url: service, key: KEY });
  const parameters = values.flatMap(([parameter, value = []]) => {
    const texts = [value].flat().map((one) => JSON.stringify(one));
    const argument = toArgumentName(parameter);
    const isList = texts.length > 1;
    return texts.length === 0 ? [] : [{ argument, texts: texts.join(', '), isList }];
  });
  const python = parameters.map(({ argument, texts, isList }) => `    ${argument}=${isList ? `[${texts}]` : texts},\n`);
  const r = parameters.map(({ argument, texts, isList }) => `  ${argument} = ${isList ? `c(${texts})` : texts}`);
  const pythonText = `import waterdataquery as water  # clients/python of the service's repository

records, metadata = water.get_${call}(
${python.join('')})
print(records)`;
  const rText = `library(waterdataquery)  # clients/r of the service's repository

records <- read_${call}(
${r.join(',\n')}
)
print(records)`;
  return [
    { name: 'Python, with the package waterdataquery', text: pythonText },
    { name: 'R, with the package waterdataquery', text: rText },
  ];
}

/** The name that the clients use for a parameter of the service. */
export function toArgumentName(parameter: string): string {
  if (parameter === 'PODorPOUSite') return 'pod_or_pou_site';
  return parameter
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The service returns records in pages, each with a link to the next page. */
function buildJavaScript(address: string): string {
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
