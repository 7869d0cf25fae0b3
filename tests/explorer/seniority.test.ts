// The rights on one water source, requested from the service itself: which source or HUC12 is chosen, and how many
// requests this takes.

import { ServiceClient } from '../../explorer/requests/client';
import { parseCsv } from '../../explorer/requests/csv';
import { toCsvBlob } from '../../explorer/requests/csv-files';
import type { Reply } from '../../explorer/requests/reply';
import { fetchSeniority, formatBasis, type Seniority } from '../../explorer/requests/seniority';
import { Session } from '../../explorer/session/session';
import { KEY_NAME } from '../../explorer/session/tab-key';
import { readAddress, writeAddress } from '../../explorer/state/address';
import { rankRights } from '../../explorer/state/seniority';
import { writeCsv } from '../../explorer/views/chart/chart-csv';
import { buildSeniorityTable } from '../../explorer/views/seniority/seniority-csv';
import { createFetch, settlePromises } from '../fixtures/explorer-services';
import { allocation, buildLookups } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const send = createFetch(service);
const sent: string[] = [];
const client = new ServiceClient(
  '',
  () => service.key,
  (url, options) => {
    sent.push(url);
    return send(url, options);
  },
);

const lonelySources = Array.from({ length: 24 }, (_, index) => `WS_${index}`);

const right = (AllocationNativeID: string, row: Row): Row => allocation({ AllocationNativeID, ...row });

beforeAll(async () => {
  await service.load({
    ...buildLookups({ OrganizationUUID: 'ORG_1', OrganizationName: 'Utah', State: 'UT' }),
    'watersources.csv': [
      ...lonelySources.map((WaterSourceUUID) => ({ WaterSourceUUID })),
      { WaterSourceUUID: 'WS_own', WaterSourceName: 'Unspecified', WaterSourceNativeID: '17' },
      { WaterSourceUUID: 'WS_lonely' },
      { WaterSourceUUID: 'WS_bear', WaterSourceName: 'Bear River', WaterSourceTypeCV: 'Surface Water' },
    ],
    'sites.csv': [
      { SiteUUID: 'S_bear', WaterSourceUUIDs: 'WS_bear' },
      { SiteUUID: 'S_dry', HUC12: '160102020305' },
      { SiteUUID: 'S_bare' },
      { SiteUUID: 'S_many', WaterSourceUUIDs: lonelySources.join() },
      { SiteUUID: 'S_late', WaterSourceUUIDs: 'WS_20' },
    ],
    'waterallocations.csv': [
      right('1', {
        AllocationUUID: 'U1',
        SiteUUID: 'S_dry,S_bear',
        WaterSourceUUID: 'WS_own',
        AllocationPriorityDate: '1900-01-01',
      }),
      right('2', { SiteUUID: 'S_bear', AllocationPriorityDate: '1890-01-01', AllocationFlow_CFS: '0.1' }),
      right('3', { SiteUUID: 'S_bear', AllocationPriorityDate: '' }),
      right('4', { SiteUUID: 'S_dry', AllocationPriorityDate: '1950-01-01' }),
      right('5', { SiteUUID: 'S_bare' }),
      right('7', { SiteUUID: 'S_many', AllocationPriorityDate: '1970-01-01' }),
      right('8', { SiteUUID: 'S_late', AllocationPriorityDate: '1980-01-01' }),
      right('6', { SiteUUID: 'S_dry', WaterSourceUUID: 'WS_lonely', AllocationPriorityDate: '1960-01-01' }),
    ],
  });
  await service.load({
    ...buildLookups({ OrganizationUUID: 'ORG_2', OrganizationName: 'Wyoming', State: 'WY' }),
    'sites.csv': [{ SiteUUID: 'W_dry', HUC12: '160102020305' }],
    'waterallocations.csv': [
      allocation({
        OrganizationUUID: 'ORG_2',
        AllocationNativeID: '4',
        SiteUUID: 'W_dry',
        AllocationPriorityDate: '1910-01-01',
      }),
    ],
  });
});

beforeEach(() => {
  sent.length = 0;
});

async function ask(id: string, basis = ''): Promise<Seniority> {
  const reply: Reply<Seniority> = await fetchSeniority(
    client,
    { right: id, basis, version: undefined },
    () => undefined,
  );
  if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
  return reply.value;
}

function listNumbers({ rights }: Seniority): readonly string[] {
  return rights.map(({ organization, number }) => `${organization} ${number}`);
}

test('lists the first source that other rights share, with all sources and HUC12 to choose from', async () => {
  const found = await ask('ORG_1~U1');
  expect(found.bases.map(formatBasis)).toEqual([
    'WaterSourceUUID:WS_own',
    'WaterSourceUUID:WS_bear',
    'HUC12:160102020305',
  ]);
  expect(found.bases.map(({ label, isNamed }) => [label, isNamed])).toEqual([
    ['water source 17', false],
    ['Bear River, water source WS_bear (Surface Water)', true],
    ['subwatershed 160102020305', true],
  ]);
  expect(found.basis && formatBasis(found.basis)).toBe('WaterSourceUUID:WS_bear');
  expect(listNumbers(found)).toEqual(['ORG_1 2', 'ORG_1 1', 'ORG_1 3']);
  expect(found.rights[0]).toMatchObject({ date: '1890-01-01', flow: '0.1', volume: '' });
  expect(sent).toHaveLength(4);
});

