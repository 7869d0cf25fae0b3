// Both stores answer with the same bytes, for random queries over random submissions and for every filter over parts of
// the real submissions.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { startServerForTests } from '../fixtures/loopback-server';
import { readPlainRecords } from '../fixtures/plain-records';
import { OPERATIONS, writePath } from '../fixtures/plain-search';
import { createQueries } from '../fixtures/queries-about';
import { drawQuery, randomSubmission } from '../fixtures/random-submission';
import { readRealFiles, realSubmissions, trimFiles } from '../fixtures/real-submissions';
import { countCases, isSoak } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import {
  type Answer,
  createTestService,
  selectComparableHeaders,
  TEST_NOW,
  type TestService,
} from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

const SEED = 20_250_917;
const SUBMISSIONS = countCases(6, 0.3);
const QUERIES = countCases(15, 0.2);

/** Comparisons that read the texts of rights, and comparisons of water sources, which are only in posting lists. */
const RIGHTS_BY_TEXTS = [
  "WaterSourceUUIDs IN ('WS0', 'WS2')",
  "WaterSourceUUIDs LIKE 'WS%'",
  'WaterSourceUUIDs IS NULL',
  "AllocationOwner > 'm'",
  "AllocationOwner LIKE '%r%'",
  "AllocationNativeID BETWEEN '1' AND 'b'",
];

/** The number of rows read from each file of a real submission. */
const ROWS = countCases(250, 0.3);

const folder = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
let embedded: TestService;
let cosmos: TestService;

beforeEach(() => {
  const own = mkdtempSync(join(folder, 'stores-'));
  const stagingDirectory = join(own, 'cosmos', 'staging');
  const store = openCosmosStore(emulator().newLocation(), { stagingDirectory, now: () => TEST_NOW });
  embedded = createTestService('MDY', join(own, 'embedded'));
  cosmos = createTestService('MDY', join(own, 'cosmos'), store);
});

afterEach(async () => {
  await embedded.close();
  await cosmos.close();
});

/** Returns the answer of the embedded store. */
async function expectSameAnswer(path: string): Promise<Answer> {
  const one = await embedded.get(path);
  const other = await cosmos.get(path);
  expect({ path, ...whatCounts(other) }).toEqual({ path, ...whatCounts(one) });
  return one;
}

/** Changes since each previous version, and removed records (D37). */
async function expectSameChanges(kind: DataSetKind): Promise<void> {
  for (const { version } of await embedded.store.history()) {
    await expectSameAnswer(writePath(kind, {}, `ChangedSince=${version}&RecordCount=10000`));
    await expectSameAnswer(writePath(kind, {}, `Since=${version}`).replace('?', '/Removed?'));
  }
}

/** Pages sorted by every name. */
async function expectSameOrders(kind: DataSetKind): Promise<void> {
  const names =
    kind === 'WaterAllocations'
      ? ['AllocationPriorityDate', 'AllocationFlow_CFS', 'AllocationOwner']
      : ['TimeframeStart', 'TimeframeEnd', 'Amount'];
  const orders = names.flatMap((name) => [name, `-${name}`]);
  for (const [index, query] of fc.sample(drawQuery(kind), { seed: SEED, numRuns: countCases(4, 0.5) }).entries()) {
    for (const order of orders) {
      const page = `OrderBy=${order}&StartIndex=${2 * index}&RecordCount=9&format=${index === 1 ? 'csv' : 'json'}`;
      await expectSameAnswer(writePath(kind, index === 0 ? {} : query, page));
    }
  }
}

