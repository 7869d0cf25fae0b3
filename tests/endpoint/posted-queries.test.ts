// POST for long queries (D68): the same answers as GET, with parameters in the address, in the body, or in both.

import { makeKey } from '../../shared/access/access-keys';
import { BytesInFlight } from '../../shared/http/pipeline/bytes-in-flight';
import type { Service } from '../../shared/http/pipeline/service';
import { featureCollections } from '../../shared/query/cql2/feature-collections';
import { downloads, exportOperations, find, inventory, pageOperations } from '../../shared/query/operations';
import { tileCollections } from '../../shared/query/tile-collections';
import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { type Answer, createAccess, createTestService, requestService, TEST_NOW } from '../fixtures/test-service';

const FORM = 'application/x-www-form-urlencoded';
const MEBIBYTE = 1024 * 1024;

const service = createTestService();
const year = (index: number): Record<string, string> => ({
  TimeframeStart: `${2000 + index}-01-01`,
  TimeframeEnd: `${2000 + index}-12-31`,
});
const indexes = [0, 1, 2, 3, 4, 5];

beforeAll(async () => {
  await service.load({
    ...buildLookups(),
    'sites.csv': indexes.map((index) => ({
      SiteUUID: `S${index}`,
      SiteName: 'Bear River at Büchel',
      Longitude: -111 + index / 100,
      Latitude: 40,
      StateCV: 'UT',
      County: index < 3 ? 'Cache' : 'Rich',
    })),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', StateCV: 'UT' }],
    'sitespecificamounts.csv': indexes.map((index) => siteAmount({ SiteUUID: `S${index}`, ...year(index) })),
    'aggregatedamounts.csv': indexes.map((index) => aggregatedAmount({ ...year(index) })),
    'waterallocations.csv': indexes.map((index) =>
      allocation({ AllocationNativeID: `A${index}`, SiteUUID: `S${index}` }),
    ),
  });
});

interface Posted {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly on?: Service;
  readonly method?: string;
}

function post(
  path: string,
  { body = '', headers = {}, on = service.service, method = 'POST' }: Posted = {},
): Promise<Answer> {
  const type: Record<string, string> = body.length === 0 ? {} : { 'content-type': FORM };
  return requestService(on, path, { method, headers: { 'x-api-key': service.key, ...type, ...headers }, body });
}

/** For each operation, a query that it answers with 200. */
const QUERIES: readonly (readonly [path: string, query: string])[] = [
  ...pageOperations.map(({ route, kind }): [string, string] => [`/${route}`, writeQuery(kind)]),
  ...exportOperations.map(({ route }): [string, string] => [`/${route}`, 'State=UT&format=csv.gz']),
  [`/${inventory.route}`, 'State=UT'],
  [`/${find.route}`, 'Query=Bear'],
  [`/${downloads.route}`, ''],
  ...featureCollections.map(({ id }): [string, string] => [`/ogc/collections/${id}/items`, 'limit=2&offset=1&f=json']),
  // None of these units has a shape, so a tile of them is a 204.
  ...tileCollections
    .filter(({ id }) => id !== 'reporting-units')
    .map(({ id }): [string, string] => [`/ogc/collections/${id}/tiles/WebMercatorQuad/0/0/0`, 'cluster=8&f=mvt']),
];

function writeQuery(kind: (typeof pageOperations)[number]['kind']): string {
  switch (kind) {
    case 'facets':
      return 'State=UT&Facet=State';
    case 'removed':
      return '';
    case 'totals':
      return 'State=UT&GroupBy=State';
    case 'records':
    case 'places':
      return 'State=UT&StartIndex=1&RecordCount=2';
  }
}

/** Adds the parameter Since to a query for removed records. */
async function completeQuery(path: string, query: string): Promise<string> {
  return path.endsWith('/Removed') ? `Since=${(await service.store.currentState()).version}` : query;
}

const DIFFERENT = ['ETag', 'Link', 'Cache-Control', 'X-Request-Id', 'RateLimit', 'Content-Length'];

function selectHeaders({ headers }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DIFFERENT.includes(name)));
}

/** The body without links and without the time in answers of the OGC API. */
function readBody({ text, json }: Answer): unknown {
  if (json?.type !== 'FeatureCollection') return text;
  const ofAddress = ['links', 'timeStamp'];
  return Object.entries(json as object).filter(([name]) => !ofAddress.includes(name));
}

