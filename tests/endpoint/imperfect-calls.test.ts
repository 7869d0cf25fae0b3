// Calls with typical mistakes of models (D72): each call is answered, or refused with advice that works if followed.

import type { Client } from '@modelcontextprotocol/client';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { callTool, connectAssistant, postMessage, type ToolResult } from '../fixtures/mcp-client';
import { createLoadedService } from '../fixtures/test-service';

const { service, key } = createLoadedService({
  ...buildLookups(),
  'sites.csv': [
    { SiteUUID: 'S1', SiteName: 'Provo River at Woodland', County: 'Summit', StateCV: 'UT' },
    { SiteUUID: 'S2', SiteName: 'Weber River', County: 'Cache', StateCV: 'UT' },
  ],
  'sitespecificamounts.csv': ['S1', 'S2'].map((SiteUUID) =>
    siteAmount({ SiteUUID, Amount: 5, TimeframeStart: '2000-01-01', TimeframeEnd: '2000-12-31' }),
  ),
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', StateCV: 'UT', ReportingUnitName: 'Cache' }],
  'aggregatedamounts.csv': [aggregatedAmount({})],
  'waterallocations.csv': [
    allocation({ AllocationNativeID: 'W1', SiteUUID: 'S1', AllocationVolume_AF: 10, AllocationFlow_CFS: 2 }),
    allocation({ AllocationNativeID: 'W2', SiteUUID: 'S2', AllocationVolume_AF: 20, AllocationFlow_CFS: 3 }),
  ],
});

let client: Client;

beforeAll(async () => {
  client = await connectAssistant(service, key);
});

type Arguments = Record<string, unknown>;

const RIGHTS = 'SiteAllocationAmounts';
const AMOUNTS = 'SiteVariableAmounts';

const answered: readonly (readonly [what: string, tool: string, given: Arguments, rows: number])[] = [
  ['the kind of water rights in words', 'totals', { kind: 'water rights' }, 1],
  ['the kind of rights in one word', 'totals', { kind: 'rights' }, 1],
  ['allocations', 'totals', { kind: 'Allocations' }, 1],
  ['the data set of rights', 'records', { kind: 'WaterAllocations' }, 2],
  ['amounts with a space', 'totals', { kind: 'site amounts' }, 1],
  ['amounts with underscores', 'totals', { kind: 'aggregated_amounts' }, 1],
  ['places in lower case', 'records', { kind: 'sites' }, 2],
  ['a reporting unit', 'records', { kind: 'reporting unit' }, 1],
  ['a state by its name', 'records', { kind: 'Sites', filters: { state: 'Utah' } }, 2],
  ['a filter in lower case', 'records', { kind: 'Sites', filters: { county: 'cache' } }, 1],
  ['a number as text', 'records', { kind: RIGHTS, limit: '1' }, 1],
  ['filters as JSON text', 'records', { kind: 'Sites', filters: '{"County": "Cache"}' }, 1],
  ['one group as text', 'totals', { kind: AMOUNTS, groupBy: 'SiteUUID' }, 2],
  ['groups as JSON text', 'totals', { kind: AMOUNTS, groupBy: '["SiteUUID", "State"]' }, 2],
  ['nulls', 'totals', { kind: AMOUNTS, filters: null, groupBy: null, orderBy: null }, 1],
  ['a null filter', 'records', { kind: 'Sites', filters: { County: null } }, 2],
  ['empty texts', 'describe', { organization: '', kind: '' }, 3],
  ['an order in lower case', 'totals', { kind: RIGHTS, groupBy: 'county', orderBy: '-volumesum' }, 2],
  ['places to describe', 'describe', { kind: 'Sites' }, 2],
  ['reporting units to describe', 'describe', { kind: 'ReportingUnits' }, 1],
  ['rights to describe', 'describe', { kind: 'water rights' }, 1],
  ['words of which only some match', 'find', { query: 'Provo city water' }, 1],
  ['words in a different order', 'find', { query: 'woodland, Provo' }, 1],
  ['a kind of names in the plural', 'find', { query: 'provo', kind: 'sites' }, 1],
  ['a kind of names in words', 'find', { query: 'W1', kind: 'water right' }, 1],
  ['names in one state', 'find', { query: 'provo', state: 'utah' }, 1],
  ['a collection in the singular', 'thing', { collection: 'site', id: 'ORG_1~S1' }, 1],
];

