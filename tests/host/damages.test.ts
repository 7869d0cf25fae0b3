// What a probe, a client and the operator see of a machine that fails, and that nothing published is lost: a full disk,
// one that cannot be written, a clock a year ahead, an upgrade that is killed (at ten moments in the soak). Disks need
// root, the clock needs Debian's libfaketime; without them these tests are skipped. Kills of the service and of loads
// are in killed-workers.test.ts and tests/schedule, a certificate that is gone in nginx.test.ts.

import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ageRelease } from '../fixtures/changed-releases';
import { killUnderWay, type RunningHost, runProgram, startHost, startProgram } from '../fixtures/host-process';
import { manyAmounts } from '../fixtures/many-amounts';
import { soakCases } from '../fixtures/soak';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService } from '../fixtures/test-service';

const PATH = '/v1/SiteVariableAmounts';
const DISK_BYTES = 40 * 1024 * 1024;
const MOMENTS = soakCases(10, 0.1);

/** Debian's libfaketime. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

// Before the folder is removed.
afterAll(() => {
  if (hasDisk) spawnSync('umount', ['--lazy', disk]);
});

const folder = temporaryFolder();
const disk = join(folder, 'disk');
const settings = { WATER_DATA_DIR: join(disk, 'data'), LOAD_SAMPLES: 'false', PORT: '0' };
const submission = writeSubmission(join(folder, 'first'), siteAmountsSubmission);
const second = writeSubmission(join(folder, 'second'), manyAmounts(1, 20));

const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;
mkdirSync(disk);
const hasDisk = mount('-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'none', disk);
const hasFaketime = existsSync(FAKETIME);

async function counted(host: RunningHost): Promise<readonly [number, number]> {
  const { status, text } = await host.get(`${PATH}?RecordCount=1`);
  return [status, JSON.parse(text).TotalSiteVariableAmountsCount];
}

(hasDisk ? describe : describe.skip)('a disk', () => {
  test('that is full refuses loads and keys with a sentence; queries go on, and all is well once there is room', async () => {
    await runProgram('load', [submission], settings);
    const host = await startHost(settings);
    const before = await counted(host);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filling'), new Uint8Array(bavail * bsize));
    const full = { code: 2, errors: expect.stringMatching(/^The disk is full: .*\n$/m) };
    expect(await runProgram('load', [second], settings)).toMatchObject(full);
    expect(await runProgram('keys', ['issue', '--owner', 'Somebody'], settings)).toMatchObject(full);
    expect((await host.get('/health')).status).toBe(200);
    expect(await counted(host)).toEqual(before);
    rmSync(join(disk, 'filling'));
    expect(await runProgram('load', [second], settings)).toMatchObject({ code: 0 });
    expect((await counted(host))[0]).toBe(200);
    expect(await host.stop()).toMatchObject({ code: 0, errors: '' });
  });

  test('that cannot be written stops a start and a load with a sentence, and the data are there once it can', async () => {
    await runProgram('load', [submission], settings);
    expect(mount('-o', 'remount,ro', disk)).toBe(true);
    const start = await runProgram('start', [], settings);
    const load = await runProgram('load', [second], settings);
    expect(mount('-o', 'remount,rw', disk)).toBe(true);
    expect(start).toMatchObject({ code: 2, errors: expect.stringMatching(/read-only file system.*data/) });
    expect(load).toMatchObject({ code: 2, errors: expect.stringMatching(/cannot be written.*WATER_DATA_DIR/) });
    const host = await startHost(settings);
    expect((await counted(host))[0]).toBe(200);
    await host.stop();
  });
});

(hasFaketime ? test : test.skip)(
  'a clock a year ahead changes the age that /health says, and deletes nothing',
  async () => {
    const data = { ...settings, WATER_DATA_DIR: join(folder, 'ahead') };
    await runProgram('load', [submission], data);
    const host = await startHost({
      ...data,
      LD_PRELOAD: FAKETIME,
      FAKETIME: '+366d',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    const health = JSON.parse((await host.get('/health')).text) as { readonly newestAgeSeconds: number };
    expect(health.newestAgeSeconds).toBeGreaterThan(365 * 86_400);
    const ahead = await counted(host);
    await host.stop();
    const back = await startHost(data);
    expect([ahead[0], await counted(back)]).toEqual([200, ahead]);
    await back.stop();
  },
);

test(`an upgrade that is killed at ${MOMENTS} moments keeps what is published, and goes on to the end`, async () => {
  const service = createTestService(undefined, join(folder, 'upgraded'));
  await service.load(manyAmounts(1, 20));
  await ageRelease(service);
  await service.close();
  const former = join(folder, 'upgraded', 'data');
  const dataOf = (name: string): Record<string, string> => ({ ...settings, WATER_DATA_DIR: join(folder, name) });
  cpSync(former, join(folder, 'whole'), { recursive: true });
  const began = performance.now();
  expect(await runProgram('releases', ['rebuild'], dataOf('whole'))).toMatchObject({ code: 0 });
  const duration = performance.now() - began;
  const killed = dataOf('killed');
  const asFormerly = (): void => {
    rmSync(killed['WATER_DATA_DIR'] ?? '', { recursive: true, force: true });
    cpSync(former, killed['WATER_DATA_DIR'] ?? '', { recursive: true });
  };
  asFormerly();
  const records = async (): Promise<unknown> => {
    const [current] = JSON.parse((await runProgram('releases', ['list', '--json'], killed)).output) as {
      entries: { records: number }[];
    }[];
    return current?.entries.map((entry) => entry.records);
  };
  const before = await records();
  for (let moment = 1; moment <= MOMENTS; moment++) {
    const rebuild = (): ChildProcess => startProgram('releases', ['rebuild'], killed);
    await killUnderWay(rebuild, (duration * moment) / (MOMENTS + 1), asFormerly);
    expect(await records()).toEqual(before);
  }
  expect(await runProgram('releases', ['rebuild'], killed)).toMatchObject({ code: 0 });
  const host = await startHost(killed);
  const other = await startHost(dataOf('whole'));
  expect(await counted(host)).toEqual(await counted(other));
  await Promise.all([host.stop(), other.stop()]);
}, 300_000);
