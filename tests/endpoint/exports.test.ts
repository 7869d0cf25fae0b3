// GET <operation>/Export (D46): everything that a query matches in one file, with the same content as the pages of that
// query.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { HttpRequest } from '@azure/functions';
import { httpFunctions } from '../../functions/http-functions';
import { createRequestHandler } from '../../host/request-handler';
import type { HttpResponse, Service } from '../../shared/http/pipeline/service';
import { createManyAmounts, MANY_AMOUNTS } from '../fixtures/many-amounts';
import { readParquet } from '../fixtures/parquet-reading';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withOrganization } from '../fixtures/submission-changes';
import {
  createAccess,
  createTestService,
  selectComparableHeaders,
  setNoTimer,
  type TestService,
} from '../fixtures/test-service';

const SITES = '/v1/SiteVariableAmounts';
const PATHS = [SITES, '/v1/AggregatedAmounts', '/v1/SiteAllocationAmounts'];

const service = createTestService();
/** Thousands of amounts of one organization. */
const large = createTestService();
const handleRequest = createRequestHandler(httpFunctions);

beforeAll(async () => {
  await service.load(siteAmountsSubmission);
  await service.load(withOrganization('ORG_2', siteAmountsSubmission));
  await service.load(aggregatedSubmission);
  await service.load(allocationsSubmission);
  await large.load(createManyAmounts(1));
});

async function fetchCsv(path: string, from: TestService = service): Promise<string> {
  const { status, bytes } = await from.get(path);
  expect(status).toBe(200);
  return gunzipSync(bytes).toString();
}

/** Sends a request without reading the body of its answer. */
function start(path: string, testedService: Service = large.service): Promise<HttpResponse> {
  const headers = { 'x-api-key': large.key };
  const request = new HttpRequest({ method: 'GET', url: `http://localhost${path}`, headers });
  return handleRequest(request, testedService);
}

function getBodyStream({ body }: HttpResponse): Readable {
  if (!(body instanceof Readable)) throw new Error('the answer is not a stream');
  return body;
}

/** Ends the answer as if the client had disconnected. */
async function leave(answer: HttpResponse): Promise<void> {
  const body = getBodyStream(answer);
  const closed = once(body, 'close');
  body.destroy();
  await closed;
}

describe.each(PATHS)('%s', (path) => {
  test('the export as csv.gz equals the CSV of all pages', async () => {
    const { text, headers } = await service.get(`${path}?format=csv&RecordCount=10000`);
    expect(await fetchCsv(`${path}/Export?format=csv.gz`)).toBe(text);
    expect((await service.get(`${path}/Export`)).headers['X-Total-Count']).toBe(headers['X-Total-Count']);
  });

  test('follows filters and OrderBy as a page does', async () => {
    const order = path.endsWith('AllocationAmounts') ? 'OrderBy=-AllocationPriorityDate' : 'OrderBy=-Amount';
    for (const query of [order, `State=UT&${order}`, 'BeneficialUseCV=Irrigation', 'State=NY']) {
      const page = await service.get(`${path}?${query}&format=csv`);
      expect(await fetchCsv(`${path}/Export?${query}&format=csv.gz`)).toBe(page.text);
    }
  });
});

test('the export as parquet has the rows and columns of the release files', async () => {
  await service.makeFiles();
  const { json } = await service.get('/v1/Downloads');
  for (const path of PATHS) {
    const dataSet = path === '/v1/SiteAllocationAmounts' ? 'WaterAllocations' : path.slice('/v1/'.length);
    const releases = json.Downloads.filter((one: { DataSet: string }) => one.DataSet === dataSet);
    const parts = await Promise.all(
      releases.map(({ Release }: { Release: string }) =>
        readParquet(readFileSync(join(service.folder, 'data', 'downloads', Release, 'records.parquet'))),
      ),
    );
    const whole = await readParquet((await service.get(`${path}/Export?format=parquet`)).bytes);
    expect(whole.rows).toEqual(parts.flatMap(({ rows }) => rows));
    expect(whole.metadata.schema).toEqual(parts[0].metadata.schema);
  }
});

test('the metadata of a parquet export names the data, the query and the columns', async () => {
  const { bytes, headers } = await service.get(`${SITES}/Export?State=UT&OrganizationUUID=ORG_1`);
  const { values } = await readParquet(bytes);
  expect(values).toMatchObject({
    title: 'SiteVariableAmounts of Office of Water',
    dataVersion: headers['Data-Version'],
    query: 'State=UT&OrganizationUUID=ORG_1',
    records: headers['X-Total-Count'],
  });
  expect(JSON.parse(values['sources'] ?? '')).toMatchObject([{ organization: 'ORG_1', license: null }]);
  expect(JSON.parse(values['columns'] ?? '')).toMatchObject({ Amount: expect.stringContaining('AmountUnitCV') });
});

