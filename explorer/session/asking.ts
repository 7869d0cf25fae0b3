// One thing that the page asks of the service again and again, as the state changes: the newest question wins, the
// former answer stays while the next one is on its way, and a question that must wait is put again by itself.

import { signal, type ReadonlySignal } from '@preact/signals-core';
import type { Answer, Reply, Trouble } from '../requests/reply';

export interface Asked<Value> {
  /** The last answer; of the former question while `isAsking`. */
  readonly answer: Answer<Value> | undefined;
  readonly trouble: Trouble | undefined;
  readonly isAsking: boolean;
}

/** Calls back after some milliseconds; the function that it returns prevents that. */
export type Wait = (milliseconds: number, act: () => void) => () => void;

/** A network that is not there is tried again after so long, and at once when the browser says that it is back. */
const UNREACHABLE_SECONDS = 10;

type Question<Value> = (signal: AbortSignal) => Promise<Reply<Value>>;

export class Asking<Value> {
  private readonly asked = signal<Asked<Value>>({ answer: undefined, trouble: undefined, isAsking: false });
  private question: Question<Value> | undefined;
  private abort = new AbortController();
  private stopWaiting: () => void = () => undefined;

  constructor(private readonly wait: Wait) {}

  get current(): ReadonlySignal<Asked<Value>> {
    return this.asked;
  }

  ask(question: Question<Value>): void {
    this.question = question;
    this.again();
  }

  /** Puts the last question again: after a wait, with another key, or when the network is back. */
  again(): void {
    const { question } = this;
    if (question === undefined) return;
    this.abort.abort();
    this.stopWaiting();
    this.abort = new AbortController();
    this.asked.value = { ...this.asked.peek(), isAsking: true };
    void question(this.abort.signal).then((reply) => {
      if (this.question === question) this.hear(reply);
    });
  }

  /** Forgets question and answer: what they were about is no longer shown. */
  forget(): void {
    this.abort.abort();
    this.stopWaiting();
    this.question = undefined;
    this.asked.value = { answer: undefined, trouble: undefined, isAsking: false };
  }

  private hear(reply: Reply<Value>): void {
    if (reply.kind === 'given up') return;
    if (reply.kind === 'answer') {
      this.asked.value = { answer: reply, trouble: undefined, isAsking: false };
      return;
    }
    const seconds = secondsToWait(reply);
    if (seconds !== undefined) {
      this.stopWaiting = this.wait(seconds * 1000, () => {
        this.again();
      });
    }
    this.asked.value = { answer: this.asked.peek().answer, trouble: reply, isAsking: false };
  }
}

/** After how long the same question may be answered; undefined where somebody must do something first. */
export function secondsToWait(trouble: Trouble): number | undefined {
  switch (trouble.kind) {
    case 'limit':
    case 'busy':
      return trouble.seconds;
    case 'unreachable':
      return UNREACHABLE_SECONDS;
    case 'key':
    case 'refused':
    case 'gone':
    case 'failed':
      return undefined;
  }
}
