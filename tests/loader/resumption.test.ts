// A load that ended early resumes from its staged rows: the report is the same as without the interruption, and no row
// is read twice. Also: a folder that changes while `npm run load` reads it (ADR 0052).

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { loadFolder } from '../../data-loaders/intake/load-folder';
import { SILENT, StoppedError } from '../../data-loaders/stage/progress';
import { STATE_FILE } from '../../data-loaders/stage/staging-state';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeSubmission,
} from '../fixtures/submission';
import { getRows, withCells } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createServiceMaker, type TestService } from '../fixtures/test-service';
import { withFailures } from '../fixtures/tick-world';

const FILE = 'sitespecificamounts.csv';

/** A cell that is so long that a few rows exceed one batch. */
const LONG_TEXT = 'a long text '.repeat(180);

const ROWS = 140;

function amountRow(number: number): Row {
  const [first] = getRows(siteAmountsSubmission, FILE);
  const year = 1000 + number;
  return {
    ...first,
    SiteUUID: number % 7 === 0 ? 'S2' : 'S1',
    ReportYearCV: year,
    TimeframeStart: `${year}-01-01`,
    TimeframeEnd: `${year}-12-31`,
    Amount: number,
    DataPublicationDOI: LONG_TEXT,
    ...(number % 20 === 1 ? { Amount: 'many' } : {}),
    ...(number % 30 === 2 ? { SiteUUID: 'nowhere' } : {}),
    ...(number % 50 === 3 ? { PrimaryUseCategory: 'IRRIGATION' } : {}),
    ...(number % 40 === 4 ? { WaterSourceUUID: 'dry' } : {}),
    ...(number % 50 === 5 ? { ReportYearCV: year - 1, TimeframeStart: `${year - 1}-01-01` } : {}),
  };
}

/** All kinds of amounts and most kinds of findings. The largest file is read in several batches. */
const mixedSubmission: Submission = {
  ...allocationsSubmission,
  ...aggregatedSubmission,
  ...siteAmountsSubmission,
  'organizations.csv': [
    ...getRows(siteAmountsSubmission, 'organizations.csv'),
    { OrganizationUUID: 'ORG_2', OrganizationName: 'Another Office', State: 'UT' },
  ],
  'sites.csv': [
    ...getRows(siteAmountsSubmission, 'sites.csv'),
    { SiteUUID: 'S1', SiteName: 'Once more' },
    { SiteUUID: 'S3', Geometry: 'POLYGON ((', County: 'cache county' },
  ],
  'methods.csv': [...getRows(siteAmountsSubmission, 'methods.csv'), { MethodName: 'Without identifier', Extra: 'x' }],
  'overlays.csv': [{ Name: 'not of the format' }],
  [FILE]: Array.from({ length: ROWS }, (_, number) => amountRow(number)),
};

/** A merge into the first submission that replaces, adds and deletes amounts and lookups. */
const mixedMerge: Submission = {
  'sites.csv': [
    { SiteUUID: 'S3', Delete: 'true' },
    { SiteUUID: 'S1', Delete: 'true' },
  ],
  [FILE]: [
    { ...amountRow(10), Amount: 77 },
    { ...amountRow(11), Delete: 'true' },
    { ...amountRow(ROWS + 10), Delete: 'yes' },
    { ...amountRow(ROWS + 13), Amount: 78 },
  ],
};

/** The seven files before it have one batch each. */
const INSIDE_THE_LARGEST_FILE = 8;

const folder = createTemporaryFolder();
const createService = createServiceMaker();

function write(submission: Submission, mode: 'replace' | 'merge'): string {
  const submitted = writeSubmission(mkdtempSync(join(folder, 'submission-')), submission);
  writeFileSync(join(submitted, 'submission.json'), JSON.stringify({ mode }));
  return submitted;
}

interface Attempt {
  readonly report: Report | 'stopped';
  /** The number of rows read from files, including rows of the release that a merge is based on. */
  readonly rows: number;
  readonly rejected: Readonly<Record<string, string>>;
  readonly logged: readonly string[];
}

