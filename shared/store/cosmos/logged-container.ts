// The only place that calls the SDK: each method is one request, sent once and logged with its charge, for an operator
// who looks into costs and for the cost model of the benchmark.

import { debuglog } from 'node:util';
import type { OperationInput, SqlQuerySpec } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import type { CosmosContainer } from './connect';
import type { CosmosDocument } from './documents';
import { failureOf } from './retries';

type CosmosOperation = 'read' | 'query' | 'create' | 'upsert' | 'replace' | 'delete';

interface LoggedItem {
  readonly operation: CosmosOperation;
  /** The document sent or received; undefined for a deletion, and for a document that does not exist. */
  readonly document: unknown;
}

/** One request over the network; a retried request is logged each time. */
export interface LoggedRequest {
  /** One document, several documents of one partition by their ids, or a page of a query. */
  readonly request: 'point' | 'batch' | 'query';
  readonly partition: string;
  readonly items: readonly LoggedItem[];
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
  return ({ request, partition, items, status, charge, milliseconds }) => {
    if (!log.enabled) return;
    const operations = [...new Set(items.map(({ operation }) => operation))].join('+');
    log('%s %s x%d %s: %d, %s RU, %s ms', request, operations, items.length, partition, status, charge, milliseconds);
  };
}

/** A document with the etag of the version that was read. */
export interface StoredDocument<Document extends CosmosDocument> {
  readonly document: Document;
  readonly etag: string;
}

export type Write =
  | { readonly operation: 'create' | 'upsert'; readonly document: CosmosDocument }
  | { readonly operation: 'replace'; readonly document: CosmosDocument; readonly etag: string }
  | { readonly operation: 'delete'; readonly id: string; readonly etag?: string };

export interface BatchResult {
  readonly status: number;
  readonly document: unknown;
}

export interface QueryPage<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. A page may be empty and have one. */
  readonly continuation: string | undefined;
}

/** The value of a request, and what is logged about it. */
interface Answer<Value> extends Pick<LoggedRequest, 'status' | 'charge' | 'items'> {
  readonly value: Value;
}

export class LoggedContainer {
  constructor(
    private readonly container: CosmosContainer,
    private readonly log: RequestLog,
  ) {}

  /** `Document` is the type that this adapter wrote there. */
  read<Document extends CosmosDocument>(
    partition: string,
    id: string,
    abortSignal: AbortSignal,
  ): Promise<StoredDocument<Document> | undefined> {
    return this.logged('point', partition, ['read'], async () => {
      const { resource, etag, statusCode, requestCharge } = await this.container
        .item(id, partition)
        .read<Document>({ abortSignal });
      const value = resource === undefined ? undefined : { document: resource, etag };
      return { value, status: statusCode, charge: requestCharge, items: [{ operation: 'read', document: resource }] };
    });
  }

  write(partition: string, write: Write, abortSignal: AbortSignal): Promise<void> {
    return this.logged('point', partition, [write.operation], async () => {
      const { statusCode, requestCharge } = await this.send(partition, write, abortSignal);
      return { value: undefined, status: statusCode, charge: requestCharge, items: [itemOf(write)] };
    });
  }

  /** The writes are of one partition; the service does all of them or none. */
  writeBatch(partition: string, writes: readonly Write[], abortSignal: AbortSignal): Promise<readonly BatchResult[]> {
    const operations = writes.map((write) => operationOf(partition, write));
    return this.batch(partition, operations, writes.map(itemOf), abortSignal);
  }

  readBatch(partition: string, ids: readonly string[], abortSignal: AbortSignal): Promise<readonly BatchResult[]> {
    const operations = ids.map((id): OperationInput => ({ operationType: 'Read', id, partitionKey: partition }));
    return this.batch(partition, operations, undefined, abortSignal);
  }

