// The page at /downloads: the current files of each data set, their terms of use, and how programs can download them.
// The page needs no key, but most files do.

import { writeTable } from '../../documents/write-html';
import { buildDownloadFileName } from '../../files/download-file-name';
import { accessKey } from '../../query/access-key-parameter';
import { downloads as downloadsOperation } from '../../query/operations';
import { KIND_NAMES } from '../../records/data-set-names';
import type { DownloadFile, DownloadName } from '../../store/download-files';
import { FEED } from '../../values/media-types';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { formatNumber } from './format-number';
import { type Html, html } from './html';
import { renderPage } from './page';
import { answerPage, createContent } from './page-answers';
import { ADDRESS, getPageAddresses } from './page-files';
import { cell, example, factList, head, hero, namedCell, row, section } from './page-parts';
import {
  getDownloadsContent,
  isOpenFile,
  listReleaseFacts,
  type PublishedDownload,
  SAMPLES_NOTICE,
} from './published-releases';

const KEY = accessKey.example;

export async function answerDownloadsPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const name = `downloads ${service.access.limits.hasOpenPages}`;
  const page = await getDownloadsContent(name, service, (downloads) =>
    createContent(renderDownloadsPage(downloads, service)),
  );
  const origin = await service.downloads.origin();
  // Browsers also apply this directive to the redirect to a file.
  const target = origin === undefined ? '' : ` ${origin}`;
  return answerPage(request, page, service.pages, { 'form-action': `'self'${target}` });
}

function renderDownloadsPage(downloads: readonly PublishedDownload[], service: Service): Html {
  const { base, fileAddress } = getPageAddresses(service);
  const programs = html`<p>
      <code>${base}/${downloadsOperation.route}</code> returns this list as JSON (key required).
      <a href="${base}/data.json">data.json</a> describes the data sets for catalogs (DCAT-US 3), without a key.
      <a href="${base}/${FEED.path}">${FEED.path}</a> announces each release.
    </p>
    <p>
      This program updates a downloaded file with only what has changed since:
      <a href="${fileAddress('examples/increment.py')}" download="increment.py">increment.py</a>
    </p>`;
  const content = html`${hero(
    'Downloads',
    html`<p>
      Download each current data set: its records as Parquet and as compressed CSV, and its sites or reporting units as
      GeoParquet for maps. Files never change: a new release has new addresses.
    </p>`,
  )}
  ${downloads.some(({ entry }) => entry.isSample) ? SAMPLES_NOTICE : ''}
  ${downloads.length === 0 ? html`<p class="notice">Nothing is published yet.</p>` : keyForm(base)}
  ${downloads.length < 2 ? '' : listDownloads(downloads)}
  ${downloads.map((download) => downloadSection(download, base, service))}
  ${section('programs', 'For programs', programs)}`;
  const styles = ['pages.css', 'landing.css', 'downloads.css'];
  const modules = ['downloads.mjs'];
  return renderPage({ title: 'Downloads', content, styles, modules }, service);
}

/**
 * The form that all download buttons submit. Its first button is disabled, so that pressing Enter does not start a
 * download.
 */
function keyForm(base: string): Html {
  return html`<form id="download" class="key" method="dialog" autocomplete="off">
    <noscript><p class="notice">Buttons need JavaScript. Without it, use the examples for programs.</p></noscript>
    <label
      >Your key <input name="${accessKey.name}" type="password" required spellcheck="false" autocapitalize="off"
    /></label>
    <button disabled hidden></button>
    <p class="small">
      Kept in this browser tab only, and sent when you download a file. No key yet?
      <a href="${base}/keys">Get a free key</a>.
    </p>
  </form>`;
}

/** Lists links to the data sets of each organization. */
function listDownloads(downloads: readonly PublishedDownload[]): Html {
  const byOrganization = Map.groupBy(downloads, ({ facts }) => facts.organization.OrganizationName);
  const items = Array.from(byOrganization, ([name, ofOrganization]) => {
    const links = ofOrganization.map(({ entry, facts }, index) => {
      const separator = index === 0 ? '' : ', ';
      return html`${separator}<a href="#d-${entry.releaseId}">${KIND_NAMES[facts.dataSet]}</a>
        (${formatNumber(facts.records)})`;
    });
    return html`<li>${name}: ${links}</li>`;
  });
  return html`<nav aria-label="Data sets">
    <ul>
      ${items}
    </ul>
  </nav>`;
}

