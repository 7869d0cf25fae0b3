// The real submissions of four states: loaded by the command, asked over HTTP, against a plain scan of their files.

import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'csv-parse/sync';
import type { Report } from '../../data-loaders/format/report';
import type { DataSetKind } from '../../shared/records/data-sets';
import dcatSchema from '../fixtures/dcat-us-3.schema.json';
import { ask, runProgram, startHost, type RunningHost, type WireAnswer } from '../fixtures/host-process';
import { answerKey, plainRecords, type PlainRecord } from '../fixtures/plain-records';
import { OPERATIONS, pathOf, plainMatches, type PlainQuery } from '../fixtures/plain-search';
import { queriesFor } from '../fixtures/queries-about';
import { readRealFiles, REAL_DATA, realSubmissions, type RealSubmission } from '../fixtures/real-submissions';
import { expectSameInAllFormats } from '../fixtures/same-in-all-formats';
import { isSoak } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';

const PUBLIC_URL = 'https://water.example.org';

const settings = { WATER_DATA_DIR: join(temporaryFolder(), 'data') };

interface Loaded {
  readonly code: number | null;
  readonly report: Report;
}

async function load({ folder }: RealSubmission): Promise<Loaded> {
  const { code, output } = await runProgram('tools/load', [join(REAL_DATA, folder), '--json'], settings);
  return { code, report: JSON.parse(output) as Report };
}

function readFolder(folder: string): Submission {
  const rows = (content: Buffer): readonly Row[] => parse<Row>(content, { columns: true, bom: true });
  return Object.fromEntries([...readRealFiles(folder)].map(([name, content]) => [name, rows(content)]));
}

interface CatalogDataSet {
  readonly identifier: { readonly notation: string };
  readonly temporal?: readonly { readonly startDate: string; readonly endDate: string }[];
  readonly distribution: readonly { readonly downloadURL?: string; readonly accessURL: string }[];
}