interface AttemptOptions {
  /** The number of batches that are read before the load is stopped. */
  readonly batches?: number;
  /** The number of build steps before the load is stopped. */
  readonly steps?: number;
}

/** Loads one submission in several attempts. It is a dry run, so that one store serves many loads. */
function createLoad(service: TestService, submitted: string) {
  // The rows stay here between attempts.
  const work = mkdtempSync(join(folder, 'work-'));
  return {
    work,
    attempt: async ({ batches = Infinity, steps = Infinity }: AttemptOptions = {}): Promise<Attempt> => {
      const rejectedDirectory = mkdtempSync(join(folder, 'rejected-'));
      let rows = 0;
      let batchesLeft = batches;
      let stepsLeft = steps;
      const step = (): void => {
        stepsLeft--;
        if (stepsLeft < 0) throw new StoppedError();
      };
      const logged: string[] = [];
      const log = (message: string): void => void logged.push(message);
      const countRows = (more: number): void => {
        rows += more;
      };
      const progress = { ...SILENT, countRows, startStage: step, step, log };
      const shouldStop = (): boolean => {
        batchesLeft--;
        return batchesLeft <= 0;
      };
      const resumption = { folder: work, shouldStop };
      const input = { isDryRun: true, resumption, progress, rejectedDirectory };
      const report = await service.loadFolder(submitted, input).catch((error: unknown) => {
        if (error instanceof StoppedError) return 'stopped' as const;
        throw error;
      });
      return { report, rows, rejected: textsIn(rejectedDirectory), logged };
    },
  };
}

function textsIn(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

describe.each(['replace', 'merge'] as const)('%s', (mode) => {
  let service: TestService;
  let submitted: string;
  let undisturbed: Attempt;

  beforeAll(async () => {
    service = createService();
    if (mode === 'merge') await service.load(mixedSubmission);
    submitted = write(mode === 'merge' ? mixedMerge : mixedSubmission, mode);
    undisturbed = await createLoad(service, submitted).attempt();
  });

  test('a load that is stopped after every batch still completes', async () => {
    const load = createLoad(service, submitted);
    let rows = 0;
    let attempts = 0;
    for (;;) {
      const last = await load.attempt({ batches: 1 });
      attempts++;
      rows += last.rows;
      if (last.report === 'stopped') continue;
      expect({ ...last, rows }).toEqual(undisturbed);
      break;
    }
    expect(attempts).toBeGreaterThan(10);
  });

  test.each([0, 1, 100])('a load that was stopped at build step %p does not read the rows again', async (steps) => {
    const load = createLoad(service, submitted);
    const first = await load.attempt({ steps });
    expect(first).toMatchObject({ report: 'stopped', rows: undisturbed.rows });
    expect(await load.attempt()).toEqual({ ...undisturbed, rows: 0 });
  });
});

test('a file in Windows-1252 resumes at the correct byte', async () => {
  const service = createService();
  const rows = getRows(mixedSubmission, FILE).map((row) => ({ ...row, CropTypeCV: 'Maïs' }));
  const submitted = write({ ...mixedSubmission, [FILE]: rows }, 'replace');
  const path = join(submitted, FILE);
  writeFileSync(path, Buffer.from(readFileSync(path, 'utf8'), 'latin1'));
  const undisturbed = await createLoad(service, submitted).attempt();
  const load = createLoad(service, submitted);
  const first = await load.attempt({ batches: INSIDE_THE_LARGEST_FILE });
  const second = await load.attempt();
  expect({ ...second, rows: first.rows + second.rows }).toEqual(undisturbed);
  expect(second.rows).toBeGreaterThan(20);
});

test('a merge restarts if something else was published in the meantime', async () => {
  const service = createService();
  await service.load(siteAmountsSubmission);
  const [first] = getRows(siteAmountsSubmission, FILE);
  const added = { ...first, TimeframeStart: '1990-01-01' };
  const load = createLoad(service, write({ [FILE]: [added] }, 'merge'));
  expect((await load.attempt({ steps: 0 })).report).toBe('stopped');
  await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 4711 }));
  const { report, rows } = await load.attempt();
  expect(report).toMatchObject({ dataSets: [{ records: 7, change: { added: 1, removed: 0, changed: 0 } }] });
  expect(rows).toBeGreaterThan(7);
});

