// The filtered records as an address, and as a few lines for the programs that people use. The key has its place in a
// header and stands as a word to replace: no text that is copied holds one.

import type { Query } from '../../requests/client';

const KEY = 'YOUR_KEY';

export interface ProgramText {
  readonly name: string;
  readonly text: string;
}

export interface Source {
  /** The address of the operation, with scheme and host. */
  readonly operation: string;
  readonly query: Query;
  /** The collection under /ogc, for programs with maps. */
  readonly collection: string;
  /** The address of the service, with scheme and host. */
  readonly service: string;
}

export function programsOf({ operation, query, collection, service }: Source): readonly ProgramText[] {
  const records = addressOf(operation, query);
  const csv = addressOf(`${operation}/Export`, [...query, ['format', 'csv.gz']]);
  const parquet = addressOf(`${operation}/Export`, [...query, ['format', 'parquet']]);
  return [
    { name: 'Address', text: records },
    { name: 'curl', text: `curl -H "X-API-Key: ${KEY}" -o records.parquet \\\n  "${parquet}"` },
    {
      name: 'Python',
      text: `import pandas\n\nrecords = pandas.read_csv(\n    "${csv}",\n    compression="gzip",\n    storage_options={"X-API-Key": "${KEY}"},\n    low_memory=False,\n)\nprint(records)`,
    },
    {
      name: 'R',
      text: `source <- gzcon(url("${csv}",\n  headers = c("X-API-Key" = "${KEY}")))\nrecords <- read.csv(source)\nstr(records)`,
    },
    {
      name: 'JavaScript',
      text: `const answer = await fetch("${records}", {\n  headers: { "X-API-Key": "${KEY}" },\n});\nif (!answer.ok) throw new Error(await answer.text());\nconst { Organizations } = await answer.json();`,
    },
    {
      name: 'QGIS',
      text:
        `Layer > Add Layer > Add Vector Tile Layer > New Generic Connection\n` +
        `URL: ${service}/ogc/collections/${collection}/tiles/WebMercatorQuad/{z}/{y}/{x}${queryText(query)}\n` +
        `Max. Zoom Level: 14; Authentication: Basic, user name ${KEY}, no password`,
    },
  ];
}

function addressOf(path: string, query: Query): string {
  return `${path}${queryText(query)}`;
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  return query.length === 0 ? '' : `?${parameters.toString()}`;
}