describe('the real submissions', () => {
  const first: Loaded[] = [];
  const records: Record<DataSetKind, readonly PlainRecord[]> = {
    SiteVariableAmounts: [],
    AggregatedAmounts: [],
    WaterAllocations: [],
  };
  let host: RunningHost;
  let key = '';

  async function answer(
    path: string,
  ): Promise<{ readonly total: number; readonly keys: readonly string[]; readonly text: string }> {
    const { status, text } = await ask(host.port, path, { 'x-api-key': key });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    const json = JSON.parse(text) as Record<string, unknown>;
    const kind =
      (Object.keys(OPERATIONS) as DataSetKind[]).find((one) => path.startsWith(OPERATIONS[one])) ?? 'WaterAllocations';
    const organizations = json['Organizations'] as Record<DataSetKind, Record<string, unknown>[]>[];
    const items = organizations.flatMap((organization) => organization[kind]);
    return { total: Number(json[`Total${kind}Count`]), keys: items.map((item) => answerKey(kind, item)), text };
  }

  async function walk(kind: DataSetKind, query: PlainQuery, size: number): Promise<readonly string[]> {
    const keys: string[] = [];
    for (;;) {
      const page = await answer(pathOf(kind, query, `StartIndex=${keys.length}&RecordCount=${size}`));
      keys.push(...page.keys);
      if (page.keys.length === 0) return keys;
    }
  }

  beforeAll(async () => {
    for (const submission of realSubmissions) {
      first.push(await load(submission));
      const read = plainRecords(submission.kind, readFolder(submission.folder));
      records[submission.kind] = [...records[submission.kind], ...read];
    }
    const { output } = await runProgram('tools/keys', ['issue', '--owner', 'Tests'], settings);
    key = output.trimEnd().split('\n').at(-1) ?? '';
    host = await startHost({ ...settings, PUBLIC_URL });
  });

  afterAll(async () => {
    await host.stop();
  });

  test.each(realSubmissions.map((submission, index) => ({ ...submission, index })))(
    '$folder is published with its counts',
    ({ index, kind, read, rejected }) => {
      expect(first[index]).toMatchObject({ code: 0, report: { verdict: 'published' } });
      const counted = first[index]?.report.files.find(
        ({ file }) => file.endsWith('amounts.csv') || file.startsWith('waterall'),
      );
      expect(counted).toMatchObject({ read, accepted: read - rejected, rejected });
      expect(first[index]?.report.dataSets).toMatchObject([{ dataSet: kind, records: read - rejected }]);
    },
  );

  test.each(['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const)(
    'every query of %s finds what a scan of the files finds',
    async (kind) => {
      const queries = queriesFor(kind, records[kind]);
      expect(queries.length).toBeGreaterThan(20);
      for (const query of queries.filter((_, index) => isSoak || index % 4 === 0)) {
        const expected = records[kind].filter((record) => plainMatches(record, query)).map(({ key }) => key);
        const { total, keys } = await answer(pathOf(kind, query, 'RecordCount=10000'));
        expect({ query, total }).toEqual({ query, total: expected.length });
        expect([...keys].sort()).toEqual([...expected].sort());
      }
    },
  );

  test.each([
    ['SiteVariableAmounts', 997],
    ['SiteVariableAmounts', 10_000],
    ['AggregatedAmounts', 1000],
    ['AggregatedAmounts', 313],
    ['WaterAllocations', 101],
    ['WaterAllocations', 1214],
  ] as const)('a walk through %s in pages of %i visits every record once', async (kind, size) => {
    const keys = await walk(kind, {}, size);
    expect(keys).toHaveLength(records[kind].length);
    expect(new Set(keys).size).toBe(keys.length);
    expect([...keys].sort()).toEqual(records[kind].map(({ key }) => key).sort());
  });

  test.each(['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const)(
    '%s as CSV and as GeoJSON, read back, is the JSON answer record by record',
    async (kind) => {
      const get = (path: string): Promise<WireAnswer> => ask(host.port, path, { 'x-api-key': key });
      const path = pathOf(kind, {}, 'RecordCount=10000');
      expect(await expectSameInAllFormats(get, kind, path)).toBe(records[kind].length);
    },
  );

  test('their catalog is one of DCAT-US 3, in which no two data sets and no two files have the same name', async () => {
    // Making the files takes seconds.
    if (isSoak) expect(await runProgram('tools/releases', ['files'], settings)).toMatchObject({ code: 0 });
    const { headers, text } = await ask(host.port, '/data.json');
    expect(headers['content-type']).toBe('application/ld+json');
    const catalog = JSON.parse(text) as { readonly dataset: readonly CatalogDataSet[] };
    const fits = new Ajv2020({ allErrors: true, strict: false }).compile(dcatSchema);
    fits(catalog);
    expect(fits.errors).toBeNull();
    const names = catalog.dataset.map(({ identifier }) => identifier.notation);
    expect(new Set(names).size).toBe(realSubmissions.length);
    const days = catalog.dataset.flatMap(({ temporal = [] }) => temporal);
    expect(days).toHaveLength(realSubmissions.length);
    for (const { startDate, endDate } of days) expect(Date.parse(startDate)).toBeLessThanOrEqual(Date.parse(endDate));
    const distributions = catalog.dataset.flatMap(({ distribution }) => distribution);
    const addresses = distributions.map(({ downloadURL, accessURL }) => new URL(downloadURL ?? accessURL).href);
    expect(new Set(addresses).size).toBe(addresses.length);
    // The service makes files by and by, so that some may be there.
    expect(addresses.length).toBeGreaterThanOrEqual((isSoak ? 4 : 1) * realSubmissions.length);
    expect(addresses.every((address) => address.startsWith(`${PUBLIC_URL}/v1/`))).toBe(true);
  });

  test('the same submissions again change nothing, and the answers keep their bytes', async () => {
    const paths = (Object.keys(OPERATIONS) as DataSetKind[]).map((kind) => pathOf(kind, {}, 'RecordCount=2000'));
    const before = await Promise.all(paths.map((path) => answer(path)));
    for (const submission of realSubmissions) {
      expect(await load(submission)).toMatchObject({ code: 0, report: { verdict: 'unchanged' } });
    }
    const after = await Promise.all(paths.map((path) => answer(path)));
    expect(after.every(({ text }, index) => text === before[index]?.text)).toBe(true);
  });
});
