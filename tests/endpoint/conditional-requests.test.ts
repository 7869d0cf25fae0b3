// Conditional requests: ETag, If-None-Match, If-Match and Last-Modified (ADR 0032).

import { rollBack, withdraw } from '../../data-loaders/manage-releases';
import { ANSWER_FORMAT } from '../../shared/http/pipeline/conditional-requests';
import { ANSWER_FORMATS } from '../../shared/query/format-parameters';
import { digestContent } from '../../shared/values/digest';
import { paths } from '../fixtures/handmade';
import {
  type Answer,
  createTestService,
  selectComparableHeaders,
  TEST_NOW,
  type TestService,
} from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

const service = createTestService();
const second = createTestService();
const modified = createTestService();
const ask = service.getWith;

beforeAll(async () => {
  for (const one of [service, second, modified]) {
    await one.load(createStateSubmission('UT', 5));
    await one.load(createStateSubmission('CO', 3));
  }
});

async function fetchTag(path: string, from: TestService = service): Promise<string> {
  const { status, headers, text } = await from.get(path);
  if (status !== 200) throw new Error(text);
  expect(headers['ETag']).toMatch(/^"[^"]+"$/);
  return headers['ETag'] ?? '';
}

test.each(Object.values(paths))(
  '%s sends a client that already has the answer a 304 with the headers that a cache updates',
  async (path) => {
    const url = `${path}?State=UT&RecordCount=2`;
    const whole = await ask(url);
    const again = await ask(url, { 'if-none-match': `"other", W/${whole.headers['ETag'] ?? ''}` });
    expect(again).toMatchObject({ status: 304, text: '' });
    const renewed = Object.entries(selectComparableHeaders(whole)).filter(
      ([name]) => !/^Content-(?!Security)/.test(name),
    );
    expect(selectComparableHeaders(again)).toEqual(Object.fromEntries(renewed));
    expect(again.headers['Cache-Control']).toBe('private, no-cache');
    expect(again.headers['Vary']).toBe('Accept, Accept-Encoding, Origin');
    expect(again.headers['Data-Version']).toMatch(/^[0-9a-f]{32}$/);
    expect(again.headers['Link']).toContain('rel="next"');
  },
);

const whole = `${paths.site}?State=UT&County=County+of+UT&StartDate=2000-01-01&RecordCount=2`;

test.each([
  ['the order of the parameters', '?RecordCount=2&StartDate=2000-01-01&County=County+of+UT&State=UT'],
  ['the case of parameter names', '?STATE=UT&county=County+of+UT&startdate=2000-01-01&recordcount=2'],
  ['the case and the white space of values', '?State=ut&County=+county++OF+ut&StartDate=2000-01-01&RecordCount=2'],
  ['the notation of a date', '?State=UT&County=County+of+UT&StartDate=1/1/2000&RecordCount=2'],
  ['a repeated value', '?State=UT&State=UT&County=County+of+UT&StartDate=2000-01-01&RecordCount=2'],
  ['a default value', '?State=UT&County=County+of+UT&StartDate=2000-01-01&RecordCount=2&StartIndex=0&EndDate='],
])('%s does not change the tag', async (_, query) => {
  expect(await fetchTag(paths.site + query)).toBe(await fetchTag(whole));
});

test.each([
  ['another page', whole.replace('RecordCount=2', 'RecordCount=3')],
  ['a later page', `${whole}&StartIndex=1`],
  ['another filter', whole.replace('State=UT', 'State=CO')],
  ['another date range', whole.replace('2000-01-01', '2000-01-02')],
  ['a boundary', `${whole}&SearchBoundary=POINT(-111+40)`],
  ['another operation', whole.replace(paths.site, paths.allocations).replace('StartDate', 'StartPriorityDate')],
])('%s has a different tag', async (_, path) => {
  expect(await fetchTag(path)).not.toBe(await fetchTag(whole));
});

test('the tag does not depend on the key', async () => {
  const { headers } = await service.get(`${whole}&key=${service.key}`, {});
  expect(headers['ETag']).toBe(await fetchTag(whole));
});

test('if the bytes of answers change, raise ANSWER_FORMAT and update the digest here', async () => {
  const urls = Object.values(paths).flatMap((path) => ANSWER_FORMATS.map((format) => `${path}?format=${format}`));
  const texts = await Promise.all(urls.map(async (url) => (await ask(url)).text));
  expect([ANSWER_FORMAT, digestContent(texts.join(''))]).toEqual([4, 'c70c9d41ca9178e3dbfcca47f7c31ade']);
});

