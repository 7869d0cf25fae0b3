// POST /v1/Submissions/Checks (D76): answers with the report of a dry run and stores nothing.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { zipSync } from 'fflate';
import { reportText } from '../../data-loaders/report/terminal-report';
import type { Examination } from '../../shared/http/pipeline/submission-ports';
import { findProjectDirectory } from '../../shared/project-files';
import { siteAmountsSubmission, writeCsv } from '../fixtures/submission';
import {
  issueKey,
  makeForm,
  post,
  withSubmissions,
  WORKBOOK_TYPE,
  ZIP_TYPE,
  zipSubmission,
} from '../fixtures/submission-requests';
import { createTestService, requestService } from '../fixtures/test-service';
import { makeWorkbook, toSheets } from '../fixtures/workbook';

const PATH = '/v1/Submissions/Checks';
const schema = JSON.parse(readFileSync(join(findProjectDirectory(), 'docs', 'report.schema.json'), 'utf8')) as object;
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

const world = createTestService();
const service = withSubmissions(world);
const valid = { type: ZIP_TYPE, content: zipSubmission(siteAmountsSubmission) };
const staging = join(world.folder, 'staging');

const check = (body: Parameters<typeof post>[3], asked = service): ReturnType<typeof post> =>
  post(asked, PATH, world.key, body);

function expectNothingLeft(): void {
  expect(existsSync(staging) ? readdirSync(staging) : []).toEqual([]);
}

afterEach(expectNothingLeft);

test('answers with the report of a dry run and stores nothing', async () => {
  const { status, json, headers } = await check(valid);
  expect({ status, verdict: json.verdict }).toEqual({ status: 200, verdict: 'would-publish' });
  expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  expect(validate(json)).toBe(true);
  expect((await world.store.currentState()).entries).toEqual([]);
  expect(await world.store.listReleases()).toEqual([]);
});

test.each([
  ['a workbook', { type: WORKBOOK_TYPE, content: makeWorkbook(toSheets(siteAmountsSubmission)) }],
  ['a content type with parameters', { ...valid, type: 'Application/ZIP; charset=binary' }],
])('accepts %s', async (_, body) => {
  expect((await check(body)).json).toMatchObject({ verdict: 'would-publish' });
});

test('accepts the files of a form, and skips files that operating systems add', async () => {
  const files = Object.entries(siteAmountsSubmission).map(([name, rows]) => [name, writeCsv(rows)]);
  const body = await makeForm({ ...Object.fromEntries(files), '.DS_Store': 'x' });
  expect((await check(body)).json).toMatchObject({ verdict: 'would-publish' });
});

test('returns the same report as a dry run of the folder', async () => {
  const report = await world.load(siteAmountsSubmission, { isDryRun: true });
  const text = reportText(report).replace(/^[\d.]+ s$/m, 'TIME s');
  const answer = await check({ ...valid, headers: { accept: 'text/plain' } });
  expect(answer.text.trimEnd().replace(/^[\d.]+ s$/m, 'TIME s')).toBe(text);
  const { milliseconds, ...json } = (await check(valid)).json;
  expect(json).toEqual({ ...report, milliseconds: undefined });
  expect(milliseconds).toEqual(expect.any(Number));
});

test('a check of a submission that would be refused succeeds', async () => {
  const { 'sites.csv': sites = [], ...others } = siteAmountsSubmission;
  const { status, json } = await check({ ...valid, content: zipSubmission({ ...others, 'site.csv': sites }) });
  expect({ status, verdict: json.verdict }).toEqual({ status: 200, verdict: 'refused' });
});

