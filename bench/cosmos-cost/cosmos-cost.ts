// `npm run bench -- --cosmos-cost`: estimates what requests, loads and deletions cost on Azure Cosmos DB, based on its
// documented prices.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { toListText } from '../../shared/store/joined-fragments';
import { benchmarkVocabulary as vocabulary, uses } from '../generate/benchmark-vocabulary';
import { generateSubmissions, type SubmissionKind } from '../generate/submissions';
import type { Table } from '../report/table-text';
import {
  costTable,
  type GrowthCost,
  growthTable,
  type ShapeCost,
  shapeTable,
  type SizeCost,
  sizesTable,
} from './cost-tables';
import { findOperation, findSlices } from './data-shapes';
import { deploymentTable, RELEASE_AMOUNTS } from './deployment-costs';
import { priceSizes } from './document-sizes';
import {
  type CostRow,
  divideCost,
  measureDeletion,
  measureKeys,
  measurePages,
  measureRecords,
  measureSlices,
  measureWalk,
  PAGE,
} from './measured-costs';
import { type Cost, ModeledDatabase } from './modeled-database';

export interface CosmosCostOptions {
  /** The largest number of generated site amounts. Sizes start at 10,000 and grow tenfold. */
  readonly records: number;
  /** A folder with other submissions, each in its own folder. */
  readonly submissions: string | undefined;
  readonly log: (line: string) => void;
}

type UseLoaded = (database: ModeledDatabase, loading: Cost, records: number) => Promise<void>;

const SEED = 1;
const MIN_RECORDS = 10_000;

export async function cosmosCost({ records, submissions, log }: CosmosCostOptions): Promise<readonly Table[]> {
  const growth: GrowthCost[] = [];
  const shapes: ShapeCost[] = [];
  const sizes: SizeCost[] = [];
  let rows: readonly CostRow[] = [];
  for (let size = MIN_RECORDS; size <= records; size *= 10) {
    log(`${size} site amounts`);
    await withGenerated(size, 'SiteVariableAmounts', async (database, loading, count) => {
      if (size * 10 > records) {
        rows = await measureRequests(database, count);
        shapes.push(
          await measureShape(database, `${count.toLocaleString('en-US')} generated site amounts`, count, loading),
        );
        sizes.push(...(await priceSizes(database, 'generated', count)));
      }
      growth.push(await measureGrowth(database, count, loading));
    });
  }
  log('generated rights');
  await withGenerated(Math.min(records, 100_000), 'WaterAllocations', async (database, loading, count) => {
    shapes.push(await measureShape(database, `${count.toLocaleString('en-US')} generated rights`, count, loading));
  });
  for (const folder of submissions === undefined ? [] : listFolders(submissions)) {
    const name = basename(folder);
    log(name);
    await withLoaded(folder, async (database, loading, count) => {
      shapes.push(await measureShape(database, name, count, loading));
      sizes.push(...(await priceSizes(database, name, count)));
    });
  }
  const tables = [costTable(growth.at(-1)?.records ?? 0, rows), growthTable(growth), shapeTable(shapes)];
  return [...(await measureDeployment(log)), ...tables, sizesTable(sizes)];
}

async function measureDeployment(log: (line: string) => void): Promise<readonly Table[]> {
  log(`a deployment: ${RELEASE_AMOUNTS} site amounts in one release`);
  const tables: Table[] = [];
  await withGenerated(RELEASE_AMOUNTS, 'SiteVariableAmounts', async (database, loading, count) => {
    tables.push(await deploymentTable(database, count, loading));
  });
  return tables;
}

