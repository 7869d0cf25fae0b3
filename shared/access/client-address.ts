// Determines the address by which a client without a key is counted (D51, D54), as reported by trusted proxies.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { failure, type Result, success } from '../values/result';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [address: Address, bits: number];

/** The trusted proxies: either a number of hops in front of the service, or all proxies in some networks. */
export type TrustedProxies =
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'networks'; readonly networks: readonly Network[] };

/** More hops than any real deployment has. */
const MAX_HOPS = 64;

/**
 * The number of 16-bit groups in an IPv6 address that identify the client's network. All addresses of the network
 * belong to the client.
 */
const NETWORK_PARTS = 4;
const HOST_PARTS = [0, 0, 0, 0];

/** The number of groups that identify a site (/48). */
const SITE_PARTS = 3;
const OTHER_PARTS = [0, 0, 0, 0, 0];

/** An address followed by a port, as some platforms write it, with or without brackets. */
const WITH_PORT = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/;

/** Stands for all clients whose address is unknown. */
const UNKNOWN_CLIENT = 'unknown';

export function readTrustedProxies(text: string): Result<TrustedProxies> {
  const hops = text === '' ? 0 : Number(text);
  if (/^\d*$/.test(text) && hops <= MAX_HOPS) return success({ kind: 'hops', hops });
  const networks = text.split(',').map((part) => parseNetwork(part.trim()));
  const known = networks.filter((network) => network !== undefined);
  if (known.length === networks.length) return success({ kind: 'networks', networks: known });
  return failure(`must be a number of proxies from 0 to ${MAX_HOPS}, or addresses or networks separated by commas`);
}

/** `socket` is the address of the connection, if the host knows it; `forwarded` is the header X-Forwarded-For. */
interface ForwardedRequest {
  readonly socket: string | undefined;
  readonly forwarded: string | null;
}

/** Returns the client's address, or its network for IPv6, in a canonical spelling. */
export function findClientNetwork(route: ForwardedRequest, trusted: TrustedProxies): string {
  const address = findClientAddress(route, trusted);
  if (address === undefined) return UNKNOWN_CLIENT;
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, NETWORK_PARTS), ...HOST_PARTS]);
  return `${network.toNormalizedString()}/64`;
}

/**
 * Counts the trusted proxies in front of the service: 0 if the connection itself does not come from a trusted proxy. In
 * a header to which each proxy appends a value, that many values at the end come from trusted proxies.
 */
export function countTrustedHops({ socket, forwarded }: ForwardedRequest, trusted: TrustedProxies): number {
  const passedOn = forwarded === null ? [] : forwarded.split(',').reverse();
  const addresses = [socket, ...passedOn].map((text) => (text === undefined ? undefined : parseAddress(text.trim())));
  const untrusted = addresses.findIndex((address, index) => !isTrusted(address, index, trusted));
  return untrusted === -1 ? addresses.length : untrusted;
}

/**
 * Returns the site of a network from `findClientNetwork`. For IPv6, this is the /48, usually the most that a provider
 * assigns to a customer. For IPv4, it is the address itself.
 */
export function findSite(network: string): string {
  const [address = ''] = network.split('/');
  if (!ipaddr.IPv6.isValid(address)) return network;
  const site = new ipaddr.IPv6([...ipaddr.IPv6.parse(address).parts.slice(0, SITE_PARTS), ...OTHER_PARTS]);
  return `${site.toNormalizedString()}/48`;
}

/**
 * Follows the addresses that proxies reported, starting at the connection, as long as each one is trusted. Stops at a
 * value that is not an address; the proxy that reported it then counts as the client.
 */
function findClientAddress({ socket, forwarded }: ForwardedRequest, trusted: TrustedProxies): Address | undefined {
  const written = forwarded === null ? [] : forwarded.split(',').reverse();
  let client = socket === undefined ? undefined : parseAddress(socket);
  for (const [index, text] of written.entries()) {
    if (!isTrusted(client, index, trusted)) return client;
    const before = parseAddress(text.trim());
    if (before === undefined) return client;
    client = before;
  }
  return client;
}

/**
 * `index` is the number of the hop, counted from the connection. The connection is the first hop even if the host does
 * not know its address.
 */
function isTrusted(address: Address | undefined, index: number, trusted: TrustedProxies): boolean {
  if (trusted.kind === 'hops') return index < trusted.hops;
  return address === undefined || trusted.networks.some((network) => isWithin(address, network));
}

function isWithin(address: Address, [network, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

function parseNetwork(text: string): Network | undefined {
  const [start = '', bits, ...others] = text.split('/');
  const address = parseAddress(start);
  if (address === undefined || others.length > 0) return undefined;
  const maxPrefix = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, maxPrefix];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxPrefix ? [address, Number(bits)] : undefined;
}

/**
 * Both parsers must accept the address: the library also accepts octal notation, and Node accepts some forms that the
 * library rejects.
 */
function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const [bare = ''] = (bracketed ?? plain ?? text).split('%');
  if (isIP(bare) === 0 || !ipaddr.isValid(bare)) return undefined;
  // An IPv4 address written as IPv6 is converted to IPv4.
  return ipaddr.process(bare);
}
