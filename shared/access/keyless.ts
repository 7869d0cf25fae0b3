// The limit of a client without a key (D51), by its address.

import { isIPv6 } from 'node:net';
import type { LimitedAccount } from './rate-limits';

const MINUTES_PER_HOUR = 60;

/** The name holds the address, which no log and no count of use gets. */
export function keylessAccount(address: string, perHour: number): LimitedAccount {
  const id = `address ${networkOf(address)}`;
  return { id, requestsPerMinute: perHour / MINUTES_PER_HOUR, recordsPerMinute: null, mostRequests: perHour };
}

/** A client of IPv6 has a whole network of addresses, whose first 64 bits are its own. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!isIPv6(plain)) return plain;
  const [front = '', back] = plain.split('::');
  const groups = front === '' ? [] : front.split(':');
  const missing = back === undefined ? 0 : 8 - groups.length - back.split(':').filter((group) => group !== '').length;
  return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, 4).join(':');
}
