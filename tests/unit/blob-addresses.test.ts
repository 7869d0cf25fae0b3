// Addresses that are signed by a key which the storage delegates. No emulator gives such keys over HTTP.

import { BlobAddresses, openContainer } from '../../shared/store/blob-container';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T03:04:05Z');

let now: number;
let asked: number;
let fails: boolean;
let addresses: BlobAddresses;

beforeEach(async () => {
  [now, asked, fails] = [START, 0, false];
  // Opening asks nobody: the identity is looked for when the first request is sent.
  const container = await openContainer({ kind: 'container', url: 'https://water.blob.core.windows.net/exports' });
  const { account } = container;
  type Answer = ReturnType<typeof account.getUserDelegationKey>;
  const giveKey = (signedStartsOn: Date, signedExpiresOn: Date): Answer => {
    asked++;
    const named = { signedObjectId: 'o', signedTenantId: 't', signedService: 'b', signedVersion: '2025-01-05' };
    const key = { ...named, signedStartsOn, signedExpiresOn, value: Buffer.from(`key ${asked}`).toString('base64') };
    // The members that are left out are those of the HTTP response.
    return fails ? Promise.reject(new Error('no key today')) : Promise.resolve(key as Awaited<Answer>);
  };
  Object.assign(account, { getUserDelegationKey: giveKey });
  addresses = new BlobAddresses(container, () => new Date(now));
});

async function queryOf(path: string): Promise<URLSearchParams> {
  return new URL(await addresses.signAddress(path)).searchParams;
}

test('an address opens one blob for reading, for 15 minutes', async () => {
  const url = new URL(await addresses.signAddress('release/records.parquet'));
  expect(`${url.origin}${url.pathname}`).toBe('https://water.blob.core.windows.net/exports/release/records.parquet');
  const { searchParams: query } = url;
  expect([query.get('sp'), query.get('sr'), query.get('skoid')]).toEqual(['r', 'b', 'o']);
  expect(Date.parse(query.get('se') ?? '')).toBe(START + 15 * 60_000);
});

test('one key signs all addresses until it would end before them', async () => {
  const first = await queryOf('a');
  now += 3.7 * HOUR_MS;
  expect((await queryOf('a')).get('ske')).toBe(first.get('ske'));
  now += 0.1 * HOUR_MS;
  const later = await queryOf('a');
  expect(Date.parse(later.get('se') ?? '')).toBeLessThanOrEqual(Date.parse(later.get('ske') ?? ''));
  expect(asked).toBe(2);
});

test('requests at the same moment ask for one key, and one that could not be had is asked for again', async () => {
  fails = true;
  const both = await Promise.allSettled([addresses.signAddress('a'), addresses.signAddress('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  await Promise.all([addresses.signAddress('a'), addresses.signAddress('b')]);
  expect(asked).toBe(2);
});
