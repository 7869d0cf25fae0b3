// Addresses of blobs, signed with a user delegation key of the storage account. No emulator issues such keys over HTTP.

import { BlobAddresses, openContainer } from '../../shared/store/blob-container';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T03:04:05Z');

let now: number;
let keyRequests: number;
let keyRequestsFail: boolean;
let addresses: BlobAddresses;

beforeEach(async () => {
  now = START;
  keyRequests = 0;
  keyRequestsFail = false;
  // Opening a container sends no request; the identity is needed only for the first request.
  const container = await openContainer({ kind: 'container', url: 'https://water.blob.core.windows.net/exports' });
  const { account } = container;
  type Answer = ReturnType<typeof account.getUserDelegationKey>;
  const issueKey = (signedStartsOn: Date, signedExpiresOn: Date): Answer => {
    keyRequests++;
    if (keyRequestsFail) return Promise.reject(new Error('no key today'));
    const key = {
      signedObjectId: 'o',
      signedTenantId: 't',
      signedService: 'b',
      signedVersion: '2025-01-05',
      signedStartsOn,
      signedExpiresOn,
      value: Buffer.from(`key ${keyRequests}`).toString('base64'),
    };
    // The missing members are members of the HTTP response.
    return Promise.resolve(key as Awaited<Answer>);
  };
  Object.assign(account, { getUserDelegationKey: issueKey });
  addresses = new BlobAddresses(container, () => new Date(now));
});

async function signQuery(path: string): Promise<URLSearchParams> {
  return new URL(await addresses.signAddress(path)).searchParams;
}

test('an address allows reading one blob for 15 minutes', async () => {
  const url = new URL(await addresses.signAddress('release/records.parquet'));
  expect(`${url.origin}${url.pathname}`).toBe('https://water.blob.core.windows.net/exports/release/records.parquet');
  const { searchParams: query } = url;
  expect([query.get('sp'), query.get('sr'), query.get('skoid')]).toEqual(['r', 'b', 'o']);
  expect(Date.parse(query.get('se') ?? '')).toBe(START + 15 * 60_000);
});

test('one key signs all addresses until it would expire before them', async () => {
  const first = await signQuery('a');
  now += 3.7 * HOUR_MS;
  expect((await signQuery('a')).get('ske')).toBe(first.get('ske'));
  now += 0.1 * HOUR_MS;
  const later = await signQuery('a');
  expect(Date.parse(later.get('se') ?? '')).toBeLessThanOrEqual(Date.parse(later.get('ske') ?? ''));
  expect(keyRequests).toBe(2);
});

test('simultaneous requests share one key, and a failed request for a key is retried', async () => {
  keyRequestsFail = true;
  const both = await Promise.allSettled([addresses.signAddress('a'), addresses.signAddress('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  keyRequestsFail = false;
  await Promise.all([addresses.signAddress('a'), addresses.signAddress('b')]);
  expect(keyRequests).toBe(2);
});
