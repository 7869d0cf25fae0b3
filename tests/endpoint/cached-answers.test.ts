// An answer from a cache, to a query that was read before, equals one of a service that was never asked (ADR 0047).

import type { HttpMethod } from '@azure/functions';
import { createMemory } from '../../shared/http/make-service';
import { ANSWER_FORMATS } from '../../shared/query/paging-and-format';
import { paths } from '../fixtures/handmade';
import { loadedService, comparableHeaders, type Answer } from '../fixtures/test-service';
import { submissionOfState } from '../fixtures/two-states';

const service = loadedService(submissionOfState('UT', 60));
const { key, getWith: ask } = service;

function askAnew(path: string, headers: Readonly<Record<string, string>>, method?: HttpMethod): Promise<Answer> {
  const anew = { ...service.service, ...createMemory(0, Infinity) };
  return service.ask(anew, path, { 'x-api-key': key, ...headers }, method);
}

const forms = ANSWER_FORMATS.flatMap((format) =>
  ['identity', 'gzip', 'br'].map(
    (coding) => [`?format=${format}&StartIndex=3`, { 'accept-encoding': coding }] as const,
  ),
);

const questions: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ...forms,
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

test.each(questions)('%s with %j is answered each time as for the first time', async (query, headers) => {
  for (let time = 0; time < 4; time++) {
    for (const method of ['HEAD', 'GET'] as const) {
      const anew = await askAnew(`${paths.site}${query}`, headers, method);
      const again = await ask(`${paths.site}${query}`, headers, method);
      expect([again.status, comparableHeaders(again)]).toEqual([anew.status, comparableHeaders(anew)]);
      // A problem names its request.
      if (again.status < 400) expect(Buffer.compare(again.bytes, anew.bytes)).toBe(0);
    }
  }
});

test('the cache takes an answer when it is asked for the second time', async () => {
  const path = `${paths.site}?RecordCount=17`;
  const [first, second, third, fourth] = [await ask(path), await ask(path), await ask(path), await ask(path)];
  expect(second.bytes).not.toBe(first.bytes);
  expect(fourth.bytes).toBe(third.bytes);
});

test('each spelling of a query without records gets the hint for its own words', async () => {
  for (let time = 0; time < 3; time++) {
    for (const county of ['Nowhere', 'NOWHERE']) {
      expect((await ask(`${paths.site}?County=${county}`)).headers['Query-Hint']).toContain(county);
    }
  }
});

test('after a publish the answer is the new one, and the former version has its own', async () => {
  for (let time = 0; time < 3; time++) await ask(paths.site);
  const before = await ask(paths.site);
  await service.load(submissionOfState('UT', 40));
  const after = await ask(paths.site);
  expect(after.headers['X-Total-Count']).toBe('40');
  expect(after.text).not.toBe(before.text);
  const former = await ask(`${paths.site}?DataVersion=${before.headers['Data-Version'] ?? ''}`);
  expect(former.text).toBe(before.text);
});

test('the count in a tag that a client made up is in no answer but the one to it', async () => {
  const { ETag: tag = '', 'X-Total-Count': total } = (await ask(paths.site)).headers;
  const made = tag.replace(/\d+"$/, '7"');
  const known = await service.get(paths.site, { 'x-api-key': key, 'if-none-match': made });
  expect([known.status, known.headers['X-Total-Count']]).toEqual([304, '7']);
  expect((await ask(paths.site)).headers).toMatchObject({ ETag: tag, 'X-Total-Count': total });
});
