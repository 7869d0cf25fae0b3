// The network address that counts for requests without a key, behind proxies or not (D54).

import fc from 'fast-check';
import {
  findClientNetwork,
  findSite,
  readTrustedProxies,
  type TrustedProxies,
} from '../../shared/access/client-address';

function readSetting(trustedProxies: string): TrustedProxies {
  const proxies = readTrustedProxies(trustedProxies);
  if (!proxies.ok) throw new Error(proxies.problem);
  return proxies.value;
}

/** `socket` is the address of the connection, `forwarded` the header X-Forwarded-For. */
function findNetwork(trustedProxies: string, socket: string | undefined, forwarded: string | null): string {
  return findClientNetwork({ socket, forwarded }, readSetting(trustedProxies));
}

const CHAIN = '192.0.2.66, 203.0.113.9, 10.1.2.3';

describe('without a trusted proxy', () => {
  test.each([
    ['', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['0', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['', '192.0.2.1', null, '192.0.2.1'],
  ])(
    'TRUSTED_PROXIES=%j: a connection from %s with X-Forwarded-For %s counts as %s',
    (proxies, socket, forwarded, network) => {
      expect(findNetwork(proxies, socket, forwarded)).toBe(network);
    },
  );
});

describe('on a platform that reports no address of the connection', () => {
  test('all clients count as one unless a hop is trusted', () => {
    expect(findNetwork('', undefined, '203.0.113.9:40001')).toBe(findNetwork('', undefined, '203.0.113.10:40001'));
  });

  test.each([
    ['1', '203.0.113.9'],
    ['2', '198.51.100.1'],
  ])('with %s trusted hops the client counts as %s', (hops, network) => {
    expect(findNetwork(hops, undefined, '198.51.100.1, 203.0.113.9:40001')).toBe(network);
  });
});

describe('with addresses of trusted proxies', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1', CHAIN, '10.1.2.3'],
    ['127.0.0.1, 10.0.0.0/8', '127.0.0.1', CHAIN, '203.0.113.9'],
    ['10.0.0.0/8', '127.0.0.1', CHAIN, '127.0.0.1'],
    ['::1,2001:db8::/32', '::1', '203.0.113.9, 2001:db8:7::1', '203.0.113.9'],
    ['127.0.0.1', '::ffff:127.0.0.1', CHAIN, '10.1.2.3'],
  ])('trusting %s, the last other address counts: from %s with %s it is %s', (proxies, socket, forwarded, network) => {
    expect(findNetwork(proxies, socket, forwarded)).toBe(network);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1', null, '127.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])(
    'trusting %s, the farthest address counts if all are trusted: from %s with %s it is %s',
    (proxies, socket, forwarded, network) => {
      expect(findNetwork(proxies, socket, forwarded)).toBe(network);
    },
  );
});

describe('with a number of trusted hops', () => {
  test.each([
    ['1', '10.1.2.3'],
    ['2', '203.0.113.9'],
    ['3', '192.0.2.66'],
  ])('%s hops back from the connection the address is %s', (hops, network) => {
    expect(findNetwork(hops, '127.0.0.1', CHAIN)).toBe(network);
  });

  test('the farthest address counts if there are fewer addresses than hops', () => {
    expect(findNetwork('5', '127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  });
});

test.each(['unknown', '', 'water.example', '010.0.0.1', '1', '203.0.113.999', '[::1', '203.0.113.9:x'])(
  'stops at %j, which is not an address: the proxy that reported it counts',
  (text) => {
    expect(findNetwork('127.0.0.1', '127.0.0.1', `203.0.113.9, ${text}`)).toBe('127.0.0.1');
    expect(findNetwork('2', '127.0.0.1', `203.0.113.9, ${text}`)).toBe('127.0.0.1');
  },
);

test.each([
  ['203.0.113.9:40001', '203.0.113.9'],
  ['203.0.113.9:40002', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:1', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  [' 203.0.113.9 ', '203.0.113.9'],
  ['2001:db8:0:a::1', '2001:db8:0:a:0:0:0:0/64'],
  ['2001:DB8:0:A::2', '2001:db8:0:a:0:0:0:0/64'],
  ['2001:0db8:0000:000a:0:0:0:3', '2001:db8:0:a:0:0:0:0/64'],
  ['[2001:db8:0:a::4]', '2001:db8:0:a:0:0:0:0/64'],
  ['[2001:db8:0:a::5]:40001', '2001:db8:0:a:0:0:0:0/64'],
  ['2001:db8:0:a:ffff:ffff:ffff:ffff', '2001:db8:0:a:0:0:0:0/64'],
  ['2001:db8::a:0:0:0:1', '2001:db8:0:a:0:0:0:0/64'],
  ['2001:db8::192.0.2.1', '2001:db8:0:0:0:0:0:0/64'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:0/64'],
  ['FE80::2', 'fe80:0:0:0:0:0:0:0/64'],
])('counts %s as %s', (spelling, network) => {
  expect(findNetwork('127.0.0.1', '127.0.0.1', spelling)).toBe(network);
});

test('counts addresses of one IPv6 network together, and those of two networks separately', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const fourGroups = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
  fc.assert(
    fc.property(fourGroups, fourGroups, fourGroups, fourGroups, (network, otherNetwork, host, otherHost) => {
      const find = (front: string, back: string): string => findNetwork('127.0.0.1', '127.0.0.1', `${front}:${back}`);
      // These are IPv4 addresses written as IPv6.
      fc.pre(!network.startsWith('0:0:0:0') && !otherNetwork.startsWith('0:0:0:0'));
      expect(find(network, host)).toBe(find(network, otherHost));
      expect(find(network, host) === find(otherNetwork, host)).toBe(network === otherNetwork);
    }),
  );
});

test.each([
  ['192.0.2.66', '192.0.2.66'],
  ['2001:db8:1:2::77', '2001:db8:1:0:0:0:0:0/48'],
  ['2001:db8:1:ff00::', '2001:db8:1:0:0:0:0:0/48'],
  ['2001:db8:2::1', '2001:db8:2:0:0:0:0:0/48'],
  ['::ffff:192.0.2.66', '192.0.2.66'],
  [undefined, 'unknown'],
])('the site of %s is %s', (socket, site) => {
  expect(findSite(findNetwork('0', socket, null))).toBe(site);
});

test.each(['-1', '1.5', 'nginx', '10.0.0.0/33', '10.0.0', '10.0.0.1,', '127.0.0.1 10.0.0.1', '65', '::1/129', '1,2'])(
  'refuses TRUSTED_PROXIES=%s',
  (text) => {
    expect(readTrustedProxies(text)).toMatchObject({ ok: false, problem: expect.stringContaining('addresses') });
  },
);
