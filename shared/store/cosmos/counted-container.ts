// The only place that calls the SDK: each method is one request, made once and recorded.

import type { OperationInput, SqlQuerySpec } from '@azure/cosmos' with { 'resolution-mode': 'import' };
import type { CallItem, CallLedger, CosmosCall, CosmosOperation } from './call-ledger';
import type { CosmosContainer } from './connect';
import type { CosmosDocument } from './documents';
import { failureOf } from './failures';

export interface Held<Document extends CosmosDocument> {
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

export interface PageRequest {
  readonly continuation: string | undefined;
  readonly itemsAtMost: number;
}

/** What a request brought, and what is recorded of it. */
interface Counted<Value> {
  readonly value: Value;
  readonly status: number;
  readonly charge: number;
  readonly items: readonly CallItem[];
}

export class CountedContainer {
  constructor(
    private readonly container: CosmosContainer,
    private readonly ledger: CallLedger,
  ) {}

  /** `Document` is what this adapter wrote there. */
  read<Document extends CosmosDocument>(
    partition: string,
    id: string,
    abortSignal: AbortSignal,
  ): Promise<Held<Document> | undefined> {
    return this.counted('point', partition, ['read'], async () => {
      const { resource, etag, statusCode, requestCharge } = await this.container
        .item(id, partition)
        .read<Document>({ abortSignal });
      const value = resource === undefined ? undefined : { document: resource, etag };
      return { value, status: statusCode, charge: requestCharge, items: [{ operation: 'read', document: resource }] };
    });
  }

  write(partition: string, write: Write, abortSignal: AbortSignal): Promise<void> {
    return this.counted('point', partition, [write.operation], async () => {
      const { statusCode, requestCharge } = await this.send(partition, write, abortSignal);
      return { value: undefined, status: statusCode, charge: requestCharge, items: [itemOf(write)] };
    });
  }

  /** All of one partition; the service does all or nothing. */
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
    { continuation, itemsAtMost }: PageRequest,
    abortSignal: AbortSignal,
  ): Promise<QueryPage<Item>> {
    return this.counted('query', partition, ['query'], async () => {
      const from = continuation === undefined ? {} : { continuationToken: continuation };
      const options = { partitionKey: partition, maxItemCount: itemsAtMost, abortSignal, ...from };
      const page = await this.container.items.query<Item>(query, options).fetchNext();
      // The SDK declares both as always there; after the last page they are not.
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
    written: readonly CallItem[] | undefined,
    abortSignal: AbortSignal,
  ): Promise<readonly BatchResult[]> {
    return this.counted('batch', partition, operations.map(nameOf), async () => {
      const { result, code, headers } = await this.container.items.batch(operations, partition, { abortSignal });
      const results = (result ?? []).map(({ statusCode, resourceBody }) => ({
        status: statusCode,
        document: resourceBody,
      }));
      const items = written ?? results.map(({ document }): CallItem => ({ operation: 'read', document }));
      return { value: results, status: code ?? 0, charge: Number(headers['x-ms-request-charge'] ?? 0), items };
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

  private async counted<Value>(
    request: CosmosCall['request'],
    partition: string,
    operations: readonly CosmosOperation[],
    send: () => Promise<Counted<Value>>,
  ): Promise<Value> {
    const start = performance.now();
    const record = (call: Pick<CosmosCall, 'items' | 'status' | 'charge'>): void => {
      this.ledger.record({ request, partition, ...call, milliseconds: Math.round(performance.now() - start) });
    };
    try {
      const { value, ...call } = await send();
      record(call);
      return value;
    } catch (error) {
      const { status = 0, charge = 0 } = failureOf(error) ?? {};
      record({ status, charge, items: operations.map((operation) => ({ operation, document: undefined })) });
      throw error;
    }
  }
}

function ifMatch(etag: string): { readonly type: 'IfMatch'; readonly condition: string } {
  return { type: 'IfMatch', condition: etag };
}

function itemOf(write: Write): CallItem {
  return { operation: write.operation, document: 'document' in write ? write.document : undefined };
}

/** Made anew for each try: the SDK writes into it. That each operation names the partition, too, is for the emulator. */
function operationOf(partition: string, write: Write): OperationInput {
  const partitionKey = partition;
  if (write.operation === 'delete') {
    const { id, etag } = write;
    // The SDK sends the condition of a deletion, though its type does not say so.
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

function nameOf({ operationType }: OperationInput): CosmosOperation {
  switch (operationType) {
    case 'Read':
      return 'read';
    case 'Create':
      return 'create';
    case 'Upsert':
      return 'upsert';
    case 'Delete':
      return 'delete';
    case 'Replace':
    case 'Patch':
      return 'replace';
  }
}
