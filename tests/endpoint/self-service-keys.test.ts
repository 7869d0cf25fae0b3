// Self-service keys (D56): from the request of a key to its end, on both stores and with a mail server.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeKey } from '../../shared/access/access-keys';
import { createSelfService } from '../../shared/access/self-service';
import type { SelfServiceOptions } from '../../shared/access/self-service-keys';
import { blockDomain, deleteExpired } from '../../shared/access/self-service-upkeep';
import { connect, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { backUp } from '../../shared/store/sqlite/backup';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { type CosmosEmulator, startCosmosEmulator } from '../fixtures/cosmos-emulator';
import {
  createKeyHeaders,
  drawZeroPuzzles,
  EMAIL,
  type KeyServiceWorld,
  NAME,
  postKeyRequest,
  requestKey,
  sendKeyRequest,
  solveChallenge,
  STANDARD,
} from '../fixtures/key-requests';
import { type MailServer, startMailServer } from '../fixtures/mail-server';
import { countCases } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let mailServer: MailServer;
let emulator: CosmosEmulator;

beforeAll(async () => {
  [mailServer, emulator] = await Promise.all([startMailServer(), startCosmosEmulator()]);
});

afterAll(async () => {
  await mailServer.stop();
  await emulator.stop();
});

/** Requests a key and claims it. */
async function keyOf({ service, sendMails }: KeyServiceWorld, email = EMAIL, address?: string): Promise<string> {
  await requestKey(service, email === EMAIL ? {} : { Name: 'Somebody', Email: email }, address);
  await sendMails();
  const { json } = await postKeyRequest(service, 'Claims', { body: { Token: mailServer.findTokenFor(email) } });
  return json.Key;
}

describe.each(['embedded', 'cosmos'])('on the %s store', (kind) => {
  const worlds: TestService[] = [];
  const folder = createTemporaryFolder();
  let data: string;
  let location: CosmosLocation;

  beforeEach(() => {
    data = join(folder, `data-${worlds.length}`);
    location = emulator.newLocation();
  });

  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  /** The service of this test, or another process of the same service if one already exists. */
  function world(options: Partial<SelfServiceOptions> = {}, smtpUrl = mailServer.url): KeyServiceWorld {
    let at = TEST_NOW.getTime();
    const now = (): Date => new Date(at);
    const store =
      kind === 'embedded'
        ? openEmbeddedStore(data)
        : openCosmosStore(location, { stagingDirectory: join(folder, 'staging'), now });
    const test = createTestService('MDY', folder, store);
    worlds.push(test);
    const logged: string[] = [];
    const mailed: string[] = [];
    const mail = { smtpUrl, from: 'Water <keys@example.org>', serviceUrl: 'https://water.example.org', contact: '' };
    const settings = { selfService: { kind: 'mail' as const, ...STANDARD, ...options }, mail };
    const selfService = createSelfService(settings, store, {
      now,
      random: drawZeroPuzzles,
      logError: (message, error) => void logged.push(`${message} ${String(error)}`),
      count: (outcome) => void mailed.push(outcome),
    });
    const sendMails = async (): Promise<void> => selfService?.mails?.drain();
    const advanceClock = (milliseconds: number): void => {
      at += milliseconds;
    };
    return { service: { ...test.service, now, selfService }, store, logged, mailed, advanceClock, sendMails };
  }

  test('a request sends a mail, the token in it gives a key, and the key gives access to data', async () => {
    const { service, sendMails } = world();
    const answer = await requestKey(service, { Purpose: 'a secret plan' });
    expect([answer.status, answer.headers['Cache-Control']]).toEqual([202, 'no-store']);
    await sendMails();
    const { text } = mailServer.mails.findLast(({ to }) => to === EMAIL) ?? { text: '' };
    expect(text).toContain(`Hello ${NAME},`);
    expect(text).toContain('https://water.example.org/keys#claim=');
    expect(text).not.toContain('secret plan');
    const Token = mailServer.findTokenFor(EMAIL);
    const claimed = await postKeyRequest(service, 'Claims', { body: { Token } });
    expect(claimed).toMatchObject({
      status: 201,
      json: { Key: expect.stringMatching(/^wdk_/), Owner: NAME, Expires: null, Limits: { RequestsPerMinute: 1e9 } },
    });
    expect((await sendKeyRequest(service, 'GET', '/v1/Inventory', createKeyHeaders(claimed.json.Key))).status).toBe(
      200,
    );
    const again = await postKeyRequest(service, 'Claims', { body: { Token } });
    expect([again.status, again.json.type]).toEqual([410, expect.stringMatching(/token-not-good$/)]);
  });

  test('a token is valid for an hour, and a wrong token is never valid', async () => {
    const { service, sendMails, advanceClock } = world();
    await requestKey(service);
    await sendMails();
    const Token = mailServer.findTokenFor(EMAIL);
    const wrong = `${Token.slice(0, -1)}${Token.endsWith('A') ? 'B' : 'A'}`;
    for (const each of [wrong, 'A'.repeat(48)])
      expect((await postKeyRequest(service, 'Claims', { body: { Token: each } })).status).toBe(410);
    expect((await postKeyRequest(service, 'Claims', { body: { Token: 'x' } })).status).toBe(400);
    advanceClock(HOUR);
    expect((await postKeyRequest(service, 'Claims', { body: { Token } })).status).toBe(410);
    await sendMails();
    expect(await world().store.documents.list('request')).toEqual([]);
  });

  test('accepts five requests per hour from one network over all processes', async () => {
    const one = world();
    const two = world();
    const Proof = await solveChallenge(one.service);
    const statuses: number[] = [];
    for (let index = 0; index < (kind === 'embedded' ? countCases(10_000, 0.01) : 30); index++) {
      const address = `2001:db8:1:2::${(index % 500).toString(16)}`;
      const proof = index < 5 ? await solveChallenge(one.service) : Proof;
      const { service } = index % 2 === 0 ? one : two;
      const answer = await requestKey(service, { Email: `${index}@mail.example.org`, Proof: proof }, address);
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers['Retry-After']).toBe('3600');
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
    for (const { advanceClock } of [one, two]) advanceClock(HOUR);
    expect((await requestKey(two.service, {}, '2001:db8:1:2::1')).status).toBe(202);
  });

  test('accepts requests up to the daily limit, mails each of them once, and accepts more the next day', async () => {
    const one = world({ keysPerDay: 12 });
    const two = world({ keysPerDay: 12 });
    const requests = Array.from({ length: kind === 'embedded' ? countCases(500, 0.04) : 16 }, (_, index) =>
      requestKey(
        index % 2 === 0 ? one.service : two.service,
        { Email: `m${index}@${kind}.example.org` },
        `10.0.${index >> 8}.${index % 256}`,
      ),
    );
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(12);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(Number(refused?.headers['Retry-After'])).toBe(Math.ceil((DAY - (TEST_NOW.getTime() % DAY)) / 1000));
    for (let drain = 0; drain < 2; drain++) {
      await Promise.all([one.sendMails(), two.sendMails()]);
      const sent = mailServer.mails.filter(({ to }) => to.endsWith(`@${kind}.example.org`)).map(({ to }) => to);
      expect([sent.length, new Set(sent).size]).toEqual([12, 12]);
    }
    one.advanceClock(DAY);
    expect((await requestKey(one.service, {}, '10.9.9.9')).status).toBe(202);
  });

  test('sends three mails a day to a mailbox and none to a blocked domain, without revealing either', async () => {
    const { service, store, sendMails, mailed, advanceClock, logged } = world();
    await blockDomain(store.documents, 'Blocked.example');
    const addresses = ['x@three.example', 'X@three.example', 'x+1@three.example', 'x+2@THREE.example'];
    const blocked = ['a@blocked.example', 'b@mail.blocked.EXAMPLE'];
    const bodies = new Set<string>();
    for (const [index, Email] of [...addresses, ...blocked].entries()) {
      const { status, json } = await requestKey(service, { Email }, `10.1.0.${index}`);
      expect(status).toBe(202);
      bodies.add(JSON.stringify(json));
      await sendMails();
    }
    expect(bodies.size).toBe(1);
    expect(mailed).toEqual(['sent', 'sent', 'sent', 'notWanted', 'notWanted', 'notWanted']);
    expect(mailServer.mails.filter(({ to }) => /blocked/i.test(to))).toEqual([]);
    advanceClock(DAY);
    await requestKey(service, { Email: 'x@three.example' }, '10.1.0.99');
    await sendMails();
    expect([mailed.at(-1), logged]).toEqual(['sent', []]);
  });

  test('retries a mail that cannot be sent for an hour, counts it, and logs it without the address', async () => {
    const { service, store, sendMails, mailed, advanceClock, logged } = world();
    mailServer.refuseRecipients((address) => address.startsWith('down'));
    await requestKey(service, { Email: 'down@mail.example.org' });
    await requestKey(service, { Email: 'up@mail.example.org' });
    await sendMails();
    expect([...mailed].sort()).toEqual(['failed', 'sent']);
    mailServer.refuseRecipients(() => false);
    await sendMails();
    expect(mailed).toHaveLength(2);
    advanceClock(MINUTE);
    await sendMails();
    expect(mailed.at(-1)).toBe('sent');
    expect(
      (await postKeyRequest(service, 'Claims', { body: { Token: mailServer.findTokenFor('down@mail.example.org') } }))
        .status,
    ).toBe(201);
    mailServer.refuseRecipients(() => true);
    await requestKey(service, { Email: 'down2@mail.example.org' });
    for (let minute = 0; minute <= 60; minute += 10) {
      await sendMails();
      advanceClock(10 * MINUTE);
    }
    mailServer.refuseRecipients(() => false);
    expect(mailed.slice(3)).toEqual([...Array<string>(6).fill('failed'), 'givenUp']);
    expect((await store.documents.list('request')).filter(({ content }) => content.email.startsWith('down2'))).toEqual(
      [],
    );
    expect(logged).toHaveLength(8);
    expect(logged.join()).not.toMatch(/example\.org|@/);
  });

  test('an unreachable mail server delays mails but not answers', async () => {
    const stopped = await startMailServer();
    await stopped.stop();
    const { service, sendMails, mailed, advanceClock } = world({}, stopped.url);
    for (let index = 0; index < 3; index++) {
      expect((await requestKey(service, { Email: `${index}@late-${kind}.example.org` })).status).toBe(202);
    }
    await sendMails();
    expect(mailed).toEqual(['failed', 'failed', 'failed']);
    advanceClock(MINUTE);
    const back = world();
    back.advanceClock(MINUTE);
    await back.sendMails();
    expect(mailServer.mails.filter(({ to }) => to.endsWith(`@late-${kind}.example.org`))).toHaveLength(3);
  });

  test('an owner can see the usage of a key and replace it; both keys work for a day, and no more than two', async () => {
    const test = world();
    const { service, advanceClock } = test;
    const first = await keyOf(test);
    for (let index = 0; index < 3; index++)
      await sendKeyRequest(service, 'GET', '/v1/Inventory', createKeyHeaders(first));
    const own = await sendKeyRequest(service, 'GET', '/v1/Keys/Own', createKeyHeaders(first));
    expect(own.json).toMatchObject({ Owner: NAME, Issued: TEST_NOW.toISOString(), Expires: null });
    expect(own.json.UseByDay).toEqual([{ Day: '2026-01-02', Requests: 4, Records: 0, Refused: 0 }]);
    const rotated = await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(first));
    const end = new Date(TEST_NOW.getTime() + DAY).toISOString();
    expect(rotated).toMatchObject({ status: 201, json: { Owner: NAME, Expires: null, FormerKeyExpires: end } });
    const second: string = rotated.json.Key;
    expect((await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(first))).status).toBe(410);
    const fetchStatus = async (key: string): Promise<number> =>
      (await sendKeyRequest(service, 'GET', '/v1/Keys/Own', createKeyHeaders(key))).status;
    advanceClock(DAY - 1);
    expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([200, 200]);
    advanceClock(1);
    expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([401, 200]);
    const third: string = (await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(second))).json.Key;
    const fourth: string = (await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(third))).json.Key;
    expect([await fetchStatus(second), await fetchStatus(third), await fetchStatus(fourth)]).toEqual([401, 200, 200]);
    const paths = ['Own/Rotation', 'Own/Rotation', 'Own%2FRotation'];
    const asked = await Promise.all(paths.map((path) => postKeyRequest(service, path, createKeyHeaders(fourth))));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 404, 410]);
  });

  test('deleting a key also ends the key that it replaced, and leaves no personal data', async () => {
    const test = world();
    const { service, store, sendMails } = test;
    // Adds other keys around the key, so that SQLite rearranges the pages of the file.
    const addOther = (_: unknown, index: number): Promise<void> =>
      store.keys.add(
        makeKey('Somebody', service.now().toISOString(), null, { email: `${index}@others.example` }).record,
      );
    await Promise.all(Array.from({ length: 60 }, addOther));
    const first = await keyOf(test);
    const second: string = (await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(first))).json.Key;
    await Promise.all(Array.from({ length: 60 }, addOther));
    const personal = [NAME, 'Zenobia', EMAIL, 'zenobia', first, second];
    const before = await everything();
    expect(personal.filter((text) => before.includes(text))).toEqual([NAME, 'Zenobia', EMAIL, 'zenobia']);
    const deleted = await sendKeyRequest(service, 'DELETE', '/v1/Keys/Own', createKeyHeaders(second));
    expect(deleted.status).toBe(204);
    for (const key of [first, second]) {
      const { status, json } = await sendKeyRequest(service, 'GET', '/v1/Inventory', createKeyHeaders(key));
      expect([status, json.type]).toEqual([401, expect.stringMatching(/key-revoked$/)]);
    }
    await sendMails();
    const left = await everything();
    expect(personal.filter((text) => left.includes(text))).toEqual([]);
    expect(JSON.stringify(await store.keys.list())).toContain('7@others.example');
  });

  /** All bytes of the store, and of a backup that this function makes. */
  async function everything(): Promise<string> {
    if (kind === 'cosmos') {
      const { containers, close } = await connect(emulator.bypassProxy(location));
      const { resources } = await containers.catalog.items.readAll().fetchAll();
      close();
      return JSON.stringify(resources);
    }
    const backup = join(folder, `backup-${randomBytes(4).toString('hex')}`);
    expect(backUp(data, backup, () => undefined).ok).toBe(true);
    const files = [data, backup].flatMap((each) =>
      readdirSync(each, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile()),
    );
    return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
  }

  test('names are deleted with revoked and expired keys, and old entries are removed', async () => {
    const test = world();
    const { service, store, advanceClock } = test;
    const first = await keyOf(test);
    await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(first));
    advanceClock(DAY);
    await deleteExpired(store, new Date(TEST_NOW.getTime() + DAY));
    const named = (await store.keys.list()).map(({ owner, email }) => [owner, email]).sort();
    expect(named).toEqual([
      ['', ''],
      [NAME, EMAIL],
    ]);
    await deleteExpired(store, new Date(TEST_NOW.getTime() + 3 * DAY));
    for (const kindOfRecord of ['recent', 'proof', 'day', 'request'] as const) {
      expect(await store.documents.list(kindOfRecord)).toEqual([]);
    }
  });

  test('the keys of a chain of rotations share one allowance', async () => {
    const { service, store } = world();
    const first = makeKey('Analyst', service.now().toISOString(), null, { requestsPerMinute: 6 });
    await store.keys.add(first.record);
    const keys = [first.key];
    for (let rotation = 0; rotation < 2; rotation++) {
      const { json } = await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(keys.at(-1) ?? ''));
      keys.push(json.Key);
    }
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (const key of keys.slice(1)) {
        statuses.push((await sendKeyRequest(service, 'GET', '/v1/Keys/Own', createKeyHeaders(key))).status);
      }
    }
    // Two requests were rotations.
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    const last = createKeyHeaders(keys.at(-1) ?? '');
    expect((await postKeyRequest(service, 'Own/Rotation', last)).status).toBe(429);
  });

  test('a refused rotation leaves no record, and a chain can be rotated 20 times a day', async () => {
    const { service, store, advanceClock } = world();
    const first = makeKey('Analyst', service.now().toISOString(), null);
    await store.keys.add(first.record);
    let key = first.key;
    const rotate = (from: string): ReturnType<typeof postKeyRequest> =>
      postKeyRequest(service, 'Own/Rotation', createKeyHeaders(from));
    for (let rotation = 0; rotation < 20; rotation++) {
      const { status, json } = await rotate(key);
      expect(status).toBe(201);
      const earlierKey = key;
      key = json.Key;
      // Refused rotations do not count against the chain.
      for (let attempt = 0; attempt < 3; attempt++) expect((await rotate(earlierKey)).status).toBe(410);
    }
    const beyond = await rotate(key);
    expect([beyond.status, Number(beyond.headers['Retry-After'])]).toEqual([429, DAY / 1000]);
    expect(beyond.json.detail).toMatch(/^This key and its predecessors were replaced too often/);
    expect(await store.keys.list()).toHaveLength(21);
    advanceClock(DAY);
    expect((await rotate(key)).status).toBe(201);
  });

  test('deleting any key of a chain ends the chain and leaves no personal data', async () => {
    const test = world();
    const { service, store } = test;
    for (const [index, deleted] of ['former', 'new'].entries()) {
      const first = await keyOf(test, `${deleted}@${kind}.example.org`, `10.3.0.${index}`);
      const second: string = (await postKeyRequest(service, 'Own/Rotation', createKeyHeaders(first))).json.Key;
      const key = deleted === 'former' ? first : second;
      expect((await sendKeyRequest(service, 'DELETE', '/v1/Keys/Own', createKeyHeaders(key))).status).toBe(204);
      for (const each of [first, second]) {
        expect((await sendKeyRequest(service, 'GET', '/v1/Keys/Own', createKeyHeaders(each))).status).toBe(401);
      }
      expect(await everything()).not.toContain(`${deleted}@${kind}.example.org`);
    }
    expect((await store.keys.list()).map(({ owner, email }) => `${owner}${email}`).join('')).toBe('');
  });

  test('a rotation at the same time as a deletion leaves no valid key and no personal data', async () => {
    const one = world();
    const two = world();
    const keys: string[] = [];
    for (let round = 0; round < 8; round++) {
      const issued = makeKey(NAME, one.service.now().toISOString(), null, { email: EMAIL });
      await one.store.keys.add(issued.record);
      const headers = createKeyHeaders(issued.key);
      const remove = (): ReturnType<typeof sendKeyRequest> =>
        sendKeyRequest(one.service, 'DELETE', '/v1/Keys/Own', headers);
      const rotate = (): ReturnType<typeof sendKeyRequest> => postKeyRequest(two.service, 'Own/Rotation', headers);
      const answers = await Promise.all(round % 2 === 0 ? [remove(), rotate()] : [rotate(), remove()]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(204);
      expect([201, 204, 401, 410]).toEqual(expect.arrayContaining(statuses));
      keys.push(issued.key, ...answers.flatMap(({ status, json }) => (status === 201 ? [json.Key as string] : [])));
    }
    const fresh = world();
    for (const key of keys) {
      expect((await sendKeyRequest(fresh.service, 'GET', '/v1/Inventory', createKeyHeaders(key))).status).toBe(401);
    }
    expect((await fresh.store.keys.list()).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    expect(await everything()).not.toContain(NAME);
  });

  test.each([
    ['a year', 365 * DAY, 0],
    ['half an hour', HOUR / 2, 5],
  ])('a clock that was once %s ahead does not lock out an address', async (_, ahead, held) => {
    const wrong = world();
    const right = world();
    wrong.advanceClock(ahead);
    for (let index = 0; index < 5; index++) expect((await requestKey(wrong.service)).status).toBe(202);
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) {
      const { status, headers } = await requestKey(right.service);
      statuses.push(status);
      if (status === 429) expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(HOUR / 1000);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(5 - held);
    right.advanceClock(HOUR);
    expect((await requestKey(right.service)).status).toBe(202);
  });

  test.each(['waits', 'could not be sent', 'was sent'])(
    'the address of a mail that %s is not kept after the clock was a year ahead',
    async (state) => {
      const wrong = world();
      const right = world();
      wrong.advanceClock(365 * DAY);
      await requestKey(wrong.service);
      mailServer.refuseRecipients(() => state === 'could not be sent');
      if (state !== 'waits') await wrong.sendMails();
      mailServer.refuseRecipients(() => false);
      expect(wrong.mailed).toEqual({ waits: [], 'could not be sent': ['failed'], 'was sent': ['sent'] }[state]);
      expect(await right.store.documents.list('request')).toHaveLength(1);
      await right.sendMails();
      expect(await right.store.documents.list('request')).toEqual([]);
      expect(await everything()).not.toContain(EMAIL);
    },
  );

  test.each([
    ['a /56', (index: number) => `2001:db8:1:${(index % 256).toString(16)}::1`],
    ['a /48', (index: number) => `2001:db8:1:${(index * 211).toString(16)}::1`],
  ])('%s of IPv6 cannot use up the daily keys', async (_, addressOf) => {
    const { service, store } = world({ keysPerDay: 100 });
    const statuses: number[] = [];
    for (let index = 0; index < 40; index++) statuses.push((await requestKey(service, {}, addressOf(index))).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(10);
    expect((await requestKey(service, {}, '2001:db8:2::1')).status).toBe(202);
    expect((await requestKey(service, {}, '192.0.2.77')).status).toBe(202);
    expect(JSON.stringify(await store.documents.list('day'))).not.toContain('2001');
  });

  test.each([
    '\u200b',
    '\u2060\u00ad',
    '\u3164',
    '\u2800 \u2800',
    '\ufeff',
    '\u034f',
    '\ufe0f',
    '\u{e0041}\u{e0001}',
    '\u115f\u1160\uffa0',
    '\u202e\u2066',
    '\u0000',
    '\ue000',
    '\u0301',
    '\u{1d159}',
    '\ud800',
    '\ufffc',
    ' ',
    '',
  ])('refuses the name %j, which has no visible characters', async (Name) => {
    const { service } = world();
    const { status, json } = await requestKey(service, { Name });
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ parameter: 'Name' })]]);
  });

  test.each(['Ⅷ', '李', 'Zoë\u200d', '🙂', 'O’Neil', '\u200fشيرين'])('accepts the name %j', async (Name) => {
    expect((await requestKey(world().service, { Name })).status).toBe(202);
  });
});
