// What the adapter asks of the service: bounded in number and time, tried again where that makes sense.

import { setTimeout as pause } from 'node:timers/promises';
import { currentDeadline } from '../deadline';
import { AdaptiveLimiter } from './adaptive-limiter';
import type { CallLedger } from './call-ledger';
import type { Connection } from './connect';
import { CountedContainer, type BatchResult, type Held, type QueryPage, type Write } from './counted-container';
import type { CosmosDocument } from './documents';
import { failureOf, isTransientStatus, TransientBatchError } from './failures';
import { PATIENT, READING, tryAgain } from './retries';
import type { Statement } from './statements';

/** `refused`: a document is there already (create), is not there (replace, delete), or has another etag. Nothing was written. */
export type WriteOutcome = 'written' | 'refused';

export interface Query {
  readonly partition: string;
  readonly text: Statement;
  /** Beside @partition. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

const MOST_READS = 32;
const MOST_WRITES = 8;
const QUERY_PAGE_ITEMS = 500;

/** 404: not there. 409: there already. 412: another etag. 424, of a batch: another operation was refused. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 412, 424]);

export class CosmosCalls {
  private connection: Promise<Connection> | undefined;
  private hasAnswered = false;
  private readonly reads = new AdaptiveLimiter(MOST_READS);
  private readonly writes = new AdaptiveLimiter(MOST_WRITES);

  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly ledger: CallLedger,
  ) {}

  /** `Document` is what this adapter wrote there. */
  read<Document extends CosmosDocument>(partition: string, id: string): Promise<Held<Document> | undefined> {
    return this.call(this.reads, (container, signal) => container.read<Document>(partition, id, signal));
  }

  /** Documents of one partition, in the order of the ids, `atOnce` a request; undefined when one of them is not there. */
  async readAll<Document extends CosmosDocument>(
    partition: string,
    ids: readonly string[],
    atOnce: number,
  ): Promise<readonly Document[] | undefined> {
    const [only, ...others] = ids;
    if (only === undefined) return [];
    if (others.length === 0) {
      const held = await this.read<Document>(partition, only);
      return held === undefined ? undefined : [held.document];
    }
    const batches: (readonly string[])[] = [];
    for (let from = 0; from < ids.length; from += atOnce) batches.push(ids.slice(from, from + atOnce));
    const found = await Promise.all(batches.map((batch) => this.readBatch(partition, batch)));
    if (found.some((results) => results.some(({ status }) => status !== 200))) return undefined;
    return found.flatMap((results) => results.map(({ document }) => document as Document)); // Written by this adapter.
  }

  /** `Item` is what the text selects. */
  async query<Item>(query: Query): Promise<readonly Item[]> {
    const items: Item[] = [];
    let continuation: string | undefined;
    do {
      const page: QueryPage<Item> = await this.queryPage<Item>(query, continuation);
      items.push(...page.items);
      ({ continuation } = page);
    } while (continuation !== undefined);
    return items;
  }

  async write(partition: string, write: Write): Promise<WriteOutcome> {
    try {
      await this.call(this.writes, (container, signal) => container.write(partition, write, signal));
      return 'written';
    } catch (error) {
      if (REFUSALS.has(failureOf(error)?.status ?? 0)) return 'refused';
      throw error;
    }
  }

  /** All or nothing. What may be refused comes first, since the emulator knows no "nothing". */
  async writeAll(partition: string, writes: readonly Write[]): Promise<WriteOutcome> {
    const results = await this.call(this.writes, async (container, signal) =>
      withoutTransient(await container.writeBatch(partition, writes, signal)),
    );
    const refused = results.find(({ status }) => status >= 400);
    if (refused === undefined) return 'written';
    if (REFUSALS.has(refused.status)) return 'refused';
    throw new Error(`Cosmos DB answered ${refused.status} to an operation of a batch`);
  }

  /** Does not wait for a connection that is still being made. */
  close(): void {
    void this.connection?.then(
      ({ close }) => {
        close();
      },
      () => undefined,
    );
  }

  private readBatch(partition: string, ids: readonly string[]): Promise<readonly BatchResult[]> {
    return this.call(this.reads, async (container, signal) =>
      withoutTransient(await container.readBatch(partition, ids, signal)),
    );
  }

  private queryPage<Item>({ partition, text, parameters }: Query, continuation?: string): Promise<QueryPage<Item>> {
    const values = Object.entries({ partition, ...parameters }).map(([name, value]) => ({ name: `@${name}`, value }));
    const page = { continuation, itemsAtMost: QUERY_PAGE_ITEMS };
    return this.call(this.reads, (container, signal) =>
      container.query<Item>(partition, { query: text, parameters: values }, page, signal),
    );
  }

  private call<Value>(
    limiter: AdaptiveLimiter,
    send: (container: CountedContainer, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { end, now, isPatient } = currentDeadline();
    const waiting = { now, random: Math.random, pause, end };
    // Nobody waits for minutes for a service that was never there: its address may be wrong.
    const rules = limiter === this.writes || (isPatient && this.hasAnswered) ? PATIENT : READING;
    const attempt = async (signal: AbortSignal): Promise<Value> => {
      const value = await send(await this.open(), signal);
      this.hasAnswered = true;
      return value;
    };
    return limiter.run(() => tryAgain(attempt, rules, limiter, waiting), end - now());
  }

  /** Opened by the first call, and again by the next one when that failed. */
  private async open(): Promise<CountedContainer> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    const { container } = await this.connection;
    return new CountedContainer(container, this.ledger);
  }
}

/** An operation that the service could not do just now makes the whole batch be tried again. */
function withoutTransient(results: readonly BatchResult[]): readonly BatchResult[] {
  const busy = results.find(({ status }) => isTransientStatus(status));
  if (busy !== undefined) throw new TransientBatchError(busy.status);
  return results;
}