describe.each(QUERIES)('POST %s', (path, partialQuery) => {
  let query = '';
  let got: Answer;

  beforeAll(async () => {
    query = await completeQuery(path, partialQuery);
    got = await service.get(`${path}?${query}`);
    expect(got.status).toBe(200);
  });

  test('answers as GET does, with the query in the body, in the address, or in both', async () => {
    const [first = '', ...rest] = query.split('&');
    const answers = [
      await post(path, { body: query }),
      await post(`${path}?${query}`),
      await post(`${path}?${first}`, { body: rest.join('&') }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(readBody(answer)).toEqual(readBody(got));
      expect(selectHeaders(answer)).toEqual(selectHeaders(got));
    }
  });

  test('has no ETag, no Link, no links in the body, and Cache-Control: no-store', async () => {
    const { headers, json } = await post(path, { body: query });
    expect(headers).not.toHaveProperty('ETag');
    expect(headers).not.toHaveProperty('Link');
    expect(headers['Cache-Control']).toBe('no-store');
    expect(json ?? {}).not.toHaveProperty('links');
  });

  test('ignores conditional headers', async () => {
    const { ETag: tag = '', 'Last-Modified': modified = new Date().toUTCString() } = got.headers;
    const conditions = [
      { 'if-none-match': tag },
      { 'if-none-match': '*' },
      { 'if-match': '"another"' },
      { 'if-modified-since': modified },
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    ];
    for (const headers of conditions) expect((await post(path, { body: query, headers })).status).toBe(200);
  });

  test('refuses with 401, 413, 415 and 400, in this order', async () => {
    const large = 'x'.repeat(MEBIBYTE + 1);
    const plain = { 'content-type': 'text/plain' };
    const noKey = { 'x-api-key': 'wdk_unknown' };
    const keyless = { ...plain, ...noKey };
    expect((await post(`${path}?nonsense=1`, { body: large, headers: keyless })).status).toBe(401);
    expect((await post(`${path}?nonsense=1`, { body: large, headers: plain })).status).toBe(413);
    expect((await post(`${path}?nonsense=1`, { body: 'x=1', headers: plain })).status).toBe(415);
    expect((await post(`${path}?nonsense=1`, { body: 'x=1' })).status).toBe(400);
  });

  test('refuses a key in the body as an unknown parameter, without repeating it', async () => {
    const answer = await post(path, { body: `${query}&Key=wdk_secret` });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toEqual([
      { parameter: 'Key', message: expect.stringContaining('is not a parameter'), value: '' },
    ]);
    expect(answer.text).not.toContain('secret');
  });

  test('accepts a key in the address but not in the body', async () => {
    const headers = { 'x-api-key': '' };
    const byAddress = await post(`${path}?key=${service.key}`, { body: query, headers });
    expect(byAddress.status).toBe(200);
    expect((await post(path, { body: `${query}&key=${service.key}`, headers })).status).toBe(401);
  });

  test('is allowed in a preflight and in the header Allow', async () => {
    const preflight = await post(path, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['Access-Control-Allow-Methods']).toBe('GET, HEAD, POST, OPTIONS');
    expect(preflight.headers['Access-Control-Allow-Headers']).toMatch(/\*|Content-Type/);
    const put = await post(path, { method: 'PUT' });
    expect([put.status, put.headers['Allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});

test.each([
  '/v1/Downloads/0123456789abcdef0123456789abcdef/records.parquet',
  '/health',
  '/openapi.json',
  '/',
  '/docs',
  '/data.json',
  '/ogc',
  '/ogc/collections',
  '/ogc/collections/sites',
  '/ogc/collections/sites/queryables',
  '/ogc/collections/sites/items/ORG_1~S1',
  '/ogc/collections/sites/tiles/WebMercatorQuad',
])('POST %s is not allowed', async (path) => {
  const { status, headers } = await post(path, { body: 'State=UT' });
  expect([status, headers['Allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

describe('a body', () => {
  const RICH = 3;

  async function count(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<number | undefined> {
    const answer = await post(paths.site, { body, headers });
    return answer.status === 200 ? Number(answer.headers['X-Total-Count']) : -answer.status;
  }

  test.each([FORM, `${FORM}; charset=UTF-8`, `${FORM.toUpperCase()};charset="utf-8"`, ` ${FORM} ; boundary=x`])(
    'of the type "%s" is read',
    async (type) => {
      expect(await count('County=Rich', { 'content-type': type })).toBe(RICH);
    },
  );

  test.each(['', 'application/json', 'multipart/form-data; boundary=x', `${FORM}; charset=iso-8859-1`, `${FORM}x`])(
    'of the type "%s" is refused',
    async (type) => {
      const { status, headers, json } = await post(paths.site, {
        body: 'County=Rich',
        headers: { 'content-type': type },
      });
      expect([status, headers['Content-Type'], json.status]).toEqual([415, 'application/problem+json', 415]);
    },
  );

  test('that is compressed is refused', async () => {
    expect(await count('County=Rich', { 'content-encoding': 'gzip' })).toBe(-415);
    expect(await count('County=Rich', { 'content-encoding': 'identity' })).toBe(RICH);
  });

  test.each<Record<string, string>>([{}, { 'content-type': FORM }, { 'content-type': 'text/plain;charset=UTF-8' }])(
    'that is empty is accepted (%j)',
    async (headers) => {
      expect(await count('', headers)).toBe(indexes.length);
    },
  );

  test('may contain UTF-8 with and without escapes, plus signs and a trailing line break', async () => {
    for (const body of ['SiteUUID=S1\n', 'SiteUUID=S1\r\n', '&SiteUUID=%53%31&', ' siteuuid =S1']) {
      expect([body, await count(body)]).toEqual([body, 1]);
    }
    for (const body of ['Query=B%C3%BCchel', 'Query=Büchel', 'Query=Bear+River+at+Büchel']) {
      const { json } = await post('/v1/Find', { body });
      expect(json.TotalFoundCount).toBeGreaterThan(0);
    }
  });

  test('with bytes that are not UTF-8 is refused with the name of the parameter', async () => {
    const { status, json } = await post(paths.site, { body: Buffer.from('County=B\xfcchel', 'latin1') });
    expect([status, json.errors.map((error: { readonly parameter: string }) => error.parameter)]).toEqual([
      400,
      ['County'],
    ]);
  });

  test('of exactly 1 MiB is accepted, and one more byte is refused', async () => {
    const filled = (bytes: number): string => `County=Rich${'&'.repeat(bytes - 'County=Rich'.length)}`;
    expect(await count(filled(MEBIBYTE))).toBe(RICH);
    expect(await count(filled(MEBIBYTE + 1))).toBe(-413);
    expect(await count('', { 'content-length': String(MEBIBYTE + 1) })).toBe(-413);
  });

  test('with too many parameters is refused', async () => {
    const body = Array.from({ length: 120_000 }, (_, index) => `p${index}=1`).join('&');
    const { status, json } = await post(paths.site, { body: body.slice(0, MEBIBYTE) });
    expect([status, json.title]).toEqual([400, 'Too many parameters']);
  });

  test('is refused if there is no memory for it', async () => {
    const bytesInFlight = new BytesInFlight(MEBIBYTE);
    bytesInFlight.reserve().resize(MEBIBYTE);
    const full: Service = { ...service.service, bytesInFlight };
    const headers = { 'content-length': String(MEBIBYTE) };
    expect((await post(paths.site, { body: 'County=Rich', headers, on: full })).status).toBe(503);
  });

  test('leaves no memory reserved, whatever the answer', async () => {
    const { bytesInFlight } = service.service;
    const before = bytesInFlight.current;
    await post(paths.site, { body: 'County=Rich' });
    await post(paths.site, { body: 'Nonsense=1' });
    await post(paths.site, { body: 'x', headers: { 'content-type': 'text/plain' } });
    await post(paths.site, { body: 'x'.repeat(MEBIBYTE + 1) });
    expect(bytesInFlight.current).toBe(before);
  });
});

describe('parameters in the address and in the body', () => {
  test('that take a single value may occur only once in address and body together', async () => {
    const { status, json } = await post(`${paths.site}?RecordCount=1`, { body: 'RecordCount=1' });
    expect([status, json.errors]).toEqual([
      400,
      [{ parameter: 'RecordCount', message: 'may be sent only once', value: '1 and 1' }],
    ]);
    const items = await post('/ogc/collections/sites/items?limit=1', { body: 'limit=1' });
    expect(items.status).toBe(400);
  });

  test('that take several values are combined', async () => {
    const { headers } = await post(`${paths.site}?County=Rich`, { body: 'County=Cache' });
    expect(headers['X-Total-Count']).toBe(String(indexes.length));
    const list = (from: number): string =>
      Array.from({ length: 60 }, (_, index) => `SiteUUID=S${from + index}`).join('&');
    const { status, json } = await post(`${paths.site}?${list(0)}`, { body: list(60) });
    expect([status, json.errors.length, json.errors[0].parameter]).toEqual([400, 1, 'SiteUUID']);
  });
});

test('paging with StartIndex and DataVersion returns every record once', async () => {
  const ids: string[] = [];
  let version = '';
  for (let start = 0; start < indexes.length; start += 2) {
    const walk = version === '' ? '' : `&DataVersion=${version}`;
    const { headers, json } = await post('/v1/Sites', { body: `State=UT&RecordCount=2&StartIndex=${start}${walk}` });
    version = headers['Data-Version'] ?? '';
    for (const { Sites } of json.Organizations) ids.push(...Sites.map((site: { SiteUUID: string }) => site.SiteUUID));
  }
  expect(ids.toSorted()).toEqual(indexes.map((index) => `S${index}`));
});

/** A circle around the sites with the maximum number of positions of a boundary, at full precision. */
function writeCircle(positions: number): string {
  const ring = Array.from({ length: positions - 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / (positions - 1);
    return [-111 + Math.cos(angle) / 40, 40 + Math.sin(angle) / 40];
  });
  return JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
}

test.each([
  ['/v1/SiteVariableAmounts', 'SearchBoundary', ''],
  ['/v1/SiteVariableAmounts/Totals', 'SearchBoundary', ''],
  ['/v1/SiteVariableAmounts/Export', 'SearchBoundary', 'format=csv.gz'],
  ['/v1/Sites', 'SearchBoundary', ''],
])('%s takes a boundary of 5,000 positions', async (path, name, rest) => {
  const body = `${name}=${encodeURIComponent(writeCircle(5000))}&${rest}`;
  expect(body.length).toBeGreaterThan(200 * 1024);
  const { status, headers } = await post(path, { body });
  expect([status, headers['X-Total-Count']]).toEqual([200, path.endsWith('Totals') ? '1' : '3']);
});

test.each([
  ['sites', 'SearchBoundary'],
  ['allocations', 'SearchGeometry'],
])('tiles of %s take a boundary of 5,000 positions', async (collection, name) => {
  const path = `/ogc/collections/${collection}/tiles/WebMercatorQuad/0/0/0`;
  const { status, headers } = await post(path, { body: `${name}=${encodeURIComponent(writeCircle(5000))}` });
  expect([status, headers['X-Total-Count']]).toEqual([200, '3']);
  const elsewhere = await post(path, { body: `${name}=bbox:0,0,1,1` });
  expect([elsewhere.status, elsewhere.headers['X-Total-Count']]).toEqual([204, '0']);
});

test('items take a filter with a boundary of 5,000 positions', async () => {
  const ring = (JSON.parse(writeCircle(5000)) as { coordinates: [number, number][][] }).coordinates[0] ?? [];
  const filter = `S_INTERSECTS(geometry, POLYGON((${ring.map((position) => position.join(' ')).join(', ')})))`;
  const body = `filter-lang=cql2-text&filter=${encodeURIComponent(filter)}`;
  const { status, json } = await post('/ogc/collections/sites/items', { body });
  expect([status, json.numberMatched]).toEqual([200, 3]);
});

test('items answer a POST with a page that has no links to other pages', async () => {
  const { status, headers, text } = await post('/ogc/collections/sites/items', { body: 'f=html&limit=2' });
  expect([status, headers['Content-Type']?.split(';')[0]]).toEqual([200, 'text/html']);
  expect(text).not.toMatch(/offset=|DataVersion=/);
});

test('items answer a POST without a key from the keyless allowance, as for GET', async () => {
  const access = createAccess(service, { perHour: 1 });
  const on: Service = { ...service.service, access };
  const headers = { 'x-api-key': '' };
  expect((await post('/ogc/collections/sites/items', { body: 'limit=1', headers, on })).status).toBe(200);
  expect((await post('/ogc/collections/sites/items', { body: 'limit=1', headers, on })).status).not.toBe(200);
});

test('a POST counts against the limits of the key, and so do its records', async () => {
  const { key, record } = makeKey('posting', '2025-01-01T00:00:00.000Z', null, {
    requestsPerMinute: 3,
    recordsPerMinute: 100,
  });
  await service.store.keys.add(record);
  const uses: { readonly keyId: string; readonly requests: number; readonly records: number }[] = [];
  const write = (written: typeof uses): Promise<void> => Promise.resolve(void uses.push(...written));
  const on: Service = {
    ...service.service,
    access: createAccess(service, { write: (written) => write([...written]) }),
    now: () => TEST_NOW,
  };
  const headers = { 'x-api-key': key };
  const first = await post(paths.site, { body: 'RecordCount=2', headers, on });
  expect(first.headers['RateLimit']).toMatch(/"requests";r=2;.*"records";r=98;/);
  // A request with a refused body also counts.
  expect((await post(paths.site, { body: 'x', headers: { ...headers, 'content-type': 'a/b' }, on })).status).toBe(415);
  expect((await post(paths.site, { body: 'State=Nowhere', headers, on })).status).toBe(400);
  expect((await post(paths.site, { headers, on })).status).toBe(429);
  await on.access.usage.flush();
  expect(uses).toEqual([expect.objectContaining({ keyId: record.id, requests: 3, records: 2 })]);
});
