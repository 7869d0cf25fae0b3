// GET /metrics: who may read it, and that it counts what happened (ADR 0056).

import fc from 'fast-check';
import { makeKey } from '../../shared/access/access-keys';
import { createMemory } from '../../shared/http/make-service';
import { type Service } from '../../shared/http/pipeline/service';
import { oneAmount, paths } from '../fixtures/handmade';
import { loadedService, TEST_NOW, type Answer } from '../fixtures/test-service';

const service = loadedService(oneAmount);
const issuedAt = TEST_NOW.toISOString();
const [reader, usual] = [
  makeKey('monitor', issuedAt, null, { mayReadMetrics: true }),
  makeKey('usual', issuedAt, null),
];

beforeAll(async () => {
  for (const { record } of [reader, usual]) await service.store.keys.add(record);
});

/** A service over the same store that has counted nothing. */
function freshService(): Service {
  const memory = createMemory(1024 * 1024, Infinity);
  return { ...service.service, ...memory, collectMetrics: () => memory.metrics.text() };
}

/** The samples of a text form by their names and labels, as written. Throws where a line is none of the form. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) [a-z_]+ /.test(line)) continue;
    const [, name = '', value = ''] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not of the text form: ${line}`);
    samples.set(name, Number(value));
  }
  return samples;
}

async function readMetrics(asked: Service): Promise<ReadonlyMap<string, number>> {
  const answer = await service.ask(asked, '/metrics', { 'x-api-key': reader.key });
  expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return samplesOf(answer.text);
}

test.each([
  ['no key', {}, 401],
  ['a key that is marked for it', { 'x-api-key': reader.key }, 200],
  ['the same as the user name of Basic', { authorization: `Basic ${btoa(`${reader.key}:`)}` }, 200],
  ['the development key', { 'x-api-key': service.key }, 200],
])('with %s the metrics are answered or refused', async (_, headers, status) => {
  expect(await service.ask(freshService(), '/metrics', headers)).toMatchObject({ status });
});

test('a key is told that it is not marked for metrics, and one in the address is not taken, since addresses end up in logs', async () => {
  expect((await service.ask(freshService(), `/metrics?key=${reader.key}`, {})).status).toBe(401);
  const { status, json } = await service.ask(freshService(), '/metrics', { 'x-api-key': usual.key });
  expect([status, json.type, json.detail]).toEqual([
    401,
    expect.stringMatching(/:key-unknown$/),
    expect.stringContaining('--metrics'),
  ]);
});

test('requests, their bytes, times, refusals, cached answers and searches are counted', async () => {
  const requests = {
    ...{ [`${paths.site}?RecordCount=1`]: 200, [`${paths.site}?RecordCount=0`]: 400 },
    ...{ [`${paths.site}?DataVersion=${'0'.repeat(32)}`]: 410, '/nothing': 404, '/health': 200 },
  };
  const drawn = fc.array(fc.constantFrom(...Object.keys(requests)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(drawn, async (asked) => {
      const fresh = freshService();
      const answers: (Answer & { readonly path: string })[] = [];
      for (const path of asked) answers.push({ path, ...(await service.ask(fresh, path, { 'x-api-key': usual.key })) });
      const samples = await readMetrics(fresh);
      const ofSites = answers.filter(({ path }) => path.startsWith(paths.site));
      for (const status of [200, 400, 410]) {
        const name = `water_requests_total{function="SiteVariableAmounts",status="${status}"}`;
        expect(samples.get(name) ?? 0).toBe(ofSites.filter((answer) => answer.status === status).length);
      }
      const bytes = ofSites.reduce((sum, answer) => sum + answer.bytes.length, 0);
      expect(samples.get('water_answer_bytes_total{function="SiteVariableAmounts"}') ?? 0).toBe(bytes);
      expect(samples.get('water_request_seconds_count{function="SiteVariableAmounts"}') ?? 0).toBe(ofSites.length);
      const refused = answers.filter(({ status }) => status === 400).length;
      expect(samples.get('water_refusals_total{problem="Bad input parameter"}') ?? 0).toBe(refused);
      // An answer is kept when it is made for the second time.
      const found = ofSites.filter(({ status }) => status === 200).length;
      expect(samples.get('water_searches_total')).toBe(Math.min(2, found));
      expect(samples.get('water_cached_answers_total')).toBe(Math.max(0, found - 2));
    }),
    { numRuns: 25 },
  );
});

test('nothing of a request or a key is in the metrics', async () => {
  const fresh = freshService();
  await service.ask(fresh, `${paths.site}?State=secretive&SiteUUID=hidden`, { 'x-api-key': usual.key });
  await service.ask(fresh, '/secretive/hidden', { 'x-api-key': usual.key });
  const { text } = await service.ask(fresh, '/metrics', { 'x-api-key': reader.key });
  for (const word of ['secretive', 'hidden', usual.key, usual.record.id, reader.record.id, 'monitor']) {
    expect(text).not.toContain(word);
  }
});

test('each data set has the time of its publish and its records, and held ones are counted, as the store has them now', async () => {
  const labels = '{organization="ORG_1",data_set="SiteVariableAmounts"}';
  const before = await readMetrics(freshService());
  expect(before.get(`water_data_published_timestamp_seconds${labels}`)).toBe(TEST_NOW.getTime() / 1000);
  expect(before.get(`water_data_records${labels}`)).toBe(1);
  expect(before.get('water_held_data_sets')).toBe(0);
  const failing = { ...service.store, currentState: () => Promise.reject(new Error('away')) };
  const logged: string[] = [];
  const away = { ...freshService(), store: failing, logError: (message: string) => void logged.push(message) };
  const counts = samplesOf((await service.ask(away, '/metrics')).text);
  expect(counts.has('water_held_data_sets')).toBe(false);
  expect(counts.has('water_searches_total')).toBe(true);
  expect(logged).toEqual(['the metrics of the data cannot be read']);
});