/** Totals and facets by names for which records have one value, several or none. */
async function expectSameSums(kind: DataSetKind): Promise<void> {
  const totals = [
    '',
    'GroupBy=State',
    'GroupBy=BeneficialUseCV&GroupBy=USGSCategoryNameCV',
    'GroupBy=OrganizationUUID',
  ];
  for (const query of fc.sample(drawQuery(kind), { seed: SEED, numRuns: countCases(4, 0.25) })) {
    const below = [...totals.map((names) => `Totals?${names}`), 'Facets?Facet=State&Facet=BeneficialUseCV'];
    for (const name of below) {
      const [path = '', parameters = ''] = name.split('?');
      await expectSameAnswer(writePath(kind, query, parameters).replace('?', `/${path}?`));
    }
  }
}

/** The places of the records, with and without a minimum number of years. */
async function expectSamePlaces(kind: DataSetKind): Promise<void> {
  const path = kind === 'AggregatedAmounts' ? '/v1/ReportingUnits' : '/v1/Sites';
  const queries =
    kind === 'WaterAllocations' ? [{}] : fc.sample(drawQuery(kind), { seed: SEED, numRuns: countCases(4, 0.25) });
  for (const { text = {}, from, to, box } of queries) {
    const query = { text, ...(from && { from }), ...(to && { to }), ...(box && { box }) };
    for (const page of ['', 'MinimumYears=2', 'StartIndex=1&RecordCount=2&format=csv', 'format=geojson']) {
      await expectSameAnswer(writePath(kind, query, page).replace(OPERATIONS[kind], path));
    }
  }
}

/** The whole world, and everything in random submissions at a zoom with labeled points. */
async function expectSameTiles(): Promise<void> {
  for (const collection of ['sites', 'reporting-units', 'allocations']) {
    for (const address of ['0/0/0', '6/24/12', '7/48/24', '7/49/25']) {
      const path = `/ogc/collections/${collection}/tiles/WebMercatorQuad/${address}`;
      await expectSameAnswer(path);
      await expectSameAnswer(`${path}?OrganizationUUID=ORG_1`);
    }
  }
}

/** The number of results of two searches by beginnings of words. */
async function expectSameNames(): Promise<number> {
  let total = 0;
  for (const query of ['s', 'al', 'be ri', 'cache', '1', '16010202', 'irr', 'o']) {
    const { json } = await expectSameAnswer(`/v1/Find?Query=${encodeURIComponent(query)}&RecordCount=100`);
    total += Number(json.TotalFoundCount);
  }
  return total;
}

const COLLECTIONS: Readonly<Record<DataSetKind, readonly string[]>> = {
  SiteVariableAmounts: ['sites', 'site-amounts'],
  AggregatedAmounts: ['reporting-units', 'aggregated-amounts'],
  WaterAllocations: ['allocations'],
};

/** The number of rights that some comparisons match. */
async function matchedRights(): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const filter of RIGHTS_BY_TEXTS) {
    const { json } = await expectSameAnswer(
      `/ogc/collections/allocations/items?limit=1000&filter=${encodeURIComponent(filter)}`,
    );
    counts.push(Number(json.numberMatched));
  }
  return counts;
}

/** Some items of the collections, and the first item by its id. */
async function expectSameFeatures(kind: DataSetKind): Promise<void> {
  for (const collection of COLLECTIONS[kind]) {
    const path = `/ogc/collections/${collection}/items`;
    const { json } = await expectSameAnswer(`${path}?limit=3`);
    const [first] = json.features as readonly { readonly id: string }[];
    if (first !== undefined) await expectSameAnswer(`${path}/${encodeURIComponent(first.id)}`);
  }
}

/** The answer without the parts that always differ. */
function whatCounts(answer: Answer): Readonly<Record<string, unknown>> {
  return {
    status: answer.status,
    text: Buffer.from(answer.bytes).toString('latin1'),
    headers: selectComparableHeaders(answer),
  };
}

