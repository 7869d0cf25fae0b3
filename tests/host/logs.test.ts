// The console's lines about failures: they contain the request id that the client received, and never a key (D30, D31).

import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { logFailure } from '../../shared/http/make-service';
import { runProgram, sendRequest, startHost } from '../fixtures/host-process';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const data = join(folder, 'data');
const PATH = '/v1/SiteVariableAmounts';

test('a failure reveals nothing internal; the log has its id and cause, but no keys', async () => {
  const submission = writeSubmission(join(folder, 'submission'), siteAmountsSubmission);
  await runProgram('load', [submission], { WATER_DATA_DIR: data });
  const host = await startHost({ WATER_DATA_DIR: data });
  const key = host.key;
  const secret = key.slice(-40);
  const unknown = `wdk_abcdefgh_${'x'.repeat(43)}`;
  for (const query of [
    `key=${key}`,
    `key=${unknown}`,
    `key=${key}&State=Nowhere`,
    `${key}=1`,
    `key=${key}&key=${key}`,
  ]) {
    await sendRequest(host.port, `${PATH}?${query}`);
    await sendRequest(host.port, `/nothing/${key}?${query}`, { 'x-api-key': key });
    await sendRequest(host.port, `${PATH}?${query}`, { 'x-api-key': `${unknown}${key}`, referer: key });
  }
  const releases = join(data, 'releases');
  for (const name of readdirSync(releases).filter((file) => file.endsWith('.blocks')))
    truncateSync(join(releases, name));
  const failed = await sendRequest(host.port, `${PATH}?key=${key}&StartIndex=1`);
  expect(failed.status).toBe(503);
  expect(Object.keys(JSON.parse(failed.text))).toEqual(['type', 'title', 'status', 'detail', 'instance']);
  expect(failed.text).not.toMatch(/\.[jt]s\b|node:|\/releases|Error:/);
  const { output, errors } = await host.stop();
  expect(errors).toContain(`request ${String(failed.headers['x-request-id'])} failed`);
  expect(errors).toMatch(/at .*\.js:\d+/);
  const [, ...behindTheGreeting] = output.split('\n');
  for (const text of [errors, behindTheGreeting.join('\n')]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(unknown);
  }
});

test.each([
  ['an error about a URL, which repeats the URL', () => new URL(`http://[/?key=wdk_abcdefgh_${'s'.repeat(43)}`)],
  ['an error with a cause', () => fail(new Error('outer', { cause: `wdk%5Fabcdefgh_${'s'.repeat(43)}` }))],
  ['a text', () => fail(`key=wdk_abcdefgh_${'s'.repeat(43)}`)],
])('removes keys from logged errors: %s', (_, act) => {
  const lines: string[] = [];
  const print = jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)));
  try {
    act();
  } catch (error) {
    logFailure('request 1 failed', error);
  } finally {
    print.mockRestore();
  }
  expect(lines.join()).toContain('request 1 failed');
  expect(lines.join()).toContain('[key]');
  expect(lines.join()).not.toContain('ssss');
});

function fail(error: unknown): never {
  throw error;
}
