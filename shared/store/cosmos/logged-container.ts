// The only place that calls the SDK: each method is one request, sent once and logged with its charge, for an operator
// who looks into costs and for the cost model of the benchmark.

import { debuglog } from 'node:util';
import type { OperationInput, SqlQuerySpec } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import type { CosmosContainer } from './connect';
import type { CosmosDocument } from './documents';
import { failureOf } from './retries';

type ResourceBody = Extract<OperationInput, { operationType: 'Create' }>['resourceBody'];

/** One request over the network; a retried request is logged each time. */
export interface LoggedRequest {
  /** One document, several documents of one partition by their ids, or a page of a query. */
  readonly request: 'point' | 'batch' | 'query';
  readonly partition: string;
  /** What was asked for, each once: read, query, create, upsert, replace, delete. */
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
    const asked = operations.join('+');
    log('%s %s x%d %s: %d, %s RU, %s ms', request, asked, documents, partition, status, charge, milliseconds);
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

export interface Read {
  readonly operation: 'read';
  readonly id: string;
}

export interface BatchResult {
  readonly status: number;
  readonly document: unknown;
}

export interface QueryPage<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. A page may be empty and have one. */
  readonly continuation: string | undefined;
}

/** The value of a request, and what is logged about it: `documents` where they are not as many as were asked for. */
interface Answer<Value> extends Pick<LoggedRequest, 'status' | 'charge'>, Partial<Pick<LoggedRequest, 'documents'>> {
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
      return { value, status: statusCode, charge: requestCharge };
    });
  }

  write(partition: string, write: Write, abortSignal: AbortSignal): Promise<void> {
    return this.logged('point', partition, [write.operation], async () => {
      const { statusCode, requestCharge } = await this.send(partition, write, abortSignal);
      return { value: undefined, status: statusCode, charge: requestCharge };
    });
  }

  /** The operations are of one partition; the service does all of the writes or none. */
  batch(
    partition: string,
    operations: readonly (Read | Write)[],
    abortSignal: AbortSignal,
  ): Promise<readonly BatchResult[]> {
    const asked = operations.map(({ operation }) => operation);
    return this.logged('batch', partition, asked, async () => {
      const inputs = operations.map((operation) => inputOf(partition, operation));
      const { result, code, headers } = await this.container.items.batch(inputs, partition, { abortSignal });
      const value = (result ?? []).map(({ statusCode, resourceBody }) => ({
        status: statusCode,
        document: resourceBody,
      }));
      return { value, status: code ?? 0, charge: Number(headers['x-ms-request-charge'] ?? 0) };
    });
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
      const items = (page.resources as Item[] | undefined) ?? [];
      const next = page.continuationToken as string | undefined;
      const value = { items, continuation: next === '' ? undefined : next };
      return { value, status: 200, charge: page.requestCharge, documents: items.length };
    });
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
    asked: readonly string[],
    send: () => Promise<Answer<Value>>,
  ): Promise<Value> {
    const start = performance.now();
    const log = ({ status, charge, documents = asked.length }: Omit<Answer<Value>, 'value'>): void => {
      const milliseconds = Math.round(performance.now() - start);
      this.log({ request, partition, operations: [...new Set(asked)], documents, status, charge, milliseconds });
    };
    try {
      const answer = await send();
      log(answer);
      return answer.value;
    } catch (error) {
      log(failureOf(error) ?? { status: 0, charge: 0 });
      throw error;
    }
  }
}

function ifMatch(etag: string): { readonly type: 'IfMatch'; readonly condition: string } {
  return { type: 'IfMatch', condition: etag };
}

/** Made anew for each try, since the SDK writes into it. Each operation names the partition for the emulator only. */
function inputOf(partitionKey: string, asked: Read | Write): OperationInput {
  switch (asked.operation) {
    case 'read':
      return { operationType: 'Read', id: asked.id, partitionKey };
    case 'delete': {
      // The SDK sends the condition of a deletion, though its types do not say so.
      const condition = asked.etag === undefined ? {} : { ifMatch: asked.etag };
      return { operationType: 'Delete', id: asked.id, partitionKey, ...condition };
    }
    case 'create':
      return { operationType: 'Create', resourceBody: bodyOf(asked), partitionKey };
    case 'upsert':
      return { operationType: 'Upsert', resourceBody: bodyOf(asked), partitionKey };
    case 'replace': {
      const { document, etag: ifMatch } = asked;
      return { operationType: 'Replace', id: document.id, resourceBody: bodyOf(asked), partitionKey, ifMatch };
    }
  }
}

function bodyOf({ document }: Extract<Write, { readonly document: unknown }>): ResourceBody {
  return document as unknown as ResourceBody; // Documents are plain JSON.
}