describe('the format', () => {
  test.each([
    ['', '*/*', 'application/vnd.apache.parquet', 'SiteVariableAmounts.parquet'],
    ['', 'application/gzip', 'application/gzip', 'SiteVariableAmounts.csv.gz'],
    ['?format=CSV.GZ', 'application/vnd.apache.parquet', 'application/gzip', 'SiteVariableAmounts.csv.gz'],
  ])('%s with Accept %s is %s, saved as %s', async (query, accept, type, name) => {
    const { headers } = await service.getWith(`${SITES}/Export${query}`, { accept });
    expect(headers['Content-Type']).toBe(type);
    expect(headers['Content-Disposition']).toBe(`attachment; filename="${name}"`);
    expect(headers).not.toHaveProperty('Content-Length');
    expect(headers).not.toHaveProperty('Content-Encoding');
  });

  test('refuses every other format', async () => {
    expect((await service.getWith(`${SITES}/Export`, { accept: 'text/csv' })).status).toBe(406);
    expect((await service.get(`${SITES}/Export?format=csv`)).status).toBe(400);
  });
});

test.each(['StartIndex=0', 'RecordCount=10', 'GroupBy=State', 'Sate=CO'])('refuses %s', async (query) => {
  const { status, json } = await service.get(`${SITES}/Export?${query}`);
  expect([status, json.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
});

/** The service with all export slots taken. */
const places = { acquire: () => false, release: setNoTimer };
const full = { ...service.service, exports: { ...service.service.exports, places } };

test('HEAD has the headers of GET and needs no export slot', async () => {
  const head = await service.getFrom(full, `${SITES}/Export`, { 'x-api-key': service.key }, 'HEAD');
  const read = await service.get(`${SITES}/Export`);
  expect([head.status, head.bytes.length, selectComparableHeaders(head)]).toEqual([
    200,
    0,
    selectComparableHeaders(read),
  ]);
});

test('a client that already has the export gets a 304, which needs no export slot', async () => {
  const { headers } = await service.get(`${SITES}/Export?State=UT`);
  const tag = headers['ETag'] ?? '';
  const other = { 'x-api-key': service.key, 'if-none-match': tag };
  const again = await service.getFrom(full, `${SITES}/Export?State=UT`, other);
  expect([again.status, again.headers['ETag'], again.headers['X-Total-Count']]).toEqual([
    304,
    tag,
    headers['X-Total-Count'],
  ]);
  expect(tag).toMatch(/^W\/"/);
  expect((await service.get(`${SITES}/Export?State=UT&OrderBy=Amount`, other)).status).toBe(200);
  expect((await service.get(`${SITES}/Export?State=UT&format=csv.gz`, other)).status).toBe(200);
});

test('answers from a data version that is kept, and returns a 410 for a version that is not', async () => {
  const { headers } = await service.get(SITES);
  const held = await service.get(`${SITES}/Export?DataVersion=${headers['Data-Version']}`);
  expect([held.status, held.headers['Data-Version']]).toEqual([200, headers['Data-Version']]);
  expect((await service.get(`${SITES}/Export?DataVersion=${'0'.repeat(32)}`)).status).toBe(410);
  expect((await service.get(`${SITES}/Export`, {})).status).toBe(401);
});

test('exports up to EXPORT_LIMIT records and refuses more', async () => {
  const { service: testedService, key } = large;
  const limitedTo = (maxRecords: number): Service => ({
    ...testedService,
    exports: { ...testedService.exports, maxRecords: maxRecords },
  });
  const path = `${SITES}/Export?format=csv.gz`;
  const refused = await large.getFrom(limitedTo(MANY_AMOUNTS - 1), path, { 'x-api-key': key });
  expect([refused.status, refused.json.title]).toEqual([400, 'Export too large']);
  expect(refused.json.detail).toContain(
    `matches ${MANY_AMOUNTS} records; an export may have at most ${MANY_AMOUNTS - 1}`,
  );
  expect((await large.getFrom(limitedTo(MANY_AMOUNTS), path, { 'x-api-key': key })).status).toBe(200);
});

test('an export waits for another export that is nearly finished', async () => {
  const path = `${SITES}/Export?format=csv.gz`;
  const running = [await start(path), await start(path)];
  const waiting = large.get(path);
  await Promise.all(running.map(leave));
  expect((await waiting).status).toBe(200);
});

test('refuses more than EXPORTS_AT_ONCE exports with a 503 until one finishes or its client disconnects', async () => {
  const path = `${SITES}/Export?format=csv.gz`;
  const first = await start(path);
  const second = await start(path);
  const third = await large.get(path);
  expect([third.status, third.json.title]).toEqual([503, 'Too many exports']);
  expect(third.headers['Retry-After']).toBe(String(large.service.exports.slots.estimateWait()));
  await leave(first);
  expect((await large.get(path)).status).toBe(200);
  for await (const bytes of getBodyStream(second) as AsyncIterable<Buffer>) expect(bytes.length).toBeGreaterThan(0);
  const others = await Promise.all([start(path), start(path)]);
  expect(others).toMatchObject([{ status: 200 }, { status: 200 }]);
  await Promise.all(others.map(leave));
});

test('the records of an export count against the limits of the key', async () => {
  const limited = { ...service.service, access: createAccess(service, { recordsPerMinute: 100 }) };
  const { headers } = await service.getFrom(limited, `${SITES}/Export`);
  expect(headers['RateLimit']).toContain(`"records";r=${100 - Number(headers['X-Total-Count'])}`);
});