async function measureRequests(database: ModeledDatabase, records: number): Promise<readonly CostRow[]> {
  const operation = '/v1/SiteVariableAmounts?';
  const fresh = database.instance();
  const cold = await database.measureCost(() => fresh.ask(`${operation}RecordCount=1`));
  const use = encodeURIComponent(uses[0].name);
  const county = encodeURIComponent(vocabulary.counties[3] ?? '');
  const deep = await (await database.instance().reader()).texts('records', listDeepNumbers(records));
  const sites = new Set(
    (JSON.parse(toListText(deep)) as readonly { readonly SiteUUID: string }[]).map((record) => record.SiteUUID),
  );
  const questions = {
    operation,
    records,
    slices: {
      'Query by the sites of the 99th-percentile page': [...sites].map((site) => `SiteUUID=${site}`).join('&'),
      'One short series': `SiteUUID=${vocabulary.shortSiteUuid(1)}`,
      'Two terms': `BeneficialUseCV=${use}&SiteTypeCV=${vocabulary.siteTypes[0]}`,
      'A county and ten years': `County=${county}&StartDate=1990-01-01&EndDate=1999-12-31`,
      'A year': 'StartDate=1995-01-01&EndDate=1995-12-31',
      'A polygon around one site in six': `SearchBoundary=${encodeURIComponent(vocabulary.largeBoundary)}`,
    },
  };
  return [
    { name: 'First record on a new instance (release, directories)', cost: cold },
    ...(await measurePages(database, questions)),
    ...(await measureRecords(database, records)),
    ...(await measureSlices(database, questions)),
    ...(await measureKeys(database, operation)),
  ];
}

/** The record numbers of the page that starts at 99 percent of the records. */
function listDeepNumbers(records: number): Uint32Array {
  const start = Math.floor(0.99 * (records - PAGE));
  return Uint32Array.from({ length: PAGE }, (_, index) => start + index);
}

async function measureGrowth(database: ModeledDatabase, records: number, loading: Cost): Promise<GrowthCost> {
  const questions = { operation: '/v1/SiteVariableAmounts?', records, slices: {} };
  const walk = await measureWalk(database, questions);
  const stored = database.container.size((partition) => partition.includes('/'));
  const recordDocuments = database.container.size((partition) => partition.includes('/records/'));
  const deletion = await measureDeletion(database);
  return { records, loading, walk, deletion, ...stored, recordBytes: recordDocuments.bytes };
}

async function measureShape(
  database: ModeledDatabase,
  name: string,
  records: number,
  loading: Cost,
): Promise<ShapeCost> {
  const { facts } = await database.instance().reader();
  const { county, year, place } = await findSlices(await database.instance().reader());
  const operation = `/${findOperation(facts.dataSet).route}?`;
  const questions = { operation, records, slices: {} };
  const [first, , , last] = await measurePages(database, questions);
  const [neighbors, scattered] = await measureRecords(database, records);
  const measurePage = async (filter: string | undefined): Promise<Cost | undefined> =>
    filter === undefined
      ? undefined
      : (await measureSlices(database, { ...questions, slices: { '': filter } })).at(-1)?.cost;
  const { bytes } = database.container.size((partition) => partition.includes('/'));
  return {
    name,
    records,
    bytesPerRecord: bytes / records,
    first: first?.cost,
    last: last?.cost,
    neighbors: neighbors.cost,
    scattered: scattered.cost,
    county: await measurePage(county),
    year: await measurePage(year),
    place: await measurePage(place),
    load: divideCost(loading, records / PAGE),
    walk: divideCost(await measureWalk(database, questions), records / PAGE),
  };
}

async function withGenerated(records: number, kind: SubmissionKind, use: UseLoaded): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cosmos-cost-data-'));
  try {
    const [submission] = await generateSubmissions(folder, records, SEED, [kind]);
    if (submission === undefined) throw new Error('nothing was generated');
    await withLoaded(submission.folder, use);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withLoaded(folder: string, use: UseLoaded): Promise<void> {
  const database = new ModeledDatabase();
  try {
    let count = 0;
    const loading = await database.measureCost(async () => {
      count = await database.load(folder);
    });
    await use(database, loading, count);
  } finally {
    database.close();
  }
}

function listFolders(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort();
}
