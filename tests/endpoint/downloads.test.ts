// The files of releases: their list and their bytes (D44, D45).

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { rollBack } from '../../data-loaders/manage-releases';
import { createDownloadServices, DOWNLOADS_PATH } from '../fixtures/download-services';
import { readParquet } from '../fixtures/parquet-reading';
import { siteAmountsSubmission } from '../fixtures/submission';
import { getRows, withCells, withRows } from '../fixtures/submission-changes';
import { TEST_NOW } from '../fixtures/test-service';

const { newService, service } = createDownloadServices();
const get = service.getWith;

/** The CSV file of site amounts. */
let file: { readonly path: string; readonly sha256: string; readonly content: Buffer };

beforeAll(async () => {
  const { json } = await get(DOWNLOADS_PATH);
  const { Path: path, SHA256: sha256 } = json.Downloads[1].Files[2];
  file = { path, sha256, content: Buffer.from((await get(path)).bytes) };
});

describe('the list of downloads', () => {
  test('has each current release, with the lengths and digests of its files', async () => {
    const { status, headers, json } = await get(DOWNLOADS_PATH);
    expect([status, json.TotalDownloadsCount, headers['Content-Type']]).toEqual([200, 2, 'application/json']);
    expect(Object.keys(json.Downloads[0])).toEqual([
      'OrganizationUUID',
      'DataSet',
      'Release',
      'Records',
      'Files',
      'Pending',
    ]);
    for (const { Files, Pending, Release } of json.Downloads) {
      expect(Pending).toBe(false);
      const names = Files.map(({ Name }: { readonly Name: string }) => Name);
      expect(names).toEqual(['records.parquet', 'places.parquet', 'records.csv.gz', 'things.jsonl.gz']);
      for (const { Name, MediaType, Bytes, SHA256, Path } of Files) {
        const answer = await get(Path);
        expect([answer.status, answer.headers['Content-Type'], answer.bytes.length]).toEqual([200, MediaType, Bytes]);
        expect(createHash('sha256').update(answer.bytes).digest('hex')).toBe(SHA256);
        expect(Path).toBe(`/v1/Downloads/${Release}/${Name}`);
      }
    }
  });

  test('saves each file under a name that contains the organization, the data set and the release', async () => {
    const { json } = await get(DOWNLOADS_PATH);
    const names: string[] = [];
    for (const { Files, Release, DataSet } of json.Downloads) {
      const dataSet = DataSet === 'SiteVariableAmounts' ? 'amounts-at-sites' : 'aggregated-amounts';
      for (const { Name, Path } of Files) {
        const { headers } = await get(Path);
        const name = /^attachment; filename="([a-z0-9.-]+)"$/.exec(headers['Content-Disposition'] ?? '')?.[1] ?? '';
        expect(name.endsWith(`-${dataSet}-${Release.slice(0, 8)}-${Name}`)).toBe(true);
        names.push(name);
      }
    }
    expect(new Set(names).size).toBe(8);
  });

  test('says that files are pending until they exist', async () => {
    const pending = newService();
    await pending.load(siteAmountsSubmission);
    const [before] = (await pending.get(DOWNLOADS_PATH)).json.Downloads;
    expect(before).toMatchObject({ Files: [], Pending: true, Records: 6 });
    const path = `${DOWNLOADS_PATH}/${before.Release}/records.parquet`;
    expect(await pending.get(path)).toMatchObject({ status: 404, json: { title: 'File not made yet' } });
    await pending.makeFiles();
    expect((await pending.get(DOWNLOADS_PATH)).json.Downloads).toMatchObject([{ Pending: false }]);
    expect((await pending.get(path)).status).toBe(200);
  });
});

