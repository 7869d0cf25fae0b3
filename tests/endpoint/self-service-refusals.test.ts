// Requests for self-service keys that are refused (D56).

import { oneAmount } from '../fixtures/handmade';
import {
  createKeyHeaders,
  EMAIL,
  NAME,
  postKeyRequest,
  requestKey,
  sendKeyRequest,
  solveChallenge,
  withInstantKeys,
} from '../fixtures/key-requests';
import { createLoadedService, TEST_NOW } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);
const MINUTE = 60_000;

describe('refusals of self-service keys', () => {
  let at = TEST_NOW.getTime();
  const instant = withInstantKeys(service.service, () => new Date(at));

  test('null in a body means the same as a missing member', async () => {
    const { status, json } = await postKeyRequest(instant, 'Requests', { body: { Name: null, Email: EMAIL } });
    const errors = json.errors as readonly { readonly parameter: string; readonly message: string }[];
    expect([status, errors.find(({ parameter }) => parameter === 'Name')?.message]).toEqual([
      400,
      expect.stringContaining('is missing'),
    ]);
  });

  test('a 400 lists every error and does not use up the proof of work; a 201 does', async () => {
    const Proof = await solveChallenge(instant);
    const bad = await postKeyRequest(instant, 'Requests', { body: { Name: ' ', Email: 'a@b', Proof, More: 1 } });
    expect(bad.status).toBe(400);
    expect(bad.json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      'Email',
      'More',
      'Name',
    ]);
    // Generated clients send null for unset members.
    const good = { body: { Name: NAME, Email: EMAIL, Purpose: null, Proof } };
    const { status, json } = await postKeyRequest(instant, 'Requests', good);
    expect([status, json.Limits]).toEqual([201, { RequestsPerMinute: 5, RecordsPerMinute: 50 }]);
    expect((await sendKeyRequest(instant, 'GET', '/v1/Keys/Own', createKeyHeaders(json.Key))).status).toBe(200);
    const again = await postKeyRequest(instant, 'Requests', good);
    expect([again.status, again.json.errors[0]]).toMatchObject([400, { parameter: 'Proof' }]);
    const metrics = await instant.metrics.text();
    for (const outcome of ['issued', 'proof used']) {
      expect(metrics).toContain(`water_key_requests_total{outcome="${outcome}"} 1\n`);
    }
  });

  test.each([
    ['nothing', '', 'body'],
    ['no JSON', '{', 'body'],
    ['no JSON object', '[]', 'body'],
    ['more than 8 KiB', 'x'.repeat(8193), 'body'],
    ['another content type', { Name: 7, Email: EMAIL, Proof: 'e30=' }, 'Name'],
    ['an invalid proof', { Name: NAME, Email: EMAIL, Proof: 'AAAA' }, 'Proof'],
    ['two addresses', { Name: NAME, Email: 'a@example.org,b@example.org', Proof: '' }, 'Email'],
    ['a mail header in the address', { Name: NAME, Email: 'a@example.org\nBcc: b@example.org', Proof: '' }, 'Email'],
  ])('refuses a body with %s, and names the member', async (_, body, parameter) => {
    const { status, json } = await postKeyRequest(instant, 'Requests', { body });
    expect(status).toBe(400);
    expect(json.errors.map((error: { parameter: string }) => error.parameter)).toContain(parameter);
    expect(JSON.stringify(json)).not.toContain(EMAIL);
  });

  test('a challenge expires after ten minutes, and its solution cannot be forged', async () => {
    const Proof = await solveChallenge(instant);
    const forged = { ...(JSON.parse(Buffer.from(Proof, 'base64').toString()) as object), number: 1 };
    const made = Buffer.from(JSON.stringify(forged)).toString('base64');
    expect((await requestKey(instant, { Proof: made }, '10.3.0.1')).status).toBe(400);
    at += 10 * MINUTE;
    expect((await requestKey(instant, { Proof }, '10.3.0.1')).status).toBe(400);
  });

  test('a key can be changed or deleted only if it is sent in a header, which pages of other sites cannot set', async () => {
    const sent = Buffer.from(`${service.key}:`).toString('base64');
    for (const asked of [{ headers: { authorization: `Basic ${sent}` } }, {}]) {
      expect((await postKeyRequest(instant, 'Own/Rotation', asked)).status).toBe(401);
      expect((await sendKeyRequest(instant, 'DELETE', `/v1/Keys/Own?key=${service.key}`, asked)).status).toBe(401);
    }
    expect((await sendKeyRequest(instant, 'DELETE', '/v1/Keys/Own', createKeyHeaders(service.key))).status).toBe(404);
  });

  test.each([
    ['GET', 'Requests', 'POST, OPTIONS'],
    ['POST', 'Own', 'GET, HEAD, DELETE, OPTIONS'],
    ['PUT', 'Claims', 'POST, OPTIONS'],
  ])('%s of %s is a 405, and a preflight lists the allowed methods', async (method, path, allow) => {
    const { status, headers } = await sendKeyRequest(instant, method, `/v1/Keys/${path}`);
    expect([status, headers['Allow']]).toEqual([405, allow]);
    const preflight = await sendKeyRequest(instant, 'OPTIONS', `/v1/Keys/${path}`);
    expect(preflight.headers).toMatchObject({ 'Access-Control-Allow-Methods': allow });
    expect(preflight.headers['Access-Control-Allow-Headers']).toBe('*, Authorization, X-API-Key');
  });

  test.each(['Challenge', 'Requests', 'Claims', 'Own', 'Own/Rotation'])(
    '%s is a 404 if self-service keys are off',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        expect(
          (await sendKeyRequest(service.service, method, `/v1/Keys/${path}`, createKeyHeaders(service.key))).status,
        ).toBe(404);
      }
    },
  );
});
