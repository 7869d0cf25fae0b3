// Kills timer runs at any moment, with a folder inbox and a blob inbox, while they replace or merge: nothing is lost or
// duplicated, no publish is partial, no submission is stuck, and the next run completes the work.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import type { TimerRunMessage } from '../../data-loaders/intake/run-in-process';
import { tidyUp } from '../../data-loaders/intake/tidy-up';
import { readSettings } from '../../shared/settings';
import { startAzurite } from '../fixtures/azurite';
import { listRecords } from '../fixtures/handmade';
import { killAfter, programEnvironment, PROJECT, waitForEnd } from '../fixtures/host-process';
import {
  accessContainer,
  accessFolder,
  dropSubmission,
  type InboxAccess,
  listPathsBelow,
} from '../fixtures/inbox-places';
import { startServerForTests } from '../fixtures/loopback-server';
import { createManyAmounts } from '../fixtures/many-amounts';
import { chooseSeed, countCases } from '../fixtures/soak';
import { type Row, type Submission, writeCsv } from '../fixtures/submission';
import { getRows, withRows } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, type TestService } from '../fixtures/test-service';

const ROUNDS = countCases(100, 0.01);
/** A timer run with a container takes twice as long. */
const CONTAINER_ROUNDS = countCases(100, 0.01);
const FEW_ROUNDS = 10;
const SEED = chooseSeed(20_250_102);

/** Far more than a round takes on a slow machine. */
const MS_PER_ROUND = 20_000;

const FILE = 'sitespecificamounts.csv';

/** All versions have this name, so settled submissions get other names. */
const NAME = 'many';

const SITES = 20;
/** A hundred records at each site. */
const RECORDS = SITES * 100;

/** Staged rows of a killed run stay for a day, even if the next run does not use them. */
const DAYS_LATER = new Date('2999-01-01T00:00:00.000Z');

const TICK = join(PROJECT, 'dist', 'bundle', 'timer-process.js');

/** The amount at the sites with even numbers, and the amount at the others. */
type Halves = readonly [even: number, odd: number];

type Mode = 'replace' | 'merge';

const folder = createTemporaryFolder();
const azurite = startServerForTests(startAzurite);
const services: TestService[] = [];

afterAll(async () => {
  for (const service of services) await service.close();
});

/** A merge contains only rows of the sites with even numbers. */
function createSubmission(mode: Mode, amount: number): Submission {
  const whole = createManyAmounts(amount, SITES);
  return mode === 'replace' ? whole : withRows(whole, FILE, getRows(whole, FILE).filter(isEven));
}

function isEven(row: Row | Readonly<Record<string, unknown>>): boolean {
  return Number(String(row['SiteUUID']).slice(1)) % 2 === 0;
}

class Killed {
  readonly service: TestService;
  private readonly settings;
  private submitted = 0;
  private readonly expected = new Set<string>();

  constructor(
    name: string,
    private readonly place: InboxAccess,
  ) {
    this.service = createTestService('MDY', join(folder, name));
    services.push(this.service);
    this.settings = {
      // These submissions change every amount, so holds are off.
      WATER_DATA_DIR: join(this.service.folder, 'data'),
      HOLD_SUBMISSIONS: 'false',
      LOADER_QUIET_SECONDS: '0',
      SUBMISSIONS_INBOX: place.setting,
    };
  }

  async submit(mode: Mode, amount: number): Promise<void> {
    const files = Object.entries(createSubmission(mode, amount)).map(([file, rows]) => [file, writeCsv(rows)] as const);
    await dropSubmission(this.place, NAME, files, { mode, note: String(amount) });
    this.expected.add(String(amount));
    this.submitted++;
  }

  /** Returns the duration of the run in milliseconds. */
  async tick(): Promise<number> {
    const start = performance.now();
    expect(await waitForEnd(this.startTick())).toMatchObject({ code: 0, errors: '' });
    return performance.now() - start;
  }

  tickAndKill(afterMs: number): Promise<boolean> {
    return killAfter(this.startTick(), afterMs);
  }

  /** Starts a run the way the timers do, whether or not a run is due. */
  private startTick(): ChildProcess {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    const child = fork(TICK, { env: programEnvironment({}), serialization: 'advanced', stdio: [...stdio] });
    const start: TimerRunMessage = { kind: 'start', task: 'take-in', settings: readSettings(this.settings, '/') };
    child.send(start);
    return child;
  }

