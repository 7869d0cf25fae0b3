// The records behind the table, in pages that are asked for as somebody scrolls to them. All pages are of one data
// version: when one comes from another, those before are forgotten.

import { signal, type ReadonlySignal } from '@preact/signals-core';
import type { ServiceClient } from '../requests/client';
import { askRecords, type Selection, type RecordsPage } from '../requests/operations';
import type { Reply, Trouble } from '../requests/reply';
import { secondsToWait, SILENT_SECONDS, SLOW_SECONDS, type Wait } from './asking';

/** A screen or two: small enough to come at once, large enough to scroll on. */
export const PAGE_ROWS = 100;

/** Pages that stay in memory: 5,000 rows of some 70 cells. */
const MOST_PAGES = 50;

export type RecordQuestion = Selection & { readonly order: string };

export interface LoadedRecords {
  readonly total: number | undefined;
  readonly columns: readonly string[];
  readonly trouble: Trouble | undefined;
  /** Whether a page has been awaited for so long that a person wants to know. */
  readonly isSlow: boolean;
  readonly rowAt: (index: number) => readonly string[] | undefined;
}

export class TablePages {
  private pages = new Map<number, RecordsPage>();
  private readonly underWay = new Map<number, AbortController>();
  private version = '';
  private question: RecordQuestion | undefined;
  private identity = '';
  private readonly shown = signal<LoadedRecords>(this.loaded(undefined));

  /** The rows that are shown now, both ends included. */
  private needed: readonly [first: number, last: number] = [0, 0];
  private stopWaiting: () => void = () => undefined;

  constructor(
    private readonly client: ServiceClient,
    private readonly wait: Wait,
  ) {}

  get current(): ReadonlySignal<LoadedRecords> {
    return this.shown;
  }

  /** Goes over to other records; the former ones are forgotten. */
  turnTo(question: RecordQuestion): void {
    const identity = JSON.stringify(question);
    if (identity === this.identity) return;
    for (const abort of this.underWay.values()) abort.abort();
    this.underWay.clear();
    this.identity = identity;
    this.question = question;
    this.version = '';
    this.pages = new Map();
    this.shown.value = this.loaded(undefined);
  }

  /** Asks for the pages of some rows, both ends included, that are not there. */
  need(first: number, last: number): void {
    const { question } = this;
    this.needed = [first, last];
    // A question in trouble is put again when its time has come, and not whenever the table is drawn.
    if (question === undefined || this.shown.peek().trouble !== undefined) return;
    const [from, to] = [Math.floor(first / PAGE_ROWS), Math.floor(last / PAGE_ROWS)];
    for (const [page, abort] of this.underWay) if (page < from || page > to) abort.abort();
    for (let page = from; page <= to; page++) {
      if (this.pages.has(page) || this.underWay.has(page)) continue;
      const abort = new AbortController();
      this.underWay.set(page, abort);
      const stops = [
        this.wait(SLOW_SECONDS * 1000, () => {
          if (!abort.signal.aborted) this.shown.value = { ...this.shown.peek(), isSlow: true };
        }),
        this.wait(SILENT_SECONDS * 1000, () => {
          abort.abort();
          this.hear(page, { kind: 'silent', seconds: SILENT_SECONDS });
        }),
      ];
      const asked = askRecords(this.client, question, { start: page * PAGE_ROWS, count: PAGE_ROWS }, abort.signal);
      void asked.then((reply) => {
        for (const stop of stops) stop();
        if (this.underWay.get(page) === abort) this.underWay.delete(page);
        if (this.question === question) this.hear(page, reply);
      });
    }
  }

  /** Asks for what is shown and not there, after a trouble. */
  again(): void {
    this.stopWaiting();
    for (const abort of this.underWay.values()) abort.abort();
    this.underWay.clear();
    this.shown.value = this.loaded(undefined);
    this.need(...this.needed);
  }

  private hear(page: number, reply: Reply<RecordsPage>): void {
    if (reply.kind === 'given up') return;
    if (reply.kind !== 'answer') {
      this.shown.value = this.loaded(reply);
      const seconds = secondsToWait(reply);
      this.stopWaiting();
      if (seconds !== undefined) {
        this.stopWaiting = this.wait(seconds * 1000, () => this.again());
      }
      return;
    }
    if (this.version !== '' && reply.version !== this.version) this.pages.clear();
    this.version = reply.version;
    this.pages.set(page, reply.value);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
    this.shown.value = this.loaded(undefined);
  }

  private loaded(trouble: Trouble | undefined): LoadedRecords {
    const [any] = this.pages.values();
    const { pages } = this;
    return {
      total: any?.total,
      columns: any?.columns ?? [],
      trouble,
      isSlow: false,
      rowAt: (index) => pages.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS],
    };
  }
}