test('both stores agree on random queries over random submissions', async () => {
  const matched: number[] = [];
  let named = 0;
  const pages = fc.constantFrom('RecordCount=10000', 'RecordCount=3', 'StartIndex=5&RecordCount=7', 'StartIndex=1000');
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: SUBMISSIONS })) {
    const reports = [await embedded.load(submission), await cosmos.load(submission)];
    expect(reports[1]?.dataSets).toEqual(reports[0]?.dataSets);
    for (const kind of DATA_SET_KINDS) {
      for (const [query, page] of fc.sample(fc.tuple(drawQuery(kind), pages), { seed: SEED, numRuns: QUERIES })) {
        await expectSameAnswer(writePath(kind, query, page));
      }
      await expectSameSums(kind);
      await expectSamePlaces(kind);
      await expectSameFeatures(kind);
      await expectSameOrders(kind);
      await expectSameChanges(kind);
    }
    await expectSameTiles();
    named += await expectSameNames();
    matched.push(...(await matchedRights()));
  }
  expect(Math.max(...matched)).toBeGreaterThan(1);
  expect(named).toBeGreaterThan(50);
  const histories = await Promise.all([embedded, cosmos].map(({ store }) => store.history()));
  expect(histories[1]).toEqual(histories[0]);
});

test('both stores agree on pages in one order over two organizations (D69)', async () => {
  for (const [state, years] of [['UT', 9] as const, ['CO', 12] as const]) {
    const submission = createStateSubmission(state, years);
    await embedded.load(submission);
    await cosmos.load(submission);
  }
  for (const kind of ['SiteVariableAmounts', 'AggregatedAmounts'] as const) {
    for (const format of ['json', 'csv', 'geojson']) {
      await expectSameAnswer(writePath(kind, {}, `OrderBy=-Amount&StartIndex=2&RecordCount=7&format=${format}`));
    }
    const { json } = await expectSameAnswer(writePath(kind, {}, 'OrderBy=-Amount&RecordCount=5'));
    const { Organizations } = json as { readonly Organizations: readonly Readonly<Record<string, unknown>>[] };
    const amounts = Organizations.map((organization) => {
      const records = organization[kind] as readonly { readonly Amount: number }[];
      return [organization['OrganizationUUID'], records.map(({ Amount }) => Amount)];
    });
    // Of two equal amounts, the amount of ORG_CO comes first.
    expect(amounts).toEqual([
      ['ORG_CO', [12, 11, 10, 9]],
      ['ORG_UT', [9]],
    ]);
  }
});

test('both stores agree on every filter and pages of any depth over the trimmed real submissions', async () => {
  const rows: Record<DataSetKind, Submission[]> = {
    SiteVariableAmounts: [],
    AggregatedAmounts: [],
    WaterAllocations: [],
  };
  for (const { folder: name, kind } of realSubmissions) {
    const files = trimFiles(readRealFiles(name), ROWS);
    const submission = join(folder, 'real', name);
    mkdirSync(submission, { recursive: true });
    for (const [file, content] of files) writeFileSync(join(submission, file), content);
    const reports = [await embedded.loadFolder(submission), await cosmos.loadFolder(submission)];
    expect(reports[0]?.verdict).toBe('published');
    expect(reports[1]?.dataSets).toEqual(reports[0]?.dataSets);
    rows[kind].push(Object.fromEntries([...files].map(([file, content]) => [file, parseRows(content)])));
  }
  for (const kind of DATA_SET_KINDS) {
    const records = rows[kind].flatMap((submission) => readPlainRecords(kind, submission));
    const queries = createQueries(kind, records);
    expect(queries.length).toBeGreaterThan(20);
    const asked = queries.filter((_, index) => isSoak || index % 8 === 0);
    for (const query of asked) await expectSameAnswer(writePath(kind, query, 'RecordCount=10000'));
    for (const start of [0, 1, 99, 249, 250, 1000]) {
      await expectSameAnswer(writePath(kind, {}, `StartIndex=${start}&RecordCount=50`));
    }
  }
});

function parseRows(content: Buffer): readonly Row[] {
  return parse<Row>(content, { columns: true, bom: true });
}
