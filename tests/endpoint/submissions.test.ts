// Submissions over HTTP (D76): POST /v1/Submissions and requests about them, with an inbox in a folder.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { processInbox } from '../../data-loaders/intake/process-inbox';
import { openDesk } from '../../data-loaders/intake/submission-desk';
import { openFolderInbox } from '../fixtures/inbox-places';
import { createAmounts } from '../fixtures/many-amounts';
import { siteAmountsSubmission, type Submission, writeCsv } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { issueKey, makeForm, post, withSubmissions, ZIP_TYPE, zipSubmission } from '../fixtures/submission-requests';
import { type Answer, createTestService, requestService, TEST_NOW } from '../fixtures/test-service';

const PATH = '/v1/Submissions';
const world = createTestService();
const root = join(world.folder, 'inbox');
mkdirSync(root);
let time = TEST_NOW.getTime();
const now = (): Date => {
  time += 1;
  return new Date(time);
};
const desk = openDesk({ kind: 'folder', folder: root }, now);
const service = withSubmissions(world, { submissionsHttp: 'submit', openDesk: () => desk });

let key = '';
let otherKey = '';
beforeAll(async () => {
  key = await issueKey(world.store, { submits: 'ORG_1' });
  otherKey = await issueKey(world.store, { submits: 'ORG_2' });
});

const get = (path: string, asked = key, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  requestService(service, path, { headers: { 'x-api-key': asked, ...headers } });

const send = (submission: Submission, sender = key): Promise<Answer> =>
  post(service, PATH, sender, { type: ZIP_TYPE, content: zipSubmission(submission) });

async function tick(): Promise<void> {
  const inbox = openFolderInbox(root, { now, leaseMs: 300_000 });
  const stagingDirectory = join(world.folder, 'staging');
  const stop = new AbortController().signal;
  const log = (): void => undefined;
  const settings = { rejectedShareLimit: 0.5, holdSubmissions: true, leaseMs: 300_000, minutes: 4 };
  await processInbox({ ...settings, inbox, store: world.store, stagingDirectory, stop, now, log, logError: log });
}

test('a submission is accepted, published and described', async () => {
  const sent = await send(siteAmountsSubmission);
  const { Id: id } = sent.json;
  expect(sent).toMatchObject({ status: 202, headers: { Location: `${PATH}/${id}` } });
  expect(sent.json).toEqual({
    Id: id,
    Organization: 'ORG_1',
    Status: 'Waiting',
    Received: expect.stringMatching(/^2026-.*Z$/),
    Finished: null,
    Outcome: null,
    Links: { self: `${PATH}/${id}` },
  });
  expect(await get(`${PATH}/${id}/Report`)).toMatchObject({ status: 404 });
  await tick();
  const { json } = await get(`${PATH}/${id}`);
  expect(json).toMatchObject({ Status: 'Published', Outcome: expect.stringMatching(/^Published/) });
  expect(json.Links).toEqual({
    self: `${PATH}/${id}`,
    report: `${PATH}/${id}/Report`,
    warned: `${PATH}/${id}/Warned`,
  });
  expect((await get(json.Links.report)).json).toMatchObject({ verdict: 'published', sentence: json.Outcome });
  const page = await get(json.Links.report, key, { accept: 'text/html' });
  expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
  expect(page.text).toMatch(/^<!doctype html>/);
  const warned = unzipSync((await get(json.Links.warned)).bytes);
  expect(strFromU8(warned['sites.warned.csv'] ?? new Uint8Array())).toContain('absent-column');
  expect(await get(`${PATH}/${id}/Rejected`)).toMatchObject({ status: 404 });
  expect(readdirSync(join(world.folder, 'staging'))).toEqual([]);
});

test('a form with metadata publishes its files, and a single file of rejected rows is sent as CSV', async () => {
  const spoiled = withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: 'none' });
  const files = Object.entries(spoiled).map(([name, rows]) => [name, writeCsv(rows)] as const);
  const form = await makeForm({ ...Object.fromEntries(files), 'submission.json': '{"mode":"merge"}', READY: '' });
  const { json } = await post(service, PATH, key, form);
  await tick();
  const { json: settled } = await get(`${PATH}/${json.Id}`);
  expect(settled).toMatchObject({ Status: 'Published', Links: { rejected: `${PATH}/${json.Id}/Rejected` } });
  const rejected = await get(settled.Links.rejected);
  expect(rejected.headers).toMatchObject({ 'Content-Type': 'text/csv; charset=utf-8' });
  expect(rejected.text).toContain('required-unreadable');
});

