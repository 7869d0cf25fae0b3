// What operations of keys by oneself refuse (D56), and what of a name gets into a mail.

import { greetedName } from '../../shared/access/mail-queue';
import type { PageContent } from '../../shared/http/pipeline/service';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import { oneAmount } from '../fixtures/handmade';
import { ask, EMAIL, NAME, post, proofFrom, requestKey, withInstantKeys, withKey } from '../fixtures/key-requests';
import { createTestService, loadedService, TEST_NOW } from '../fixtures/test-service';

const MINUTE = 60_000;

describe('what is refused', () => {
  const off = createTestService();
  let at = TEST_NOW.getTime();
  const service = withInstantKeys(off.service, () => new Date(at));

  test('a 400 says all that is wrong without repeating it, and does not use the proof up; a 201 does', async () => {
    const Proof = await proofFrom(service);
    const bad = await post(service, 'Requests', { body: { Name: ' ', Email: 'a@b', Proof, More: 1 } });
    expect(bad.status).toBe(400);
    expect(bad.json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      'Email',
      'More',
      'Name',
    ]);
    const good = { body: { Name: NAME, Email: EMAIL, Proof } };
    const { status, json } = await post(service, 'Requests', good);
    expect([status, json.Limits]).toEqual([201, { RequestsPerMinute: 5, RecordsPerMinute: 50 }]);
    expect((await ask(service, 'GET', '/v1/Keys/Own', withKey(json.Key))).status).toBe(200);
    const again = await post(service, 'Requests', good);
    expect([again.status, again.json.errors[0]]).toMatchObject([400, { parameter: 'Proof' }]);
    const metrics = await service.metrics.text();
    for (const outcome of ['issued', 'proof used']) {
      expect(metrics).toContain(`water_key_requests_total{outcome="${outcome}"} 1\n`);
    }
  });

  test.each([
    ['nothing', '', 'body'],
    ['no JSON', '{', 'body'],
    ['no object', '[]', 'body'],
    ['more than 8 KiB', 'x'.repeat(8193), 'body'],
    ['another type', { Name: 7, Email: EMAIL, Proof: 'e30=' }, 'Name'],
    ['a proof that is none', { Name: NAME, Email: EMAIL, Proof: 'AAAA' }, 'Proof'],
    ['two addresses', { Name: NAME, Email: 'a@example.org,b@example.org', Proof: '' }, 'Email'],
    ['a header in the address', { Name: NAME, Email: 'a@example.org\nBcc: b@example.org', Proof: '' }, 'Email'],
  ])('a body with %s is a 400 that names it', async (_, body, parameter) => {
    const { status, json } = await post(service, 'Requests', { body });
    expect(status).toBe(400);
    expect(json.errors.map((error: { parameter: string }) => error.parameter)).toContain(parameter);
    expect(JSON.stringify(json)).not.toContain(EMAIL);
  });

  test('a challenge is over after ten minutes, and its answer cannot be made up', async () => {
    const Proof = await proofFrom(service);
    const forged = { ...(JSON.parse(Buffer.from(Proof, 'base64').toString()) as object), number: 1 };
    const made = Buffer.from(JSON.stringify(forged)).toString('base64');
    expect((await requestKey(service, { Proof: made }, '10.3.0.1')).status).toBe(400);
    at += 10 * MINUTE;
    expect((await requestKey(service, { Proof }, '10.3.0.1')).status).toBe(400);
  });

  test('what is done to a key takes it in the header alone, which no page of another site can send', async () => {
    const sent = Buffer.from(`${off.key}:`).toString('base64');
    for (const asked of [{ headers: { authorization: `Basic ${sent}` } }, {}]) {
      expect((await post(service, 'Own/Rotation', asked)).status).toBe(401);
      expect((await ask(service, 'DELETE', `/v1/Keys/Own?key=${off.key}`, asked)).status).toBe(401);
    }
    expect((await ask(service, 'DELETE', '/v1/Keys/Own', withKey(off.key))).status).toBe(404);
  });

  test.each([
    ['GET', 'Requests', 'POST, OPTIONS'],
    ['POST', 'Own', 'GET, HEAD, DELETE, OPTIONS'],
    ['PUT', 'Claims', 'POST, OPTIONS'],
  ])('%s of %s is a 405, and a preflight says what may be done', async (method, path, allow) => {
    const { status, headers } = await ask(service, method, `/v1/Keys/${path}`);
    expect([status, headers['Allow']]).toEqual([405, allow]);
    const preflight = await ask(service, 'OPTIONS', `/v1/Keys/${path}`);
    expect(preflight.headers).toMatchObject({ 'Access-Control-Allow-Methods': allow });
    expect(preflight.headers['Access-Control-Allow-Headers']).toContain('Content-Type');
  });

  test.each(['Challenge', 'Requests', 'Claims', 'Own', 'Own/Rotation'])(
    'without the setting %s is a 404',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        expect((await ask(off.service, method, `/v1/Keys/${path}`, withKey(off.key))).status).toBe(404);
      }
    },
  );
});

describe('where keys come from', () => {
  // Its organization states no address.
  const off = loadedService(oneAmount);
  const [mail, page] = ['help@example.org', 'https://example.org/help'];

  test.each([
    ['off', '', ['The operator of the service issues keys'], []],
    ['off', mail, ['Keys come from', mail], [{ hasEmail: `mailto:${mail}` }]],
    ['off', page, ['Keys come from', page], []],
    ['instant', '', ['/keys'], []],
    ['instant', mail, ['/keys', mail], [{ hasEmail: `mailto:${mail}` }]],
  ])('is said everywhere with SELF_SERVICE_KEYS=%s and CONTACT=%j', async (kind, contact, parts, contactPoint) => {
    // Pages that are kept hold the settings of their service.
    const own = { ...off.service, contact, pages: new LeastRecentlyUsedCache<PageContent>(1_000_000) };
    const service = kind === 'off' ? own : withInstantKeys(own);
    const answers = ['/', '/keys', '/v1/Inventory', '/openapi.json', '/data.json', '/ogc/conformance?f=html'];
    for (const path of answers) {
      const { text } = await off.ask(service, path, {});
      for (const part of parts) expect([path, part, text.includes(part)]).toEqual([path, part, true]);
    }
    const { json } = await off.ask(service, '/data.json', {});
    expect(json.dataset[0].contactPoint).toMatchObject(contactPoint);
    expect(json.dataset[0].contactPoint).toHaveLength(contactPoint.length);
  });
});

test.each([
  ['Ana  María\r\nBcc: x', 'Ana María Bcc: x'],
  ['Buy at http://shop', ''],
  ['www.shop', ''],
  ['See shop.example now', ''],
  ['shop。example', ''],
  ['shop．example', ''],
  ['Dr. Quill', 'Dr. Quill'],
  ['Q'.repeat(100), 'Q'.repeat(80)],
  ['\u202eevil\u0007', 'evil'],
])('the name %j is greeted as %j', (name, greeted) => {
  expect(greetedName(name)).toBe(greeted);
});