test('loads the list that the address chooses with two requests', async () => {
  const found = await ask('ORG_1~U1', 'HUC12:160102020305');
  expect(listNumbers(found)).toEqual(['ORG_1 1', 'ORG_2 4', 'ORG_1 4', 'ORG_1 6']);
  expect(found.hasUnsharedSources).toBe(false);
  expect(sent).toHaveLength(2);
});

test('an unknown choice in the address is the default', async () => {
  const found = await ask('ORG_1~U1', 'HUC12:999999999999');
  expect([found.basis?.value, found.isChoiceUnknown]).toEqual(['WS_bear', true]);
  expect((await ask('ORG_1~U1')).isChoiceUnknown).toBe(false);
});

test.each([
  ['ORG_1~4', false],
  ['ORG_1~6', true],
])('%s, which shares no source, is listed with its HUC12 over all organizations', async (id, hasUnsharedSources) => {
  const found = await ask(id);
  expect([found.basis?.filter, found.hasUnsharedSources]).toEqual(['HUC12', hasUnsharedSources]);
  expect(listNumbers(found)).toEqual(['ORG_1 1', 'ORG_2 4', 'ORG_1 4', 'ORG_1 6']);
});

test('finds the one shared source among dozens with few requests', async () => {
  const found = await ask('ORG_1~7');
  expect(found.basis?.value).toBe('WS_20');
  expect(listNumbers(found)).toEqual(['ORG_1 7', 'ORG_1 8']);
  expect(sent.length).toBeLessThanOrEqual(10);
});

test('a right without a source and without a HUC12 has no list', async () => {
  const found = await ask('ORG_1~5');
  expect(found.right?.number).toBe('5');
  expect([found.bases, found.basis, found.rights]).toEqual([[], undefined, []]);
});

test('an unknown right has no list', async () => {
  expect((await ask('ORG_1~nobody')).right).toBeUndefined();
});

test('a failure of any request is reported as the failure of the list', async () => {
  const stranger = new ServiceClient('', () => 'wdk_stranger', send);
  const question = { right: 'ORG_1~U1', basis: '', version: undefined };
  expect(await fetchSeniority(stranger, question, () => undefined)).toMatchObject({ kind: 'key' });
});

test('the CSV of a list has each right with exact sums, and no cell runs as a formula', async () => {
  const found = await ask('ORG_1~U1');
  if (found.right === undefined) throw new Error('the right is missing');
  const rights = found.rights.map((one, index) => ({
    ...one,
    owner: index === 0 ? '=CMD()' : one.owner,
    flow: '-0.1',
  }));
  const table = buildSeniorityTable(found, rankRights(rights, found.right), 'v1');
  const text = await toCsvBlob(writeCsv(table)).text();
  const [head = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  const column = (name: string): readonly (string | undefined)[] => rows.map((row) => row[head.indexOf(name)]);
  expect(text).toContain(",'=CMD(),");
  expect(column('AllocationOwner')[0]).toBe('=CMD()');
  expect(column('Position')).toEqual(['1', '2', '']);
  expect(column('Relation')).toEqual(['senior', 'this', 'unknown']);
  expect(column('RunningFlow_CFS')).toEqual(['-0.1', '-0.2', '']);
  expect(column('SharedBy')).toEqual(Array(3).fill('WaterSourceUUID:WS_bear'));
});

test('the open page of a right links to its list', async () => {
  const { text } = await service.get('/ogc/collections/allocations/items/ORG_1~U1?f=html');
  const [, query = ''] = /href="\/explore\?([^"]*seniority[^"]*)"/.exec(text) ?? [];
  expect(readAddress(query).seniority).toBe('ORG_1~U1');
});

describe('the address', () => {
  test.each([
    ['seniority=ORG_1~U1', 'seniority=ORG_1%7EU1'],
    ['seniority=ORG_1~U1&by=HUC12:160102020305', 'seniority=ORG_1%7EU1&by=HUC12:160102020305'],
    ['view=table&State=UT&seniority=ORG_1~U1', 'view=table&seniority=ORG_1%7EU1&State=UT'],
    ['kind=series&seniority=ORG_1~U1', 'kind=series'],
    ['seniority=U1', ''],
    ['by=HUC12:160102020305', ''],
  ])('%s is written as %s', (query, written) => {
    expect(writeAddress(readAddress(query))).toBe(written);
  });

  test('opens the list without the requests of the views that it covers, which run when it is closed', async () => {
    const urls: string[] = [];
    const session = new Session({
      base: '',
      send: (url, options) => {
        urls.push(url.replace(/\?.*/, ''));
        return send(url, options);
      },
      query: '?seniority=ORG_1~U1&by=HUC12:160102020305',
      schedule: () => () => undefined,
      showQuery: () => undefined,
      storage: { getItem: (name) => (name === KEY_NAME ? service.key : null), setItem: () => undefined },
    });
    const stop = session.start();
    await waitFor(() => session.seniority.fresh !== undefined && session.inventory.fresh !== undefined);
    expect(urls.sort()).toEqual(['/v1/Inventory', '/v1/SiteAllocationAmounts', '/v1/SiteAllocationAmounts']);
    session.set({ seniority: undefined });
    await waitFor(() => session.total.value !== undefined);
    expect(session.total.value).toBe(9);
    expect(session.seniority.fresh).toBeUndefined();
    stop();
  });
});

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isDone(); turn++) await settlePromises();
  expect(isDone()).toBe(true);
}
