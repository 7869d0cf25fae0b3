// One thing that the page asks of the service again and again, as the state changes: the newest question wins, the
// former answer stays, marked as such, until there is another, and a question that must wait is put again by itself.

import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Answer, Reply, Trouble } from '../requests/reply';

export interface Asked<Value> {
  readonly answer: Answer<Value> | undefined;
  /** Whether the answer is to a former question: what it says is no figure of what is asked now. */
  readonly isFormer: boolean;
  readonly trouble: Trouble | undefined;
  readonly isAsking: boolean;
  /** Whether the answer has been awaited for so long that a person wants to know. */
  readonly isSlow: boolean;
}

/** Calls back after some milliseconds; the function that it returns prevents that. */
export type Wait = (milliseconds: number, act: () => void) => () => void;

/** A network that is not there is tried again after so long, and at once when the browser says that it is back. */
const UNREACHABLE_SECONDS = 10;

/** As long as a person looks at a page that does nothing. */
const SLOW_SECONDS = 1;

/** Longer than the service works on a request unless it is told otherwise, so that its own word comes first. */
const SILENT_SECONDS = 45;

type Question<Value> = (signal: AbortSignal) => Promise<Reply<Value>>;

const NOTHING = { answer: undefined, isFormer: false, trouble: undefined, isAsking: false, isSlow: false } as const;

export class Asking<Value> {
  private readonly asked = signal<Asked<Value>>(NOTHING);
  readonly current: ReadonlySignal<Asked<Value>> = this.asked;
  private question: Question<Value> | undefined;
  private subject = '';
  private abort = new AbortController();
  private stopWaiting: () => void = () => undefined;

  constructor(private readonly wait: Wait) {}

  /** What was answered last, though it may be to a former question. */
  get latest(): Value | undefined {
    return this.asked.value.answer?.value;
  }

  /** What was answered to the question that is asked now; undefined until then. */
  get present(): Value | undefined {
    return this.asked.value.isFormer ? undefined : this.latest;
  }

  /** `subject` says what the answer's figures belong to; an answer about another one is a former one from now on. */
  ask(question: Question<Value>, subject: string): void {
    this.question = question;
    const { answer } = this.asked.peek();
    if (subject !== this.subject) this.asked.value = { ...NOTHING, answer, isFormer: answer !== undefined };
    this.subject = subject;
    this.again();
  }

  /** Puts the last question again: after a wait, with another key, or when the network is back. */
  again(): void {
    const { question } = this;
    if (question === undefined) return;
    this.abort.abort();
    this.stopWaiting();
    this.abort = new AbortController();
    const { abort } = this;
    this.asked.value = { ...this.asked.peek(), isAsking: true, isSlow: false };
    this.stopWaiting = stopAll([
      this.wait(SLOW_SECONDS * 1000, () => {
        this.asked.value = { ...this.asked.peek(), isSlow: true };
      }),
      this.wait(SILENT_SECONDS * 1000, () => {
        abort.abort();
        this.hear({ kind: 'silent', seconds: SILENT_SECONDS });
      }),
    ]);
    void question(abort.signal).then((reply) => {
      if (this.abort === abort && !abort.signal.aborted) this.hear(reply);
    });
  }

  /** Forgets question and answer: what they were about is no longer shown. */
  forget(): void {
    this.abort.abort();
    this.stopWaiting();
    this.question = undefined;
    this.subject = '';
    this.asked.value = NOTHING;
  }

  private hear(reply: Reply<Value>): void {
    this.stopWaiting();
    if (reply.kind === 'answer') {
      this.asked.value = { ...NOTHING, answer: reply };
      return;
    }
    const seconds = secondsToWait(reply);
    if (seconds !== undefined) {
      this.stopWaiting = this.wait(seconds * 1000, () => this.again());
    }
    this.asked.value = { ...this.asked.peek(), trouble: reply, isAsking: false, isSlow: false };
  }
}

/** A value of plain data that counts as another one when it says something else, and not whenever it is made anew. */
export function computedOnce<Value>(make: () => Value): ReadonlySignal<Value> {
  const text = computed(() => JSON.stringify(make()) as string | undefined);
  return computed(() => (text.value === undefined ? undefined : JSON.parse(text.value)) as Value);
}

/** One way to stop all of them. */
export function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/** After how long the same question may be answered; undefined where somebody must do something first. */
function secondsToWait(trouble: Trouble): number | undefined {
  if (trouble.kind === 'limit' || trouble.kind === 'busy') return trouble.seconds;
  return trouble.kind === 'unreachable' ? UNREACHABLE_SECONDS : undefined;
}
