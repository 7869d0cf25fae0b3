// What every inbox must do, wherever it lies (submissions.md, 5). Each kind runs this suite.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim, Inbox, SettledAs } from '../../data-loaders/inbox/inbox';

export interface TestInbox {
  readonly open: (now: () => Date) => Promise<Inbox>;
  /** An inbox whose storage fails for good after some operations, as for a process that is killed there. */
  readonly openBreaking: (now: () => Date, operations: number) => Promise<{ inbox: Inbox; heal: () => Promise<void> }>;
  readonly put: (path: string, text: string) => Promise<void>;
  /** Removes a folder with all that is in it. */
  readonly clear: (folder: string) => Promise<void>;
  /** Everything in waiting/, accepted/ and refused/: path to text. */
  readonly files: () => Promise<Readonly<Record<string, string>>>;
}

export const LEASE_MS = 300_000;

const START = Date.parse('2026-01-02T03:04:05Z');

const submission = { 'sites.csv': 'the sites', 'notes/read me.txt': 'ü', 'submission.json': '{}' };
const report = { 'report.json': '{"verdict":1}', 'report.md': 'the report', 'sites.rejected.csv': 'a row' };

/** Far more than a move needs. */
const MANY_OPERATIONS = 200;

/** Through the same operations once more, where each of them would take long. */
const STRIDE = 3;

