// A query that the page repeats as the state changes. The newest request wins. The previous answer stays, marked as
// stale, until the next one arrives. A request that must wait is sent again automatically.

import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Answer, Reply, Trouble } from '../requests/reply';
import { combineStops } from './combine-stops';

export interface QueryState<Value> {
  readonly answer: Answer<Value> | undefined;
  /** Whether the answer belongs to an earlier subject. */
  readonly isStale: boolean;
  readonly trouble: Trouble | undefined;
  readonly isLoading: boolean;
  /** Whether the request takes long enough that the page says so. */
  readonly isSlow: boolean;
}

/** Calls back after some milliseconds. Returns a function that cancels the call. */
export type Schedule = (milliseconds: number, callback: () => void) => () => void;

/** The retry interval without network. The page also retries when the browser comes back online. */
const UNREACHABLE_SECONDS = 10;

/** After this time without an answer, the page says that it is still loading. */
const SLOW_SECONDS = 1;

/** The time limit of a request: longer than the default deadline of the service, so that the service answers first. */
const SILENT_SECONDS = 45;

type Request<Value> = (signal: AbortSignal) => Promise<Reply<Value>>;

const EMPTY = { answer: undefined, isStale: false, trouble: undefined, isLoading: false, isSlow: false } as const;

export class LiveQuery<Value> {
  private readonly currentState = signal<QueryState<Value>>(EMPTY);
  readonly state: ReadonlySignal<QueryState<Value>> = this.currentState;
  private request: Request<Value> | undefined;
  private subject = '';
  private abort = new AbortController();
  private cancelTimers: () => void = () => undefined;

  constructor(private readonly schedule: Schedule) {}

  /** The latest value, which may be stale. */
  get latest(): Value | undefined {
    return this.currentState.value.answer?.value;
  }

  /** The value for the current subject; undefined until it arrives. */
  get fresh(): Value | undefined {
    return this.currentState.value.isStale ? undefined : this.latest;
  }

  /**
   * Sends a request. `subject` identifies what the figures belong to: an answer about another subject becomes stale.
   */
  run(request: Request<Value>, subject: string): void {
    this.request = request;
    const { answer } = this.currentState.peek();
    if (subject !== this.subject) this.currentState.value = { ...EMPTY, answer, isStale: answer !== undefined };
    this.subject = subject;
    this.rerun();
  }

  /** Repeats the last request: after a wait, with another key, or when the network is back. */
  rerun(): void {
    const { request } = this;
    if (request === undefined) return;
    this.abort.abort();
    this.cancelTimers();
    this.abort = new AbortController();
    const { abort } = this;
    this.currentState.value = { ...this.currentState.peek(), isLoading: true, isSlow: false };
    this.cancelTimers = combineStops([
      this.schedule(SLOW_SECONDS * 1000, () => {
        this.currentState.value = { ...this.currentState.peek(), isSlow: true };
      }),
      this.schedule(SILENT_SECONDS * 1000, () => {
        abort.abort();
        this.receive({ kind: 'silent', seconds: SILENT_SECONDS });
      }),
    ]);
    void request(abort.signal).then((reply) => {
      if (this.abort === abort && !abort.signal.aborted) this.receive(reply);
    });
  }

  /** Discards request and answer, because their subject is no longer shown. */
  reset(): void {
    this.abort.abort();
    this.cancelTimers();
    this.request = undefined;
    this.subject = '';
    this.currentState.value = EMPTY;
  }

  private receive(reply: Reply<Value>): void {
    this.cancelTimers();
    if (reply.kind === 'answer') {
      this.currentState.value = { ...EMPTY, answer: reply };
      return;
    }
    const seconds = getRetrySeconds(reply);
    if (seconds !== undefined) {
      this.cancelTimers = this.schedule(seconds * 1000, () => this.rerun());
    }
    this.currentState.value = { ...this.currentState.peek(), trouble: reply, isLoading: false, isSlow: false };
  }
}

/** Seconds until an automatic retry; undefined if a person must act first. */
function getRetrySeconds(trouble: Trouble): number | undefined {
  if (trouble.kind === 'limit' || trouble.kind === 'busy') return trouble.seconds;
  return trouble.kind === 'unreachable' ? UNREACHABLE_SECONDS : undefined;
}
