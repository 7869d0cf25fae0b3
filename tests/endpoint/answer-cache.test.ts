// An answer from the cache equals the answer of a service without a cache (ADR 0047).

import type { HttpMethod } from '@azure/functions';
import { createMemory } from '../../shared/http/make-service';
import { ANSWER_FORMATS } from '../../shared/query/format-parameters';
import { paths } from '../fixtures/handmade';
import { type Answer, createLoadedService, selectComparableHeaders } from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

const cached = createLoadedService(createStateSubmission('UT', 60));
const { key, getWith: askCached } = cached;

function askUncached(path: string, headers: Readonly<Record<string, string>>, method?: HttpMethod): Promise<Answer> {
  const uncachedService = { ...cached.service, ...createMemory(0, Infinity) };
  return cached.getFrom(uncachedService, path, { 'x-api-key': key, ...headers }, method);
}

const formatsAndCodings = ANSWER_FORMATS.flatMap((format) =>
  ['identity', 'gzip', 'br'].map(
    (coding) => [`?format=${format}&StartIndex=3`, { 'accept-encoding': coding }] as const,
  ),
);

const questions: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ...formatsAndCodings,
  ['?RecordCount=2', {}],
  ['?RecordCount=2&StartIndex=1', { accept: 'text/csv' }],
  ['?RecordCount=2&StartIndex=1', { accept: 'application/geo+json' }],
  ['?RecordCount=2&StartIndex=1', { accept: 'image/png' }],
  ['?SiteUUID=S1', {}],
  ['?SiteUUID=nobody', {}],
  ['?SearchBoundary=state:UT', {}],
  ['?SearchBoundary=site:nobody', {}],
  ['?RecordCount=x', {}],
  ['', { 'if-none-match': '*' }],
];

test.each(questions)('%s with %j gets the same answer every time, cached or not', async (query, headers) => {
  for (let time = 0; time < 4; time++) {
    for (const method of ['HEAD', 'GET'] as const) {
      const uncached = await askUncached(`${paths.site}${query}`, headers, method);
      const again = await askCached(`${paths.site}${query}`, headers, method);
      expect([again.status, selectComparableHeaders(again)]).toEqual([
        uncached.status,
        selectComparableHeaders(uncached),
      ]);
      // A problem contains the id of its request.
      if (again.status < 400) expect(Buffer.compare(again.bytes, uncached.bytes)).toBe(0);
    }
  }
});

test('the cache keeps an answer once it has been requested twice', async () => {
  const path = `${paths.site}?RecordCount=17`;
  const first = await askCached(path);
  const second = await askCached(path);
  const third = await askCached(path);
  const fourth = await askCached(path);
  expect(second.bytes).not.toBe(first.bytes);
  expect(fourth.bytes).toBe(third.bytes);
});

test('a query that finds nothing gets a hint about its own spelling, even if the answer is cached', async () => {
  for (let time = 0; time < 3; time++) {
    for (const county of ['Nowhere', 'NOWHERE']) {
      expect((await askCached(`${paths.site}?County=${county}`)).headers['Query-Hint']).toContain(county);
    }
  }
});

test('a publish replaces the cached answer, and the previous version keeps its own answer', async () => {
  for (let time = 0; time < 3; time++) await askCached(paths.site);
  const before = await askCached(paths.site);
  await cached.load(createStateSubmission('UT', 40));
  const after = await askCached(paths.site);
  expect(after.headers['X-Total-Count']).toBe('40');
  expect(after.text).not.toBe(before.text);
  const earlierAnswer = await askCached(`${paths.site}?DataVersion=${before.headers['Data-Version'] ?? ''}`);
  expect(earlierAnswer.text).toBe(before.text);
});

test('a total in a forged tag is repeated only to the client that sent it', async () => {
  const { ETag: tag = '', 'X-Total-Count': total } = (await askCached(paths.site)).headers;
  const made = tag.replace(/\d+"$/, '7"');
  const known = await cached.get(paths.site, { 'x-api-key': key, 'if-none-match': made });
  expect([known.status, known.headers['X-Total-Count']]).toEqual([304, '7']);
  expect((await askCached(paths.site)).headers).toMatchObject({ ETag: tag, 'X-Total-Count': total });
});

describe.each(['json', 'html'])('items as %s', (format) => {
  const items = `/ogc/collections/sites/items?f=${format}&limit=2`;
  const askThreeTimes = async (path: string): Promise<Answer> => {
    for (let time = 0; time < 2; time++) await askCached(path);
    return askCached(path);
  };

  test('are cached once they have been requested twice', async () => {
    const third = await askThreeTimes(items);
    expect((await askCached(items)).bytes).toBe(third.bytes);
  });

  test('are cached separately for each spelling of a query, because their links repeat the spelling', async () => {
    for (const parameter of ['State=UT', 'State=ut', 'state:=UT', 'filter=State%3D%27UT%27', '']) {
      for (const path of [`${items}&${parameter}`, `${items}&offset=2&${parameter}`]) {
        const uncached = await askUncached(path, {});
        const kept = await askThreeTimes(path);
        expect([path, kept.status]).toEqual([path, uncached.status]);
        if (kept.status < 400) expect(kept.text).toBe(uncached.text);
      }
    }
  });

  test('link to the current version, with and without DataVersion', async () => {
    const before = await askThreeTimes(items);
    const { 'Data-Version': version = '' } = before.headers;
    expect((await askThreeTimes(`${items}&DataVersion=${version}`)).text).toContain(`DataVersion=${version}`);
    await cached.load(createStateSubmission('CO', format === 'json' ? 10 : 11));
    const after = await askThreeTimes(items);
    expect(after.headers['Data-Version']).not.toBe(version);
    expect(after.text).toBe((await askUncached(items, {})).text);
    const earlierAnswer = await askThreeTimes(`${items}&DataVersion=${version}`);
    expect(earlierAnswer.text).toContain(`DataVersion=${version}`);
  });
});