describe('a publish', () => {
  const urls = {
    utah: `${paths.site}?State=UT`,
    county: `${paths.site}?County=county+of+ut`,
    years: `${paths.site}?StartDate=2004-01-01`,
    all: paths.site,
    other: `${paths.aggregated}?State=UT`,
  };

  test('of one state changes only the tags of answers about that state and about all states', async () => {
    const before = await Promise.all(Object.values(urls).map((url) => fetchTag(url, second)));
    const versionBefore = (await second.get(urls.utah)).headers['Data-Version'];
    await second.load(createStateSubmission('CO', 4));
    const after = await Promise.all(Object.values(urls).map((url) => fetchTag(url, second)));
    expect(after.map((tag, index) => tag === before[index])).toEqual([true, true, true, false, true]);
    expect(await fetchTag(`${paths.site}?State=CO`, second)).not.toBe(before[0]);

    const again = await second.getWith(urls.utah, { 'if-none-match': before[0] ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers['Data-Version']).not.toBe(versionBefore);
    expect(again.headers['Data-Version']).toBe((await second.store.currentState()).version);
  });

  test('that is rolled back restores the previous tags', async () => {
    const before = await fetchTag(urls.all, second);
    await second.load(createStateSubmission('CO', 6));
    expect(await fetchTag(urls.all, second)).not.toBe(before);
    const name = { organizationUuid: 'ORG_CO', dataSet: 'SiteVariableAmounts' } as const;
    await rollBack(second.store, name, TEST_NOW.toISOString());
    expect(await fetchTag(urls.all, second)).toBe(before);
  });
});

describe('If-Match', () => {
  test.each<[string, number, (tag: string) => string]>([
    ['the tag', 200, (tag) => tag],
    ['the tag among others', 200, (tag) => `"other", ${tag}`],
    ['any tag', 200, () => '*'],
    ['another tag', 412, () => '"other"'],
    ['the tag as a weak tag', 412, (tag) => `W/${tag}`],
    ['something that is not a tag', 412, () => 'other'],
  ])('with %s gives %d', async (_, status, header) => {
    const answer = await ask(whole, { 'if-match': header(await fetchTag(whole)) });
    expect(answer.status).toBe(status);
    if (status === 412) expect(JSON.parse(answer.text)).toMatchObject({ title: 'Precondition failed' });
  });

  test('is checked before If-None-Match, and after every other reason to refuse a request', async () => {
    const other = { 'if-match': '"other"' };
    expect(await ask(whole, { ...other, 'if-none-match': await fetchTag(whole) })).toMatchObject({ status: 412 });
    expect(await ask(whole, other, 'HEAD')).toMatchObject({ status: 412, text: '' });
    expect(await ask(`${whole}&StartIndex=x`, other)).toMatchObject({ status: 400 });
    expect(await service.get(whole, other)).toMatchObject({ status: 401 });
  });

  test('If-Unmodified-Since counts only without If-Match, and only if it is a date', async () => {
    const { headers } = await ask(whole);
    const before = new Date(TEST_NOW.getTime() - 1000).toUTCString();
    const sent = headers['Last-Modified'] ?? '';
    expect(await ask(whole, { 'if-unmodified-since': sent })).toMatchObject({ status: 200 });
    expect(await ask(whole, { 'if-unmodified-since': before })).toMatchObject({ status: 412 });
    expect(await ask(whole, { 'if-unmodified-since': before, 'if-match': '*' })).toMatchObject({ status: 200 });
    expect(await ask(whole, { 'if-unmodified-since': '1990-01-01' })).toMatchObject({ status: 200 });
  });
});

describe('Last-Modified', () => {
  const name = { organizationUuid: 'ORG_CO', dataSet: 'SiteVariableAmounts' } as const;
  const at = (seconds: number): Date => new Date(TEST_NOW.getTime() + seconds * 1000);
  const serviceAt = (seconds: number): TestService['service'] => ({ ...modified.service, now: () => at(seconds) });
  const get = (path: string, seconds: number, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    modified.getFrom(serviceAt(seconds), path, { 'x-api-key': modified.key, ...headers });
  const lastModifiedOf = async (path: string, seconds: number): Promise<string | undefined> =>
    (await get(path, seconds)).headers['Last-Modified'];
  const utah = `${paths.site}?State=UT`;

  test('is the time at which the data version became current, after that second has passed', async () => {
    const earlierVersion = (await get(utah, 50)).headers['Data-Version'] ?? '';
    await modified.load(createStateSubmission('CO', 4), { now: () => at(100.25) });
    expect(await lastModifiedOf(paths.site, 101)).toBe(at(101).toUTCString());
    expect(await lastModifiedOf(paths.site, 100.9)).toBeUndefined();
    expect(await lastModifiedOf(utah, 101)).toBe(at(101).toUTCString());
    expect(await lastModifiedOf(`${utah}&DataVersion=${earlierVersion}`, 101)).toBe(TEST_NOW.toUTCString());
  });

  test.each([
    ['of all states', paths.site],
    ['of a state that did not publish last', utah],
    ['with no records', `${paths.site}?State=NM`],
    ['as GeoJSON', '/ogc/collections/sites/items'],
    ['as a tile', '/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0'],
  ])('an answer %s is a 304 when its Last-Modified comes back as If-Modified-Since', async (_, path) => {
    const { 'Last-Modified': sent = '', ...whole } = (await get(path, 150)).headers;
    const again = await get(path, 200, { 'if-modified-since': sent });
    expect(again).toMatchObject({ status: 304, text: '' });
    for (const name of ['ETag', 'X-Total-Count']) expect([name, again.headers[name]]).toEqual([name, whole[name]]);
  });

  test('If-Modified-Since gives 304 until the next publish or rollback', async () => {
    const since = { 'if-modified-since': at(101).toUTCString() };
    expect(await get(paths.site, 200, since)).toMatchObject({ status: 304, text: '' });
    expect((await get(paths.site, 200, since)).headers['ETag']).toBe(await fetchTag(paths.site, modified));
    expect(await get(paths.site, 200, { 'if-modified-since': at(100).toUTCString() })).toMatchObject({ status: 200 });
    await rollBack(modified.store, name, at(300.5).toISOString());
    expect(await get(paths.site, 400, since)).toMatchObject({ status: 200 });
    await withdraw(modified.store, name, at(500.5).toISOString());
    expect(await get(paths.site, 600, { 'if-modified-since': at(500).toUTCString() })).toMatchObject({ status: 200 });
    expect(await get(paths.site, 600, { 'if-modified-since': at(501).toUTCString() })).toMatchObject({ status: 304 });
  });

  test('If-None-Match wins over If-Modified-Since, and "*" matches any answer', async () => {
    const since = { 'if-modified-since': at(1000).toUTCString() };
    expect(await get(paths.site, 2000, { ...since, 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    expect(await get(paths.site, 2000, { 'if-none-match': '*' })).toMatchObject({ status: 304 });
  });
});
