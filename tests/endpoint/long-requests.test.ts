// Long request lines: values are refused before they are folded, and the list of errors is limited.

import { operations, placesOperations } from '../../shared/query/operations';
import { siteAmountsSubmission } from '../fixtures/submission';
import { createLoadedService, requestService } from '../fixtures/test-service';

const service = createLoadedService(siteAmountsSubmission);
const { get } = service;

const MARKS = encodeURIComponent('a' + '\u0301\u0323'.repeat(20_000));

interface ListedError {
  readonly parameter: string;
  readonly message: string;
}

const filters = [...operations, ...placesOperations].flatMap(({ route, parameters }) =>
  parameters
    .filter(({ kind }) => kind === 'term' || kind === 'organization' || kind === 'owner')
    .map(({ name }) => [route, name] as const),
);

test.each(filters)('/%s refuses a long %s', async (route, name) => {
  const { status, json } = await get(`/${route}?${name}=${MARKS}`);
  expect(status).toBe(400);
  expect(json.errors.map(({ parameter }: ListedError) => parameter)).toEqual([name]);
});

test.each([
  '/v1/Find?Query=',
  '/v1/Inventory?OrganizationUUID=',
  '/v1/Sites?SearchBoundary=site:',
  '/v1/Sites?SearchBoundary=county:UT/',
  "/ogc/collections/sites/items?filter=CASEI(County)='",
  "/ogc/collections/sites/items?filter=County LIKE '",
  '/ogc/collections/sites/items?q=',
  '/ogc/collections/sites/items?County=',
])('%s refuses a long text', async (start) => {
  const end = start.includes("'") ? "'" : '';
  const { status, text } = await get(`${start}${MARKS}${end}`);
  expect(status).toBe(400);
  expect(text).toContain('must have at most 10,000 characters');
});

test('a value of 10,000 characters is accepted', async () => {
  expect((await get(`/v1/Sites?County=${'x'.repeat(10_000)}`)).status).toBe(200);
});

test('a long id is an unknown path', async () => {
  expect((await get(`/ogc/collections/sites/items/ORG_1~${MARKS}`)).status).toBe(404);
});

test.each(['/v1/Sites', '/ogc/collections/sites/items', '/v1/Find', '/v1/SiteVariableAmounts/Totals'])(
  '%s lists the first errors of many, and says how many more there are',
  async (path) => {
    const unknown = Array.from({ length: 1_500 }, (_, index) => `p${index}=`).join('&');
    const { status, json, text } = await get(`${path}?${unknown}`);
    expect(status).toBe(400);
    expect(json.errors).toHaveLength(50);
    expect(json.detail).toMatch(/^150[01] parameters are invalid; errors lists the first 50 and leaves out 145[01]\.$/);
    expect(text.length).toBeLessThan(10_000);
  },
);

const MANY_PARAMETERS = 'State=UT&'.repeat(25_000);

test.each([
  '/v1/Sites',
  '/v1/SiteVariableAmounts/Totals',
  '/v1/Downloads',
  '/ogc',
  '/ogc/collections/sites/items',
  '/ogc/collections/sites/items/ORG_1~S1',
  '/ogc/api',
  '/sitemap.xml',
  '/explore',
  '/health',
  '/',
])('%s refuses more parameters than any query needs before it decodes them', async (path) => {
  const { status, json } = await get(`${path}?${MANY_PARAMETERS}`);
  expect([path, status, json.title]).toEqual([path, 400, 'Too many parameters']);
  expect(json.detail).toContain('2,000');
});

test.each([
  ['in the body', '', MANY_PARAMETERS],
  ['in the address and the body together', 'State=UT&'.repeat(1_000), 'State=UT&'.repeat(1_001)],
  ['that are not UTF-8', '', Buffer.from('State=\xe9&'.repeat(25_000), 'latin1')],
])('the number of parameters of a query is limited %s', async (_, query, body) => {
  const headers = { 'x-api-key': service.key, 'content-type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', headers, body };
  const { status, json } = await requestService(service.service, `/v1/Sites?${query}`, request);
  expect([status, json.title]).toEqual([400, 'Too many parameters']);
});

test('fifty errors are all listed', async () => {
  const { json } = await get(`/v1/Sites?${Array.from({ length: 50 }, (_, index) => `p${index}=`).join('&')}`);
  expect(json.errors).toHaveLength(50);
  expect(json.detail).toBe('50 parameters are invalid; see errors.');
});

test.each([
  ['text', `${MARKS}${encodeURIComponent("='a'")}`],
  ['text', `${'p'.repeat(100_000)}${encodeURIComponent('(a)')}`],
  ['json', encodeURIComponent(JSON.stringify({ op: 'x'.repeat(100_000), args: [] }))],
  ['json', encodeURIComponent(JSON.stringify({ op: '=', args: [{ property: 'x'.repeat(100_000) }, 1] }))],
])('a message about a filter in cql2-%s repeats only the beginning of a long name', async (language, filter) => {
  const { status, text } = await get(`/ogc/collections/sites/items?filter-lang=cql2-${language}&filter=${filter}`);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(5_000);
});
