// The requests that the adapter makes, each logged with its charge, bounded in number and time, and tried again where
// that makes sense (ADR 0025).

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { debuglog } from 'node:util';
import type { OperationInput, OperationResponse } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import { type Deadline, getCurrentDeadline } from '../deadline';
import { StoreUnavailableError } from '../port';
import { type Connection, type CosmosContainer, NoAnswerError, toCallFailure, TRANSIENT_STATUSES } from './connect';
import type { CosmosDocument } from './documents';

const IN_PARTITION = 'c.partition = @partition';

/** Each names one partition and binds every value. A request for data asks only `statesOfVersion`. */
export const STATEMENTS = {
  states: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state'`,
  statesOfVersion: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND c.version = @version`,
  statesNaming: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'state' AND ARRAY_CONTAINS(c.entries, { 'releaseId': @release }, true)`,
  serviceDocuments: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = @kind`,
  releases: `SELECT c.id FROM c WHERE ${IN_PARTITION} AND c.kind = 'release'`,
  unfinished: `SELECT * FROM c WHERE ${IN_PARTITION} AND c.kind = 'unfinished'`,
  count: `SELECT VALUE COUNT(1) FROM c WHERE ${IN_PARTITION}`,
  documentIds: `SELECT c.id FROM c WHERE ${IN_PARTITION}`,
} as const;

interface Query {
  readonly partition: string;
  readonly text: (typeof STATEMENTS)[keyof typeof STATEMENTS];
  /** In addition to @partition. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** A document with the etag of the version that was read. */
export interface StoredDocument<Document extends CosmosDocument> {
  readonly document: Document;
  readonly etag: string;
}

/** As the SDK takes it for a batch. */
export type Write =
  | { readonly operationType: 'Create' | 'Upsert'; readonly resourceBody: CosmosDocument }
  | {
      readonly operationType: 'Replace';
      readonly id: string;
      readonly resourceBody: CosmosDocument;
      readonly ifMatch: string;
    }
  | { readonly operationType: 'Delete'; readonly id: string; readonly ifMatch?: string };

interface Read {
  readonly operationType: 'Read';
  readonly id: string;
}

/** 404: does not exist. 409: exists already. 412: another etag. 424: another operation of the batch was refused. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 412, 424]);

/** One request over the network; a retried request is logged each time. */
export interface LoggedRequest {
  /** One document, several documents of one partition by their ids, or a page of a query. */
  readonly request: 'point' | 'batch' | 'query';
  readonly partition: string;
  /** What was asked for, each once: Read, Query, Create, Upsert, Replace, Delete. */
  readonly operations: readonly string[];
  readonly documents: number;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Request units as the service charged them; 0 when no answer came. */
  readonly charge: number;
  readonly milliseconds: number;
}

export type RequestLog = (request: LoggedRequest) => void;

/** Prints each request to standard error when the environment has NODE_DEBUG=cosmos; costs nothing otherwise. */
export function debugRequestLog(): RequestLog {
  const log = debuglog('cosmos');
  return ({ request, partition, operations, documents, status, charge, milliseconds }) => {
    const operationNames = operations.join('+');
    log('%s %s x%d %s: %d, %s RU, %s ms', request, operationNames, documents, partition, status, charge, milliseconds);
  };
}

/** A request to be made, once for each try; it resolves to its value, and to what is logged about it. */
interface Call<Value> extends Pick<LoggedRequest, 'request' | 'partition'> {
  /** For each document what is asked for. */
  readonly operations: readonly string[];
  readonly send: (container: CosmosContainer, abortSignal: AbortSignal) => Promise<Answer<Value>>;
}

/** `documents` where they are not as many as were asked for. */
interface Answer<Value> extends Pick<LoggedRequest, 'status' | 'charge'>, Partial<Pick<LoggedRequest, 'documents'>> {
  readonly value: Value;
}

/** Bounds the memory of answers, which have up to 4 MB each. */
const MAX_REQUESTS_AT_ONCE = 32;

const QUERY_PAGE_ITEMS = 500;

/** Writers of one document take turns, and a few of them can be lucky several times in a row. */
const CHANGE_TRIES = 20;

/** About the time of a try, so that two who write again and again do not stay in step, one always ahead. */
const CHANGE_WAIT_MS = 20;

export class CosmosCalls {
  private connection: Promise<Connection> | undefined;
  private hasAnswered = false;
  private readonly limit = new ConcurrencyLimit(MAX_REQUESTS_AT_ONCE);

  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly log: RequestLog,
  ) {}

  /** `Document` is the type that this adapter wrote there. */
  read<Document extends CosmosDocument>(partition: string, id: string): Promise<StoredDocument<Document> | undefined> {
    return this.call(this.readRules(), {
      request: 'point',
      partition,
      operations: ['Read'],
      send: async (container, abortSignal) => {
        const { resource, etag, statusCode, requestCharge } = await container
          .item(id, partition)
          .read<Document>({ abortSignal });
        const value = resource === undefined ? undefined : { document: resource, etag };
        return { value, status: statusCode, charge: requestCharge };
      },
    });
  }

  /** In the order of the ids, `batchSize` in each request; undefined when one of the documents does not exist. */
  async readAll<Document extends CosmosDocument>(
    partition: string,
    ids: readonly string[],
    batchSize: number,
  ): Promise<readonly Document[] | undefined> {
    const [firstId, ...otherIds] = ids;
    if (firstId === undefined) return [];
    if (otherIds.length === 0) {
      const stored = await this.read<Document>(partition, firstId);
      return stored === undefined ? undefined : [stored.document];
    }
    const batches: (readonly Read[])[] = [];
    const reads = ids.map((id): Read => ({ operationType: 'Read', id }));
    for (let from = 0; from < ids.length; from += batchSize) batches.push(reads.slice(from, from + batchSize));
    const batchResults = await Promise.all(batches.map((batch) => this.batch(this.readRules(), partition, batch)));
    const results = batchResults.flat();
    if (results.some(({ statusCode }) => statusCode !== 200)) return undefined;
    const documents: readonly unknown[] = results.map(({ resourceBody }) => resourceBody);
    return documents as readonly Document[]; // Written by this adapter.
  }

  /** `Item` is the type that the statement selects. */
  async query<Item>({ partition, text, parameters }: Query): Promise<readonly Item[]> {
    const values = Object.entries({ partition, ...parameters }).map(([name, value]) => ({ name: `@${name}`, value }));
    const items: Item[] = [];
    let continuation = '';
    do {
      const from = continuation === '' ? {} : { continuationToken: continuation };
      const page = await this.call<readonly [items: readonly Item[], continuation: string]>(this.readRules(), {
        request: 'query',
        partition,
        operations: ['Query'],
        send: async (container, abortSignal) => {
          const options = { partitionKey: partition, maxItemCount: QUERY_PAGE_ITEMS, abortSignal, ...from };
          const answer = await container.items.query<Item>({ query: text, parameters: values }, options).fetchNext();
          // The SDK's types declare both as always present; after the last page, which may be empty, they are missing.
          const resources = (answer.resources as Item[] | undefined) ?? [];
          const token = (answer.continuationToken as string | undefined) ?? '';
          return { value: [resources, token], status: 200, charge: answer.requestCharge, documents: resources.length };
        },
      });
      items.push(...page[0]);
      continuation = page[1];
    } while (continuation !== '');
    return items;
  }

  /**
   * All or nothing. A write that may be refused comes first, since the emulator stops there but undoes nothing.
   * `refused`: nothing was written, as a document exists (create), does not (replace, delete) or has another etag.
   */
  async write(partition: string, writes: readonly Write[]): Promise<'written' | 'refused'> {
    const results = await this.batch(LOAD_RETRIES, partition, writes);
    const refused = results.find(({ statusCode }) => statusCode >= 400);
    if (refused === undefined) return 'written';
    if (REFUSALS.has(refused.statusCode)) return 'refused';
    throw new Error(`Cosmos DB answered ${refused.statusCode} to an operation of a batch`);
  }

  /**
   * Changes a document that others may change at once: writes only over the version that was read, else reads again.
   * `alter` gets the document, if there is one; undefined from it leaves the document, and the result is false.
   * 'delete' deletes it.
   */
  async change<Document extends CosmosDocument>(
    partition: string,
    id: string,
    update: (document: Document | undefined) => Document | 'delete' | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < CHANGE_TRIES; attempt++) {
      const stored = await this.read<Document>(partition, id);
      const document = update(stored?.document);
      if (document === undefined || (document === 'delete' && stored === undefined)) return false;
      const write =
        document === 'delete'
          ? ({ operationType: 'Delete', id, ...(stored && { ifMatch: stored.etag }) } as const)
          : buildConditionalWrite(stored, document);
      if ((await this.write(partition, [write])) === 'written') return true;
      await pause(Math.random() * CHANGE_WAIT_MS);
    }
    throw new StoreUnavailableError(`others kept writing ${partition}/${id}`);
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

  /** The operations are of one partition. Is tried again as a whole when one of them could not be done just now. */
  private batch(
    rules: RetryRules,
    partition: string,
    operations: readonly (Read | Write)[],
  ): Promise<readonly OperationResponse[]> {
    return this.call(rules, {
      request: 'batch',
      partition,
      operations: operations.map(({ operationType }) => operationType),
      send: async (container, abortSignal) => {
        // Made anew for each try, since the SDK writes into it. It names the partition for the emulator only. The SDK's
        // types do not know that documents are plain JSON, nor that a deletion may have a condition.
        const inputs = operations.map((operation) => ({ ...operation, partitionKey: partition }));
        const answer = await container.items.batch(inputs as unknown as OperationInput[], partition, { abortSignal });
        const value = answer.result ?? [];
        const charge = Number(answer.headers['x-ms-request-charge'] ?? 0);
        const code = value.find(({ statusCode }) => TRANSIENT_STATUSES.has(statusCode))?.statusCode;
        if (code === undefined) return { value, status: answer.code ?? 0, charge };
        const message = `an operation of a batch was answered ${code}`;
        throw Object.assign(new Error(message), { code, requestCharge: charge });
      },
    });
  }

  /** A service that never answered is not waited for over minutes: its address may be wrong. */
  private readRules(): RetryRules {
    return getCurrentDeadline().isPatient && this.hasAnswered ? LOAD_RETRIES : REQUEST_RETRIES;
  }

  private call<Value>(rules: RetryRules, call: Call<Value>): Promise<Value> {
    const { end, now } = getCurrentDeadline();
    const attempt = (signal: AbortSignal): Promise<Value> =>
      this.limit.run(async () => {
        // Its time may have passed while it waited for its turn.
        signal.throwIfAborted();
        const { container } = await this.open();
        const value = await this.sendLogged(call, () => call.send(container, signal));
        this.hasAnswered = true;
        return value;
      });
    return withRetries(attempt, rules, { now, end });
  }

  private async sendLogged<Value>(
    { request, partition, operations }: Call<Value>,
    send: () => Promise<Answer<Value>>,
  ): Promise<Value> {
    const start = performance.now();
    const log = ({ status, charge, documents = operations.length }: Omit<Answer<Value>, 'value'>): void => {
      const milliseconds = Math.round(performance.now() - start);
      this.log({ request, partition, operations: [...new Set(operations)], documents, status, charge, milliseconds });
    };
    try {
      const answer = await send();
      log(answer);
      return answer.value;
    } catch (error) {
      log(toCallFailure(error) ?? { status: 0, charge: 0 });
      throw error;
    }
  }

  /** Opened by the first call, and again by the next one when that failed. */
  private open(): Promise<Connection> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    return this.connection;
  }
}

/** Writes a document over the version that was read, or for the first time. */
export function buildConditionalWrite(
  stored: StoredDocument<CosmosDocument> | undefined,
  document: CosmosDocument,
): Write {
  if (stored === undefined) return { operationType: 'Create', resourceBody: document };
  return { operationType: 'Replace', id: document.id, resourceBody: document, ifMatch: stored.etag };
}

/** The calls above a number wait, in the order in which they came. */
class ConcurrencyLimit {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxAtOnce: number) {}

  async run<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.active < this.maxAtOnce) this.active++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await act();
    } finally {
      // The next one takes over the place of this one.
      const start = this.waiting.shift();
      if (start === undefined) this.active--;
      else start();
    }
  }
}

interface RetryRules {
  readonly tries: number;
  /** From the first try to the start of the last one. */
  readonly withinMs: number;
  /** For one try. */
  readonly timeoutMs: number;
}

/** For a request, whose client waits for the answer. */
export const REQUEST_RETRIES: RetryRules = { tries: 10, withinMs: 12_000, timeoutMs: 5_000 };

/** For a load, which would rather wait than start again, and for every write. */
const LOAD_RETRIES: RetryRules = { tries: 60, withinMs: 300_000, timeoutMs: 30_000 };

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 5_000;

/** Throws StoreUnavailableError when no try succeeded in time, and any error that is not transient as it came. */
async function withRetries<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
  rules: RetryRules,
  { now, end }: Pick<Deadline, 'now' | 'end'>,
): Promise<Value> {
  const lastStart = Math.min(now() + rules.withinMs, end);
  for (let tries = 1; ; tries++) {
    try {
      const timeoutMs = Math.min(rules.timeoutMs, end - now());
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
      return await Promise.race([attempt(signal), whenAborted(signal)]);
    } catch (error) {
      const failure = toCallFailure(error);
      if (!failure?.isTransient) throw error;
      // A service that is short of time asks for a few milliseconds each time: ten such waits would be over in no time.
      const backoff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const jitter = Math.random() / 2;
      const wait = Math.max(failure.retryAfterMs * (1 + jitter), backoff * (0.5 + jitter));
      if (tries >= rules.tries || now() + wait > lastStart) {
        const reason = failure.status === 0 ? 'gave no answer' : `answered ${failure.status}`;
        throw new StoreUnavailableError(`Cosmos DB (COSMOS_ENDPOINT) ${reason}, ${tries} times`, { cause: error });
      }
      await pause(wait);
    }
  }
}

/** The SDK looks at the signal only while it sends, so the time of one try is watched here. */
async function whenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw new NoAnswerError('no answer in time');
}
