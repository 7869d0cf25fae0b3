// The built programs give the same answers on the Cosmos DB emulator as on the embedded store.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { PROJECT, type RunningHost, runProgram, type Settings, startHost } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
let onCosmos: Settings;

beforeAll(() => {
  onCosmos = cosmosSettings('data');
});

function cosmosSettings(name: string): Settings {
  const { endpoint, database, key } = emulator().newLocation();
  const address = { COSMOS_ENDPOINT: endpoint, COSMOS_DATABASE: database, COSMOS_KEY: key ?? '' };
  return { WATER_STORE: 'cosmos', ...address, WATER_DATA_DIR: join(folder, name) };
}

test('npm start with WATER_STORE=cosmos answers with the same bytes as the embedded store', async () => {
  const hosts = await Promise.all([startHost({ WATER_DATA_DIR: join(folder, 'embedded') }), startHost(onCosmos)]);
  const text = ['README.md', 'docs/requests.md'].map((page) => readFileSync(join(PROJECT, page), 'utf8')).join('');
  const requests = [...text.matchAll(/^curl .*"http:\/\/127\.0\.0\.1:7071(\/v1\/[^"]+)"$/gm)].map(
    ([, path = '']) => path,
  );
  expect(requests.length).toBeGreaterThan(2);
  const answers = (host: RunningHost): Promise<readonly unknown[]> =>
    Promise.all(
      requests.map(async (path) => {
        const { status, text, headers } = await host.get(path);
        return { path, status, text: text.replace(/urn:uuid:[\w-]+/, ''), version: headers['data-version'] };
      }),
    );
  const [embedded, cosmos] = await Promise.all(hosts.map(answers));
  expect(cosmos).toEqual(embedded);
  for (const format of ['parquet', 'csv.gz']) {
    const [ofEmbedded, ofCosmos] = await Promise.all(hosts.map((host) => exported(host, format)));
    expect(ofEmbedded?.length).toBeGreaterThan(1000);
    expect(ofCosmos?.equals(ofEmbedded ?? Buffer.alloc(0))).toBe(true);
  }
  const ends = await Promise.all(hosts.map((host) => host.stop()));
  const errors = expect.stringMatching(/^Publishing made-up samples.*\n$/);
  expect(ends).toMatchObject([0, 0].map((code) => ({ code, errors })));
});

/** Fetches an export. Leaves out the footer of a Parquet file, which contains the time of the publish. */
async function exported({ port, key }: RunningHost, format: string): Promise<Buffer> {
  const address = `http://127.0.0.1:${port}/v1/SiteAllocationAmounts/Export?format=${format}&OrderBy=AllocationPriorityDate`;
  const answer = await fetch(address, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return format === 'parquet' ? bytes.subarray(0, -8 - bytes.readUInt32LE(bytes.length - 8)) : bytes;
}

test('commands on Cosmos DB issue, list and revoke keys, list releases, and refuse a backup', async () => {
  const issued = await runProgram('keys', ['issue', '--owner', 'Somebody'], onCosmos);
  const id = /wdk_(\w{8})_/.exec(issued.output)?.[1] ?? '';
  expect(await runProgram('keys', ['revoke', id], onCosmos)).toMatchObject({ code: 0 });
  expect((await runProgram('keys', ['list'], onCosmos)).output).toMatch(new RegExp(`^${id}  Somebody.*revoked`, 'm'));
  expect(await runProgram('releases', ['list'], onCosmos)).toMatchObject({ code: 0 });
  const backup = await runProgram('backup', [join(folder, 'backup')], onCosmos);
  expect(backup.code).toBe(2);
  expect(backup.errors).toContain('embedded store');
});

test('npm run releases -- copy copies releases to Cosmos DB and back', async () => {
  const submission = writeSubmission(join(folder, 'submission'), siteAmountsSubmission);
  const settings = { ...cosmosSettings('copied'), WATER_STORE: 'embedded' };
  const run = (...args: readonly string[]): ReturnType<typeof runProgram> => runProgram('releases', args, settings);
  await runProgram('load', [submission], settings);
  await runProgram('keys', ['issue', '--owner', 'Somebody'], settings);
  const copied = await run('copy', '--from', 'embedded', '--to', 'cosmos', '--keys');
  expect(copied).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Copied and verified 1 releases \(6 records\)/) as unknown,
  });
  expect(copied.output).toContain('Keys added: 1');
  const back = { ...settings, WATER_DATA_DIR: join(folder, 'copied back') };
  const second = await runProgram('releases', ['copy', '--from', 'cosmos', '--to', 'embedded'], back);
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('Keys were not copied') as unknown });
  const lists = await Promise.all([settings, back].map((one) => runProgram('releases', ['list'], one)));
  const releases = lists.map(({ output }) => /release: \w+/.exec(output)?.[0]);
  expect(releases[1]).toBe(releases[0]);
  expect(await run('copy', '--from', 'cosmos', '--to', 'cosmos')).toMatchObject({ code: 2 });
});
