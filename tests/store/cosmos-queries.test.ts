// The queries of docs/cosmos.md, run on the emulator over the real submissions and compared with the API.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type ContainerName, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { PROJECT } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

type Item = Readonly<Record<string, unknown>>;

const PAGE = 1000;
const emulator = startServerForTests(startCosmosEmulator);
const queries = readQueries();
const folder = createTemporaryFolder();
let location: CosmosLocation;
let service: TestService;

beforeAll(async () => {
  location = emulator().newLocation();
  const store = openCosmosStore(location, { stagingDirectory: join(folder, 'staging'), now: () => TEST_NOW });
  service = createTestService('MDY', folder, store);
  for (const { folder: submission } of realSubmissions) {
    expect((await service.loadFolder(join(REAL_DATA, submission))).verdict).toBe('published');
  }
});

afterAll(() => service.store.close());

/** Each query has a heading, and a comment that names its container. */
function readQueries(): ReadonlyMap<string, { readonly container: ContainerName; readonly sql: string }> {
  const text = readFileSync(join(PROJECT, 'docs', 'cosmos.md'), 'utf8');
  const blocks = [...text.matchAll(/^### (.+)$[^#]*?```sql\n-- container: (catalog|data)\n([^`]+)```/gm)];
  return new Map(
    blocks.map(([, name = '', container, sql = '']) => [name, { container: container as ContainerName, sql }]),
  );
}

/** The result of a documented query, with the release of an organization in place of RELEASE. */
async function run(name: string, organization = ''): Promise<readonly unknown[]> {
  const query = queries.get(name);
  if (query === undefined) throw new Error(`docs/cosmos.md has no query "${name}"`);
  const state = await service.store.currentState();
  const release = state.entries.find(({ organizationUuid }) => organizationUuid === organization)?.releaseId ?? '';
  const { sequence } = (await select('catalog', `SELECT * FROM c WHERE c.id = 'pointer'`))[0] as { sequence: number };
  return select(query.container, query.sql.replaceAll('RELEASE', release).replaceAll('state-1', `state-${sequence}`));
}

/** Queries all partitions, as the Data Explorer does. */
async function select(container: ContainerName, query: string): Promise<readonly unknown[]> {
  const { containers, close } = await connect(emulator().bypassProxy(location));
  const { endpoint, database } = emulator().bypassProxy(location);
  close();
  const headers = {
    'content-type': 'application/query+json',
    'x-ms-documentdb-isquery': 'true',
    'x-ms-documentdb-query-enablecrosspartition': 'true',
    authorization: 'none',
  };
  const address = `${endpoint}dbs/${database}/colls/${containers[container].id}/docs`;
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ query, parameters: [] }) });
  const content = (await answer.json()) as { readonly Documents?: readonly unknown[] };
  expect([answer.status, JSON.stringify(content).slice(0, 200)]).toEqual([200, expect.anything()]);
  return content.Documents ?? [];
}

/** All records or lookups in the API's answers. */
async function ask(path: string, list: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let start = 0; ; start += PAGE) {
    const { json, status } = await service.get(`${path}&StartIndex=${start}&RecordCount=${PAGE}`);
    expect(status).toBe(200);
    const organizations = (json as { readonly Organizations: readonly Record<string, readonly Item[]>[] })
      .Organizations;
    const page = organizations.flatMap((organization) => organization[list] ?? []);
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}

function sort(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

async function expectSame(selected: Promise<readonly unknown[]>, answered: Promise<readonly unknown[]>): Promise<void> {
  const [found, expected] = await Promise.all([selected, answered]);
  expect(expected.length).toBeGreaterThan(0);
  expect(sort(found)).toEqual(sort(expected));
}

test('the documentation has ten queries', () => {
  expect(queries.size).toBeGreaterThanOrEqual(10);
});

test('finds the current state and its releases', async () => {
  const state = await service.store.currentState();
  const [pointer] = await run('Which state is current?');
  expect(pointer).toMatchObject({ version: state.version });
  const releases = state.entries.map(({ organizationUuid, dataSet, releaseId, records }) => {
    return { organizationUuid, dataSet, releaseId, records };
  });
  await expectSame(run('Which releases are current?'), Promise.resolve(releases));
});

test('lists publishes with their times', async () => {
  const history = await service.store.history();
  const expected = history.map(({ version, since, cause }) => ({ version, since, cause }));
  const listed = (await run('What was published when?')) as readonly Item[];
  expect(listed.map(({ version, since, cause }) => ({ version, since, cause }))).toEqual(expected);
});

test('selects the records of a site', async () => {
  await expectSame(
    run('The records of a site', 'UTss_O1'),
    ask('/v1/SiteVariableAmounts?SiteUUID=UTss_S320', 'SiteVariableAmounts'),
  );
});

test('sums the amounts of a year', async () => {
  const records = await ask('/v1/SiteVariableAmounts?OrganizationUUID=UTss_O1', 'SiteVariableAmounts');
  const amounts = records.filter(({ ReportYear }) => ReportYear === '1993').map(({ Amount }) => Number(Amount));
  expect(amounts.length).toBeGreaterThan(1);
  const [sum] = await run('The sum of the amounts of a year', 'UTss_O1');
  expect(sum).toBeCloseTo(
    amounts.reduce((total, amount) => total + amount, 0),
    2,
  );
});

test('counts the records of a use', async () => {
  const records = await ask('/v1/SiteVariableAmounts?OrganizationUUID=UTss_O1', 'SiteVariableAmounts');
  const { length } = records.filter(({ BeneficialUseCategoryCV }) => {
    return JSON.stringify(BeneficialUseCategoryCV).includes('"Commercial"');
  });
  expect(length).toBeGreaterThan(0);
  expect(await run('The number of records of a use', 'UTss_O1')).toEqual([length]);
});

test('selects the sites of a county', async () => {
  const sites = await askSites('OKwr_O1');
  await expectSame(
    run('The sites of a county', 'OKwr_O1'),
    Promise.resolve(sites.filter(({ County }) => County === 'Caddo')),
  );
});

async function askSites(organization: string): Promise<readonly Item[]> {
  const rights = `/v1/SiteAllocationAmounts?OrganizationUUID=${organization}`;
  return [...new Map((await ask(rights, 'Sites')).map((site) => [site['SiteUUID'], site])).values()];
}

test('selects reporting units, variables and rights', async () => {
  const units = await ask('/v1/AggregatedAmounts?OrganizationUUID=NMOSE', 'ReportingUnits');
  const unitNames = [...new Map(units.map((unit) => [unit['ReportingUnitUUID'], unit])).values()].map((unit) => ({
    ReportingUnitUUID: unit['ReportingUnitUUID'],
    ReportingUnitName: unit['ReportingUnitName'],
  }));
  await expectSame(run('The reporting units', 'NMOSE'), Promise.resolve(unitNames));
  await expectSame(
    run('The variables and their units', 'NMOSE'),
    ask('/v1/AggregatedAmounts?OrganizationUUID=NMOSE', 'VariableSpecifics').then((variables) =>
      [...new Map(variables.map((one) => [one['VariableSpecificUUID'], one])).values()].map((one) => ({
        VariableSpecificUUID: one['VariableSpecificUUID'],
        AmountUnitCV: one['AmountUnitCV'],
      })),
    ),
  );
  const rights = await ask('/v1/SiteAllocationAmounts?OrganizationUUID=OKwr_O1', 'WaterAllocations');
  await expectSame(
    run('The rights before a priority date', 'OKwr_O1'),
    Promise.resolve(rights.filter(({ AllocationPriorityDate: date }) => String(date) < '1980-01-01' && date !== null)),
  );
});
