// The downloads of the explorer: sizes, file names, publishes and example programs, checked against the service.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceClient } from '../../explorer/requests/client';
import { downloadFile } from '../../explorer/requests/downloads';
import { buildFileName } from '../../explorer/requests/file-names';
import { estimateFileSizes } from '../../explorer/requests/file-sizes';
import { fetchPublications } from '../../explorer/requests/publications';
import { toOrderedQuery } from '../../explorer/requests/records';
import { buildTileTemplate } from '../../explorer/requests/tiles';
import { buildPrograms, type ProgramText, toArgumentName } from '../../explorer/views/panels/programs';
import { answerWithJson, createServiceClient, FakeService } from '../fixtures/explorer-services';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { PROJECT } from '../fixtures/host-process';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const client = createServiceClient(service);

const sites = Array.from({ length: 40 }, (_, index) => ({
  SiteUUID: `S${index}`,
  SiteName: `Well ${index}`,
  SiteTypeCV: 'Well',
  County: 'Cache',
  StateCV: 'UT',
  Longitude: String(-111 - index / 100),
  Latitude: '41.7',
}));
/** The last fifth is much longer than the rest. */
const rights = Array.from({ length: 2000 }, (_, index) => {
  const owner = `Owner ${index % 7}${index < 1600 ? '' : ' and others'.repeat(90)}`;
  return allocation({ AllocationNativeID: `A${1000 + index}`, SiteUUID: `S${index % 40}`, AllocationOwner: owner });
});

beforeAll(async () => {
  await service.load({ ...buildLookups(), 'sites.csv': sites, 'waterallocations.csv': rights });
  await service.load({
    ...buildLookups(),
    'sites.csv': sites,
    'sitespecificamounts.csv': [
      siteAmount({ SiteUUID: 'S1', TimeframeStart: '2020-01-01', TimeframeEnd: '2020-12-31' }),
    ],
  });
  await service.makeFiles();
});

const filters = { AllocationOwner: ['Owner'] };

test.each(['csv.gz', 'parquet'] as const)('estimates the bytes of a %s download to within a fifth', async (format) => {
  const sizes = await estimateFileSizes(client, 'rights', rights.length);
  const download = await service.get(`/v1/SiteAllocationAmounts/Export?AllocationOwner=Owner&format=${format}`);
  const estimate = sizes[format === 'csv.gz' ? 'csv' : format] ?? 0;
  expect(Math.abs(estimate / download.bytes.length - 1)).toBeLessThan(0.2);
});

test('estimates no size for GeoJSON, which has no published file', async () => {
  expect(Object.keys(await estimateFileSizes(client, 'rights', 100))).toEqual(['csv', 'parquet']);
});

test('estimates in proportion to the number of records, with one request', async () => {
  const Files = [
    { Name: 'records.csv.gz', Bytes: 1000 },
    { Name: 'records.parquet', Bytes: 3000 },
  ];
  const fake = new FakeService().answer(
    answerWithJson({
      Downloads: [
        { DataSet: 'WaterAllocations', Records: 50, Files },
        { DataSet: 'WaterAllocations', Records: 150, Files },
        { DataSet: 'WaterAllocations', Records: 9999, Files: [] },
        { DataSet: 'AggregatedAmounts', Records: 1, Files },
      ],
    }),
  );
  expect(await estimateFileSizes(new ServiceClient('', () => 'key', fake.send), 'rights', 20)).toEqual({
    csv: 200,
    parquet: 600,
  });
  expect(fake.sent.map(({ url }) => url)).toEqual(['/v1/Downloads']);
});

test('estimates no size while no file is published, or when the service does not answer', async () => {
  const pending = new FakeService().answer(
    answerWithJson({ Downloads: [{ DataSet: 'WaterAllocations', Records: 5, Files: [] }] }),
  );
  const busy = new FakeService().answer(answerWithJson({}, 503));
  for (const { send } of [pending, busy])
    expect(await estimateFileSizes(new ServiceClient('', () => 'key', send), 'rights', 5)).toEqual({});
});

