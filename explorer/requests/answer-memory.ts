// Remembers answers while the page is open, so that it does not send the same request twice: when a view opens again,
// when a person goes back, or when two parts of the page need the same figures at the same time. All remembered answers
// have one data version.

import type { Fetch, FetchOptions } from './client';

/** After this time an answer is requested again, so that an open page notices a new publication. */
const MAX_AGE_MS = 5 * 60_000;

/** The maximum size of all remembered answers together. The oldest answers are dropped first. */
const MAX_TOTAL_BYTES = 8_000_000;

/** Larger answers are not remembered. */
const MAX_ANSWER_BYTES = 500_000;

/**
 * Exports are files, which are read as they arrive. Answers for a pinned data version do not show which version is
 * current.
 */
const NOT_REMEMBERED = /\/Export\b|[?&]DataVersion=/;

/**
 * These statuses mean that the key, its allowance or the data version has expired: all answers are forgotten, so that
 * the page requests them again and shows the error.
 */
const FORGETTING_STATUSES: ReadonlySet<number> = new Set([401, 410, 429]);

interface ReceivedAnswer {
  readonly bytes: ArrayBuffer;
  readonly status: number;
  readonly headers: Headers;
  readonly receivedAt: number;
}

/** A request without an answer yet. It is aborted when no caller is waiting for it. */
interface PendingRequest {
  readonly answer: Promise<ReceivedAnswer>;
  readonly abort: AbortController;
  callers: number;
}

export class AnswerMemory {
  private readonly answers = new Map<string, ReceivedAnswer>();
  private readonly pendingRequests = new Map<string, PendingRequest>();
  private totalBytes = 0;
  private dataVersion = '';

  constructor(
    private readonly sendRequest: Fetch,
    private readonly now: () => number = Date.now,
  ) {}

  /** Like `fetch`, but answers from memory if possible. Each caller gets its own response. */
  readonly send: Fetch = async (url, options) => {
    if (NOT_REMEMBERED.test(`${url}&${options.body ?? ''}`)) return this.sendRequest(url, options);
    const { signal, ...request } = options;
    const name = JSON.stringify([url, request]);
    const remembered = this.answers.get(name);
    if (remembered !== undefined && this.now() - remembered.receivedAt < MAX_AGE_MS) return toResponse(remembered);
    const pending = this.pendingRequests.get(name) ?? this.startRequest(name, url, request);
    return toResponse(await waitForAnswer(pending, signal));
  };

  private startRequest(name: string, url: string, request: FetchOptions): PendingRequest {
    const abort = new AbortController();
    const answer = this.sendRequest(url, { ...request, signal: abort.signal }).then(async (response) => {
      const { status, headers } = response;
      const received = { bytes: await response.arrayBuffer(), status, headers, receivedAt: this.now() };
      if (response.ok) this.remember(name, received);
      else if (FORGETTING_STATUSES.has(status)) this.forgetAll();
      return received;
    });
    const pending = { answer, abort, callers: 0 };
    this.pendingRequests.set(name, pending);
    const forget = (): void => {
      if (this.pendingRequests.get(name) === pending) this.pendingRequests.delete(name);
    };
    answer.then(forget, forget);
    abort.signal.addEventListener('abort', forget);
    return pending;
  }

  private remember(name: string, answer: ReceivedAnswer): void {
    const version = answer.headers.get('Data-Version') ?? '';
    if (version === '') return;
    if (version !== this.dataVersion) this.forgetAll();
    this.dataVersion = version;
    if (answer.bytes.byteLength > MAX_ANSWER_BYTES) return;
    this.forget(name);
    this.answers.set(name, answer);
    this.totalBytes += answer.bytes.byteLength;
    for (const oldest of this.answers.keys()) {
      if (this.totalBytes <= MAX_TOTAL_BYTES) break;
      this.forget(oldest);
    }
  }

  private forgetAll(): void {
    this.answers.clear();
    this.totalBytes = 0;
  }

  private forget(name: string): void {
    this.totalBytes -= this.answers.get(name)?.bytes.byteLength ?? 0;
    this.answers.delete(name);
  }
}

/** Rejects as `fetch` does when the caller aborts. Other callers keep waiting. */
function waitForAnswer(pending: PendingRequest, signal: FetchOptions['signal']): Promise<ReceivedAnswer> {
  pending.callers += 1;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      pending.callers -= 1;
      if (pending.callers === 0) pending.abort.abort();
      reject(new DOMException('The caller no longer waits for this answer.', 'AbortError'));
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    const stopListening = (): void => signal?.removeEventListener('abort', leave);
    pending.answer.finally(stopListening).then(resolve, reject);
  });
}

function toResponse({ bytes, status, headers }: ReceivedAnswer): Response {
  // A response with this status must not have a body.
  return new Response(status === 204 ? null : bytes, { status, headers });
}