test.each(answered)('answers %s', async (_, tool, sentArguments, rows) => {
  const { isError, structured, text } = await callTool(client, tool, sentArguments);
  expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' });
  expect(structured.rows).toHaveLength(rows);
});

type Corrected = readonly [
  what: string,
  tool: string,
  given: Arguments,
  advice: RegExp,
  follow: (advice: string[]) => Arguments,
];

const corrected: readonly Corrected[] = [
  [
    'no kind',
    'totals',
    { filters: { State: 'UT' } },
    /\{"kind": "(\w+)"\}/,
    ([, kind]) => ({ kind, filters: { State: 'UT' } }),
  ],
  ['an unknown kind', 'records', { kind: 'wells' }, /or (Sites) or/, ([, kind]) => ({ kind })],
  [
    'a filter next to filters',
    'totals',
    { kind: RIGHTS, State: 'UT' },
    /"filters": (\{.*\})\.$/,
    ([, filters]) => ({ kind: RIGHTS, filters }),
  ],
  [
    'a list of a filter next to filters',
    'records',
    { kind: 'rights', county: ['Cache', 'Summit'] },
    /"filters": (\{.*\})\.$/,
    ([, filters]) => ({ kind: RIGHTS, filters }),
  ],
  ['a limit of totals', 'totals', { kind: RIGHTS, limit: 5 }, /Leave limit out/, () => ({ kind: RIGHTS })],
  [
    'an order within filters',
    'totals',
    { kind: RIGHTS, groupBy: ['County'], filters: { OrderBy: '-VolumeSum' } },
    /argument (orderBy)/,
    ([, name = '']) => ({ kind: RIGHTS, groupBy: ['County'], [name]: '-VolumeSum' }),
  ],
  [
    'an order by part of a name',
    'totals',
    { kind: RIGHTS, groupBy: ['County'], orderBy: '-volume' },
    /did you mean (-\w+)\?/,
    ([, orderBy]) => ({ kind: RIGHTS, groupBy: ['County'], orderBy }),
  ],
  [
    'an order of records by part of a name',
    'records',
    { kind: RIGHTS, filters: { OrderBy: '-volume' } },
    /(-AllocationVolume_AF)/,
    ([, OrderBy]) => ({ kind: RIGHTS, filters: { OrderBy } }),
  ],
  [
    'an order next to filters of records',
    'records',
    { kind: RIGHTS, orderBy: '-volume' },
    /in filters, such as (\{.*\})/,
    ([, filters]) => ({ kind: RIGHTS, filters }),
  ],
  [
    'a group with an underscore',
    'totals',
    { kind: AMOUNTS, group_by: 'Year' },
    /write it as (\w+)/,
    ([, name = '']) => ({ kind: AMOUNTS, [name]: 'Year' }),
  ],
  [
    'a group by a short name',
    'totals',
    { kind: RIGHTS, groupBy: 'Decade' },
    /(PriorityDecade)/,
    ([, groupBy]) => ({ kind: RIGHTS, groupBy }),
  ],
  [
    'a year as a filter',
    'totals',
    { kind: AMOUNTS, filters: { Year: 2000 } },
    /such as (\{.*?\})/,
    ([, filters]) => ({ kind: AMOUNTS, filters }),
  ],
  [
    'a year as a date',
    'totals',
    { kind: AMOUNTS, filters: { StartDate: '2000' } },
    /such as (\d{4}-\d\d-\d\d)/,
    ([, day]) => ({ kind: AMOUNTS, filters: { EndDate: day } }),
  ],
  [
    'a misspelled filter',
    'records',
    { kind: 'Sites', filters: { Cuonty: 'Cache' } },
    /did you mean (\w+)\?/,
    ([, name = '']) => ({ kind: 'Sites', filters: { [name]: 'Cache' } }),
  ],
  [
    'filters as a query',
    'totals',
    { kind: AMOUNTS, filters: 'State=UT' },
    /such as (\{.*\})/,
    ([, filters]) => ({ kind: AMOUNTS, filters }),
  ],
  [
    'filters as a list',
    'totals',
    { kind: AMOUNTS, filters: [{ State: 'UT' }] },
    /such as (\{.*\})/,
    ([, filters]) => ({ kind: AMOUNTS, filters }),
  ],
  [
    'a limit above the maximum',
    'records',
    { kind: 'rights', limit: 500 },
    /to (\d+)\./,
    ([, limit]) => ({ kind: RIGHTS, limit }),
  ],
  ['a limit of 0', 'records', { kind: RIGHTS, limit: 0 }, /from (1) to/, ([, limit]) => ({ kind: RIGHTS, limit })],
  [
    'an unknown organization',
    'describe',
    { organization: 'Utah' },
    /is one of "(\w+)"/,
    ([, organization]) => ({ organization }),
  ],
  ['no words', 'find', {}, /such as \{"(query)"/, ([, name = '']) => ({ [name]: 'provo' })],
  [
    'words under another argument name',
    'find',
    { q: 'provo' },
    /write it as (\w+)/,
    ([, name = '']) => ({ [name]: 'provo' }),
  ],
  ['a limit of find', 'find', { query: 'provo', limit: 3 }, /Leave it out/, () => ({ query: 'provo' })],
  ['no collection', 'thing', { id: 'ORG_1~S1' }, /must be (\w+)/, ([, collection]) => ({ collection, id: 'ORG_1~S1' })],
];

test.each(corrected)(
  'explains how to correct %s, and the advice works',
  async (_, tool, sentArguments, advice, follow) => {
    const refused = await callTool(client, tool, sentArguments);
    expect({ isError: refused.isError, text: refused.text }).toEqual({
      isError: true,
      text: expect.stringMatching(advice),
    });
    const followed = await callTool(client, tool, follow([...(advice.exec(refused.text) ?? [])]));
    expectRows(followed);
  },
);

test('an unknown id is refused with advice to use find, which returns an id that works', async () => {
  const refused = await callTool(client, 'thing', { collection: 'sites', id: 'S1' });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('Use find')]);
  const found = await callTool(client, 'find', { query: 'S1' });
  const [{ collection, id }] = found.structured.rows;
  expectRows(await callTool(client, 'thing', { collection, id }));
});

test('find says that a match is partial', async () => {
  const found = await callTool(client, 'find', { query: 'Provo city water' });
  expect(found.structured.caveats[0]).toContain('"Provo"');
});

test.each(['*/*', 'application/json, */*;q=0.1'])('a program that sends Accept: %s gets an answer', async (accept) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { status, text } = await postMessage(service, message, { 'x-api-key': key, accept });
  expect([status, text]).toEqual([200, expect.stringContaining('totals')]);
});

test('the stated source contains the name of the organization', async () => {
  const { text, structured } = await callTool(client, 'totals', { kind: RIGHTS });
  expect(structured.licences).toMatchObject([{ organization: 'ORG_1', organizationName: 'Office' }]);
  expect(text).toContain('Source: "Office" ("ORG_1"');
});

test('does not announce changes to the list of tools, because there is no stream for notifications', () => {
  expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false } });
});

function expectRows({ isError, structured, text }: ToolResult): void {
  expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' });
  expect(structured.rows).not.toHaveLength(0);
}
