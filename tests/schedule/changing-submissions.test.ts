// Submissions that change while they are loaded, file by file and at any moment: one version is published, never a
// mixture, and each publish has exactly one report (ADR 0052). The soak tries 200 moments in each inbox.

import { SeededRandom } from '../../bench/generate/seeded-random';
import { openBlobStorage } from '../../data-loaders/intake/blob-storage';
import { FolderStorage } from '../../data-loaders/intake/folder-storage';
import { Inbox } from '../../data-loaders/intake/inbox';
import type { InboxStorage } from '../../data-loaders/intake/inbox-storage';
import { readInboxLocation } from '../../shared/settings';
import { startAzurite } from '../fixtures/azurite';
import { accessContainer, accessFolder, type InboxAccess } from '../fixtures/inbox-places';
import { startServerForTests } from '../fixtures/loopback-server';
import { chooseSeed, countCases, printInSoak } from '../fixtures/soak';
import { siteAmountsSubmission, writeCsv } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import type { TestService } from '../fixtures/test-service';
import { createTickWorldMaker, LEASE_MS, type TickWorld } from '../fixtures/tick-world';

const CHANGES = countCases(200, 0.01);
const BLOB_CHANGES = countCases(200, 0.01);
const random = new SeededRandom(chooseSeed(20_251_122));

/** Longer than changing all files takes. */
const QUIET_MS = 250;

const folder = createTemporaryFolder();
const createWorld = createTickWorldMaker();
const azurite = startServerForTests(startAzurite);

interface Place extends InboxAccess {
  readonly storage: InboxStorage;
}

function openFolder(root: string): Promise<Place> {
  return Promise.resolve({ ...accessFolder(root), storage: new FolderStorage(root) });
}

async function openBlobs(): Promise<Place> {
  const container = await azurite().createContainer();
  const location = readInboxLocation(container.url(), '/');
  if (!location.ok || location.value.kind === 'folder') throw new Error('not a container');
  return { ...accessContainer(container), storage: await openBlobStorage(location.value) };
}

/** The files of one version. Their rows contain the name of the version. */
function listFiles(version: string): readonly (readonly [string, string])[] {
  const named: Readonly<Record<string, string>> = {
    'sites.csv': 'SiteName',
    'methods.csv': 'MethodName',
    'watersources.csv': 'WaterSourceName',
    'organizations.csv': 'OrganizationContactName',
    'sitespecificamounts.csv': 'CommunityWaterSupplySystem',
  };
  return [
    ...Object.entries(siteAmountsSubmission).map(([file, rows]): readonly [string, string] => {
      const column = named[file];
      return [file, writeCsv(column === undefined ? rows : rows.map((row) => ({ ...row, [column]: version })))];
    }),
    ['READY', version],
  ];
}

/** Calls `onMoment` whenever a method is called. */
function watched<Watched extends object>(target: Watched, onMoment: () => void): Watched {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        onMoment();
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** A timer run in which moments are counted: calls of the store and the inbox, and checks whether to stop. */
async function tickWith(world: TickWorld, { storage }: Place, onMoment: () => void): Promise<void> {
  const stop = {
    get aborted(): boolean {
      onMoment();
      return false;
    },
  };
  const clock = { now: () => new Date(), leaseMs: LEASE_MS };
  const inbox = new Inbox(watched(storage, onMoment), clock, QUIET_MS);
  const store = watched(world.service.store, onMoment);
  await tickQuietly();
  await world.tick({ inbox, store, now: clock.now, stop });
}

async function tickQuietly(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS + 20));
}

/** The published versions of the submission, keyed by data version. */
async function versionsPublished({ store, get }: TestService): Promise<ReadonlyMap<string, readonly string[]>> {
  const states = [await store.currentState(), ...(await store.history())];
  const found = new Map<string, readonly string[]>();
  for (const { version } of states.filter(({ entries }) => entries.length > 0)) {
    const { text } = await get(`/v1/SiteVariableAmounts?State=UT&DataVersion=${version}`);
    found.set(version, [...new Set(text.match(/version-\w+/g) ?? [])]);
  }
  return found;
}

async function reportsIn({ paths, read }: Place): Promise<readonly { verdict: string; dataVersion: string | null }[]> {
  const reports = (await paths()).filter((path) => path.endsWith('/report.json'));
  return Promise.all(reports.map(async (path) => JSON.parse(await read(path)) as never));
}

/** Writes the second version from the moment `from` on, with `pause` moments between two files. */
async function changeDuringTick(world: TickWorld, place: Place, from: number, pause: number): Promise<number> {
  const rest = [...listFiles('version-two')];
  const writing: Promise<void>[] = [];
  let moments = 0;
  const writeNext = (): void => {
    const [path, text] = rest.shift() ?? [];
    if (path !== undefined && text !== undefined) writing.push(place.put(`waiting/one/${path}`, text));
  };
  await tickWith(world, place, () => {
    if (moments >= from && (moments - from) % pause === 0) writeNext();
    moments++;
  });
  while (rest.length > 0) writeNext();
  await Promise.all(writing);
  return moments;
}

async function expectOneVersionAndItsReport(world: TickWorld, place: Place): Promise<void> {
  const settled = async (): Promise<boolean> => !(await place.paths()).some((path) => path.startsWith('waiting/'));
  for (let ticks = 0; ticks < 4 && !(await settled()); ticks++) {
    // Someone who changed a submission after it had been moved away submits all of it again.
    const waiting = await place.paths();
    for (const [path, text] of listFiles('version-two')) {
      if (!waiting.includes(`waiting/one/${path}`)) await place.put(`waiting/one/${path}`, text);
    }
    await tickWith(world, place, () => undefined);
  }
  expect(world.errors).toEqual([]);
  expect(await settled()).toBe(true);
  const versions = await versionsPublished(world.service);
  const reports = await reportsIn(place);
  const published = reports.filter(({ verdict }) => verdict === 'published');
  expect([...versions.values()].filter((found) => found.length !== 1)).toEqual([]);
  expect([...versions.values()]).toContainEqual(['version-two']);
  expect(published.map(({ dataVersion }) => dataVersion).sort()).toEqual([...versions.keys()].sort());
  expect(reports.filter(({ verdict }) => verdict === 'refused')).toEqual([]);
}

describe.each([
  ['a folder', (name: string) => openFolder(`${folder}/${name}`), CHANGES],
  ['a container', openBlobs, BLOB_CHANGES],
] as const)('%s that changes at any moment', (kind, open, changes) => {
  test(
    `is published in one consistent version with a report, ${changes} times`,
    async () => {
      let moments = 60;
      for (let change = 0; change < changes; change++) {
        const world = createWorld();
        const place = await open(`${kind}-${change}`);
        for (const [path, text] of listFiles('version-one')) await place.put(`waiting/one/${path}`, text);
        const from = random.integer(0, moments - 1);
        const pause = random.integer(1, 3);
        moments = Math.max(moments, await changeDuringTick(world, place, from, pause));
        try {
          await expectOneVersionAndItsReport(world, place);
        } catch (error) {
          throw new Error(`changed from moment ${from} of ${moments} on, each ${pause}: ${String(error)}`, {
            cause: error,
          });
        }
      }
      printInSoak(`${kind}: changed ${changes} times at one of ${moments} moments; no mixture, no report lost`);
    },
    (changes + 5) * 8000,
  );
});
