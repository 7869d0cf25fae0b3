// `npm run keys` while a host runs: limits, rotation and use of keys.

import { join } from 'node:path';
import { type EndedProcess, readIssuedKey, runProgram, startHost, type WireAnswer } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const settings = { WATER_DATA_DIR: join(createTemporaryFolder(), 'data'), LOAD_SAMPLES: 'false' };

const host = startServerForTests(() => startHost(settings));

function keys(...args: readonly string[]): Promise<EndedProcess> {
  return runProgram('keys', args, settings);
}

function issuedBy(ended: EndedProcess): { readonly key: string; readonly id: string } {
  const key = readIssuedKey(ended);
  return { key, id: key.split('_')[1] ?? '' };
}

function get(key: string): Promise<WireAnswer> {
  return host().get('/v1/SiteVariableAmounts', { 'x-api-key': key });
}

test('rotating a key keeps its limits, and both keys are valid during the overlap', async () => {
  const limits = ['--requests-per-minute', '2', '--records-per-minute', '1000'];
  const old = issuedBy(await keys('issue', '--owner', 'Analyst', '--expires', '2999-12-31', ...limits));
  expect((await get(old.key)).headers['ratelimit-policy']).toBe(
    '"requests";q=2;w=60, "records";q=1000;w=60;qu="records"',
  );
  await get(old.key);
  const refused = await get(old.key);
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) as unknown } });

  const rotated = await keys('rotate', old.id, '--overlap-days', '7');
  const replacement = issuedBy(rotated);
  expect(rotated.code).toBe(0);
  expect((await get(replacement.key)).headers['ratelimit-policy']).toBe(refused.headers['ratelimit-policy']);
  expect((await get(old.key)).status).toBe(429);
  const listed = (await keys('list')).output.split('\n');
  const findLine = (id: string): string => listed.find((line) => line.startsWith(`${id} `)) ?? '';
  expect(findLine(replacement.id)).toContain('valid until 3000-01-01');
  expect(findLine(replacement.id)).toContain(`2 requests per minute, 1000 records per minute, replaces ${old.id}`);
  expect(findLine(old.id)).not.toContain('3000');
  expect(listed.join()).not.toContain(replacement.key.slice(-43));

  expect((await keys('rotate', replacement.id, '--overlap-days', '0')).code).toBe(0);
  expect((await get(replacement.key)).status).toBe(401);
  expect(await keys('rotate', replacement.id)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('no longer valid'),
  });
});

test('the limits of a key can be changed and reset while the service runs', async () => {
  const { key, id } = issuedBy(await keys('issue', '--owner', 'Analyst'));
  const standard = (await get(key)).headers['ratelimit-policy'];
  const limited = await keys('limit', id, '--requests-per-minute', '1');
  expect(limited).toMatchObject({ code: 0, output: `Key ${id} has 1 requests per minute.\n` });
  expect((await get(key)).headers['ratelimit-policy']).toContain('"requests";q=1;w=60');
  expect((await get(key)).status).toBe(429);
  expect((await keys('list')).output).toMatch(new RegExp(`^${id} .*, 1 requests per minute$`, 'm'));
  expect((await keys('limit', id, '--records-per-minute', '9000')).code).toBe(0);
  const given = await keys('limit', id, '--requests-per-minute', 'standard', '--records-per-minute', 'standard');
  expect(given.output).toBe(`Key ${id} has the limits of the service.\n`);
  expect(await get(key)).toMatchObject({ status: 200, headers: { 'ratelimit-policy': standard } });
});

test.each([
  ['limit', 'nobody', '--requests-per-minute', '5'],
  ['limit', 'nobody'],
  ['rotate', 'nobody'],
  ['rotate'],
  ['rotate', 'nobody', '--overlap-days', '-1'],
  ['issue', '--owner', 'Analyst', '--requests-per-minute', '0'],
  ['issue', '--owner', 'Analyst', '--records-per-minute', 'many'],
  ['usage', 'nobody'],
  ['revoke', 'nobody'],
  ['revoke'],
  ['issue'],
  ['issue', '--owner', ' '],
  ['bake'],
])('the keys command refuses "%s %s"', async (...args) => {
  const { code, errors, output } = await keys(...args.filter((arg) => typeof arg === 'string'));
  expect(code).not.toBe(0);
  expect(errors).not.toBe('');
  expect(output).not.toContain('wdk_');
});

