// An in-memory container that charges for each operation according to price lists. It replaces the SDK's container, so
// that the adapter makes its real calls. Documents have the size that the service would count.

import { type Connection, CONTAINER_NAMES, type CosmosContainer } from '../../shared/store/cosmos/connect';
import { type CosmosDocument, SERVICE_BYTES } from '../../shared/store/cosmos/document-names';
import { QUERIES } from '../../shared/store/cosmos/queries';
import { buildByName } from '../../shared/values/maps';
import { MISS_UNITS, type PriceList, QUERY_UNITS } from '../../tools/azure-check/request-units';

interface StoredDocument {
  readonly content: Buffer;
  readonly members: Members;
  readonly etag: string;
}

interface Outcome {
  readonly statusCode: number;
  readonly resourceBody?: unknown;
  readonly etag?: string;
}

interface Operation {
  readonly operationType: string;
  readonly id?: string;
  readonly resourceBody?: CosmosDocument;
  readonly ifMatch?: string;
}

interface QuerySpec {
  readonly query: string;
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[];
}

/** The members that the adapter's queries use. */
interface Members {
  readonly id: string;
  readonly kind?: unknown;
  readonly first?: unknown;
}

/** The adapter's queries as functions of a document. */
const SELECTIONS: Readonly<Record<string, Select>> = {
  [QUERIES.serviceDocuments]: ({ kind }, getValue) => kind === getValue('@kind'),
  [QUERIES.releases]: ({ kind }) => kind === 'release',
  [QUERIES.unfinished]: ({ kind }) => kind === 'unfinished',
  [QUERIES.statementLists]: ({ kind }) => kind === 'statements',
  [QUERIES.neighbors]: ({ first }, getValue) =>
    Number(first) >= Number(getValue('@from')) && Number(first) < Number(getValue('@to')),
  [QUERIES.listed]: ({ id }, _, values) => values.has(id),
  [QUERIES.documentIds]: () => true,
};

/** All containers of a database. No two of them have a partition of the same name. */
export class ModeledContainer {
  /** Request units, keyed by the name of their price list. */
  readonly spent: Record<string, number> = {};
  requests = 0;
  private readonly partitions = new Map<string, Map<string, StoredDocument>>();
  private etags = 0;

  constructor(private readonly prices: readonly PriceList[]) {
    for (const { name } of prices) this.spent[name] = 0;
  }

  connection(): Connection {
    // These are the only members of the SDK's containers that the adapter uses.
    const container = { item: this.item, items: this.items } as unknown as CosmosContainer;
    return { containers: buildByName(CONTAINER_NAMES, () => container), close: () => undefined };
  }

  /** Counts the documents in the partitions that `isCounted` accepts, and their bytes. */
  size(isCounted: (partition: string) => boolean): { readonly documents: number; readonly bytes: number } {
    let documents = 0;
    let bytes = 0;
    for (const [partition, stored] of this.partitions) {
      if (!isCounted(partition)) continue;
      documents += stored.size;
      for (const { content } of stored.values()) bytes += content.length + SERVICE_BYTES;
    }
    return { documents, bytes };
  }

  private readonly item = (id: string, partition: string): object => ({
    read: () =>
      this.chargeRequest(() => {
        const { statusCode, resourceBody, etag } = this.operate(partition, { operationType: 'Read', id });
        return { resource: resourceBody, etag, statusCode };
      }),
  });

  private readonly items = {
    batch: async (operations: readonly Operation[], partition: string) => {
      const { requestCharge, result } = await this.chargeRequest(() => ({
        result: operations.map((operation) => this.operate(partition, operation)),
      }));
      return { result, code: 200, headers: { 'x-ms-request-charge': requestCharge } };
    },
    query: (spec: QuerySpec, { partitionKey }: { readonly partitionKey: string }) => ({
      fetchNext: () => this.chargeRequest(() => ({ resources: this.select(spec, partitionKey) })),
    }),
  };

  /** Counts one request. Its reported charge is from the first price list. */
  private async chargeRequest<Value extends object>(
    act: () => Value,
  ): Promise<Value & { readonly requestCharge: number }> {
    this.requests++;
    const before = this.readCharge();
    const value = act();
    return Promise.resolve({ ...value, requestCharge: this.readCharge() - before });
  }

  private readCharge(): number {
    return this.spent[this.prices[0]?.name ?? ''] ?? 0;
  }

  private operate(partition: string, { operationType, id, resourceBody, ifMatch }: Operation): Outcome {
    const documents = this.partitions.get(partition) ?? new Map<string, StoredDocument>();
    this.partitions.set(partition, documents);
    const name = resourceBody?.id ?? id ?? '';
    const stored = documents.get(name);
    const status = findStatus(operationType, stored, ifMatch);
    if (status >= 400) {
      this.charge(() => MISS_UNITS);
      return { statusCode: status };
    }
    if (operationType === 'Read') {
      if (stored === undefined) return { statusCode: 404 };
      this.charge(({ read }) => read(stored.content.length + SERVICE_BYTES));
      return { statusCode: 200, resourceBody: JSON.parse(stored.content.toString()), etag: stored.etag };
    }
    const content = Buffer.from(JSON.stringify(resourceBody ?? null));
    const { kind, first }: Partial<Members> = resourceBody ?? {};
    const bytes = operationType === 'Delete' ? (stored?.content.length ?? 0) : content.length;
    this.charge(({ write }) => write(bytes + SERVICE_BYTES));
    if (operationType === 'Delete') {
      documents.delete(name);
    } else {
      this.etags++;
      documents.set(name, { content, members: { id: name, kind, first }, etag: String(this.etags) });
    }
    return { statusCode: status };
  }

  private select({ query, parameters }: QuerySpec, partition: string): readonly unknown[] {
    this.charge(() => QUERY_UNITS);
    if (query === QUERIES.count) return [this.partitions.get(partition)?.size ?? 0];
    const getValue = (name: string): unknown => parameters.find((parameter) => parameter.name === name)?.value;
    const values = new Set(parameters.map(({ value }) => value));
    const select = SELECTIONS[query];
    if (select === undefined) throw new Error(`a query that the model does not know: ${query}`);
    const documents: unknown[] = [];
    for (const { content, members } of this.partitions.get(partition)?.values() ?? []) {
      if (!select(members, getValue, values)) continue;
      this.charge(({ read }) => read(content.length + SERVICE_BYTES));
      documents.push(JSON.parse(content.toString()));
    }
    return documents;
  }

  private charge(getUnits: (prices: PriceList) => number): void {
    for (const list of this.prices) this.spent[list.name] = (this.spent[list.name] ?? 0) + getUnits(list);
  }
}

function findStatus(operationType: string, stored: StoredDocument | undefined, ifMatch: string | undefined): number {
  if (operationType === 'Create') return stored === undefined ? 201 : 409;
  if (operationType === 'Upsert') return 200;
  if (stored === undefined) return 404;
  return ifMatch !== undefined && ifMatch !== stored.etag ? 412 : 200;
}

type Select = (document: Members, getValue: (name: string) => unknown, values: ReadonlySet<unknown>) => boolean;
