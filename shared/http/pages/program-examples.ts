// The short programs on the landing page, which query one operation in several languages.

import { state } from '../../query/filters';
import { operations, siteVariableAmounts } from '../../query/operations';
import { buildExampleQuery, countRecords, KEY, listStates } from './example-queries';
import { type Html, html } from './html';
import { ADDRESS, type PageAddresses } from './page-files';
import { example, section } from './page-parts';
import type { PublishedRelease } from './published-releases';

interface ClientExample {
  readonly language: string;
  /** `list` is the member that contains the records; `query` is the query of the URL. */
  readonly text: (url: string, list: string, query: string) => string;
  /** The file name of the longer program in docs/examples. */
  readonly program?: string;
}

/** Function names in clients/, after the prefix `get_` in Python and `read_` in R. */
const clientFunctions: Readonly<Record<string, string>> = {
  SiteVariableAmounts: 'site_amounts',
  AggregatedAmounts: 'aggregated_amounts',
  WaterAllocations: 'allocations',
};

function formatStateArguments(query: string, assignment: string): string {
  const states = new URLSearchParams(query).getAll(state.name);
  return states.map((name) => `state${assignment}"${name}", `).join('');
}

const clients: readonly ClientExample[] = [
  {
    language: 'Python, with the package waterdataquery',
    text: (
      _,
      list,
      query,
    ) => `# The package is in clients/python of this service's repository: pip install "clients/python[all]"
import waterdataquery as water

records, metadata = water.get_${clientFunctions[list] ?? ''}(
    ${formatStateArguments(query, '=')}limit=100, url="${ADDRESS}", key="${KEY}"
)
print(records)`,
  },
  {
    language: 'R, with the package waterdataquery',
    text: (_, list, query) => `# The package is in clients/r of this service's repository: R CMD INSTALL clients/r
library(waterdataquery)

records <- read_${clientFunctions[list] ?? ''}(
  ${formatStateArguments(query, ' = ')}limit = 100, url = "${ADDRESS}", key = "${KEY}"
)
print(records)`,
  },
  { language: 'curl', text: (url) => `curl -H "X-API-Key: ${KEY}" "${url}"` },
  {
    language: 'Python',
    program: 'walk.py',
    text: (url, list) => `import pandas
import requests

answer = requests.get("${url}", headers={"X-API-Key": "${KEY}"}, timeout=60)
answer.raise_for_status()
records = [record for organization in answer.json()["Organizations"] for record in organization["${list}"]]
print(pandas.DataFrame(records))`,
  },
  {
    language: 'R',
    program: 'walk.R',
    text: (url, list) => `library(jsonlite)

answer <- fromJSON(url("${url}", headers = c("X-API-Key" = "${KEY}")))
records <- do.call(rbind, answer$Organizations$${list})
print(records)`,
  },
  {
    language: 'JavaScript',
    program: 'walk.mjs',
    text: (url, list) => `const answer = await fetch("${url}", { headers: { "X-API-Key": "${KEY}" } });
if (!answer.ok) throw new Error(await answer.text());
const { Organizations } = await answer.json();
console.table(Organizations.flatMap((organization) => organization.${list}));`,
  },
];

export function examplesSection(releases: readonly PublishedRelease[], addresses: PageAddresses): Html {
  const operation = operations.find(({ dataSet }) => countRecords(releases, dataSet) > 0) ?? siteVariableAmounts;
  const query = buildExampleQuery(listStates(releases, operation.dataSet), 100);
  const url = `${ADDRESS}/${operation.route}?${query}`;
  const examples = clients.map(({ language, text, program }, index) => {
    const more = program === undefined ? '' : downloadLink(addresses, program);
    return example(language, text(url, operation.dataSet, query), { more, isOpen: index === 0 });
  });
  return section('programs', 'From your program', examples);
}

function downloadLink({ fileAddress }: PageAddresses, program: string): Html {
  return html`<p class="small">
    This program reads all pages and writes CSV:
    <a href="${fileAddress(`examples/${program}`)}" download="${program}">${program}</a>
  </p> `;
}
