// Sends requests to the service. The key travels in a header, never in an address (D30).

import { readTrouble, type Reply } from './reply';

/** Parameters in order. A parameter has one value, several, or none. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Marks requests of a page's program, so that a 401 does not open the browser's login dialog (D55). */
const CLIENT_HEADERS = { 'X-Requested-With': 'explorer' };

/** Some cloud gateways limit addresses to 8 KB and query strings to 4 KB. Longer queries are sent in the body (D68). */
const LONGEST_ADDRESS = 4000;

/** The longest possible origin: a scheme, a name of 253 characters and a port. */
const LONGEST_ORIGIN = 'https://'.length + 253 + ':65535'.length;

const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface FetchOptions {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | null;
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

export class ServiceClient {
  /**
   * `base` is the prefix of all routes: a path, or an origin and a path. `currentKey` returns an empty string if there
   * is no key.
   */
  constructor(
    readonly base: string,
    private readonly currentKey: () => string,
    private readonly send: Fetch,
    private readonly signal?: AbortSignal,
  ) {}

  /** A client whose requests are aborted by the signal. */
  withSignal(signal: AbortSignal): ServiceClient {
    return new ServiceClient(this.base, this.currentKey, this.send, signal);
  }

  /** Headers for code that sends its own requests, such as the map for its tiles. */
  headers(): Readonly<Record<string, string>> {
    const key = this.currentKey();
    return key === '' ? CLIENT_HEADERS : { ...CLIENT_HEADERS, 'X-API-Key': key };
  }

  buildUrl(route: string, query: Query = {}): string {
    return appendQuery(`${this.base}/${route}`, query);
  }

  /**
   * Sends a request. `read` reads the body; by default it is parsed as JSON in the shape that the service documents for
   * the route, and the caller names that type. An error in `read` counts as a lost connection. A caller that aborts a
   * request ignores its reply.
   */
  async request<Value>(
    route: string,
    query: Query = {},
    read: (response: Response) => Promise<Value> = (response) => response.json() as Promise<Value>,
  ): Promise<Reply<Value>> {
    try {
      const response = await this.sendTo(this.buildUrl(route, query));
      if (!response.ok) return await readTrouble(response);
      const value = await read(response);
      return { kind: 'answer', value, version: response.headers.get('Data-Version') ?? '' };
    } catch {
      return { kind: 'unreachable' };
    }
  }

  /** Sends a request to an address of the service, by POST if the address is too long. Rejects as `fetch` does. */
  sendTo(address: string): Promise<Response> {
    const { signal = null } = this;
    if (countAddressBytes(address) <= LONGEST_ADDRESS) return this.send(address, { headers: this.headers(), signal });
    const queryStart = address.indexOf('?');
    const headers = { ...this.headers(), 'Content-Type': FORM_TYPE };
    const body = address.slice(queryStart + 1);
    return this.send(address.slice(0, queryStart), { method: 'POST', headers, body, signal });
  }
}

/** Assumes the longest possible origin, because a browser may add the origin. An address has only ASCII characters. */
function countAddressBytes(address: string): number {
  return address.length + (/^https?:/i.test(address) ? 0 : LONGEST_ORIGIN);
}

/** Appends the query, if there is any, to the address. */
export function appendQuery(address: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, values = []] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value);
  const text = parameters.toString();
  return text === '' ? address : `${address}?${text}`;
}

/** The number of records or rows on all pages of an answer. */
export function readTotalCount(response: Response): number {
  return Number(response.headers.get('X-Total-Count'));
}
