// Tests of the inbox contract: which submissions wait, and who may take one (submissions.md, 5).

import type { Inbox } from '../../data-loaders/intake/inbox';
import { below, LEASE_MS, report, submission, type InboxOfTest } from './inbox-of-test';

export function testClaims(at: InboxOfTest): void {
  const { now, workFolder, reportFolder, submit, claimed, settle } = at;

  test('an empty inbox has nothing waiting', async () => {
    expect(await at.inbox.waiting()).toEqual([]);
    expect(await at.inbox.claim('nothing')).toBeUndefined();
  });

  test.each(['READY', 'submission.json'])('a half-copied submission waits for its %s', async (marker) => {
    await submit('half', { 'sites.csv': 'the sites', [`deeper/${marker}`]: '' });
    await at.world.put(`waiting/${marker}`, '');
    expect(await at.inbox.waiting()).toEqual([]);
    expect(await at.inbox.claim('half')).toBeUndefined();
    await at.world.put(`waiting/half/${marker}`, '');
    expect(await at.inbox.waiting()).toEqual(['half']);
    expect((await claimed('half')).name).toBe('half');
  });

  test('a folder whose name starts with a dot does not wait', async () => {
    await submit('.copying');
    expect(await at.inbox.waiting()).toEqual([]);
  });

  test('one of many takers at once gets the submission', async () => {
    await submit('one');
    const inboxes = await Promise.all(Array.from({ length: 6 }, () => at.world.open(now)));
    const claims = await Promise.all(inboxes.map((other) => other.claim('one')));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    expect(await at.inbox.waiting()).toEqual(['one']);
  });

  test('a submission that was given back can be claimed again', async () => {
    await submit('one');
    const claim = await claimed('one');
    expect(await at.inbox.claim('one')).toBeUndefined();
    await claim.lease.release('stop');
    expect((await claimed('one')).name).toBe('one');
  });

  test('a claim that is renewed stays; one that is not expires, and its holder can do nothing more', async () => {
    await submit('one');
    const first = await claimed('one');
    at.time += LEASE_MS - 1;
    expect(await first.lease.renew()).toBe(true);
    at.time += LEASE_MS - 1;
    expect(await at.inbox.claim('one')).toBeUndefined();
    at.time += 1;
    const second = await claimed('one');
    expect(await first.lease.renew()).toBe(false);
    await first.files();
    expect(await first.settle('refused', reportFolder())).toBe('lost');
    await first.lease.release('stop');
    expect(await at.inbox.claim('one')).toBeUndefined();
    expect(await at.world.files()).toEqual(below('waiting/one', submission));
    await second.files();
    expect(await second.settle('accepted', reportFolder())).toBe('settled');
  });

  test('counts the loaders that ended with their claim, and the faults; giving back for another reason counts nothing', async () => {
    await submit('one');
    const seen: unknown[] = [];
    for (const end of ['lost', 'fault', 'stop', 'lost', 'fault', 'stop'] as const) {
      const claim = await claimed('one', await at.world.open(now));
      seen.push(claim.lease.granted.attempts);
      if (end === 'lost') at.time += LEASE_MS;
      else await claim.lease.release(end);
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
    at.time += LEASE_MS;
    await settle('accepted');
    await submit('one');
    expect((await claimed('one')).lease.granted.attempts).toEqual({ ended: 0, failed: 0 });
  });

  test('the content digest distinguishes one submission from any other', async () => {
    await submit('one');
    const contents = new Set<string>();
    for (const change of [undefined, ['sites.csv', 'other sites'], ['more.csv', ''], ['deeper/more.csv', '']]) {
      const [path, text] = change ?? [];
      if (path !== undefined) await at.world.put(`waiting/one/${path}`, text ?? '');
      for (let time = 0; time < 2; time++) {
        const claim = await claimed('one');
        contents.add(claim.content);
        await claim.lease.release('stop');
      }
    }
    expect(contents.size).toBe(4);
  });

  test('a report that was saved is there for whoever takes over, and gone with the submission', async () => {
    await submit('one');
    const state = { version: 'v1', since: '2026-01-02T03:04:05.000Z' };
    const first = await claimed('one');
    expect(await first.savedReport(workFolder())).toBeUndefined();
    expect(await first.saveReport({ ...state, version: 'v0' }, workFolder())).toBe(true);
    expect(await first.saveReport(state, reportFolder())).toBe(true);
    at.time += LEASE_MS;
    const second = await claimed('one', await at.world.open(now));
    const found = await second.savedReport(workFolder());
    expect(found?.state).toEqual(state);
    expect(await first.saveReport(state, reportFolder())).toBe(false);
    expect(await second.settle('accepted', found?.folder ?? '')).toBe('settled');
    expect(await at.world.files()).toEqual(below('accepted/one', { ...submission, ...report }));
    await submit('one');
    expect(await (await claimed('one')).savedReport(workFolder())).toBeUndefined();
  });

  test("a report that was saved for another content is known as that one's, and can be delivered alone", async () => {
    await submit('one');
    const first = await claimed('one');
    await first.saveReport({ version: 'v1', since: '' }, reportFolder());
    await first.lease.release('stop');
    await at.world.put('waiting/one/sites.csv', 'other sites');
    const second = await claimed('one');
    const saved = await second.savedReport(workFolder());
    expect(saved).toMatchObject({ content: first.content });
    expect(second.content).not.toBe(first.content);
    if (saved !== undefined) await second.deliver(saved);
    expect(await at.world.files()).toEqual({
      ...below('waiting/one', { ...submission, 'sites.csv': 'other sites' }),
      ...below('accepted/one', report),
    });
    expect(await second.savedReport(workFolder())).toBeUndefined();
    expect(await second.isChanged()).toBe(false);
  });

  test('a submission is claimed once none of its files has changed for a while', async () => {
    await submit('one');
    const changedAt = Date.now();
    const open = (ms: number): Promise<Inbox> => at.world.open(() => new Date(changedAt + ms), 10_000);
    expect(await (await open(2000)).claim('one')).toBeUndefined();
    const claim = await claimed('one', await open(20_000));
    expect(await claim.isChanged()).toBe(false);
    await at.world.put('waiting/one/sites.csv', 'other sites');
    expect(await claim.isChanged()).toBe(true);
  });

  test('renewing at the moment of settling does no harm', async () => {
    await submit('one');
    const claim = await claimed('one');
    await claim.files();
    const [renewed, outcome] = await Promise.all([claim.lease.renew(), claim.settle('accepted', reportFolder())]);
    expect([renewed, outcome]).toEqual([true, 'settled']);
  });
}
