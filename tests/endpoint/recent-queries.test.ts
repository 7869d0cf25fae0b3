// Queries are remembered by their text (ADR 0047): asked again they are answered as if they were asked for the first
// time.

import { createMemory } from '../../shared/http/service';
import { lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { comparableHeaders, createTestService, type Answer } from '../fixtures/test-service';

const service = createTestService();
const { key } = service;

function submission(amounts: number): Parameters<typeof service.load>[0] {
  return {
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1', StateCV: 'UT' }],
    'sitespecificamounts.csv': Array.from({ length: amounts }, (_, index) =>
      siteAmount({ ReportYearCV: 1900 + index }),
    ),
  };
}

beforeAll(() => service.load(submission(3)));

afterAll(() => service.close());

/** As a service answers that has never been asked anything. */
function askAnew(path: string, headers: Readonly<Record<string, string>>, method?: 'HEAD'): Promise<Answer> {
  return service.ask(
    { ...service.service, ...createMemory(0, Infinity) },
    path,
    { 'x-api-key': key, ...headers },
    method,
  );
}

function ask(path: string, headers: Readonly<Record<string, string>>, method?: 'HEAD'): Promise<Answer> {
  return service.ask(service.service, path, { 'x-api-key': key, ...headers }, method);
}

const questions = [
  ['', {}],
  ['?RecordCount=2', {}],
  ['?RecordCount=2&StartIndex=1', {}],
  ['?RecordCount=2&StartIndex=1', { accept: 'text/csv' }],
  ['?RecordCount=2&StartIndex=1', { accept: 'application/geo+json' }],
  ['?RecordCount=2&StartIndex=1', { accept: 'image/png' }],
  ['?RecordCount=2&StartIndex=1', { 'accept-encoding': 'gzip' }],
  ['?RecordCount=2&StartIndex=1&format=csv', {}],
  ['?SiteUUID=S1', {}],
  ['?SiteUUID=nobody', {}],
  ['?SearchBoundary=state:UT', {}],
  ['?SearchBoundary=site:nobody', {}],
  ['?RecordCount=x', {}],
  ['', { 'if-none-match': '*' }],
] as const;

async function expectSame(): Promise<void> {
  for (const [query, headers] of questions) {
    for (const method of [undefined, 'HEAD'] as const) {
      const anew = await askAnew(`${paths.site}${query}`, headers, method);
      const again = await ask(`${paths.site}${query}`, headers, method);
      expect([again.status, comparableHeaders(again)]).toEqual([anew.status, comparableHeaders(anew)]);
      // A problem names its request.
      if (again.status < 400) expect(Buffer.compare(again.bytes, anew.bytes)).toBe(0);
    }
  }
}

test('whatever was asked before, of any form, an answer is that of a service that was never asked', async () => {
  for (let time = 0; time < 3; time++) await expectSame();
});

test('after a publish the same text asks for the new data', async () => {
  const before = await ask(paths.site, {});
  await service.load(submission(4));
  const after = await ask(paths.site, {});
  expect([before.headers['X-Total-Count'], after.headers['X-Total-Count']]).toEqual(['3', '4']);
  expect((await ask(paths.site, { 'if-none-match': before.headers['ETag'] ?? '' })).status).toBe(200);
  expect((await ask(paths.site, { 'if-none-match': after.headers['ETag'] ?? '' })).status).toBe(304);
  await expectSame();
});

test('the same text asks for other data of another operation', async () => {
  expect((await ask(paths.site, {})).headers['X-Total-Count']).toBe('4');
  expect((await ask(paths.aggregated, {})).headers['X-Total-Count']).toBe('0');
});

test('no query with an access key in its text is remembered', async () => {
  const { queries } = createMemory(0, Infinity);
  const remembered: string[] = [];
  const set = queries.set.bind(queries);
  queries.set = (name, ...rest) => {
    remembered.push(name);
    set(name, ...rest);
  };
  const asked = { ...service.service, queries };
  for (const text of [`key=${key}`, `RecordCount=1&key=${key}`, 'RecordCount=1']) {
    expect((await service.ask(asked, `${paths.site}?${text}`, { 'x-api-key': key })).status).toBe(200);
  }
  expect(remembered).toHaveLength(1);
  expect(remembered.join()).not.toContain(key);
});
