// The command azure-check as an operator runs it, against the emulator.

import { once } from 'node:events';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { startProgram, waitForEnd } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);

/** Names of databases that checks have left behind. */
async function listLeftDatabases(): Promise<readonly string[]> {
  const location = emulator().bypassProxy(emulator().newLocation());
  const response = await fetch(`${location.endpoint}dbs`);
  const { Databases } = (await response.json()) as { readonly Databases: readonly { readonly id: string }[] };
  return Databases.map(({ id }) => id).filter((id) => id.startsWith('azure-check-'));
}

function startCheck(...args: readonly string[]): ReturnType<typeof startProgram> {
  const { endpoint, key = '' } = emulator().bypassProxy(emulator().newLocation());
  const settings = { COSMOS_KEY: key, STAGING_DIR: folder, WATER_DATA_DIR: folder };
  return startProgram('azure-check', ['--endpoint', endpoint, ...args], settings);
}

test('answers every question and deletes its database', async () => {
  const { code, output, errors } = await waitForEnd(startCheck());
  const verdicts = [...output.matchAll(/^(PASS|FAIL|SKIPPED) /gm)].map(([, verdict]) => verdict);
  expect({ code, verdicts, errors }).toEqual({
    code: 0,
    verdicts: ['PASS', 'PASS', 'SKIPPED', 'SKIPPED', 'SKIPPED', 'SKIPPED', 'SKIPPED'],
    errors: expect.stringMatching(/The database azure-check-\S+ was deleted\.\n$/),
  });
  expect(await listLeftDatabases()).toEqual([]);
}, 120_000);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'deletes its database after %s',
  async (signal) => {
    const child = startCheck();
    const ended = waitForEnd(child);
    if (child.stderr === null) throw new Error('the errors are not piped');
    // The command prints the name of its database before the first check.
    await once(child.stderr, 'data');
    expect(await listLeftDatabases()).toHaveLength(1);
    child.kill(signal);
    const { code, errors } = await ended;
    expect(code).toBe(2);
    expect(errors).toContain('Interrupted');
    expect(await listLeftDatabases()).toEqual([]);
  },
  60_000,
);

test("refuses to start without the reader's secret before it creates anything", async () => {
  const { code, errors } = await waitForEnd(startCheck('--reader-tenant', 'tenant', '--reader-client', 'client'));
  expect(code).toBe(2);
  expect(errors).toContain('AZURE_CHECK_READER_SECRET');
  expect(await listLeftDatabases()).toEqual([]);
});