describe('a download', () => {
  test('is sent as a whole and marked as immutable', async () => {
    const { headers, bytes } = await get(file.path);
    expect(headers).toMatchObject({
      ETag: `"${file.sha256}"`,
      'Accept-Ranges': 'bytes',
      'Content-Length': String(bytes.length),
      'Cache-Control': expect.stringMatching(/^private, immutable/),
    });
    expect(headers['Content-Encoding']).toBeUndefined();
    expect(gunzipSync(bytes).toString()).toBe((await get('/v1/SiteVariableAmounts?format=csv')).text);
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-5', 5, 6],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=3-99999999', 3, undefined],
    ['bytes=-99999999', 0, undefined],
  ])('is sent in part (206) for Range: %s', async (range, start, end) => {
    const { content } = file;
    const expected = content.subarray(start, end);
    const { status, headers, bytes } = await get(file.path, { range });
    expect([status, Buffer.from(bytes).equals(expected)]).toEqual([206, true]);
    const first = start < 0 ? content.length + start : start;
    expect(headers['Content-Range']).toBe(`bytes ${first}-${first + expected.length - 1}/${content.length}`);
    expect(headers['Content-Length']).toBe(String(expected.length));
  });

  test.each(['bytes=99999999-', 'bytes=-0'])('is refused (416) for Range: %s', async (range) => {
    const { status, headers } = await get(file.path, { range });
    expect([status, headers['Content-Range']]).toEqual([416, `bytes */${file.content.length}`]);
  });

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'records=0-1', 'bytes=-', 'bytes=x-'])(
    'is sent as a whole (200) for Range: %s',
    async (range) => {
      const { status, bytes } = await get(file.path, { range });
      expect([status, bytes.length]).toEqual([200, file.content.length]);
    },
  );

  test('is sent in part with If-Range only while its tag matches', async () => {
    const range = 'bytes=0-3';
    expect((await get(file.path, { range, 'if-range': `"${file.sha256}"` })).status).toBe(206);
    expect((await get(file.path, { range, 'if-range': '"other"' })).status).toBe(200);
    expect((await get(file.path, { range, 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' })).status).toBe(200);
  });

  test('is a 304 for a client that already has it', async () => {
    const { status, bytes } = await get(file.path, { 'if-none-match': `"${file.sha256}"`, range: 'bytes=0-3' });
    expect([status, bytes.length]).toEqual([304, 0]);
  });

  test.each([
    ['/v1/Downloads/x/records.parquet', 404],
    [`/v1/Downloads/${'0'.repeat(32)}/records.txt`, 404],
    [`/v1/Downloads/${'0'.repeat(32)}/files.json`, 404],
    [`/v1/Downloads/${'0'.repeat(32)}/..%2Fcatalog.sqlite`, 404],
    [`/v1/Downloads/${'0'.repeat(32)}`, 404],
    [`/v1/Downloads/${'0'.repeat(32)}/records.parquet`, 410],
  ])('%s is %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
    if (status === 404) expect((await service.get(path, {})).status).toBe(404);
  });

  test('of a previous release exists as long as that release is kept', async () => {
    const changing = newService();
    await changing.load(siteAmountsSubmission);
    await changing.makeFiles();
    const [first] = (await changing.get(DOWNLOADS_PATH)).json.Downloads;
    await changing.load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: '7' }));
    const path = `${DOWNLOADS_PATH}/${first.Release}/records.csv.gz`;
    expect((await changing.get(path)).status).toBe(200);
    const name = { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' } as const;
    await rollBack(changing.store, name, TEST_NOW.toISOString());
    expect((await changing.get(DOWNLOADS_PATH)).json.Downloads).toEqual([first]);
  });
});

test('applying the removals and changes to the previous file gives the new file', async () => {
  const changing = newService();
  const of = async (): Promise<{ readonly version: string; readonly rows: ReadonlyMap<unknown, object> }> => {
    await changing.makeFiles();
    const { headers, json } = await changing.get(DOWNLOADS_PATH);
    const { bytes } = await changing.get(json.Downloads[0].Files[0].Path);
    return { version: headers['Data-Version'] ?? '', rows: byKey((await readParquet(bytes)).rows) };
  };
  const file = 'sitespecificamounts.csv';
  await changing.load(siteAmountsSubmission);
  const earlier = await of();
  const rows = getRows(siteAmountsSubmission, file);
  const later = [...rows.slice(1), { ...rows[0], TimeframeStart: '1999-01-01' }];
  await changing.load(withCells(withRows(siteAmountsSubmission, file, later), file, 0, { Amount: '7.5' }));
  const exported = await changing.get(`/v1/SiteVariableAmounts/Export?format=parquet&ChangedSince=${earlier.version}`);
  const changed = byKey((await readParquet(exported.bytes)).rows);
  const { json } = await changing.get(`/v1/SiteVariableAmounts/Removed?Since=${earlier.version}`);
  expect([changed.size, json.TotalRemovedCount]).toEqual([2, 1]);
  const names = Object.keys(json.Removed[0].Key);
  const gone = JSON.stringify(names.map((name) => plain(json.Removed[0].Key[name])));
  const stays = [...earlier.rows].filter(
    ([, row]) => JSON.stringify(names.map((name) => plain((row as Record<string, unknown>)[name]))) !== gone,
  );
  expect(stays).toHaveLength(earlier.rows.size - 1);
  expect(new Map([...stays, ...changed])).toEqual((await of()).rows);
});

function byKey(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<unknown, object> {
  return new Map(rows.map((row) => [row['Key'], row]));
}

/** A member of a key in the same form for files and answers. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? Object.values(item)[0] : item));
  return value ?? null;
}