test.each([
  ['text/html', 'text/html; charset=utf-8'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['text/plain', 'text/plain; charset=utf-8'],
  ['*/*', 'application/json'],
  ['application/json;q=0.5,text/*;q=0.1', 'application/json'],
])('Accept: %s gives %s', async (accept, type) => {
  const { status, headers } = await check({ ...valid, headers: { accept } });
  expect({ status, type: headers['Content-Type'] }).toEqual({ status: 200, type });
});

test('the content security policy of the report page allows only its own style', async () => {
  const { headers, text } = await check({ ...valid, headers: { accept: 'text/html' } });
  expect(headers['Content-Security-Policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  expect(text).toMatch(/^<!doctype html>/);
});

describe('refuses', () => {
  test.each<readonly [name: string, body: Parameters<typeof post>[3], status: number, words: string]>([
    ['another content type', { type: 'application/json', content: '{}' }, 415, 'ZIP file'],
    ['a compressed body', { ...valid, headers: { 'content-encoding': 'gzip' } }, 415, 'uncompressed'],
    ['an unknown format', { ...valid, headers: { accept: 'image/png' } }, 406, 'text/html'],
    ['a Content-Length above the limit', { ...valid, headers: { 'content-length': '1048577' } }, 413, '1 MB'],
    ['a body that is too long', { ...valid, content: new Uint8Array(1024 * 1024 + 1) }, 413, '1 MB'],
    ['something that is not an archive', { ...valid, content: 'hello' }, 422, 'neither a ZIP file nor a workbook'],
    ['an empty body', { ...valid, content: '' }, 422, 'neither a ZIP file nor a workbook'],
    ['half an archive', { ...valid, content: valid.content.subarray(0, 500) }, 422, 'damaged or incomplete'],
    [
      'an archive that unpacks to too many bytes',
      { ...valid, content: zipSync({ 'sites.csv': new Uint8Array(2e7) }) },
      422,
      'too large when unpacked',
    ],
    [
      'an archive with a path out of the folder',
      { ...valid, content: zipSync({ '../sites.csv': new Uint8Array(1) }) },
      422,
      '..',
    ],
    ['a form without a boundary', { type: 'multipart/form-data', content: 'x' }, 422, 'form cannot be read'],
    [
      'a form that is cut off',
      { type: 'multipart/form-data; boundary=a', content: '--a\r\n' },
      422,
      'form cannot be read',
    ],
    ['a form without files', { type: 'multipart/form-data; boundary=a', content: '--a--\r\n' }, 422, 'no files'],
  ])('%s', async (_, body, status, words) => {
    const answer = await check(body);
    expect(answer).toMatchObject({ status, headers: { 'Content-Type': 'application/problem+json' } });
    expect(answer.json.detail).toContain(words);
  });

  test('a form with the same file twice or with an invalid name', async () => {
    const twice = await makeForm({ 'a/sites.csv': 'x', 'b/sites.csv': 'x' });
    expect(await check(twice)).toMatchObject({
      status: 422,
      json: { detail: expect.stringContaining('sites.csv twice') },
    });
    const long = await makeForm({ [`${'x'.repeat(201)}.csv`]: 'x' });
    expect(await check(long)).toMatchObject({ status: 422, json: { detail: expect.stringContaining('plain name') } });
  });

  test('a missing key, and a key in the address', async () => {
    const body = valid.content;
    expect(await requestService(service, PATH, { method: 'POST', body })).toMatchObject({ status: 401 });
    expect(await requestService(service, `${PATH}?key=${world.key}`, { method: 'POST', body })).toMatchObject({
      status: 401,
    });
  });

  test('other methods, and every request if submissions over HTTP are off', async () => {
    expect(await world.getFrom(service, PATH)).toMatchObject({ status: 405 });
    expect(await check(valid, withSubmissions(world, { submissionsHttp: 'off' }))).toMatchObject({ status: 404 });
  });

  test.each([
    ['time', 'more than 200 seconds'],
    ['memory', 'more memory than a loader has'],
  ] as const)('a submission that takes too much %s', async (because, words) => {
    const examine = (): Promise<Examination> => Promise.resolve({ kind: 'given up', because });
    const { status, json } = await check(valid, withSubmissions(world, { examine }));
    expect({ status, detail: json.detail }).toEqual({ status: 422, detail: expect.stringContaining(words) });
  });
});

test('a key can check one submission at a time, and two keys can check at the same time', async () => {
  const gate = Promise.withResolvers<Examination>();
  const slow = withSubmissions(world, { examine: () => gate.promise });
  const [one, two, three] = await Promise.all(['1', '2', '3'].map(() => issueKey(world.store, {})));
  const send = (key = ''): ReturnType<typeof post> => post(slow, PATH, key, valid);
  const running = [send(one), send(two)];
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const key of [one, three]) {
    expect(await send(key)).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
  }
  gate.resolve({ kind: 'unreadable', reason: 'over' });
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([422, 422]);
  expect(await send(one)).toMatchObject({ status: 422 });
});
