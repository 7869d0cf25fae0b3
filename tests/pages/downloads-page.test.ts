// Downloads as they are shown without a key: the page for people, and the catalog for harvesters (ADR 0090).

import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { parquetMetadata } from 'hyparquet';
import { withdraw } from '../../data-loaders/manage-releases';
import type { PageContent } from '../../shared/http/pipeline/service';
import { LocalDownloads } from '../../shared/store/download-files';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import dcatSchema from '../fixtures/dcat-us-3.schema.json';
import { loadRaw } from '../fixtures/raw-submission';
import { aggregatedSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { createTestService, TEST_NOW, type Answer, type TestService } from '../fixtures/test-service';

const DOWNLOADS = '/v1/Downloads';

const TERMS = {
  ...{ license: 'https://example.org/licence', citation: 'Agency (2026): <Amounts>', termsOfUse: 'Ask first.' },
  ...{ contact: 'data@example.org', note: 'Meters <were> read late.' },
};

const [service, terms] = [createTestService(), createTestService()];

/** Pages hold the address of the service, which a test may change. */
function newPages(): LeastRecentlyUsedCache<PageContent> {
  return new LeastRecentlyUsedCache(1_000_000);
}

function get(path: string): Promise<Answer> {
  return service.get(path);
}

beforeAll(async () => {
  await service.load(siteAmountsSubmission);
  await service.load(aggregatedSubmission);
  await service.makeFiles();
  await loadRaw(terms, siteAmountsSubmission, { 'submission.json': JSON.stringify(TERMS) });
  await terms.load(aggregatedSubmission);
});

test('the page about the data has the words of the field, known limits, and what submissions say of their data', async () => {
  const { text } = await terms.get('/docs/data', {});
  for (const part of [
    'Meters &#60;were&#62; read late.',
    'Agency (2026): &#60;Amounts&#62;',
    'Placeholder priority dates',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/<dt>priority date<\/dt>\s*<dd>The day from which a right counts; [^<]*<\/dd>/);
  expect(text).not.toMatch(/<dt>(submission|finding)<\/dt>/);
  expect(text).toContain('The submission has none.');
});

describe('the page /downloads', () => {
  test('shows each file with its size, its digest and the terms of its data, and how programs get it', async () => {
    const page = await service.get('/downloads', {});
    expect([page.status, page.headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { json } = await get(DOWNLOADS);
    for (const { Files } of json.Downloads) {
      for (const { SHA256, Path } of Files) {
        expect(page.text).toContain(SHA256);
        expect(page.text).toContain(`formaction="${Path}"`);
      }
      expect(page.text).toContain(`https://ADDRESS-OF-THIS-SERVICE${Files[0].Path}`);
    }
    expect(page.text).toMatch(/<dt>Licence<\/dt>\s*<dd>not stated<\/dd>/);
    expect((await service.get('/', {})).text).toContain('href="/downloads"');
  });

  test('a page of a thing says how the submission asks to be cited', async () => {
    const { json } = await terms.get('/ogc/collections/sites/items?limit=1');
    const page = await terms.get(`/ogc/collections/sites/items/${encodeURIComponent(json.features[0].id)}?f=html`);
    expect(page.text).toContain('asks to be cited as: Agency (2026): &#60;Amounts&#62;');
  });

  test('follows a proxy that gives the service a path, and lets forms lead to the host of the files', async () => {
    const origin = (): Promise<string> => Promise.resolve('https://files.example.org');
    const downloads = Object.assign(new LocalDownloads(join(service.folder, 'data')), { origin });
    const elsewhere = { ...service.service, downloads, pages: newPages(), publicUrl: 'https://water.example.org/api' };
    const { text, headers } = await service.ask(elsewhere, '/downloads', {});
    expect(text).toContain('formaction="/api/v1/Downloads/');
    expect(text).toContain('https://ADDRESS-OF-THIS-SERVICE/v1/Downloads/');
    expect(headers['Content-Security-Policy']).toContain("form-action 'self' https://files.example.org;");
  });
});

describe('/data.json', () => {
  const publicUrl = 'https://water.example.org/api';
  const fits = new Ajv2020({ allErrors: true, strict: false }).compile(dcatSchema);

  /** As places.parquet says. */
  async function boxOfPlaces(): Promise<readonly number[]> {
    const { bytes } = await get((await get(DOWNLOADS)).json.Downloads[1].Files[1].Path);
    const { key_value_metadata: metadata } = parquetMetadata(new Uint8Array(bytes).buffer);
    return JSON.parse(metadata?.find(({ key }) => key === 'geo')?.value ?? '').columns.geometry.bbox;
  }

  async function catalogOf(from: TestService): Promise<Answer> {
    return from.ask({ ...from.service, pages: newPages(), publicUrl }, '/data.json', {});
  }

  test.each([
    ['with files', (): TestService => service],
    ['without files, with terms', (): TestService => terms],
  ])('is a catalog of DCAT-US 3, %s', async (_, from) => {
    const { status, headers, json } = await catalogOf(from());
    expect([status, headers['Content-Type']]).toEqual([200, 'application/ld+json']);
    fits(json);
    expect(fits.errors).toBeNull();
    expect(json.dataset).toHaveLength(2);
  });

  test('says of each data set whose it is, when and where, under which terms, and where its files are', async () => {
    const [, site] = (await catalogOf(terms)).json.dataset;
    expect(site).toMatchObject({
      ...{ identifier: { notation: 'ORG_1/SiteVariableAmounts' }, license: TERMS.license, rights: [TERMS.termsOfUse] },
      ...{ bibliographicCitation: TERMS.citation, temporal: [{ startDate: '2000-01-01', endDate: '2002-12-31' }] },
    });
    expect(site.distribution).toMatchObject([
      { accessURL: `${publicUrl}/v1/SiteVariableAmounts?OrganizationUUID=ORG_1` },
    ]);
    const [, whole] = (await catalogOf(service)).json.dataset;
    const { Files } = (await get(DOWNLOADS)).json.Downloads[1];
    const listed = Files.map(({ Path, Bytes, SHA256 }: Readonly<Record<string, string>>) => ({
      ...{ downloadURL: `${publicUrl}${Path ?? ''}`, byteSize: String(Bytes), checksum: { checksumValue: SHA256 } },
    }));
    expect(whole.distribution).toMatchObject([...listed, {}]);
    const [west, south, east, north] = await boxOfPlaces();
    expect(whole.spatial[0].bbox).toBe(
      `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`,
    );
  });

  test('has a meaning in RDF for each of its members', async () => {
    const { json } = await catalogOf(terms);
    const members = new Set<string>();
    const collect = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(collect);
      else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (name === '@type') members.add(String(inner));
          else if (!name.startsWith('@')) members.add(name);
          if (name !== '@context') collect(inner);
        }
      }
    };
    collect(json);
    expect([...members].filter((name) => json['@context'][name] === undefined)).toEqual([]);
  });

  test('has addresses relative to the host where PUBLIC_URL is not set', async () => {
    const { json } = await service.get('/data.json', {});
    expect([json['@id'], json.dataset[0].distribution[0].downloadURL]).toEqual([
      '/data.json',
      expect.stringMatching(/^\/v1\/Downloads\//),
    ]);
  });

  test('changes with the terms of a data set that stays as it is', async () => {
    const former = (await terms.get('/data.json', {})).headers['ETag'];
    await withdraw(terms.store, { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' }, TEST_NOW.toISOString());
    await loadRaw(terms, siteAmountsSubmission, { 'submission.json': JSON.stringify({ ...TERMS, license: null }) });
    const { headers, json } = await terms.get('/data.json', {});
    expect(headers['ETag']).not.toBe(former);
    expect(json.dataset[1].license).toBeUndefined();
  });
});
