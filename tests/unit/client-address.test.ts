// The network address that requests without a key are counted by, behind proxies or not (D54).

import fc from 'fast-check';
import { findClientNetwork, readTrustedProxies, type TrustedProxies } from '../../shared/access/client-address';

function trusted(setting: string): TrustedProxies {
  const read = readTrustedProxies(setting);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

function counted(setting: string, socket: string | undefined, forwarded: string | null): string {
  return findClientNetwork({ socket, forwarded }, trusted(setting));
}

test('without a trusted proxy the address of the connection counts, whatever a header says', () => {
  expect(counted('', '127.0.0.1', '203.0.113.9')).toBe('127.0.0.1');
  expect(counted('0', '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  expect(counted('', '192.0.2.1', null)).toBe('192.0.2.1');
});

test('on a platform that tells no address, all count together unless a hop is trusted', () => {
  expect(counted('', undefined, '203.0.113.9:40001')).toBe(counted('', undefined, '203.0.113.10:40001'));
  expect(counted('1', undefined, '198.51.100.1, 203.0.113.9:40001')).toBe('203.0.113.9');
  expect(counted('2', undefined, '198.51.100.1, 203.0.113.9:40001')).toBe('198.51.100.1');
});

test('the last address that is not of a trusted proxy counts', () => {
  const chain = '192.0.2.66, 203.0.113.9, 10.1.2.3';
  expect(counted('127.0.0.1', '127.0.0.1', chain)).toBe('10.1.2.3');
  expect(counted('127.0.0.1, 10.0.0.0/8', '127.0.0.1', chain)).toBe('203.0.113.9');
  expect(counted('10.0.0.0/8', '127.0.0.1', chain)).toBe('127.0.0.1');
  expect(counted('::1,2001:db8::/32', '::1', '203.0.113.9, 2001:db8:7::1')).toBe('203.0.113.9');
  expect(counted('127.0.0.1', '::ffff:127.0.0.1', chain)).toBe('10.1.2.3');
});

test('a number of hops counts proxies from the connection on', () => {
  const chain = '192.0.2.66, 203.0.113.9, 10.1.2.3';
  expect([1, 2, 3].map((hops) => counted(String(hops), '127.0.0.1', chain))).toEqual([
    '10.1.2.3',
    '203.0.113.9',
    '192.0.2.66',
  ]);
});

test('where all that is there is trusted, the farthest counts', () => {
  expect(counted('127.0.0.1', '127.0.0.1', null)).toBe('127.0.0.1');
  expect(counted('10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  expect(counted('5', '127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
});

test('what is no address is not gone past: whoever passed it on counts', () => {
  for (const text of [
    'unknown',
    '',
    'water.example',
    '010.0.0.1',
    '1',
    '203.0.113.999',
    '[::1',
    '203.0.113.9:x',
    '2001:db8::192.0.2.1',
  ]) {
    expect([text, counted('127.0.0.1', '127.0.0.1', `203.0.113.9, ${text}`)]).toEqual([text, '127.0.0.1']);
    expect([text, counted('2', '127.0.0.1', `203.0.113.9, ${text}`)]).toEqual([text, '127.0.0.1']);
  }
});

test.each([
  [
    '203.0.113.9',
    ['203.0.113.9:40001', '203.0.113.9:40002', '[::ffff:203.0.113.9]:1', '::ffff:cb00:7109', ' 203.0.113.9 '],
  ],
  [
    '2001:db8:0:a:0:0:0:0/64',
    [
      '2001:db8:0:a::1',
      '2001:DB8:0:A::2',
      '2001:0db8:0000:000a:0:0:0:3',
      '[2001:db8:0:a::4]',
      '[2001:db8:0:a::5]:40001',
      '2001:db8:0:a:ffff:ffff:ffff:ffff',
      '2001:db8::a:0:0:0:1',
    ],
  ],
  ['fe80:0:0:0:0:0:0:0/64', ['fe80::1%eth0', 'FE80::2']],
])('%s is counted as one, however it is written', (network, spellings) => {
  for (const spelling of spellings) expect(counted('127.0.0.1', '127.0.0.1', spelling)).toBe(network);
});

test('addresses of one network of IPv6 count together, and others do not', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const groups = (count: number): fc.Arbitrary<string> =>
    fc.array(group, { minLength: count, maxLength: count }).map((parts) => parts.join(':'));
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, other, host, another) => {
      const of = (front: string, back: string): string => counted('127.0.0.1', '127.0.0.1', `${front}:${back}`);
      // No network of ours: addresses of IPv4 that are written as IPv6.
      fc.pre(!network.startsWith('0:0:0:0') && !other.startsWith('0:0:0:0'));
      expect(of(network, host)).toBe(of(network, another));
      expect(of(network, host) === of(other, host)).toBe(network === other);
    }),
  );
});

test.each(['-1', '1.5', 'nginx', '10.0.0.0/33', '10.0.0', '10.0.0.1,', '127.0.0.1 10.0.0.1', '65', '::1/129', '1,2'])(
  '%s is refused as a setting',
  (text) => {
    expect(readTrustedProxies(text)).toMatchObject({ ok: false, problem: expect.stringContaining('addresses') });
  },
);
