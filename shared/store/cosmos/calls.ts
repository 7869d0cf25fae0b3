// Sends the requests of the adapter. Each is logged with its charge, limited in number and time, and retried if a retry
// may succeed (ADR 0025).

import { setTimeout as pause } from 'node:timers/promises';
import { debuglog } from 'node:util';
import type { OperationInput, OperationResponse } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import { getCurrentDeadline } from '../deadline';
import { StoreUnavailableError } from '../port';
import { type Connection, type CosmosContainer, toCallFailure, TRANSIENT_STATUSES } from './connect';
import type { CosmosDocument, Partition } from './document-names';
import type { QueryText } from './queries';
import { ConcurrencyLimit, LOAD_RETRIES, REQUEST_RETRIES, type RetryRules, runInTime, withRetries } from './retries';

interface Query {
  readonly text: QueryText;
  /** Parameters besides @partition, which is always bound. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** A document with the etag of the version that was read. */
export interface StoredDocument<Document extends CosmosDocument> {
  readonly document: Document;
  readonly etag: string;
}

/** The operation in the form that the SDK expects in a batch. */
export type Write =
  | { readonly operationType: 'Create' | 'Upsert'; readonly resourceBody: CosmosDocument }
  | {
      readonly operationType: 'Replace';
      readonly id: string;
      readonly resourceBody: CosmosDocument;
      readonly ifMatch: string;
    }
  | { readonly operationType: 'Delete'; readonly id: string; readonly ifMatch?: string };

/** 404: does not exist. 409: exists already. 412: another etag. 424: another operation of the batch was refused. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 412, 424]);

/** One request over the network; a retried request is logged each time. */
export interface LoggedRequest extends Partition {
  /** One document, writes of several documents of one partition, or a page of a query. */
  readonly request: 'point' | 'batch' | 'query';
  /** The distinct operations: Read, Query, Create, Upsert, Replace, Delete. */
  readonly operations: readonly string[];
  readonly documents: number;
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Request units that the service charged; 0 if there was no answer. */
  readonly charge: number;
  readonly milliseconds: number;
}

export type RequestLog = (request: LoggedRequest) => void;

/** Prints each request to standard error when the environment has NODE_DEBUG=cosmos; costs nothing otherwise. */
export function debugRequestLog(): RequestLog {
  const log = debuglog('cosmos');
  return ({ request, container, partition, operations, documents, status, charge, milliseconds }) => {
    const what = `${request} ${operations.join('+')} x${documents} ${container} ${partition}`;
    log('%s: %d, %s RU, %s ms', what, status, charge, milliseconds);
  };
}

/** A request, which is sent once per attempt. Resolves to its value and the details for the log. */
interface Call<Value> extends Pick<LoggedRequest, 'request' | 'container' | 'partition'> {
  /** The operation on each document. */
  readonly operations: readonly string[];
  readonly send: (container: CosmosContainer, abortSignal: AbortSignal) => Promise<Answer<Value>>;
}

/** `documents` is set if their number differs from the number requested. */
interface Answer<Value> extends Pick<LoggedRequest, 'status' | 'charge'>, Partial<Pick<LoggedRequest, 'documents'>> {
  readonly value: Value;
}

/** Limits the requests in flight, and thus the sockets and the memory for answers, which can be up to 4 MB each. */
const MAX_REQUESTS_AT_ONCE = 32;

const QUERY_PAGE_ITEMS = 500;

/** Writers of one document compete, and one can lose several times in a row. */
const CHANGE_TRIES = 20;

/**
 * About the duration of an attempt, so that two competing writers do not stay in step with one of them always ahead.
 */
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
  read<Document extends CosmosDocument>(place: Partition, id: string): Promise<StoredDocument<Document> | undefined> {
    return this.call(this.readRules(), {
      ...place,
      request: 'point',
      operations: ['Read'],
      send: async (container, abortSignal) => {
        const { resource, etag, statusCode, requestCharge } = await container
          .item(id, place.partition)
          .read<Document>({ abortSignal });
        const value = resource === undefined ? undefined : { document: resource, etag };
        return { value, status: statusCode, charge: requestCharge };
      },
    });
  }

