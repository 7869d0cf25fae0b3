// A query that the page repeats as the state changes. The newest request wins. The previous answer stays, marked as
// stale, until the next one arrives. A request that must wait is sent again automatically.

import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Answer, Reply, Trouble } from '../requests/reply';
import { combineStops } from './combine-stops';

export interface QueryState<Value> {
  readonly answer: Answer<Value> | undefined;
  /** Whether the answer is to a former question: what it says is no figure of what is asked now. */
  readonly isStale: boolean;
  readonly trouble: Trouble | undefined;
  readonly isLoading: boolean;
  /** Whether the answer has been awaited for so long that a person wants to know. */
  readonly isSlow: boolean;
}

/** Calls back after some milliseconds; the function that it returns prevents that. */
export type Schedule = (milliseconds: number, callback: () => void) => () => void;

/** A network that is not there is tried again after so long, and at once when the browser says that it is back. */
const UNREACHABLE_SECONDS = 10;

/** As long as a person looks at a page that does nothing. */
const SLOW_SECONDS = 1;

/** Longer than the service works on a request unless it is told otherwise, so that its own word comes first. */
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

  /** What was answered last, though it may be to a former question. */
  get latest(): Value | undefined {
    return this.currentState.value.answer?.value;
  }

  /** What was answered to the question that is asked now; undefined until then. */
  get fresh(): Value | undefined {
    return this.currentState.value.isStale ? undefined : this.latest;
  }

  /** `subject` says what the answer's figures belong to; an answer about another one is a former one from now on. */
  run(request: Request<Value>, subject: string): void {
    this.request = request;
    const { answer } = this.currentState.peek();
    if (subject !== this.subject) this.currentState.value = { ...EMPTY, answer, isStale: answer !== undefined };
    this.subject = subject;
    this.rerun();
  }

  /** Puts the last question again: after a wait, with another key, or when the network is back. */
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

  /** Forgets question and answer: what they were about is no longer shown. */
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

/** After how long the same question may be answered; undefined where somebody must do something first. */
function getRetrySeconds(trouble: Trouble): number | undefined {
  if (trouble.kind === 'limit' || trouble.kind === 'busy') return trouble.seconds;
  return trouble.kind === 'unreachable' ? UNREACHABLE_SECONDS : undefined;
}
