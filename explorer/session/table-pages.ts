// The records behind the table, in pages that are asked for as somebody scrolls to them. All pages are of one data
// version: when one comes from another, those before are forgotten.

import { computed, signal, type ReadonlySignal } from '@preact/signals-core';
import type { ServiceClient } from '../requests/client';
import { askRecords, type RecordsPage } from '../requests/operations';
import type { Trouble } from '../requests/reply';
import type { OrderedSelection } from '../state/state';
import { Asking, type Asked, type Wait } from './asking';

/** A screen or two: small enough to come at once, large enough to scroll on. */
const PAGE_ROWS = 100;

/** Pages that stay in memory: 5,000 rows of some 70 cells. */
const MOST_PAGES = 50;

export interface LoadedRecords {
  readonly total: number | undefined;
  readonly columns: readonly string[];
  readonly trouble: Trouble | undefined;
  /** Whether a page has been awaited for so long that a person wants to know. */
  readonly isSlow: boolean;
  readonly rowAt: (index: number) => readonly string[] | undefined;
}

export class TablePages {
  /** By their place among all pages, the one that was asked for longest ago first. */
  private readonly pages = signal<ReadonlyMap<number, Asking<RecordsPage>>>(new Map());
  readonly current: ReadonlySignal<LoadedRecords> = computed(() => this.loaded());
  private question: OrderedSelection | undefined;
  private identity = '';

  constructor(
    private readonly client: ServiceClient,
    private readonly wait: Wait,
  ) {}

  /** Goes over to other records; the former ones are forgotten. */
  turnTo(question: OrderedSelection): void {
    const identity = JSON.stringify(question);
    if (identity === this.identity) return;
    [this.identity, this.question] = [identity, question];
    this.keep(() => false);
  }

  /** Asks for the pages of some rows, both ends included, that are not there. */
  need(first: number, last: number): void {
    const [from, to] = [Math.floor(first / PAGE_ROWS), Math.floor(last / PAGE_ROWS)];
    this.keep((page, { answer }) => answer !== undefined || (page >= from && page <= to));
    const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    // A question in trouble is put again when its time has come, and not whenever the table is drawn.
    this.ask(wanted.filter((page) => !this.pages.peek().has(page)));
  }

  /** Asks for what is shown and not there, after a trouble. */
  again(): void {
    const missing = [...this.pages.peek()].filter(([, { current }]) => current.peek().answer === undefined);
    this.keep((_, { answer }) => answer !== undefined);
    this.ask(missing.map(([page]) => page));
  }

  private ask(wanted: readonly number[]): void {
    const { question } = this;
    if (question === undefined || wanted.length === 0) return;
    const pages = new Map(this.pages.peek());
    for (const page of wanted) {
      const asking = new Asking<RecordsPage>(this.wait);
      pages.set(page, asking);
      asking.ask(async (abort) => {
        const part = { start: page * PAGE_ROWS, count: PAGE_ROWS };
        const reply = await askRecords(this.client.until(abort), question, part);
        // Pages of another data version go when the first one of a new version is there.
        if (reply.kind === 'answer') this.keep((_, { answer }) => (answer?.version ?? reply.version) === reply.version);
        return reply;
      }, '');
    }
    for (const page of pages.keys()) if (pages.size > MOST_PAGES) pages.delete(page);
    this.pages.value = pages;
  }

  /** Gives up the other pages. */
  private keep(isKept: (page: number, asked: Asked<RecordsPage>) => boolean): void {
    const [kept, others] = [new Map<number, Asking<RecordsPage>>(), this.pages.peek()];
    for (const [page, asking] of others) {
      if (isKept(page, asking.current.peek())) kept.set(page, asking);
      else asking.forget();
    }
    if (kept.size < others.size) this.pages.value = kept;
  }

  private loaded(): LoadedRecords {
    const pages = this.pages.value;
    const asked = [...pages.values()].map(({ current }) => current.value);
    const any = asked.find(({ answer }) => answer !== undefined)?.answer?.value;
    return {
      total: any?.total,
      columns: any?.columns ?? [],
      trouble: asked.find(({ trouble }) => trouble !== undefined)?.trouble,
      isSlow: asked.some(({ isSlow }) => isSlow),
      rowAt: (index) => {
        const page = pages.get(Math.floor(index / PAGE_ROWS))?.current.peek();
        return page?.answer?.value.rows[index % PAGE_ROWS];
      },
    };
  }
}