  /** `Item` is the type that the statement selects. */
  async query<Item>(place: Partition, { text, parameters }: Query): Promise<readonly Item[]> {
    const { partition } = place;
    const values = Object.entries({ partition, ...parameters }).map(([name, value]) => ({ name: `@${name}`, value }));
    const items: Item[] = [];
    let continuation = '';
    do {
      const from = continuation === '' ? {} : { continuationToken: continuation };
      const page = await this.call<readonly [items: readonly Item[], continuation: string]>(this.readRules(), {
        ...place,
        request: 'query',
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
   * Writes all documents or none. A write that may be refused must come first, because the emulator stops at a refused
   * write but does not undo the writes before it. `refused` means that nothing was written: a document exists already
   * (create), does not exist (replace, delete), or has another etag.
   */
  async write(place: Partition, writes: readonly Write[]): Promise<'written' | 'refused'> {
    const results = await this.batch(place, writes);
    const refused = results.find(({ statusCode }) => statusCode >= 400);
    if (refused === undefined) return 'written';
    if (REFUSALS.has(refused.statusCode)) return 'refused';
    throw new Error(`Cosmos DB answered ${refused.statusCode} to an operation in a batch`);
  }

  /**
   * Changes a document that other processes may change at the same time: overwrites only the version that was read, and
   * otherwise reads the document again. `update` gets the document, if there is one. If it returns undefined, nothing
   * changes and the result is false; if it returns 'delete', the document is deleted.
   */
  async change<Document extends CosmosDocument>(
    place: Partition,
    id: string,
    update: (document: Document | undefined) => Document | 'delete' | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < CHANGE_TRIES; attempt++) {
      const stored = await this.read<Document>(place, id);
      const document = update(stored?.document);
      if (document === undefined || (document === 'delete' && stored === undefined)) return false;
      const write =
        document === 'delete'
          ? ({ operationType: 'Delete', id, ...(stored && { ifMatch: stored.etag }) } as const)
          : buildConditionalWrite(stored, document);
      if ((await this.write(place, [write])) === 'written') return true;
      await pause(Math.random() * CHANGE_WAIT_MS);
    }
    throw new StoreUnavailableError(`other processes kept writing ${place.partition}/${id}`);
  }

  /** Closes without waiting for a connection that is still being opened. */
  close(): void {
    void this.connection?.then(
      ({ close }) => {
        close();
      },
      () => undefined,
    );
  }

  /** All operations are in one partition. The whole batch is retried if one operation fails temporarily. */
  private batch(place: Partition, operations: readonly Write[]): Promise<readonly OperationResponse[]> {
    const { partition } = place;
    return this.call(LOAD_RETRIES, {
      ...place,
      request: 'batch',
      operations: operations.map(({ operationType }) => operationType),
      send: async (container, abortSignal) => {
        // Created for each attempt, because the SDK modifies it. The partition key is only for the emulator. The SDK's
        // types do not allow plain JSON documents or a deletion with a condition.
        const inputs = operations.map((operation) => ({ ...operation, partitionKey: partition }));
        const answer = await container.items.batch(inputs as unknown as OperationInput[], partition, { abortSignal });
        const value = answer.result ?? [];
        const charge = Number(answer.headers['x-ms-request-charge'] ?? 0);
        const code = value.find(({ statusCode }) => TRANSIENT_STATUSES.has(statusCode))?.statusCode;
        if (code === undefined) return { value, status: answer.code ?? 0, charge };
        const message = `an operation in a batch failed with status ${code}`;
        throw Object.assign(new Error(message), { code, requestCharge: charge });
      },
    });
  }

  /**
   * The few retries of a request apply until the service has answered once: if its address is wrong, retrying for
   * minutes does not help.
   */
  private readRules(): RetryRules {
    return getCurrentDeadline().isPatient && this.hasAnswered ? LOAD_RETRIES : REQUEST_RETRIES;
  }

  private call<Value>(rules: RetryRules, call: Call<Value>): Promise<Value> {
    const clock = getCurrentDeadline();
    const send = async (signal: AbortSignal): Promise<Value> => {
      const { containers } = await this.open();
      const value = await this.sendLogged(call, () => call.send(containers[call.container], signal));
      this.hasAnswered = true;
      return value;
    };
    return withRetries(() => runInTime(this.limit, send, rules.timeoutMs, clock), rules, clock);
  }

  private async sendLogged<Value>(
    { request, container, partition, operations }: Call<Value>,
    send: () => Promise<Answer<Value>>,
  ): Promise<Value> {
    const start = performance.now();
    const log = ({ status, charge, documents = operations.length }: Omit<Answer<Value>, 'value'>): void => {
      const milliseconds = Math.round(performance.now() - start);
      const about = { request, container, partition, operations: [...new Set(operations)], documents };
      this.log({ ...about, status, charge, milliseconds });
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

  /** Opens the connection on the first call, and again on the next call if that failed. */
  private open(): Promise<Connection> {
    this.connection ??= this.connect().catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    return this.connection;
  }
}

/** Builds a write that creates the document, or overwrites only the version that was read. */
export function buildConditionalWrite(
  stored: StoredDocument<CosmosDocument> | undefined,
  document: CosmosDocument,
): Write {
  if (stored === undefined) return { operationType: 'Create', resourceBody: document };
  return { operationType: 'Replace', id: document.id, resourceBody: document, ifMatch: stored.etag };
}
