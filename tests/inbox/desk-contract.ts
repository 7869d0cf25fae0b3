// The contract of the desk for every kind of inbox (D76): a submission is sent, tracked, held and confirmed, and the
// remains of a killed process are handled.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Inbox } from '../../data-loaders/intake/inbox';
import { removeOldSubmissions } from '../../data-loaders/intake/old-submissions';
import { processInbox } from '../../data-loaders/intake/process-inbox';
import { openDesk } from '../../data-loaders/intake/submission-desk';
import type { SubmissionDesk, SubmissionRecord } from '../../shared/http/pipeline/submission-ports';
import type { InboxLocation } from '../../shared/settings';
import type { Store } from '../../shared/store/port';
import type { InboxAccess } from '../fixtures/inbox-places';
import { createAmounts } from '../fixtures/many-amounts';
import { siteAmountsSubmission, type Submission, writeCsv } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createServiceForEachTest } from '../fixtures/test-service';

export interface DeskPlace {
  readonly location: InboxLocation;
  readonly access: InboxAccess;
  readonly openInbox: (now: () => Date) => Promise<Inbox>;
}

const ORGANIZATION = 'ORG_1';

export function describeDesk(name: string, createPlace: () => Promise<DeskPlace>): void {
  describe(name, () => {
    const service = createServiceForEachTest();
    let place: DeskPlace;
    let desk: SubmissionDesk;
    let time = new Date();
    const now = (): Date => time;

    beforeEach(async () => {
      time = new Date('2026-01-02T03:04:05.678Z');
      place = await createPlace();
      desk = await openDesk(place.location, now);
    });

    async function send(submission: Submission, organization = ORGANIZATION): Promise<SubmissionRecord> {
      time = new Date(time.getTime() + 1000);
      const folder = mkdtempSync(join(service().folder, 'work-'));
      mkdirSync(join(folder, 'sent'));
      const files = Object.entries(submission).map(([file, rows], index) => {
        const path = join(folder, 'sent', String(index));
        writeFileSync(path, writeCsv(rows));
        return { name: file, path };
      });
      return desk.submit({ organization, keyId: 'key' }, files, folder);
    }

    async function tick(store: Store = service().store): Promise<void> {
      const inbox = await place.openInbox(now);
      const stop = new AbortController().signal;
      const stagingDirectory = join(service().folder, 'staging');
      const settings = { rejectedShareLimit: 0.5, holdSubmissions: true, leaseMs: 300_000, minutes: 4 };
      const log = (): void => undefined;
      await processInbox({ ...settings, inbox, store, stagingDirectory, stop, now, log, logError: log });
    }

    const find = ({ id }: SubmissionRecord): Promise<SubmissionRecord | undefined> => desk.find(ORGANIZATION, id);

    test('a submission waits, is published and has its report', async () => {
      const sent = await send(siteAmountsSubmission);
      expect(sent).toMatchObject({ organization: ORGANIZATION, status: 'Waiting', finished: null });
      expect(await find(sent)).toEqual(sent);
      expect(await desk.readReport(sent, 'json')).toBeUndefined();
      await tick();
      const published = await find(sent);
      expect(published).toMatchObject({ status: 'Published', outcome: expect.stringContaining('6 records') });
      if (published === undefined) throw new Error('it is gone');
      expect(JSON.parse((await desk.readReport(published, 'json')) ?? '')).toMatchObject({ verdict: 'published' });
      expect(await desk.readReport(published, 'html')).toMatch(/^<!doctype html>/);
      expect(await desk.findRows(published)).toEqual({ rejected: false, warned: true });
      const [warned] = await desk.listRows(published, 'warned');
      expect(warned && (await buffer(warned.read())).toString()).toContain('absent-column');
    });

    test('amounts of another organization are refused with an explanation', async () => {
      const sent = await send(siteAmountsSubmission, 'ORG_2');
      await tick();
      const refused = await desk.find('ORG_2', sent.id);
      expect(refused).toMatchObject({ status: 'Refused', outcome: expect.stringMatching(/ORG_1.*ORG_2/) });
      expect((await service().store.currentState()).entries).toEqual([]);
      expect(await find(sent)).toBeUndefined();
      expect(await desk.list(ORGANIZATION)).toEqual({ total: 0, submissions: [] });
    });

    test('rejected rows can be fetched', async () => {
      const sent = await send(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: 'none' }));
      await tick();
      const record = (await find(sent)) ?? sent;
      const [rejected] = await desk.listRows(record, 'rejected');
      expect(rejected?.name).toBe('sitespecificamounts.rejected.csv');
      expect(rejected && (await buffer(rejected.read())).length).toBe(rejected?.bytes);
    });

    test('a held submission is published after one of many simultaneous confirmations', async () => {
      await send(createAmounts());
      await tick();
      const sent = await send(createAmounts(20, 20));
      await tick();
      const held = (await find(sent)) ?? sent;
      expect(held).toMatchObject({ status: 'Held', confirmationCode: expect.any(String) });
      const code = held.confirmationCode ?? '';
      expect(await desk.confirm(held, 'wrong')).toBe('wrong code');
      const racing = await Promise.all([desk.confirm(held, code), desk.confirm(held, code), desk.confirm(held, code)]);
      expect(racing.filter((outcome) => outcome === 'confirmed')).toHaveLength(1);
      expect(await find(sent)).toMatchObject({ status: 'Waiting' });
      await tick();
      expect(await find(sent)).toMatchObject({ status: 'Published', confirmationCode: null });
      expect(await desk.confirm(held, code)).toBe('not held');
      expect((await place.access.paths()).filter((path) => /^(held|waiting)\//.test(path))).toEqual([]);
      expect((await desk.list(ORGANIZATION)).submissions.map(({ status }) => status)).toEqual([
        'Published',
        'Published',
      ]);
    });

    test('two simultaneous submissions are each loaded once', async () => {
      const [one, two] = await Promise.all([send(siteAmountsSubmission), send(siteAmountsSubmission)]);
      await Promise.all([tick(), tick()]);
      await tick();
      const outcomes = [await find(one), await find(two)].map((record) => record?.outcome ?? '');
      expect(outcomes.filter((outcome) => outcome.startsWith('Published'))).toHaveLength(1);
      expect((await desk.list(ORGANIZATION)).total).toBe(2);
      expect((await service().store.history()).length + 1).toBe(2);
    });

    test('a record without an entry is removed after a minute', async () => {
      const sent = await send(siteAmountsSubmission);
      await (await place.openInbox(now)).claim(sent.id).then((claim) => claim?.lease.end());
      for (const path of await place.access.paths()) {
        if (path.startsWith(`waiting/${sent.id}/`)) await place.access.remove(path);
      }
      expect(await find(sent)).toEqual(sent);
      time = new Date(time.getTime() + 61_000);
      expect(await find(sent)).toBeUndefined();
      expect((await desk.list(ORGANIZATION)).total).toBe(0);
    });

    test('a submission is removed with its files after the retention period', async () => {
      const sent = await send(siteAmountsSubmission);
      await tick();
      await removeOldSubmissions(place.location, 30, new Date(time.getTime() + 29 * 86_400_000));
      expect(await find(sent)).toMatchObject({ status: 'Published' });
      await removeOldSubmissions(place.location, 30, new Date(time.getTime() + 31 * 86_400_000));
      expect(await find(sent)).toBeUndefined();
      expect((await place.access.paths()).filter((path) => path.includes(sent.id))).toEqual([]);
    });

    test.each([['sent-over-http/sites.csv'], ['sent-over-http/submission.json']])(
      'an entry with only %s is an incomplete copy, and is not listed as waiting',
      async (path) => {
        await place.access.put(`waiting/20260102T030405678Z-00000000/${path}`, '{}');
        const inbox = await place.openInbox(() => new Date(Date.now() + 3_600_000));
        expect(await inbox.listWaiting()).toEqual([]);
        expect(await inbox.noteNotRead()).toEqual([]);
      },
    );
  });
}
