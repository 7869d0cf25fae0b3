// The result of a request: an answer, or a reason why there is none that says what to do next.

export interface Answer<Value> {
  readonly kind: 'answer';
  readonly value: Value;
  /** The header Data-Version; empty if it is missing. */
  readonly version: string;
}

/** Faults of a key: the problem types of the service (D55). */
const KEY_FAULTS = ['missing', 'unknown', 'revoked', 'expired'] as const;

type KeyFault = (typeof KEY_FAULTS)[number];

export type Trouble =
  /** 401: no valid key. */
  | { readonly kind: 'key'; readonly fault: KeyFault }
  /** 429: the key has used up its allowance. `until` is a time in milliseconds, if the service sends its time. */
  | { readonly kind: 'limit'; readonly seconds: number; readonly until?: number }
  /** 503: the service, or its store, is overloaded. */
  | { readonly kind: 'busy'; readonly seconds: number }
  /** 400: the service rejects the request, with reasons as sentences. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  /** 410: the data version is no longer held. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly status: number; readonly requestId: string }
  | { readonly kind: 'unreachable' }
  /** The connection is open, but no answer has arrived. */
  | { readonly kind: 'silent'; readonly seconds: number };

export type Reply<Value> = Answer<Value> | Trouble;

/** Combines several replies into one, with the data version of the last. Returns the first trouble, if any. */
export function combineReplies<Value>(replies: readonly Reply<Value>[]): Reply<readonly Value[]> {
  const values: Value[] = [];
  let version = '';
  for (const reply of replies) {
    if (reply.kind !== 'answer') return reply;
    values.push(reply.value);
    ({ version } = reply);
  }
  return { kind: 'answer', value: values, version };
}

/** Maps the value of an answer; passes trouble through. */
export function mapReply<Value, Read>(reply: Reply<Value>, read: (value: Value) => Read): Reply<Read> {
  return reply.kind === 'answer' ? { ...reply, value: read(reply.value) } : reply;
}

/** Used if the service sends no Retry-After. */
const DEFAULT_WAIT_SECONDS = 5;

/** The trouble of an answer that is not successful. */
export async function readTrouble(response: Response): Promise<Trouble> {
  const { status, headers } = response;
  const seconds = Number(headers.get('Retry-After') ?? DEFAULT_WAIT_SECONDS) || DEFAULT_WAIT_SECONDS;
  switch (status) {
    case 401:
      return { kind: 'key', fault: await readKeyFault(response) };
    case 429: {
      const now = Date.parse(headers.get('Date') ?? '');
      return { kind: 'limit', seconds, ...(Number.isNaN(now) ? {} : { until: now + seconds * 1000 }) };
    }
    case 502:
    case 503:
    case 504:
      return { kind: 'busy', seconds };
    case 410:
      return { kind: 'gone' };
    case 400:
      return { kind: 'refused', reasons: await readReasons(response) };
    default:
      return { kind: 'failed', status, requestId: headers.get('X-Request-Id') ?? '' };
  }
}

interface Problem {
  readonly type?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly parameter: string; readonly message: string; readonly value?: string }[];
}

/** Empty if a proxy wrote the body. */
function readProblem(response: Response): Promise<Problem> {
  return response.json().then(
    (body: unknown) => body as Problem, // The form of every problem of the service.
    (): Problem => ({}),
  );
}

/** A refusal without a reason means an unknown key. */
async function readKeyFault(response: Response): Promise<KeyFault> {
  const { type = '' } = await readProblem(response);
  return KEY_FAULTS.find((fault) => type.endsWith(`:key-${fault}`)) ?? 'unknown';
}

/** A sentence for each error of a problem (D31). The body of a proxy is not shown. */
async function readReasons(response: Response): Promise<readonly string[]> {
  const { errors = [], detail = 'The service cannot answer this.' } = await readProblem(response);
  if (errors.length === 0) return [detail];
  return errors.map(({ parameter, message, value }) =>
    value === undefined ? `${parameter} ${message}.` : `${parameter} ${message} (it was “${value}”).`,
  );
}

const KEY_SENTENCES: Readonly<Record<KeyFault, string>> = {
  missing: 'The service needs a key.',
  unknown: 'The service needs a key, and does not know this one.',
  revoked: 'This key was revoked by the operator of the service.',
  expired: 'This key has expired.',
};

/** What happened and what to do, for the page. */
export function describeTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'key':
      return `${KEY_SENTENCES[trouble.fault]} Put yours in; what you have chosen stays.`;
    case 'limit': {
      const time = trouble.until === undefined ? '' : `, at ${new Date(trouble.until).toLocaleTimeString()}`;
      const wait = `The page asks again in ${trouble.seconds} seconds${time}; nothing is lost.`;
      return `Your key has used up its allowance. ${wait}`;
    }
    case 'busy':
      return `The service is busy. The page asks again in ${trouble.seconds} seconds; nothing is lost.`;
    case 'refused':
      return trouble.reasons.join(' ');
    case 'gone':
      return 'This version of the data is no longer held. Remove it from the filters to see what is current.';
    case 'failed':
      return `The service failed (status ${trouble.status}). Tell its operator this number: ${trouble.requestId}`;
    case 'unreachable':
      return 'The service cannot be reached. The page asks again when the network is back; nothing is lost.';
    case 'silent':
      return `The service has not answered in ${trouble.seconds} seconds. Try again; nothing is lost.`;
  }
}
