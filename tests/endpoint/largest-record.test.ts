// If one record contributes more than half of a sum, the totals identify this record (D72).

import type { Client } from '@modelcontextprotocol/client';
import { allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { callTool, connectAssistant } from '../fixtures/mcp-client';
import type { Row } from '../fixtures/submission';
import { createLoadedService } from '../fixtures/test-service';

const year = (of: number, Amount: number, SiteUUID = 'S1'): Row =>
  siteAmount({ SiteUUID, TimeframeStart: `${of}-01-01`, TimeframeEnd: `${of}-12-31`, Amount });

const { get, service, key } = createLoadedService({
  ...buildLookups(),
  'sites.csv': ['S1', 'S2', 'S3'].map((SiteUUID) => ({ SiteUUID })),
  'sitespecificamounts.csv': [
    ...[10, 12, 14].map((amount, index) => year(2001, amount, `S${index + 1}`)),
    ...[11, 4_646_470_000_000, 13].map((amount, index) => year(2002, amount, `S${index + 1}`)),
    year(2003, 5),
    ...[-3, -90, -4].map((amount, index) => year(2004, amount, `S${index + 1}`)),
  ],
  'waterallocations.csv': [1, 2, 900].map((volume) =>
    allocation({ AllocationNativeID: `W-${volume}`, AllocationFlow_CFS: 1, AllocationVolume_AF: volume }),
  ),
});

let client: Client;

beforeAll(async () => {
  client = await connectAssistant(service, key);
});

test.each([
  ['the year', 'StartDate=2002-01-01&EndDate=2002-12-31', 'Amount 4646470000000 of SiteUUID S2'],
  ['negative amounts', 'StartDate=2004-01-01&EndDate=2004-12-31', 'Amount -90 of SiteUUID S2'],
  ['a group', 'GroupBy=Year', 'for Year 2002: Amount 4646470000000 of SiteUUID S2'],
  ['several groups', 'GroupBy=Year', '1 more sums'],
  ['a group by term', 'GroupBy=SiteUUID', 'for SiteUUID S2: Amount 4646470000000 of SiteUUID S2'],
])('the header names the largest record for %s', async (_, query, part) => {
  const { headers } = await get(`${paths.site}/Totals?${query}`);
  expect(headers['Query-Hint']).toContain(part);
});

test.each([
  ['no value is more than half of the sum', 'StartDate=2001-01-01&EndDate=2001-12-31'],
  ['the sum consists of one value', 'StartDate=2003-01-01&EndDate=2003-12-31'],
])('there is no hint if %s', async (_, query) => {
  expect((await get(`${paths.site}/Totals?${query}`)).headers['Query-Hint']).toBeUndefined();
});

test('rows state the share of the largest amount', async () => {
  const { json } = await get(`${paths.site}/Totals?GroupBy=Year`);
  const rows = json.Totals as readonly { readonly Year: string; readonly LargestAmountShare: number }[];
  expect(rows.map(({ Year, LargestAmountShare }) => [Year, LargestAmountShare])).toEqual([
    ['2001', 0.388889],
    ['2002', 1],
    ['2003', 1],
    ['2004', 0.927835],
  ]);
});

test('a large volume of a right is reported, but equal flows are not', async () => {
  const { headers } = await get(`${paths.allocations}/Totals`);
  expect(headers['Query-Hint']).toContain('of VolumeSum: AllocationVolume_AF 900 of AllocationNativeID W-900');
  expect(headers['Query-Hint']).not.toContain('FlowSum');
});

test('the tool for assistants reports it as a caveat', async () => {
  const filters = { StartDate: '2002-01-01', EndDate: '2002-12-31' };
  const { structured } = await callTool(client, 'totals', { kind: 'SiteVariableAmounts', filters });
  expect(structured.caveats.join(' ')).toContain('Amount 4646470000000 of SiteUUID S2');
});
