// How programs get the files of a data set: short examples to copy, completed by downloads.mjs with the service's own
// address and the key that was typed. docs/examples has longer ones.

import { accessKey } from '../../../query/parameter';
import type { DownloadFile } from '../../../store/download-files';
import { ADDRESS } from '../landing/landing-examples';
import { html, type Html } from '../page-frame';

const KEY = accessKey.example;

interface Example {
  readonly language: string;
  /** `url` is that of the folder of the files. */
  readonly text: (url: string, sha256: string) => string;
}

/** `path` is the address of the release's files. */
export function downloadExamples(files: readonly DownloadFile[], path: string): Html {
  const sha256 = files.find(({ name }) => name === 'records.parquet')?.sha256 ?? '';
  const shown = examples.map(
    ({ language, text }) =>
      html`<details>
        <summary>${language}</summary>
        <div class="code">
          <pre><code>${text(`${ADDRESS}${path}`, sha256)}</code></pre>
        </div>
      </details> `,
  );
  return html`<div class="programs">${shown}</div>`;
}

const examples: readonly Example[] = [
  {
    language: 'curl, which goes on where it was cut off',
    text: (url, sha256) => `curl --fail --location --continue-at - --header "X-API-Key: ${KEY}" \\
  --output records.parquet "${url}/records.parquet"
echo "${sha256}  records.parquet" | sha256sum --check`,
  },
  {
    language: 'DuckDB, which reads what a question needs',
    text: (url) => `INSTALL httpfs;
LOAD httpfs;
CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS MAP {'X-API-Key': '${KEY}'});
SELECT count(*) FROM read_parquet('${url}/records.parquet');`,
  },
  {
    language: 'Python: pandas and geopandas',
    text: (url) => `import io
import geopandas
import pandas
import requests

def content(name):
    answer = requests.get("${url}/" + name, headers={"X-API-Key": "${KEY}"}, timeout=600)
    answer.raise_for_status()
    return io.BytesIO(answer.content)

records = pandas.read_parquet(content("records.parquet"))
places = geopandas.read_parquet(content("places.parquet"))`,
  },
  {
    language: 'R: arrow',
    text: (url) => `library(arrow)

download.file("${url}/records.parquet", "records.parquet",
              mode = "wb", headers = c("X-API-Key" = "${KEY}"))
records <- read_parquet("records.parquet")`,
  },
];
