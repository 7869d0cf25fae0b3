// The landing page's examples for programs: short ones to copy, and the programs of docs/examples to download.

import { accessKey } from '../../../query/parameter';
import { operations, siteVariableAmounts } from '../../../query/operations';
import { exampleQuery } from './landing-operations';
import type { PageAddresses } from '../page-files';
import { html, type Html } from '../page-frame';
import { countRecords, type PublishedData } from '../published-data';

/** copying.mjs puts the service's own address in its place. */
export const ADDRESS = 'https://ADDRESS-OF-THIS-SERVICE';

const KEY = accessKey.example;

interface ClientExample {
  readonly language: string;
  readonly text: (url: string, list: string) => string;
  /** The name of its file in docs/examples. */
  readonly program?: string;
}

const clients: readonly ClientExample[] = [
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

export function examplesSection(published: PublishedData, addresses: PageAddresses): Html {
  const operation = operations.find(({ dataSet }) => countRecords(published, dataSet) > 0) ?? siteVariableAmounts;
  const url = `${ADDRESS}/${operation.route}?${exampleQuery(published, operation.dataSet, 100)}`;
  const shown = clients.map(({ language, text, program }, index) => {
    const code = html`<pre><code>${text(url, operation.dataSet)}</code></pre>`;
    return html`<details${index === 0 ? html` open` : ''}><summary>${language}</summary>
<div class="code">${code}</div>${program === undefined ? '' : downloadLink(addresses, program)}</details>
`;
  });
  return html`<section aria-labelledby="programs">
    <h2 id="programs">From your program</h2>
    ${shown}
  </section>`;
}

function downloadLink({ addressOf }: PageAddresses, program: string): Html {
  return html`<p class="small">
    A program that walks through all pages and writes CSV:
    <a href="${addressOf(`examples/${program}`)}" download="${program}">${program}</a>
  </p> `;
}
