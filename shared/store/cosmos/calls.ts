// The requests that the adapter makes: bounded in number and time, and tried again where that makes sense.

import { setTimeout as pause } from 'node:timers/promises';
import { currentDeadline } from '../deadline';
import type { Connection } from './connect';
import type { CosmosDocument } from './documents';
import {
  LoggedContainer,
  type BatchResult,
  type QueryPage,
  type Read,
  type RequestLog,
  type StoredDocument,
  type Write,
} from './logged-container';
import {
  AdaptiveLimiter,
  failureOf,
  TRANSIENT_STATUSES,
  LOAD_RETRIES,
  REQUEST_RETRIES,
  TransientBatchError,
  withRetries,
} from './retries';

const IN_PARTITION = 'c.partition = @partition';

/** Each names one partition and binds every value. A request for data asks only `statesOfVersion`. */
export const STATEMENTS = {
  states: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state'`,
  statesOfVersion: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND c.version = @version`,
  statesNaming: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND ARRAY_CONTAINS(c.entries, { 'releaseId': @release }, true)`,
  keys: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'key'`,
  usage: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'use'`,
  releases: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'release'`,
  unfinished: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'unfinished'`,
  count: `SELECT VALUE COUNT(1) FROM c WHERE ${IN_PARTITION}`,
  documentIds: `SELECT c.id FROM c WHERE ${IN_PARTITION}`,
} as const;

type Statement = (typeof STATEMENTS)[keyof typeof STATEMENTS];

/** `refused`: nothing was written, as a document exists (create), does not (replace, delete) or has another etag. */
type WriteOutcome = 'written' | 'refused';

interface Query {
  readonly partition: string;
  readonly text: Statement;
  /** In addition to @partition. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

const MAX_READS_AT_ONCE = 32;
const MAX_WRITES_AT_ONCE = 8;
const QUERY_PAGE_ITEMS = 500;

/** Writers of one document take turns, and a few of them can be lucky several times in a row. */
const CHANGE_TRIES = 20;

/** 404: does not exist. 409: exists already. 412: another etag. 424: another operation of the batch was refused. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 412, 424]);

export class CosmosCalls {
  private connection: Promise<Connection> | undefined;
  private hasAnswered = false;
  private readonly reads = new AdaptiveLimiter(MAX_READS_AT_ONCE);
  private readonly writes = new AdaptiveLimiter(MAX_WRITES_AT_ONCE);

  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly log: RequestLog,
  ) {}

  /** `Document` is the type that this adapter wrote there. */
  read<Document extends CosmosDocument>(partition: string, id: string): Promise<StoredDocument<Document> | undefined> {
    return this.call(this.reads, (container, signal) => container.read<Document>(partition, id, signal));
  }

  /** In the order of the ids, `batchSize` in each request; undefined when one of the documents does not exist. */
  async readAll<Document extends CosmosDocument>(
    partition: string,
    ids: readonly string[],
    batchSize: number,
  ): Promise<readonly Document[] | undefined> {
    const [only, ...others] = ids;
    if (only === undefined) return [];
    if (others.length === 0) {
      const stored = await this.read<Document>(partition, only);
      return stored === undefined ? undefined : [stored.document];
    }
    const batches: (readonly Read[])[] = [];
    const reads = ids.map((id): Read => ({ operation: 'read', id }));
    for (let from = 0; from < ids.length; from += batchSize) batches.push(reads.slice(from, from + batchSize));
    const found = await Promise.all(batches.map((batch) => this.batch(this.reads, partition, batch)));
    if (found.some((results) => results.some(({ status }) => status !== 200))) return undefined;
    return found.flatMap((results) => results.map(({ document }) => document as Document)); // Written by this adapter.
  }

  /** `Item` is the type that the statement selects. */
  async query<Item>({ partition, text, parameters }: Query): Promise<readonly Item[]> {
    const values = Object.entries({ partition, ...parameters }).map(([name, value]) => ({ name: `@${name}`, value }));
    const items: Item[] = [];
    let from: string | undefined;
    do {
      const page = { continuation: from, itemsAtMost: QUERY_PAGE_ITEMS };
      const found: QueryPage<Item> = await this.call(this.reads, (container, signal) =>
        container.query<Item>(partition, { query: text, parameters: values }, page, signal),
      );
      items.push(...found.items);
      from = found.continuation;
    } while (from !== undefined);
    return items;
  }

  async write(partition: string, write: Write): Promise<WriteOutcome> {
    try {
      await this.call(this.writes, (container, signal) => container.write(partition, write, signal));
      return 'written';
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== undefined && REFUSALS.has(failure.status)) return 'refused';
      throw error;
    }
  }

  /**
   * Changes a document that others may change at once: writes only over the version that was read, else reads again.
   * `alter` gets the document, if there is one; undefined from it leaves the document, and the result is false.
   */
  async change<Document extends CosmosDocument>(
    partition: string,
    id: string,
    alter: (document: Document | undefined) => Document | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < CHANGE_TRIES; attempt++) {
      const stored = await this.read<Document>(partition, id);
      const document = alter(stored?.document);
      if (document === undefined) return false;
      const write: Write =
        stored === undefined
          ? { operation: 'create', document }
          : { operation: 'replace', document, etag: stored.etag };
      if ((await this.write(partition, write)) === 'written') return true;
    }
    throw new Error(`others kept writing ${partition}/${id}`);
  }

  /** All or nothing. A write that may be refused comes first, since the emulator stops there but undoes nothing. */
  async writeAll(partition: string, writes: readonly Write[]): Promise<WriteOutcome> {
    const results = await this.batch(this.writes, partition, writes);
    const refused = results.find(({ status }) => status >= 400);
    if (refused === undefined) return 'written';
    if (REFUSALS.has(refused.status)) return 'refused';
    throw new Error(`Cosmos DB answered ${refused.status} to an operation of a batch`);
  }

  /** Does not wait for a connection that is still being opened. */
  close(): void {
    void this.connection?.then(
      ({ close }) => {
        close();
      },
      () => undefined,
    );
  }

  /** Is tried again as a whole when the service could not do one of the operations just now. */
  private batch(
    limiter: AdaptiveLimiter,
    partition: string,
    operations: readonly (Read | Write)[],
  ): Promise<readonly BatchResult[]> {
    return this.call(limiter, async (container, signal) => {
      const results = await container.batch(partition, operations, signal);
      const failed = results.find(({ status }) => TRANSIENT_STATUSES.has(status));
      if (failed !== undefined) throw new TransientBatchError(failed.status);
      return results;
    });
  }

  private call<Value>(
    limiter: AdaptiveLimiter,
    send: (container: LoggedContainer, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { end, now, isPatient } = currentDeadline();
    const clock = { now, random: Math.random, pause, end };
    // A service that never answered is not waited for over minutes: its address may be wrong.
    const rules = limiter === this.writes || (isPatient && this.hasAnswered) ? LOAD_RETRIES : REQUEST_RETRIES;
    const attempt = async (signal: AbortSignal): Promise<Value> => {
      const value = await send(await this.open(), signal);
      this.hasAnswered = true;
      return value;
    };
    return limiter.run(() => withRetries(attempt, rules, limiter, clock), end - now());
  }

  /** Opened by the first call, and again by the next one when that failed. */
  private async open(): Promise<LoggedContainer> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    const { container } = await this.connection;
    return new LoggedContainer(container, this.log);
  }
}
