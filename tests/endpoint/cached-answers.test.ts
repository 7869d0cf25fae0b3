// An answer from the cache equals one that is made anew (ADR 0047).

import type { HttpMethod } from '@azure/functions';
import { createMemory } from '../../shared/http/service';
import { ANSWER_FORMATS } from '../../shared/query/paging-and-format';
import { paths } from '../fixtures/handmade';
import { comparableHeaders, createTestService, type Answer } from '../fixtures/test-service';
import { submissionOfState } from '../fixtures/two-states';

const service = createTestService();
const withoutCache = { ...service.service, ...createMemory(0, Infinity) };

beforeAll(() => service.load(submissionOfState('UT', 60)));

afterAll(() => service.close());

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: HttpMethod = 'GET',
): Promise<Answer> {
  return service.get(path, { 'x-api-key': service.key, ...headers }, method);
}

const seen = (answer: Answer): unknown => [answer.status, comparableHeaders(answer), answer.text];

const forms = ANSWER_FORMATS.flatMap((format) => ['identity', 'gzip', 'br'].map((coding) => [format, coding]));

test.each(forms)('%s in %s is the same each time, and when it is made anew', async (format, coding) => {
  const path = `${paths.site}?format=${format}&StartIndex=3`;
  const headers = { 'accept-encoding': coding };
  const answers: Answer[] = [];
  for (let time = 0; time < 4; time++) answers.push(await ask(path, headers));
  const [first, second, third, fourth] = answers as [Answer, Answer, Answer, Answer];
  const made = await service.ask(withoutCache, path, { 'x-api-key': service.key, ...headers });
  for (const answer of [...answers, made]) expect(seen(answer)).toEqual(seen(first));
  // The cache takes the answer when it is asked for the second time.
  expect(second.bytes).not.toBe(first.bytes);
  expect(fourth.bytes).toBe(third.bytes);

  const head = await ask(path, headers, 'HEAD');
  expect(comparableHeaders(head)).toEqual(comparableHeaders(first));
  expect(head.bytes).toHaveLength(0);
});

test('HEAD says the length of an answer that was never made', async () => {
  const path = `${paths.site}?RecordCount=17`;
  const head = await ask(path, {}, 'HEAD');
  expect(comparableHeaders(head)).toEqual(comparableHeaders(await ask(path)));
});

test('each spelling of a query without records gets the hint for its own words', async () => {
  const hintOf = async (state: string): Promise<string> =>
    (await ask(`${paths.site}?County=${state}`)).headers['Query-Hint'] ?? '';
  for (let time = 0; time < 3; time++) {
    expect(await hintOf('Nowhere')).toContain('Nowhere');
    expect(await hintOf('NOWHERE')).toContain('NOWHERE');
  }
});

test('after a publish the answer is the new one, and the former version has its own', async () => {
  const path = paths.site;
  for (let time = 0; time < 3; time++) await ask(path);
  const before = await ask(path);
  await service.load(submissionOfState('UT', 40));
  const after = await ask(path);
  expect(after.headers['X-Total-Count']).toBe('40');
  expect(after.text).not.toBe(before.text);
  const former = await ask(`${path}?DataVersion=${before.headers['Data-Version'] ?? ''}`);
  expect(former.text).toBe(before.text);
});

test('without a key no answer is sent from the cache either', async () => {
  for (let time = 0; time < 3; time++) await ask(paths.site);
  expect((await service.get(paths.site, {})).status).toBe(401);
});