function downloadSection(download: PublishedDownload, base: string, { access }: Service): Html {
  const { entry, facts, files } = download;
  const id = `d-${entry.releaseId}`;
  return html`<section class="download" aria-labelledby="${id}">
    <h2 id="${id}">${facts.organization.OrganizationName}: ${KIND_NAMES[facts.dataSet]}</h2>
    ${factList(listReleaseFacts(download), 'boxes')}
    ${files === undefined ? PENDING_NOTICE : filesTable(files, download, base, access)}
  </section>`;
}

const PENDING_NOTICE = html`<p class="notice">Files are being prepared. Check back in a few minutes.</p>`;

const MEANINGS: Readonly<Record<DownloadName, string>> = {
  'records.parquet': 'One row per record, with typed columns',
  'places.parquet': 'Sites or reporting units with geometries (GeoParquet 1.1)',
  'records.csv.gz': 'One row per record, for spreadsheets',
  'things.jsonl.gz': 'One line of linked data per site, unit or right (JSON-LD)',
};

function filesTable(
  files: readonly DownloadFile[],
  download: PublishedDownload,
  base: string,
  access: Service['access'],
): Html {
  const { entry, facts } = download;
  const path = `/${downloadsOperation.route}/${entry.releaseId}`;
  const owner = `${facts.organization.OrganizationName}, ${KIND_NAMES[entry.dataSet]}`;
  const rows = files.map(({ name, bytes, sha256 }) =>
    row(
      html`<code>${buildDownloadFileName(name, entry.releaseId, facts)}</code
        ><span class="small">${MEANINGS[name]}</span>`,
      [
        namedCell('Size', formatBytes(bytes)),
        html`<td data-kind="SHA-256" class="digest"><code class="copied">${sha256}</code></td>`,
        cell(
          downloadButton(`${base}${path}/${name}`, {
            label: `Download ${name} of ${owner}`,
            fileName: buildDownloadFileName(name, entry.releaseId, facts),
            isOpen: isOpenFile(name, access),
          }),
        ),
      ],
    ),
  );
  const heads = [
    head('File'),
    head('Size', 'number'),
    head('SHA-256', 'number'),
    head(html`<span class="skip">Download</span>`),
  ];
  return html`${writeTable(heads, rows)}
    <div class="programs">${downloadExamples(files, path)}</div>`;
}

interface ButtonOptions {
  readonly label: string;
  readonly fileName: string;
  readonly isOpen: boolean;
}

/** For a file that needs a key, a script sends the key in a header. */
function downloadButton(address: string, { label, fileName, isOpen }: ButtonOptions): Html {
  return isOpen
    ? html`<a class="button" href="${address}" download="${fileName}" aria-label="${label}">Download</a>`
    : html`<button form="download" formaction="${address}" data-name="${fileName}" class="button" aria-label="${label}">
        Download
      </button>`;
}

function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${units[step] ?? ''}`;
}

/** `path` is the path of the release's files. docs/examples contains longer programs. */
function downloadExamples(files: readonly DownloadFile[], path: string): readonly Html[] {
  const sha256 = files.find(({ name }) => name === 'records.parquet')?.sha256 ?? '';
  return exampleTemplates.map(({ language, text }) => example(language, text(`${ADDRESS}${path}`, sha256)));
}

interface Example {
  readonly language: string;
  /** `url` is the URL of the folder that contains the files. */
  readonly text: (url: string, sha256: string) => string;
}

const exampleTemplates: readonly Example[] = [
  {
    language: 'curl, which resumes interrupted downloads',
    text: (url, sha256) => `curl --fail --location --continue-at - --header "X-API-Key: ${KEY}" \\
  --output records.parquet "${url}/records.parquet"
echo "${sha256}  records.parquet" | sha256sum --check`,
  },
  {
    language: 'DuckDB, which reads only what a query needs',
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
