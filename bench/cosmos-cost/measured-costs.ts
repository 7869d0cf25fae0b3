// The requests that are priced on a modeled database, keyed by the name of their table row.

import { withdraw } from '../../data-loaders/manage-releases';
import { makeKey } from '../../shared/access/access-keys';
import type { Cost, Instance, ModeledDatabase } from './modeled-database';

export interface CostRow {
  readonly name: string;
  readonly cost: Cost;
  /** The maximum request units by the size table. */
  readonly maxUnits?: number;
}

export const PAGE = 1000;
const RANGES = 20;

export interface Questions {
  /** For example `/v1/SiteVariableAmounts?`. */
  readonly operation: string;
  readonly records: number;
  /** Filters, keyed by the name of their table row. */
  readonly slices: Readonly<Record<string, string>>;
}

/** The cost of pages for an instance that has read only the directories of the releases. */
export async function measurePages(database: ModeledDatabase, { operation, records }: Questions): Promise<CostRow[]> {
  const last = Math.max(0, records - PAGE);
  const rows: CostRow[] = [];
  for (const [name, start] of [
    ['First page', 0],
    ['Page at 10 percent', 0.1],
    ['Page at 50 percent', 0.5],
    ['Page at 99 percent', 0.99],
  ] as const) {
    const instance = await createWarmInstance(database, operation);
    const path = `${operation}StartIndex=${Math.floor(start * last)}&RecordCount=${PAGE}`;
    rows.push({ name, cost: await database.measureCost(() => instance.ask(path)) });
  }
  return rows;
}

/** The cost of all records, page by page, for a new instance. */
export function measureWalk(database: ModeledDatabase, { operation, records }: Questions, page = PAGE): Promise<Cost> {
  const instance = database.instance();
  return database.measureCost(async () => {
    for (let start = 0; start < records; start += page)
      await instance.ask(`${operation}StartIndex=${start}&RecordCount=${page}`);
  });
}

/** The numbers of 1,000 neighboring records at several positions from the first to the last. */
export function listNeighborRanges(records: number): readonly Uint32Array[] {
  const count = Math.min(PAGE, records);
  return Array.from({ length: RANGES }, (_, range) => {
    const from = Math.floor(((records - count) * range) / (RANGES - 1));
    return Uint32Array.from({ length: count }, (__, index) => from + index);
  });
}

export function listSpreadRecords(records: number): Uint32Array {
  const count = Math.min(PAGE, records);
  return Uint32Array.from({ length: count }, (_, index) => Math.floor((index * records) / count));
}

/** The cost of the documents that contain records, without lookups and without the pointer to the catalog state. */
export async function measureRecords(
  database: ModeledDatabase,
  records: number,
): Promise<readonly [neighbors: CostRow, spread: CostRow]> {
  /** The instance has read only the directory of the records. */
  const measure = async (numbers: Uint32Array): Promise<Cost> => {
    const reader = await database.instance().reader();
    await reader.texts('records', new Uint32Array());
    return database.measureCost(() => reader.texts('records', numbers));
  };
  const neighbors: Cost[] = [];
  for (const range of listNeighborRanges(records)) neighbors.push(await measure(range));
  const spread = await measure(listSpreadRecords(records));
  const name = Math.min(PAGE, records).toLocaleString('en-US');
  return [
    {
      name: `${name} neighboring records, mean of ${RANGES} places`,
      cost: divideCost(sumCosts(neighbors), RANGES),
      maxUnits: 130,
    },
    { name: `${name} records spread evenly`, cost: spread, maxUnits: 2500 },
  ];
}

/** The costs for each slice: the first request, a repeated request, and a page. */
export async function measureSlices(database: ModeledDatabase, { operation, slices }: Questions): Promise<CostRow[]> {
  const rows: CostRow[] = [];
  for (const [name, filter] of Object.entries(slices)) {
    const instance = await createWarmInstance(database, operation);
    const count = `${operation}${filter}&RecordCount=1`;
    let total = 0;
    const first = await database.measureCost(async () => {
      total = await instance.ask(count);
    });
    const again = await database.measureCost(() => instance.ask(count));
    const page = await database.measureCost(() => instance.ask(`${operation}${filter}&RecordCount=${PAGE}`));
    const pageSize = `${Math.min(PAGE, total).toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
    rows.push(
      { name: `${name}: index reads of the first request`, cost: subtractCosts(first, again), maxUnits: 200 },
      { name: `${name}: count, second request`, cost: again },
      { name: `${name}: page of ${pageSize}`, cost: page },
    );
  }
  return rows;
}

export async function measureKeys(database: ModeledDatabase, operation: string): Promise<CostRow[]> {
  const instance = await createWarmInstance(database, operation);
  const { key, record } = makeKey('cost model', new Date().toISOString(), null);
  await instance.store.keys.add(record);
  const path = `${operation}RecordCount=1`;
  const without = await database.measureCost(() => instance.ask(path));
  const first = await database.measureCost(() => instance.ask(path, key));
  const again = await database.measureCost(() => instance.ask(path, key));
  return [
    { name: 'A key, looked up', cost: subtractCosts(first, without) },
    { name: 'A key, again within 30 seconds', cost: subtractCosts(again, without) },
  ];
}

/** Withdraws the release and deletes it, as the janitor does. */
export async function measureDeletion(database: ModeledDatabase): Promise<Cost> {
  const { store } = database.instance();
  const [entry] = (await store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing was loaded');
  await withdraw(store, entry, new Date().toISOString());
  await store.forgetStates('9999-01-01T00:00:00.000Z');
  return database.measureCost(async () => {
    if ((await store.deleteRelease(entry.releaseId)) !== 'deleted') throw new Error('the release was kept');
  });
}

async function createWarmInstance(database: ModeledDatabase, operation: string): Promise<Instance> {
  const instance = database.instance();
  // The first record's lookups also stay in the cache.
  await instance.ask(`${operation}RecordCount=1`);
  return instance;
}

export function sumCosts(costs: readonly Cost[]): Cost {
  return {
    requests: costs.reduce((sum, { requests }) => sum + requests, 0),
    overview: costs.reduce((sum, { overview }) => sum + overview, 0),
    sizeTable: costs.reduce((sum, { sizeTable }) => sum + sizeTable, 0),
  };
}

function subtractCosts(a: Cost, b: Cost): Cost {
  return { requests: a.requests - b.requests, overview: a.overview - b.overview, sizeTable: a.sizeTable - b.sizeTable };
}

export function multiplyCost(cost: Cost, by: number): Cost {
  return divideCost(cost, 1 / by);
}

export function divideCost({ requests, overview, sizeTable }: Cost, by: number): Cost {
  return { requests: requests / by, overview: overview / by, sizeTable: sizeTable / by };
}