test('stopping the host writes the use of keys to the store', async () => {
  const other = { ...settings, WATER_DATA_DIR: `${settings.WATER_DATA_DIR}-used` };
  expect((await runProgram('keys', ['usage'], other)).output).toContain('No usage is recorded');
  const used = await startHost(other);
  const { key, id } = issuedBy(await runProgram('keys', ['issue', '--owner', 'Reader'], other));
  for (const asked of [key, key, used.key]) {
    await used.get('/v1/AggregatedAmounts', { 'x-api-key': asked });
  }
  await used.stop();
  const { output } = await runProgram('keys', ['usage', '--json'], other);
  expect(JSON.parse(output)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ keyId: id, owner: 'Reader', requests: 2, records: 0, refused: 0 }),
      expect.objectContaining({ keyId: 'development', owner: null, requests: 1 }),
    ]),
  );
  const listed = await runProgram('keys', ['usage'], other);
  expect(listed.output).toContain(`${id} (Reader): 2 requests, 0 records, 0 refused, last used 20`);
});

test('KEY_USAGE=log prints the use of keys and writes nothing to the store', async () => {
  const other = { ...settings, WATER_DATA_DIR: `${settings.WATER_DATA_DIR}-logged` };
  const used = await startHost({ ...other, KEY_USAGE: 'log' });
  await used.get('/v1/AggregatedAmounts');
  const { output } = await used.stop();
  const line = output.split('\n').find((text) => text.startsWith('key usage ')) ?? '';
  expect(JSON.parse(line.slice('key usage '.length))).toMatchObject({ keyId: 'development', requests: 1 });
  expect((await runProgram('keys', ['usage', '--json'], other)).output.trim()).toBe('[]');
});

test.each([
  ['issue', '--owner', 'Late'],
  ['rotate', 'some-id'],
])('a day in the past is refused as the expiry of a key: %s', async (...args) => {
  const { code, output, errors } = await keys(...args, '--expires', '2020-12-31');
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toMatch(/^--expires must be today or a later day \(UTC\); it is "2020-12-31"[^\n]*\.\n$/);
});

test('the keys of a chain of rotations share their allowance, and a change of one affects all', async () => {
  const first = issuedBy(await keys('issue', '--owner', 'Analyst', '--requests-per-minute', '2'));
  const second = issuedBy(await keys('rotate', first.id));
  const third = issuedBy(await keys('rotate', second.id));
  const statuses: number[] = [];
  for (const { key } of [first, second, third, first]) statuses.push((await get(key)).status);
  expect(statuses).toEqual([200, 200, 429, 429]);

  const again = await keys('rotate', first.id);
  expect(again).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(`by key ${second.id}`) });

  const limited = await keys('limit', first.id, '--requests-per-minute', '5');
  expect(limited.output).toContain(`Key ${first.id} has 5 requests per minute. This also applies`);
  expect((await get(third.key)).headers['ratelimit-policy']).toContain('"requests";q=5;w=60');

  const revoked = await keys('revoke', first.id);
  expect(revoked).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`^Key ${first.id} is revoked\\.`)),
  });
  for (const { id } of [second, third]) expect(revoked.output).toContain(id);
  for (const { key } of [first, second, third]) expect((await get(key)).status).toBe(401);
});

test('revoke --keep-new ends a key and the keys that it replaced, but no newer keys', async () => {
  const first = issuedBy(await keys('issue', '--owner', 'Analyst'));
  const second = issuedBy(await keys('rotate', first.id));
  const third = issuedBy(await keys('rotate', second.id));
  expect((await keys('revoke', second.id, '--keep-new')).code).toBe(0);
  const statuses: number[] = [];
  for (const { key } of [first, second, third]) statuses.push((await get(key)).status);
  expect(statuses).toEqual([401, 401, 200]);
});

test.each(['\u200b', '\u3164', '\u2800 '])('the keys command refuses the invisible owner name %j', async (owner) => {
  const { code, output, errors } = await keys('issue', '--owner', owner);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toMatch(/^--owner must name the owner of the key/);
});
