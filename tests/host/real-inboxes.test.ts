// The real submissions, dropped into both kinds of inbox: the timers of the local host take them in by themselves. The
// soak does it with all of their rows.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startAzurite, type Azurite } from '../fixtures/azurite';
import { ask, startHost, type RunningHost } from '../fixtures/host-process';
import { untilLogged } from '../fixtures/host-log';
import { containerPlace, dropInto, folderPlace, type InboxPlace } from '../fixtures/inbox-places';
import { OPERATIONS } from '../fixtures/plain-search';
import { plainVerdict } from '../fixtures/plain-verdicts';
import { readRealFiles, realSubmissions, trimmed } from '../fixtures/real-submissions';
import { soakCases } from '../fixtures/soak';
import { temporaryFolder } from '../fixtures/temporary-folder';

/** The number of rows taken from each file. */
const ROWS = soakCases(10_000, 0.02);

const folder = temporaryFolder();
const hosts: RunningHost[] = [];
let azurite: Azurite;

beforeAll(async () => {
  azurite = await startAzurite();
});

afterAll(async () => {
  for (const host of hosts) if (host.process.exitCode === null) await host.stop('SIGKILL');
  await azurite.stop();
});

const inboxes: readonly (readonly [string, () => Promise<InboxPlace>])[] = [
  [
    'a folder',
    () => {
      const inbox = join(folder, 'inbox');
      // The service makes no inbox where there is none.
      mkdirSync(inbox);
      return Promise.resolve(folderPlace(inbox));
    },
  ],
  ['a container', async () => containerPlace(await azurite.createContainer())],
];

describe('the real submissions', () => {
  test.each(inboxes)('through %s, on schedule', async (name, createPlace) => {
    const place = await createPlace();
    const host = await startHost({
      ...{
        LOADER_SCHEDULE: '* * * * * *',
        LOADER_QUIET_SECONDS: '0',
        LOAD_SAMPLES: 'false',
        SUBMISSIONS_INBOX: place.setting,
      },
      WATER_DATA_DIR: join(folder, name),
    });
    hosts.push(host);
    const expected: Record<string, number> = {};
    for (const { folder: real, kind } of realSubmissions) {
      const files = trimmed(readRealFiles(real), ROWS);
      await dropInto(place, real, files, { contact: 'data@example.org' });
      expected[kind] = (expected[kind] ?? 0) + plainVerdict(files, kind, 1).amounts.size;
    }
    for (const { folder: real } of realSubmissions) {
      await untilLogged(host, `submission ${real}: Published`);
      expect(JSON.parse(await place.read(`accepted/${real}/report.json`))).toMatchObject({ verdict: 'published' });
      expect(await place.read(`accepted/${real}/report.md`)).toMatch(/^# Published\n/);
    }
    expect((await place.paths()).filter((path) => !path.startsWith('accepted/'))).toEqual([]);
    for (const [kind, records] of Object.entries(expected)) {
      const path = OPERATIONS[kind as keyof typeof OPERATIONS]; // The keys are the kinds of realSubmissions.
      const { text } = await ask(host.port, `${path}?RecordCount=1`, { 'x-api-key': host.key ?? '' });
      expect(JSON.parse(text)).toMatchObject({ [`Total${kind}Count`]: records });
    }
    expect(await host.stop()).toMatchObject({ code: 0, errors: '' });
  });
});
