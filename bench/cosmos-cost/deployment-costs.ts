// The costs of a deployment with 500 organizations and 50 million amounts, for 10 and for 100 instances of the query
// app. The catalog has a state of that size, and one release has the average number of amounts of a data set. The reads
// of a new and of a warm instance are measured; all other costs are extrapolated by multiplication.

import { buildCatalogState, type CatalogEntry, type CatalogState } from '../../shared/store/catalog-types';
import { digestContent } from '../../shared/values/digest';
import type { Table } from '../report/table-text';
import { writeUnits } from './cost-tables';
import { measureRecords, multiplyCost, sumCosts } from './measured-costs';
import type { Cost, Instance, ModeledDatabase } from './modeled-database';

const ORGANIZATIONS = 500;
const DATA_SETS = ['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const;
const RELEASES = ORGANIZATIONS * DATA_SETS.length;
const AMOUNTS = 50_000_000;
const FEW_INSTANCES = 10;
const MANY_INSTANCES = 100;
const TEXT_LENGTH = 1000;

/** The average number of amounts in a data set. */
export const RELEASE_AMOUNTS = Math.ceil(AMOUNTS / RELEASES);

type Row = readonly [name: string, cost: Cost];

/** `loading` is the cost of publishing the release, which has `records` records. */
export async function deploymentTable(database: ModeledDatabase, records: number, loading: Cost): Promise<Table> {
  const { store } = database.instance();
  const [entry] = (await store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing was loaded');
  await publishNext(database, createEntries(entry), 1);
  const ask = (instance: Instance): Promise<number> =>
    instance.ask(`/v1/SiteVariableAmounts?OrganizationUUID=${entry.organizationUuid}&RecordCount=1`);
  const instance = database.instance();
  const catalog = await database.measureCost(() => readCatalog(instance));
  const pointer = await database.measureCost(() => instance.store.currentState());
  const release = await database.measureCost(() => ask(instance));
  await publishNext(database, createEntries({ ...entry, records: entry.records + 1 }), 2);
  const news = await database.measureCost(() => readCatalog(instance));
  const [neighbors, scattered] = await measureRecords(database, records);
  const all = sumCosts([catalog, multiplyCost(release, RELEASES)]);
  const afterPublish = sumCosts([news, release]);
  const rows: readonly Row[] = [
    ['New instance: pointer, state, list of changes, texts of submissions', catalog],
    ['New instance: first request for a release', release],
    [`New instance: all ${RELEASES} releases, as for a search of everything`, all],
    [`The same for ${FEW_INSTANCES} instances`, multiplyCost(all, FEW_INSTANCES)],
    [`The same for ${MANY_INSTANCES} instances`, multiplyCost(all, MANY_INSTANCES)],
    ['Warm instance: a request that returns no records (reads only the pointer)', pointer],
    ['Warm instance: a page of 1,000 neighboring amounts', sumCosts([pointer, neighbors.cost])],
    ['Warm instance: a page of 1,000 scattered amounts', sumCosts([pointer, scattered.cost])],
    [`${FEW_INSTANCES} instances, each with 10 pages of neighbors per second`, pagesPerSecond(FEW_INSTANCES)],
    [`${MANY_INSTANCES} instances, each with 10 pages of neighbors per second`, pagesPerSecond(MANY_INSTANCES)],
    [`After a publish, ${FEW_INSTANCES} instances`, multiplyCost(afterPublish, FEW_INSTANCES)],
    [`After a publish, ${MANY_INSTANCES} instances`, multiplyCost(afterPublish, MANY_INSTANCES)],
    ['Loading one data set', loading],
    [`Loading all ${(AMOUNTS / 1e6).toFixed()} million amounts`, multiplyCost(loading, AMOUNTS / records)],
  ];
  return createTable(rows, countStored(database, records));

  function pagesPerSecond(instances: number): Cost {
    return multiplyCost(sumCosts([pointer, neighbors.cost]), 10 * instances);
  }
}

function createTable(rows: readonly Row[], { documents, gigabytes }: ReturnType<typeof countStored>): Table {
  return {
    title: `Deployments: ${ORGANIZATIONS} organizations, ${RELEASES} data sets, ${(AMOUNTS / 1e6).toFixed()} million amounts`,
    columns: ['What', 'Requests', 'RU by the size table', 'RU by the overview'],
    rows: rows.map(([name, cost]) => [name, ...[cost.requests, cost.sizeTable, cost.overview].map(writeUnits)]),
    notes: [
      `Measured on a catalog state of ${RELEASES} data sets and on one release of ${RELEASE_AMOUNTS.toLocaleString('en-US')} ` +
        `generated site amounts, then multiplied. All amounts take ${writeUnits(gigabytes)} GB in ${writeUnits(documents)} documents.`,
    ],
  };
}

function countStored(database: ModeledDatabase, records: number): { documents: number; gigabytes: number } {
  const { documents, bytes } = database.container.size((partition) => partition.includes('/'));
  const factor = AMOUNTS / records;
  return { documents: documents * factor, gigabytes: (bytes * factor) / 1e9 };
}

async function readCatalog({ store }: Instance): Promise<CatalogState> {
  await store.history();
  return store.currentState();
}

async function publishNext(database: ModeledDatabase, entries: readonly CatalogEntry[], day: number): Promise<void> {
  const { store } = database.instance();
  const { version } = await store.currentState();
  const since = new Date(Date.UTC(2026, 0, day)).toISOString();
  if ((await store.publish(version, buildCatalogState(entries, since, 'cost model'))) !== 'published')
    throw new Error('the state was not published');
}

/** The entry, plus entries for releases that do not exist. The data sets of an organization share their texts. */
function createEntries(entry: CatalogEntry): readonly CatalogEntry[] {
  const others = Array.from({ length: RELEASES - 1 }, (_, index): CatalogEntry => {
    const organization = Math.floor(index / DATA_SETS.length);
    const text = `organization ${organization} `.repeat(TEXT_LENGTH).slice(0, TEXT_LENGTH);
    return {
      ...entry,
      organizationUuid: `COST_${organization}`,
      dataSet: DATA_SETS[index % DATA_SETS.length] ?? entry.dataSet,
      releaseId: digestContent(`release ${index}`).slice(0, entry.releaseId.length),
      submission: {
        name: `submission-2026-${organization}`,
        contact: null,
        note: null,
        termsOfUse: text,
        license: null,
        citation: null,
      },
    };
  });
  return [entry, ...others];
}