test('a held submission is published after it was confirmed with its code', async () => {
  await send(createAmounts());
  await tick();
  const { json: sent } = await send(createAmounts(20, 20));
  await tick();
  const { json: held } = await get(`${PATH}/${sent.Id}`);
  expect(held).toMatchObject({ Status: 'Held', ConfirmationCode: expect.any(String) });
  const confirm = (body: string): Promise<Answer> =>
    post(service, held.Links.confirmation, key, { type: 'application/json', content: body });
  for (const body of ['', '{', '[]', '{"Code": 1}', '{"Code": " "}']) {
    expect(await confirm(body)).toMatchObject({ status: 400 });
  }
  expect(await confirm('{"Code": "wrong"}')).toMatchObject({ status: 409 });
  const confirmed = await confirm(JSON.stringify({ Code: held.ConfirmationCode }));
  expect(confirmed).toMatchObject({ status: 202, json: { Status: 'Waiting' } });
  expect(confirmed.json).not.toHaveProperty('ConfirmationCode');
  await tick();
  expect((await get(`${PATH}/${sent.Id}`)).json).toMatchObject({ Status: 'Published' });
  expect(await confirm(JSON.stringify({ Code: held.ConfirmationCode }))).toMatchObject({ status: 409 });
});

test('lists the submissions of its organization, newest first', async () => {
  const { json: foreign } = await send(siteAmountsSubmission, otherKey);
  const { json } = await get(PATH);
  expect(json.TotalSubmissionsCount).toBe(json.Submissions.length);
  const received = json.Submissions.map(({ Received }: { readonly Received: string }) => Received);
  expect(received).toEqual([...received].sort().reverse());
  expect(await get(`${PATH}/${foreign.Id}`)).toMatchObject({ status: 404 });
  expect((await get(PATH, otherKey)).json).toMatchObject({
    TotalSubmissionsCount: 1,
    Submissions: [{ Id: foreign.Id }],
  });
  await tick();
  const refused = (await get(`${PATH}/${foreign.Id}`, otherKey)).json;
  expect(refused).toMatchObject({ Status: 'Refused', Outcome: expect.stringContaining('ORG_1') });
});

test('refuses to submit with a key that may not submit, and with a key in the address', async () => {
  const plain = await issueKey(world.store, {});
  for (const path of [PATH, `${PATH}/20260102T030405000Z-00000000`]) {
    expect(await get(path, plain)).toMatchObject({
      status: 403,
      headers: { 'Content-Type': 'application/problem+json' },
    });
  }
  expect(await send(siteAmountsSubmission, plain)).toMatchObject({ status: 403 });
  expect(await requestService(service, `${PATH}?key=${key}`, { method: 'POST' })).toMatchObject({ status: 401 });
  expect(await requestService(service, `${PATH}?key=${key}`, {})).toMatchObject({ status: 200 });
});

test.each([
  ['/v1/Submissions/unknown', 404],
  ['/v1/Submissions/..%2F..%2Fdata', 404],
  ['/v1/Submissions/20260102T030405000Z-00000000', 404],
  ['/v1/Submissions/20260102T030405000Z-00000000/Other', 404],
  ['/v1/Submissions/20260102T030405000Z-00000000/Confirmation', 405],
])('GET %s is a %i', async (path, status) => {
  expect(await get(path)).toMatchObject({ status });
});

test('submitting is a 404 if only checks are on', async () => {
  const checking = withSubmissions(world, { submissionsHttp: 'check', openDesk: () => desk });
  const answer = await post(checking, PATH, key, { type: ZIP_TYPE, content: zipSubmission(siteAmountsSubmission) });
  expect(answer.status).toBe(404);
});

test('hostile bodies are refused without a server error and leave nothing behind', async () => {
  const whole = Buffer.from(zipSubmission(siteAmountsSubmission));
  const waiting = readdirSync(join(root, 'waiting'));
  const statuses = new Set<number>();
  for (let index = 0; index < 200; index++) {
    const content = damage(whole, index);
    const type = index % 4 === 3 ? 'multipart/form-data; boundary=PK' : ZIP_TYPE;
    const path = index % 2 === 0 ? `${PATH}/Checks` : PATH;
    statuses.add((await post(service, path, key, { type, content })).status);
  }
  expect([...statuses].filter((status) => ![200, 202, 413, 415, 422].includes(status))).toEqual([]);
  const staging = join(world.folder, 'staging');
  expect(existsSync(staging) ? readdirSync(staging) : []).toEqual([]);
  // Every accepted submission is a complete entry of the inbox.
  const taken = readdirSync(join(root, 'waiting')).filter((name) => !waiting.includes(name));
  for (const name of taken) expect(readdirSync(join(root, 'waiting', name))).toContain('READY.json');
});

/** Changes bytes at positions that depend on the index, cuts the archive, or both. */
function damage(archive: Buffer, index: number): Buffer {
  const bytes = Buffer.from(archive);
  const places = 1 + (index % 7);
  for (let place = 0; place < places; place++) {
    const at = (index * 7919 + place * 104_729) % bytes.length;
    bytes[at] = (index * 31 + place * 17) % 256;
  }
  return index % 5 === 0 ? bytes.subarray(0, (index * 997) % bytes.length) : bytes;
}
