// The DCAT-US 3 catalog at /data.json, which harvesters read (ADR 0090).

import { Ajv2020 } from 'ajv/dist/2020';
import { parquetMetadata } from 'hyparquet';
import { withdraw } from '../../data-loaders/manage-releases';
import type { PageContent } from '../../shared/http/pipeline/service';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import dcatSchema from '../fixtures/dcat-us-3.schema.json';
import { createDownloadServices, DOWNLOADS_PATH, TERMS } from '../fixtures/download-services';
import { loadRawFiles } from '../fixtures/raw-submission';
import { siteAmountsSubmission } from '../fixtures/submission';
import { type Answer, TEST_NOW, type TestService } from '../fixtures/test-service';

const { service, terms } = createDownloadServices();
const get = service.getWith;

/** A new cache of pages. Pages contain the address of the service, which a test may change. */
function newPages(): LeastRecentlyUsedCache<PageContent> {
  return new LeastRecentlyUsedCache(1_000_000);
}

describe('/data.json', () => {
  const publicUrl = 'https://water.example.org/api';
  const fits = new Ajv2020({ allErrors: true, strict: false }).compile(dcatSchema);

  /** The box of all places, as places.parquet has it. */
  async function boxOfPlaces(): Promise<readonly number[]> {
    const { bytes } = await get((await get(DOWNLOADS_PATH)).json.Downloads[1].Files[1].Path);
    const { key_value_metadata: metadata } = parquetMetadata(new Uint8Array(bytes).buffer);
    return JSON.parse(metadata?.find(({ key }) => key === 'geo')?.value ?? '').columns.geometry.bbox;
  }

  async function fetchCatalog(from: TestService): Promise<Answer> {
    return from.getFrom({ ...from.service, pages: newPages(), publicUrl }, '/data.json', {});
  }

  test.each([
    ['with files', (): TestService => service],
    ['without files, with terms', (): TestService => terms],
  ])('is a valid DCAT-US 3 catalog, %s', async (_, from) => {
    const { status, headers, json } = await fetchCatalog(from());
    expect([status, headers['Content-Type']]).toEqual([200, 'application/ld+json']);
    fits(json);
    expect(fits.errors).toBeNull();
    expect(json.dataset).toHaveLength(2);
  });

  test('describes owner, period, area, terms and files of each data set', async () => {
    const [, site] = (await fetchCatalog(terms)).json.dataset;
    expect(site).toMatchObject({
      identifier: { notation: 'ORG_1/SiteVariableAmounts' },
      license: TERMS.license,
      rights: [TERMS.termsOfUse],
      bibliographicCitation: TERMS.citation,
      temporal: [{ startDate: '2000-01-01', endDate: '2002-12-31' }],
    });
    expect(site.distribution).toMatchObject([
      { accessURL: `${publicUrl}/v1/SiteVariableAmounts?OrganizationUUID=ORG_1` },
    ]);
    const [, whole] = (await fetchCatalog(service)).json.dataset;
    const { Files } = (await get(DOWNLOADS_PATH)).json.Downloads[1];
    const listed = Files.map(({ Path, Bytes, SHA256 }: Readonly<Record<string, string>>) => ({
      downloadURL: `${publicUrl}${Path ?? ''}`,
      byteSize: String(Bytes),
      checksum: { checksumValue: SHA256 },
    }));
    expect(whole.distribution).toMatchObject([...listed, {}]);
    const [west, south, east, north] = await boxOfPlaces();
    expect(whole.spatial[0].bbox).toBe(
      `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`,
    );
  });

  test('maps each of its members to RDF', async () => {
    const { json } = await fetchCatalog(terms);
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

  test('has addresses relative to the host if PUBLIC_URL is not set', async () => {
    const { json } = await service.get('/data.json', {});
    expect([json['@id'], json.dataset[0].distribution[0].downloadURL]).toEqual([
      '/data.json',
      expect.stringMatching(/^\/v1\/Downloads\//),
    ]);
  });

  test('changes when only the terms of a data set change', async () => {
    const earlierTag = (await terms.get('/data.json', {})).headers['ETag'];
    await withdraw(terms.store, { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' }, TEST_NOW.toISOString());
    await loadRawFiles(terms, siteAmountsSubmission, {
      'submission.json': JSON.stringify({ ...TERMS, license: null }),
    });
    const { headers, json } = await terms.get('/data.json', {});
    expect(headers['ETag']).not.toBe(earlierTag);
    expect(json.dataset[1].license).toBeUndefined();
  });
});