test('rows from before a reboot are staged again', async () => {
  const load = createLoad(createService(), write(siteAmountsSubmission, 'replace'));
  const first = await load.attempt({ steps: 0 });
  const uptime = jest.spyOn(os, 'uptime').mockReturnValue(os.uptime() - 3600);
  const { rows, logged } = await load.attempt({ steps: 0 });
  expect({ rows, logged }).toEqual({
    rows: first.rows,
    logged: [expect.stringMatching(/^rows staged in .* were discarded, .*: the machine was restarted since$/)],
  });
  uptime.mockRestore();
});

test('rows are staged again after three failed loads', async () => {
  const load = createLoad(createService(), write(siteAmountsSubmission, 'replace'));
  const rows: number[] = [];
  const logs: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    const ended = await load.attempt({ steps: 1 });
    rows.push(ended.rows);
    logs.push(ended.logged.filter((line) => line.endsWith('resuming them failed 3 times')).length);
  }
  const [all] = rows;
  expect({ rows, logs }).toEqual({ rows: [all, 0, 0, 0, all, 0], logs: [0, 0, 0, 0, 1, 0] });
});

test('rows are staged again if the saved state is damaged', async () => {
  const service = createService();
  const submitted = write(siteAmountsSubmission, 'replace');
  const undisturbed = await createLoad(service, submitted).attempt();
  const load = createLoad(service, submitted);
  writeSubmission(join(load.work, 'rows'), {});
  writeFileSync(join(load.work, 'rows', STATE_FILE), 'not a state '.repeat(1000));
  const { logged, ...rest } = await load.attempt();
  expect({ ...rest, logged: [] }).toEqual(undisturbed);
  expect(logged).toEqual([expect.stringMatching(/^rows staged in .* were discarded, .*deserialize/)]);
});

const changing = createService();

/** Loads a submission whose folder is changed while its release is built. */
function loadWhile(change: (submission: string) => void, isDryRun = false): Promise<Report> {
  const submission = write(siteAmountsSubmission, 'replace');
  const startRelease: typeof changing.store.startRelease = () => {
    change(submission);
    return changing.store.startRelease();
  };
  return loadFolder(submission, {
    store: withFailures(changing.store, { startRelease }),
    stagingDirectory: join(folder, 'staging'),
    rejectedShareLimit: 0.1,
    isDryRun,
    isSample: false,
    progress: SILENT,
    now: () => new Date(),
  });
}

test.each([
  ['is overwritten', 'MethodUUID\n'],
  ['is deleted', undefined],
])('a file that %s is reported, and nothing is published', async (_, text) => {
  for (const isDryRun of [false, true]) {
    const report = await loadWhile((submission) => {
      const path = join(submission, 'methods.csv');
      if (text === undefined) rmSync(path);
      else writeFileSync(path, text);
    }, isDryRun);
    expect(report).toMatchObject({
      verdict: 'refused',
      sentence: expect.stringMatching(/^Refused: methods\.csv changed while it was read; .*\.$/),
    });
  }
  expect(await changing.store.history()).toEqual([]);
});

test('a file that the loader does not read may change', async () => {
  const report = await loadWhile((submission) => {
    writeFileSync(join(submission, 'sites.rejected.csv'), 'x');
  });
  expect(report).toMatchObject({ verdict: 'published' });
});

test('a failure of the machine is thrown rather than reported as a changed folder', async () => {
  const fault = loadWhile(() => {
    throw new Error('the disk is full');
  });
  await expect(fault).rejects.toThrow('the disk is full');
});