function below(prefix: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${prefix}/${path}`, text]));
}

export function describeInboxContract(name: string, createInbox: () => Promise<TestInbox>, folder: string): void {
  describe(name, () => {
    let world: TestInbox;
    let time: number;
    let inbox: Inbox;

    const now = (): Date => new Date(time);
    const workFolder = (): string => mkdtempSync(join(folder, 'work-'));

    beforeEach(async () => {
      world = await createInbox();
      time = START;
      inbox = await world.open(now);
    });

    async function submit(as: string, files: Readonly<Record<string, string>> = submission): Promise<void> {
      for (const [path, text] of Object.entries(files)) await world.put(`waiting/${as}/${path}`, text);
    }

    async function claimed(as: string, from = inbox): Promise<Claim> {
      const claim = await from.claim(as);
      if (claim === undefined) throw new Error(`${as} cannot be claimed`);
      return claim;
    }

    function reportFolder(): string {
      const reports = workFolder();
      for (const [path, text] of Object.entries(report)) writeFileSync(join(reports, path), text);
      return reports;
    }

    async function settle(as: SettledAs, from = inbox): Promise<void> {
      const claim = await claimed('one', from);
      await claim.fetch(workFolder());
      expect(await claim.settle(as, reportFolder())).toBe('settled');
    }

    test('an empty inbox has nothing waiting', async () => {
      expect(await inbox.waiting()).toEqual([]);
      expect(await inbox.claim('nothing')).toBeUndefined();
    });

    test.each(['READY', 'submission.json'])('a half-copied submission waits for its %s', async (marker) => {
      await submit('half', { 'sites.csv': 'the sites', [`deeper/${marker}`]: '' });
      await world.put(`waiting/${marker}`, '');
      expect(await inbox.waiting()).toEqual([]);
      expect(await inbox.claim('half')).toBeUndefined();
      await world.put(`waiting/half/${marker}`, '');
      expect(await inbox.waiting()).toEqual(['half']);
      expect((await claimed('half')).name).toBe('half');
    });

    test('a folder whose name starts with a dot does not wait', async () => {
      await submit('.copying');
      expect(await inbox.waiting()).toEqual([]);
    });

    test('of many takers at once one gets the submission', async () => {
      await submit('one');
      const inboxes = await Promise.all(Array.from({ length: 6 }, () => world.open(now)));
      const claims = await Promise.all(inboxes.map((other) => other.claim('one')));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
      expect(await inbox.waiting()).toEqual(['one']);
    });

    test('a submission that was given back can be claimed again', async () => {
      await submit('one');
      const claim = await claimed('one');
      expect(await inbox.claim('one')).toBeUndefined();
      await claim.release('stop');
      expect((await claimed('one')).name).toBe('one');
    });

    test('a claim that is renewed stays; one that is not expires, and its holder can do nothing more', async () => {
      await submit('one');
      const first = await claimed('one');
      time += LEASE_MS - 1;
      expect(await first.renew()).toBe(true);
      time += LEASE_MS - 1;
      expect(await inbox.claim('one')).toBeUndefined();
      time += 1;
      const second = await claimed('one');
      expect(await first.renew()).toBe(false);
      await first.fetch(workFolder());
      expect(await first.settle('refused', reportFolder())).toBe('lost');
      await first.release('stop');
      expect(await inbox.claim('one')).toBeUndefined();
      expect(await world.files()).toEqual(below('waiting/one', submission));
      await second.fetch(workFolder());
      expect(await second.settle('accepted', reportFolder())).toBe('settled');
    });

    test('counts the loaders that ended with their claim, and the faults; giving back for another reason counts nothing', async () => {
      await submit('one');
      const seen: unknown[] = [];
      for (const end of ['lost', 'fault', 'stop', 'lost', 'fault', 'stop'] as const) {
        const claim = await claimed('one', await world.open(now));
        seen.push(claim.attempts);
        if (end === 'lost') time += LEASE_MS;
        else await claim.release(end);
      }
      expect(seen).toEqual([
        { ended: 0, failed: 0 },
        { ended: 1, failed: 0 },
        { ended: 1, failed: 1 },
        { ended: 1, failed: 1 },
        { ended: 2, failed: 1 },
        { ended: 2, failed: 2 },
      ]);
    });

    test('nothing is counted for the next submission of the name', async () => {
      await submit('one');
      await claimed('one');
      time += LEASE_MS;
      await settle('accepted');
      await submit('one');
      expect((await claimed('one')).attempts).toEqual({ ended: 0, failed: 0 });
    });

    test('content tells a submission from any other', async () => {
      await submit('one');
      const contents = new Set<string>();
      for (const change of [undefined, ['sites.csv', 'other sites'], ['more.csv', ''], ['deeper/more.csv', '']]) {
        const [path, text] = change ?? [];
        if (path !== undefined) await world.put(`waiting/one/${path}`, text ?? '');
        for (let time = 0; time < 2; time++) {
          const claim = await claimed('one');
          contents.add(claim.content);
          await claim.release('stop');
        }
      }
      expect(contents.size).toBe(4);
    });

    test('what was fetched before is not fetched again', async () => {
      await submit('one');
      const work = workFolder();
      const first = await claimed('one');
      const fetched = await first.fetch(work);
      await first.release('stop');
      expect(await (await claimed('one')).fetch(work)).toEqual(fetched);
    });

    test('a report that was kept is there for whoever takes over, and gone with the submission', async () => {
      await submit('one');
      const kept = { version: 'v1', since: '2026-01-02T03:04:05.000Z' };
      const first = await claimed('one');
      expect(await first.keptReport(workFolder())).toBeUndefined();
      expect(await first.keepReport({ ...kept, version: 'v0' }, workFolder())).toBe(true);
      expect(await first.keepReport(kept, reportFolder())).toBe(true);
      time += LEASE_MS;
      const second = await claimed('one', await world.open(now));
      const found = await second.keptReport(workFolder());
      expect(found?.report).toEqual(kept);
      expect(await first.keepReport(kept, reportFolder())).toBe(false);
      expect(await second.settle('accepted', found?.folder ?? '')).toBe('settled');
      expect(await world.files()).toEqual(below('accepted/one', { ...submission, ...report }));
      await submit('one');
      expect(await (await claimed('one')).keptReport(workFolder())).toBeUndefined();
    });

    test('a report that was kept for another content is not there', async () => {
      await submit('one');
      const first = await claimed('one');
      await first.keepReport({ version: 'v1', since: '' }, reportFolder());
      await first.release('stop');
      await world.put('waiting/one/sites.csv', 'other sites');
      expect(await (await claimed('one')).keptReport(workFolder())).toBeUndefined();
    });

    test('renewing at the moment of settling does no harm', async () => {
      await submit('one');
      const claim = await claimed('one');
      await claim.fetch(workFolder());
      const [renewed, outcome] = await Promise.all([claim.renew(), claim.settle('accepted', reportFolder())]);
      expect([renewed, outcome]).toEqual([true, 'settled']);
    });

    test('fetches every file as it was submitted', async () => {
      await submit('one');
      const fetched = await (await claimed('one')).fetch(workFolder());
      if (!fetched.ok) throw new Error(fetched.problem);
      const entries = readdirSync(fetched.value, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const texts = paths.map((path) => [path.slice(fetched.value.length + 1), readFileSync(path, 'utf8')]);
      expect(Object.fromEntries(texts)).toEqual(submission);
    });

    test.each(['accepted', 'refused'] as const)('%s: the submission moves with its report', async (as) => {
      await submit('one');
      await settle(as);
      expect(await world.files()).toEqual(below(`${as}/one`, { ...submission, ...report }));
      expect(await inbox.waiting()).toEqual([]);
      expect(await inbox.claim('one')).toBeUndefined();
    });

    test('a second and a third submission of one name get names of their own', async () => {
      for (const text of ['first', 'second', 'third']) {
        await submit('one', { 'sites.csv': text, READY: '' });
        await settle('accepted');
      }
      expect(await world.files()).toEqual({
        ...below('accepted/one', { 'sites.csv': 'first', READY: '', ...report }),
        ...below('accepted/one-2', { 'sites.csv': 'second', READY: '', ...report }),
        ...below('accepted/one-3', { 'sites.csv': 'third', READY: '', ...report }),
      });
    });

    test('a submission that came back with its old report keeps that under another name', async () => {
      const own = { READY: '', 'report.json': 'old', 'report.md': 'old', 'submitted-report.md': 'older' };
      await submit('one', own);
      await settle('refused');
      const kept = { 'submitted-report.json': 'old', 'submitted-submitted-report.md': 'old' };
      expect(await world.files()).toEqual(
        below('refused/one', { ...report, ...kept, READY: '', 'submitted-report.md': 'older' }),
      );
    });

    test.each([
      ['a file that was written again', 'waiting/one/sites.csv', 'other sites'],
      ['a file that came later', 'waiting/one/variables.csv', 'the variables'],
    ])('%s leaves the submission waiting', async (_, path, text) => {
      await submit('one');
      const claim = await claimed('one');
      await claim.fetch(workFolder());
      await world.put(path, text);
      expect(await claim.settle('accepted', reportFolder())).toBe('changed');
      expect(await world.files()).toEqual({ ...below('waiting/one', submission), [path]: text });
      await settle('accepted');
    });

    test('a move that ended at any point is ended by the next tick, with nothing lost, doubled or overwritten', async () => {
      const former = below('accepted/one', { 'sites.csv': 'former' });
      for (const [path, text] of Object.entries(former)) await world.put(path, text);
      const own = { ...submission, 'report.md': 'old' };
      const moved = below('accepted/one-2', { ...submission, ...report, 'submitted-report.md': 'old' });
      let isWhole = false;
      for (let operations = 0; operations < MANY_OPERATIONS && !isWhole; operations++) {
        await submit('one', own);
        const breaking = await world.openBreaking(now, operations);
        isWhole = await settle('accepted', breaking.inbox).then(
          () => true,
          () => false,
        );
        await breaking.heal();
        time += LEASE_MS;
        await inbox.finishMoves();
        if ((await inbox.waiting()).includes('one')) await settle('accepted');
        expect({ operations, files: await world.files() }).toEqual({ operations, files: { ...former, ...moved } });
        await world.clear('accepted/one-2');
      }
      expect(isWhole).toBe(true);
    });

    test('a submission that is dropped while a move of its name is half done is not taken for the moved one', async () => {
      const next = { 'sites.csv': 'next', READY: '' };
      const whole = [
        ...Object.entries(below('accepted/one', { ...submission, ...report })),
        ...Object.entries(below('accepted/one-2', { ...next, ...report })),
      ];
      let isWhole = false;
      for (let operations = 0; operations < MANY_OPERATIONS && !isWhole; operations += STRIDE) {
        await submit('one');
        const breaking = await world.openBreaking(now, operations);
        isWhole = await settle('accepted', breaking.inbox).then(
          () => true,
          () => false,
        );
        await breaking.heal();
        time += LEASE_MS;
        const hasLeft = Object.keys(await world.files()).every((path) => !path.startsWith('waiting/'));
        if (hasLeft) {
          await submit('one', next);
          await settle('accepted');
          expect(await world.files()).toEqual(Object.fromEntries(whole));
        }
        await inbox.finishMoves();
        for (const path of ['waiting/one', 'accepted/one', 'accepted/one-2']) await world.clear(path);
      }
      expect(isWhole).toBe(true);
    });
  });
}