  /** The amounts that readers see. Throws unless each half has a single amount. */
  async seen(): Promise<Halves> {
    const answer = await this.service.get(`/v1/SiteVariableAmounts?RecordCount=${RECORDS}`);
    const records = listRecords(answer, 'SiteVariableAmounts');
    const halves = [records.filter(isEven), records.filter((record) => !isEven(record))];
    const amounts = halves.map((half) => [...new Set(half.map(({ Amount }) => Number(Amount)))]);
    expect({ records: records.length, amounts: amounts.flat().length }).toEqual({ records: RECORDS, amounts: 2 });
    return [amounts[0]?.[0] ?? NaN, amounts[1]?.[0] ?? NaN];
  }

  /** A move between two folders of a container is a copy and a deletion. */
  async expectNothingLost(): Promise<void> {
    expect(new Set(await this.notes())).toEqual(this.expected);
  }

  async expectAllSettled(): Promise<void> {
    const paths = await this.place.paths();
    expect(paths.filter((path) => !path.startsWith('accepted/'))).toEqual([]);
    expect([...(await this.notes())].sort()).toEqual([...this.expected].sort());
    // The files of the fixture lack optional columns, each of which causes a warning.
    const warned = ['methods', 'sites', 'sitespecificamounts', 'watersources'].map((file) => `${file}.warned.csv`);
    const names = [
      ...Object.keys(createManyAmounts(1, SITES)),
      ...warned,
      'report.html',
      'report.json',
      'report.md',
      'submission.json',
    ];
    expect(paths.map((path) => path.split('/')[2] ?? '').sort()).toEqual(
      names.flatMap((name) => Array.from({ length: this.submitted }, () => name)).sort(),
    );
    const lists = paths.filter((path) => path.endsWith('.warned.csv'));
    const texts = await Promise.all(lists.map((path) => this.place.read(path)));
    // All submissions have the same warnings, so a list that was cut short by a kill would differ from the others.
    expect(new Set(texts).size).toBe(warned.length);
    expect(texts.every((text) => text.includes('absent-column') && text.endsWith('\n'))).toBe(true);
  }

  async expectNothingLeft(): Promise<void> {
    const data = this.settings.WATER_DATA_DIR;
    const stagingDirectory = join(data, 'staging');
    await tidyUp({
      store: this.service.store,
      stagingDirectory,
      files: this.service.service.downloads,
      retentionDays: 30,
      now: () => DAYS_LATER,
      log: () => undefined,
    });
    expect(listPathsBelow(data).filter((path) => /^staging\/|\.unfinished$/.test(path))).toEqual([]);
  }

  /** The notes of all submissions anywhere in the inbox. Each submission has its own. */
  private async notes(): Promise<readonly string[]> {
    const paths = (await this.place.paths()).filter((path) => path.endsWith('/submission.json'));
    return Promise.all(paths.map(async (path) => String(JSON.parse(await this.place.read(path)).note)));
  }
}

const inboxes: readonly (readonly [string, rounds: number, () => Promise<InboxAccess>])[] = [
  ['folder', ROUNDS, () => Promise.resolve(accessFolder(join(folder, 'inbox')))],
  ['container', CONTAINER_ROUNDS, async () => accessContainer(await azurite().createContainer())],
];

test.each(inboxes)(
  'a kill at any moment over a %s loses and duplicates nothing, and the next run completes the work',
  async (name, rounds, createPlace) => {
    const world = new Killed(name, await createPlace());
    await world.submit('replace', 1);
    const durations = { replace: await world.tick(), merge: 0 };
    await world.submit('merge', 2);
    durations.merge = await world.tick();
    let earlier: Halves = [2, 1];
    const shares = fc.sample(fc.integer({ min: 10, max: 105 }), { seed: SEED, numRuns: rounds });
    let kills = 0;
    for (const [index, share] of shares.entries()) {
      const amount = index + 3;
      const mode = index % 2 === 0 ? 'replace' : 'merge';
      const next: Halves = mode === 'replace' ? [amount, amount] : [amount, earlier[1]];
      await world.submit(mode, amount);
      if (await world.tickAndKill((durations[mode] * share) / 100)) kills++;
      expect([earlier, next]).toContainEqual(await world.seen());
      await world.expectNothingLost();
      await world.tick();
      expect(await world.seen()).toEqual(next);
      await world.expectAllSettled();
      await world.expectNothingLeft();
      earlier = next;
    }
    // On a busy machine, all kills of a short test may come too late.
    if (rounds > FEW_ROUNDS) expect(kills).toBeGreaterThan(rounds / 3);
  },
  (ROUNDS + 3) * MS_PER_ROUND,
);
