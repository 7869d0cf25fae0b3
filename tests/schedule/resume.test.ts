// Kills a tick in each of its stages: the next tick goes on, and its report and its release are those of an undisturbed
// tick.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tidyUp } from '../../data-loaders/intake/tasks';
import { endOf, type Ended } from '../fixtures/host-process';
import { dropInto, folderPlace } from '../fixtures/inbox-places';
import { mixedMerge, mixedSubmission } from '../fixtures/mixed-submission';
import { pathsBelow } from '../fixtures/paths-below';
import { csvText, type Submission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';
import { startTick, type KillPoint } from '../fixtures/tick-process';

const folder = temporaryFolder();
const services: TestService[] = [];

/**
 * How often a tick has looked whether it is to stop: once before it begins, behind each batch, at each step of
 * building.
 */
const LOOKS = { early: 4, insideTheLargestFile: 9, behindReading: { replace: 16, merge: 37 }, inBuilding: 100 };

/** Each file has at least one batch, behind which a tick looks whether it is to stop. */
const FILES = 9;

/** A kill at these points leaves nothing to read, and all to build. */
const READS_NOTHING = ['between reading and building', 'in the middle of building', 'before the publish'];

interface World {
  readonly service: TestService;
  readonly inbox: string;
  readonly tick: (killPoint?: KillPoint) => Promise<Ended & { readonly signal: string | null }>;
  /** The report, the releases and the catalog that the submission led to, without times. */
  readonly result: () => Promise<unknown>;
}

/** A world with a published release, and a submission that changes it. */
async function createWorld(name: string, submission: Submission, mode: 'replace' | 'merge'): Promise<World> {
  const service = createTestService('MDY', join(folder, name));
  services.push(service);
  await service.load(mixedSubmission);
  const inbox = join(service.folder, 'inbox');
  const files = Object.entries(submission).map(([file, rows]) => [file, csvText(rows)] as const);
  await dropInto(folderPlace(inbox), 'one', files, { mode });
  const data = { WATER_DATA_DIR: join(service.folder, 'data'), LOADER_QUIET_SECONDS: '0', SUBMISSIONS_INBOX: inbox };
  const settings = { ...data, REJECTED_SHARE_LIMIT: '0.9' };
  const accepted = join(inbox, 'accepted', 'one');
  return {
    ...{ service, inbox },
    tick: async (killPoint) => {
      const child = startTick(settings, killPoint);
      return { ...(await endOf(child)), signal: child.signalCode };
    },
    result: async () => {
      const { milliseconds, ...report } = JSON.parse(readFileSync(join(accepted, 'report.json'), 'utf8'));
      expect(milliseconds).toEqual(expect.any(Number));
      const rejected = pathsBelow(accepted).filter((path) => path.endsWith('.rejected.csv'));
      const texts = rejected.map((path) => [path, readFileSync(join(accepted, path), 'utf8')]);
      const { version, entries } = await service.store.currentState();
      const releases = entries.map(({ releaseId, records }) => ({ releaseId, records }));
      return { report, texts, version, releases, states: (await service.store.history()).length };
    },
  };
}

function looksOf({ output }: Ended): number {
  return Number(/looks: (\d+)/.exec(output)?.[1]);
}

afterAll(async () => {
  for (const service of services) await service.close();
});

describe.each([
  ['replace', withCells(mixedSubmission, 'sitespecificamounts.csv', 10, { Amount: 4711 })],
  ['merge', mixedMerge],
] as const)('%s', (mode, submission) => {
  let undisturbed: unknown;
  let looks: number;

  beforeAll(async () => {
    const world = await createWorld(mode, submission, mode);
    const ended = await world.tick();
    expect(ended).toMatchObject({ code: 0, errors: '' });
    looks = looksOf(ended);
    undisturbed = await world.result();
    expect(undisturbed).toMatchObject({ report: { verdict: 'published' }, states: 2 });
  });

  const points: readonly [string, KillPoint][] = [
    ['in the lookup files', { looks: LOOKS.early }],
    ['inside the largest file', { looks: LOOKS.insideTheLargestFile }],
    ['between reading and building', { looks: LOOKS.behindReading[mode] }],
    ['in the middle of building', { looks: LOOKS.inBuilding }],
    ['before the publish', { rename: 'kept.json' }],
    ['between publish and move', { rename: 'decided' }],
    ['in the middle of the move', { rename: 'left' }],
  ];

  test.each(mode === 'replace' ? points : points.filter((_, index) => index === 2 || index === 5))(
    'killed %s',
    async (name, killPoint) => {
      const world = await createWorld(`${mode} ${name}`, submission, mode);
      expect(await world.tick(killPoint)).toMatchObject({ signal: 'SIGKILL' });
      const ended = await world.tick();
      expect(ended).toMatchObject({ code: 0, errors: '' });
      expect(await world.result()).toEqual(undisturbed);
      expect(looksOf(ended)).toBeLessThan(looks);
      if (READS_NOTHING.includes(name)) expect(looks - looksOf(ended)).toBeGreaterThan(FILES);
      const { store, downloads: files } = world.service.service;
      const stagingDirectory = join(world.service.folder, 'data', 'staging');
      await tidyUp({ store, stagingDirectory, files, retentionDays: 30, now: () => TEST_NOW, log: () => undefined });
      expect(pathsBelow(stagingDirectory)).toEqual([]);
      expect(pathsBelow(join(world.inbox, '.working')).filter((path) => !path.includes('claim'))).toEqual([]);
    },
  );
});