test('retries a file while the service is busy making other files', async () => {
  jest.useFakeTimers();
  const fake = new FakeService().answer(answerWithJson({}, 503), () => new Response('PAR1'));
  const busy = new ServiceClient('', () => 'key', fake.send);
  const downloading = downloadFile(busy, { kind: 'rights', filters, order: '' }, 'parquet', () => undefined);
  await jest.runAllTimersAsync();
  jest.useRealTimers();
  expect(await downloading).toMatchObject({ kind: 'answer', value: expect.objectContaining({ size: 4 }) });
  expect(fake.sent).toHaveLength(2);
});

test.each([
  [{}, 'WaterAllocations_208d3255.csv'],
  [{ State: ['UT'], UseCategoryCV: ['Fish and wildlife'] }, 'WaterAllocations_UT_Fish-and-wildlife_208d3255.csv'],
  [{ AllocationOwner: ['../"Smith"'], MinimumFlow: ['0.5'] }, 'WaterAllocations_Smith_0.5_208d3255.csv'],
  [{ SearchGeometry: [`POLYGON((${'1 2,'.repeat(40)}))`] }, 'WaterAllocations_SearchGeometry_208d3255.csv'],
  [
    { County: Array.from({ length: 60 }, (_, at) => `County${at}`) },
    /^WaterAllocations_County0_.*_and-\d+-more_208d3255.csv$/,
  ],
])('a file name contains the kind, the filters and the version: %j', (filters, name) => {
  expect(buildFileName({ kind: 'rights', filters }, 'csv', '208d3255400ad5e07afc2c8cd7fc618f')).toMatch(name);
});

test('reads publishes from the feed, with the version before each of them', async () => {
  const { FormerDataVersions } = (await service.get('/v1/Inventory')).json;
  const reply = await fetchPublications(client);
  expect(reply.kind === 'answer' ? reply.value : reply).toEqual([
    {
      title: 'Office: Amounts at sites',
      moment: expect.stringMatching(/^\d{4}-.*Z$/),
      summary: '1 record: 1 added, 0 removed, 0 changed.',
      previousVersion: FormerDataVersions[0].DataVersion,
      kind: 'series',
    },
  ]);
});

const amounts = { State: ['UT'], MinimumAmount: ['0.5'] } as const;
const programs = buildPrograms({
  operation: 'https://water.test/v1/SiteVariableAmounts',
  query: toOrderedQuery({ kind: 'series', filters: amounts, order: '-Amount' }),
  layer: buildTileTemplate('https://water.test', { kind: 'series', filters: amounts }),
});

test('example programs for the client packages use existing functions and arguments', () => {
  const file = join(PROJECT, 'clients/python/src/waterdataquery/tables.json');
  const operations: Record<string, Record<string, { name: string }>> = JSON.parse(
    readFileSync(file, 'utf8'),
  ).operations;
  const known = Object.values(operations).flatMap((parameters) => Object.entries(parameters));
  expect(known.filter(([argument, { name }]) => toArgumentName(name) !== argument)).toEqual([]);
  const filters = { ...amounts, State: ['UT', 'NV'] };
  const query = toOrderedQuery({ kind: 'series', filters, order: '-Amount' });
  const [python, r] = buildPrograms({ operation: 'https://water.test/v1/SiteVariableAmounts', query, layer: '' });
  expect(python.text).toContain(`water.get_site_amounts(
    state=["UT", "NV"],
    minimum_amount="0.5",
    order_by="-Amount",
    url="https://water.test",
    key="YOUR_KEY",
)`);
  expect(r?.text).toContain(`read_site_amounts(
  state = c("UT", "NV"),
  minimum_amount = "0.5",
  order_by = "-Amount",
  url = "https://water.test",
  key = "YOUR_KEY"
)`);
});

test.each(programs.slice(2))(
  'the service answers every address in the examples for $name',
  async ({ text }: ProgramText) => {
    const addresses = [...text.matchAll(/https:\/\/water\.test(\/[^\s"]+)/g)].map(([, path = '']) => path);
    expect(addresses).toHaveLength(1);
    for (const address of addresses) {
      const answer = await service.get(address.replace('{z}/{y}/{x}', '0/0/0'));
      expect(answer.status).toBe(200);
    }
  },
);

test('other example programs contain a placeholder for the key', () => {
  for (const { name, text } of programs.filter((program) => program.name !== 'Address')) {
    expect([name, text]).toEqual([name, expect.stringContaining('YOUR_KEY')]);
  }
});