  query<Item>(
    partition: string,
    query: SqlQuerySpec,
    { continuation, itemsAtMost }: { readonly continuation: string | undefined; readonly itemsAtMost: number },
    abortSignal: AbortSignal,
  ): Promise<QueryPage<Item>> {
    return this.logged('query', partition, ['query'], async () => {
      const from = continuation === undefined ? {} : { continuationToken: continuation };
      const options = { partitionKey: partition, maxItemCount: itemsAtMost, abortSignal, ...from };
      const page = await this.container.items.query<Item>(query, options).fetchNext();
      // The SDK's types declare both as always present; after the last page they are missing.
      const items = page.resources as Item[] | undefined;
      const next = page.continuationToken as string | undefined;
      return {
        value: { items: items ?? [], continuation: next === '' ? undefined : next },
        status: 200,
        charge: page.requestCharge,
        items: (items ?? []).map((document) => ({ operation: 'query', document })),
      };
    });
  }

  private batch(
    partition: string,
    operations: OperationInput[],
    written: readonly LoggedItem[] | undefined,
    abortSignal: AbortSignal,
  ): Promise<readonly BatchResult[]> {
    return this.logged(
      'batch',
      partition,
      written?.map(({ operation }) => operation) ?? operations.map(() => 'read'),
      async () => {
        const { result, code, headers } = await this.container.items.batch(operations, partition, { abortSignal });
        const results = (result ?? []).map(({ statusCode, resourceBody }) => ({
          status: statusCode,
          document: resourceBody,
        }));
        const items = written ?? results.map(({ document }): LoggedItem => ({ operation: 'read', document }));
        return { value: results, status: code ?? 0, charge: Number(headers['x-ms-request-charge'] ?? 0), items };
      },
    );
  }

  private send(
    partition: string,
    write: Write,
    abortSignal: AbortSignal,
  ): Promise<{ readonly statusCode: number; readonly requestCharge: number }> {
    const { items } = this.container;
    switch (write.operation) {
      case 'create':
        return items.create(write.document, { abortSignal });
      case 'upsert':
        return items.upsert(write.document, { abortSignal });
      case 'replace':
        return this.container
          .item(write.document.id, partition)
          .replace(write.document, { abortSignal, accessCondition: ifMatch(write.etag) });
      case 'delete': {
        const condition = write.etag === undefined ? {} : { accessCondition: ifMatch(write.etag) };
        return this.container.item(write.id, partition).delete({ abortSignal, ...condition });
      }
    }
  }

  private async logged<Value>(
    request: LoggedRequest['request'],
    partition: string,
    operations: readonly CosmosOperation[],
    send: () => Promise<Answer<Value>>,
  ): Promise<Value> {
    const start = performance.now();
    const log = (answer: Pick<LoggedRequest, 'items' | 'status' | 'charge'>): void => {
      this.log({ request, partition, ...answer, milliseconds: Math.round(performance.now() - start) });
    };
    try {
      const { value, ...answer } = await send();
      log(answer);
      return value;
    } catch (error) {
      const { status, charge } = failureOf(error) ?? { status: 0, charge: 0 };
      log({ status, charge, items: operations.map((operation) => ({ operation, document: undefined })) });
      throw error;
    }
  }
}

function ifMatch(etag: string): { readonly type: 'IfMatch'; readonly condition: string } {
  return { type: 'IfMatch', condition: etag };
}

function itemOf(write: Write): LoggedItem {
  return { operation: write.operation, document: 'document' in write ? write.document : undefined };
}

/** Made anew for each try, since the SDK writes into it. Each operation names the partition for the emulator only. */
function operationOf(partition: string, write: Write): OperationInput {
  const partitionKey = partition;
  if (write.operation === 'delete') {
    const { id, etag } = write;
    // The SDK sends the condition of a deletion, though its types do not say so.
    const operation: OperationInput & { ifMatch?: string } = { operationType: 'Delete', id, partitionKey };
    if (etag !== undefined) operation.ifMatch = etag;
    return operation;
  }
  // Documents are plain JSON.
  const resourceBody = write.document as unknown as Extract<
    OperationInput,
    { operationType: 'Create' }
  >['resourceBody'];
  switch (write.operation) {
    case 'create':
      return { operationType: 'Create', resourceBody, partitionKey };
    case 'upsert':
      return { operationType: 'Upsert', resourceBody, partitionKey };
    case 'replace':
      return { operationType: 'Replace', id: write.document.id, resourceBody, partitionKey, ifMatch: write.etag };
  }
}
