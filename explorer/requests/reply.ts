// The result of a request: an answer, or the reason why there is none, with advice on what to do.

import { kinds } from '../state/kinds';

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

/** Combines several replies into one, with the data version of the last. Returns the first failure, if any. */
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

/** Maps the value of an answer; returns a failure unchanged. */
export function mapReply<Value, Read>(reply: Reply<Value>, read: (value: Value) => Read): Reply<Read> {
  return reply.kind === 'answer' ? { ...reply, value: read(reply.value) } : reply;
}

/** Used if the service sends no Retry-After. */
const DEFAULT_WAIT_SECONDS = 5;

/** The service sends seconds; a proxy may send a date, which is compared with the proxy's own clock. */
function readWaitSeconds(headers: Headers): number {
  const text = headers.get('Retry-After') ?? '';
  const milliseconds = Date.parse(text) - Date.parse(headers.get('Date') ?? '');
  const seconds = Number(text) || Math.ceil(milliseconds / 1000);
  return seconds > 0 ? seconds : DEFAULT_WAIT_SECONDS;
}

/** Determines from an unsuccessful response what went wrong. */
export async function readTrouble(response: Response): Promise<Trouble> {
  const { status, headers } = response;
  const seconds = readWaitSeconds(headers);
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

/** One sentence per error in the problem response (D31). The body of a proxy's error response is not shown. */
async function readReasons(response: Response): Promise<readonly string[]> {
  const { errors = [], detail = 'The service cannot answer this request.' } = await readProblem(response);
  if (errors.length === 0) return [detail];
  return errors.map(describeError);
}

/** The page shows ranges under their labels, not their parameter names, and an example helps more than a rule. */
function describeError({ parameter, message, value }: NonNullable<Problem['errors']>[number]): string {
  const range = Object.values(kinds)
    .flatMap(({ ranges }) => ranges)
    .find(({ from, to }) => [from, to].includes(parameter));
  const was = value === undefined ? '' : ` (you entered “${value}”)`;
  if (range === undefined) return `${parameter} ${message}${was}.`;
  const name = `${range.label} “${parameter === range.from ? 'from' : 'to'}”`;
  if (message.startsWith('must not be')) return `${range.label}: “from” must not be after “to”${was}.`;
  return `${name}: enter ${range.valueType === 'day' ? 'a year or a date like 2010-12-31' : 'a number like 12.5'}${was}.`;
}

const KEY_SENTENCES: Readonly<Record<KeyFault, string>> = {
  missing: 'Enter your access key to see the data. Your filters are kept.',
  unknown: 'That key isn’t recognized. Check it and try again.',
  revoked: 'This key was revoked by the operator of the service. Enter another one.',
  expired: 'This key has expired. Enter another one.',
};

/** What happened and what to do, for the page. */
export function describeTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'key':
      return KEY_SENTENCES[trouble.fault];
    case 'limit': {
      const time = trouble.until === undefined ? '' : `, at ${new Date(trouble.until).toLocaleTimeString()}`;
      return `You’ve reached your key’s limit. Retrying in ${trouble.seconds} seconds${time}.`;
    }
    case 'busy':
      return `The service is busy. Retrying in ${trouble.seconds} seconds.`;
    case 'refused':
      return trouble.reasons.join(' ');
    case 'gone':
      return 'This data version is no longer available. Remove it from your filters to see current data.';
    case 'failed':
      return `Something went wrong (status ${trouble.status}). Try again, or send the operator this request number: ${trouble.requestId}`;
    case 'unreachable':
      return 'Can’t reach the service. The page retries when the network is back.';
    case 'silent':
      return `No answer after ${trouble.seconds} seconds.`;
  }
}
