// GET /metrics: who may read metrics, and what they count (ADR 0056).

import fc from 'fast-check';
import { makeKey } from '../../shared/access/access-keys';
import { createMemory } from '../../shared/http/make-service';
import type { Service } from '../../shared/http/pipeline/service';
import { oneAmount, paths } from '../fixtures/handmade';
import { type Answer, createLoadedService, TEST_NOW } from '../fixtures/test-service';

const loaded = createLoadedService(oneAmount);

describe('metrics', () => {
  const issuedAt = TEST_NOW.toISOString();
  const reader = makeKey('monitor', issuedAt, null, { mayReadMetrics: true });
  const usual = makeKey('usual', issuedAt, null);

  beforeAll(async () => {
    for (const { record } of [reader, usual]) await loaded.store.keys.add(record);
  });

  /** A service over the same store with all counts at zero. */
  function freshService(): Service {
    const memory = createMemory(1024 * 1024, Infinity);
    return { ...loaded.service, ...memory, collectMetrics: () => memory.metrics.text() };
  }

  /** The samples of the text format, keyed by name and labels as written. Throws for an invalid line. */
  function parseSamples(text: string): ReadonlyMap<string, number> {
    const samples = new Map<string, number>();
    for (const line of text.split('\n')) {
      if (line === '' || /^# (HELP|TYPE) [a-z_]+ /.test(line)) continue;
      const [, name = '', value = ''] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`not of the text form: ${line}`);
      samples.set(name, Number(value));
    }
    return samples;
  }

  async function readMetrics(testedService: Service): Promise<ReadonlyMap<string, number>> {
    const answer = await loaded.getFrom(testedService, '/metrics', { 'x-api-key': reader.key });
    expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    return parseSamples(answer.text);
  }

  test.each([
    ['no key', 401, {}],
    ['a key that may read metrics', 200, { 'x-api-key': reader.key }],
    [
      'a key that may read metrics, as the user name of Basic',
      200,
      { authorization: `Basic ${btoa(`${reader.key}:`)}` },
    ],
    ['the development key', 200, { 'x-api-key': loaded.key }],
  ])('with %s give %d', async (_, status, headers) => {
    expect(await loaded.getFrom(freshService(), '/metrics', headers)).toMatchObject({ status });
  });

  test('refuse a key without the right to read metrics, and a key in the address, because addresses are logged', async () => {
    expect((await loaded.getFrom(freshService(), `/metrics?key=${reader.key}`, {})).status).toBe(401);
    const { status, json } = await loaded.getFrom(freshService(), '/metrics', { 'x-api-key': usual.key });
    expect([status, json.type, json.detail]).toEqual([
      401,
      expect.stringMatching(/:key-unknown$/),
      expect.stringContaining('--metrics'),
    ]);
  });

  test('count requests, bytes, times, refusals, cached answers and searches', async () => {
    const requests = {
      [`${paths.site}?RecordCount=1`]: 200,
      [`${paths.site}?RecordCount=0`]: 400,
      [`${paths.site}?DataVersion=${'0'.repeat(32)}`]: 410,
      '/nothing': 404,
      '/health': 200,
    };
    const drawn = fc.array(fc.constantFrom(...Object.keys(requests)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(drawn, async (requestedPaths) => {
        const fresh = freshService();
        const answers: (Answer & { readonly path: string })[] = [];
        for (const path of requestedPaths)
          answers.push({ path, ...(await loaded.getFrom(fresh, path, { 'x-api-key': usual.key })) });
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
        // An answer is cached when it is computed for the second time.
        const found = ofSites.filter(({ status }) => status === 200).length;
        expect(samples.get('water_searches_total')).toBe(Math.min(2, found));
        expect(samples.get('water_cached_answers_total')).toBe(Math.max(0, found - 2));
      }),
      { numRuns: 25 },
    );
  });

  test('contain nothing from a request or a key', async () => {
    const fresh = freshService();
    await loaded.getFrom(fresh, `${paths.site}?State=secretive&SiteUUID=hidden`, { 'x-api-key': usual.key });
    await loaded.getFrom(fresh, '/secretive/hidden', { 'x-api-key': usual.key });
    const { text } = await loaded.getFrom(fresh, '/metrics', { 'x-api-key': reader.key });
    for (const word of ['secretive', 'hidden', usual.key, usual.record.id, reader.record.id, 'monitor']) {
      expect(text).not.toContain(word);
    }
  });

  test('have the publish time and record count of each data set, and the number of held submissions', async () => {
    const labels = '{organization="ORG_1",data_set="SiteVariableAmounts"}';
    const before = await readMetrics(freshService());
    expect(before.get(`water_data_published_timestamp_seconds${labels}`)).toBe(TEST_NOW.getTime() / 1000);
    expect(before.get(`water_data_records${labels}`)).toBe(1);
    expect(before.get('water_held_data_sets')).toBe(0);
    const failing = { ...loaded.store, currentState: () => Promise.reject(new Error('away')) };
    const logged: string[] = [];
    const away = { ...freshService(), store: failing, logError: (message: string) => void logged.push(message) };
    const counts = parseSamples((await loaded.getFrom(away, '/metrics')).text);
    expect(counts.has('water_held_data_sets')).toBe(false);
    expect(counts.has('water_searches_total')).toBe(true);
    expect(logged).toEqual(['the metrics of the data cannot be read']);
  });
});
