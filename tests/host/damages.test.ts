// Checks what a probe, a client and the operator see when the machine fails, and that nothing published is lost: a full
// disk, a read-only disk, a clock a year ahead, an upgrade that is killed (at ten moments in the soak). Kills of the
// service and of loads are in killed-workers.test.ts and tests/schedule; a missing certificate is in nginx.test.ts.

import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ageRelease } from '../fixtures/changed-releases';
import { killUnderWay, type RunningHost, runProgram, startHost, startProgram } from '../fixtures/host-process';
import { createManyAmounts } from '../fixtures/many-amounts';
import { describeWith, type OptionalTool, testWith } from '../fixtures/optional-tool';
import { canRun, LIBFAKETIME, LIBFAKETIME_PATH } from '../fixtures/outside-tools';
import { countCases } from '../fixtures/soak';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService } from '../fixtures/test-service';

const PATH = '/v1/SiteVariableAmounts';
const DISK_BYTES = 40 * 1024 * 1024;
const MOMENTS = countCases(10, 0.1);

// Jest runs these hooks in this order: the disk is unmounted before its folder is removed.
afterAll(() => {
  if (hasDisk) runAsRoot('umount', '--lazy', disk);
});

const folder = createTemporaryFolder();
const disk = join(folder, 'disk');
const settings = { WATER_DATA_DIR: join(disk, 'data'), LOAD_SAMPLES: 'false', PORT: '0' };
const submission = writeSubmission(join(folder, 'first'), siteAmountsSubmission);
const second = writeSubmission(join(folder, 'second'), createManyAmounts(1, 20));

mkdirSync(disk);
const hasDisk = runAsRoot('mount', '-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=1777`, 'none', disk);

const MOUNTED_DISK: OptionalTool = {
  name: 'a disk of its own',
  howToInstall: 'Run the tests as root, or as a user whose sudo asks no password, where mount is allowed.',
  isAvailable: () => hasDisk,
};

/** Whether the command succeeded. */
function runAsRoot(...command: readonly string[]): boolean {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '--non-interactive', ...command];
  return canRun(program, ...args);
}

async function countRecords(host: RunningHost): Promise<readonly [number, number]> {
  const { status, text } = await host.get(`${PATH}?RecordCount=1`);
  return [status, JSON.parse(text).TotalSiteVariableAmountsCount];
}

describeWith(MOUNTED_DISK, 'the disk', () => {
  test('when full, refuses loads and new keys, answers queries, and recovers when there is room', async () => {
    await runProgram('load', [submission], settings);
    const host = await startHost(settings);
    const before = await countRecords(host);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filling'), new Uint8Array(bavail * bsize));
    const full = { code: 2, errors: expect.stringMatching(/^The disk is full: .*\n$/m) };
    expect(await runProgram('load', [second], settings)).toMatchObject(full);
    expect(await runProgram('keys', ['issue', '--owner', 'Somebody'], settings)).toMatchObject(full);
    const backup = join(disk, 'backup');
    expect(await runProgram('backup', [backup], settings)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`The disk is full: ${backup} could not be written. Make room in ${disk},`),
    });
    expect(readdirSync(disk).filter((name) => name.includes('backup'))).toEqual([]);
    expect((await host.get('/health')).status).toBe(200);
    expect(await countRecords(host)).toEqual(before);
    rmSync(join(disk, 'filling'));
    expect(await runProgram('load', [second], settings)).toMatchObject({ code: 0 });
    expect((await countRecords(host))[0]).toBe(200);
    expect(await host.stop()).toMatchObject({ code: 0, errors: '' });
  });

  test('when read-only, serves the published data and stops a load with a message', async () => {
    await runProgram('load', [submission], settings);
    const before = await startHost(settings);
    const published = await countRecords(before);
    await before.stop();
    expect(runAsRoot('mount', '-o', 'remount,ro', disk)).toBe(true);
    try {
      const host = await startHost(settings);
      expect((await host.get('/health')).status).toBe(200);
      expect(await countRecords(host)).toEqual(published);
      expect(await host.stop()).toMatchObject({ code: 0 });
      const load = await runProgram('load', [second], settings);
      expect(load).toMatchObject({
        code: 2,
        errors: expect.stringMatching(/cannot be written.*WATER_DATA_DIR|read-only file system/),
      });
    } finally {
      expect(runAsRoot('mount', '-o', 'remount,rw', disk)).toBe(true);
    }
    expect(published[0]).toBe(200);
  });
});

testWith(LIBFAKETIME, 'a clock a year ahead changes the age in /health and deletes nothing', async () => {
  const data = { ...settings, WATER_DATA_DIR: join(folder, 'ahead') };
  await runProgram('load', [submission], data);
  const host = await startHost({
    ...data,
    LD_PRELOAD: LIBFAKETIME_PATH,
    FAKETIME: '+366d',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const health = JSON.parse((await host.get('/health')).text) as { readonly newestAgeSeconds: number };
  expect(health.newestAgeSeconds).toBeGreaterThan(365 * 86_400);
  const ahead = await countRecords(host);
  await host.stop();
  const back = await startHost(data);
  expect([ahead[0], await countRecords(back)]).toEqual([200, ahead]);
  await back.stop();
});

test(`an upgrade that is killed at ${MOMENTS} moments loses nothing and completes when it is run again`, async () => {
  const service = createTestService(undefined, join(folder, 'upgraded'));
  await service.load(createManyAmounts(1, 20));
  await ageRelease(service);
  await service.close();
  const earlierFolder = join(folder, 'upgraded', 'data');
  const createDataSettings = (name: string): Record<string, string> => ({
    ...settings,
    WATER_DATA_DIR: join(folder, name),
  });
  cpSync(earlierFolder, join(folder, 'whole'), { recursive: true });
  const began = performance.now();
  expect(await runProgram('releases', ['rebuild'], createDataSettings('whole'))).toMatchObject({ code: 0 });
  const duration = performance.now() - began;
  const killed = createDataSettings('killed');
  const asFormerly = (): void => {
    rmSync(killed['WATER_DATA_DIR'] ?? '', { recursive: true, force: true });
    cpSync(earlierFolder, killed['WATER_DATA_DIR'] ?? '', { recursive: true });
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
  const other = await startHost(createDataSettings('whole'));
  expect(await countRecords(host)).toEqual(await countRecords(other));
  await Promise.all([host.stop(), other.stop()]);
}, 300_000);
