// The tools for assistants at /mcp (D67), called by the official client in both protocol revisions.

import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Service } from '../../shared/http/pipeline/service';
import { PROJECT } from '../fixtures/host-process';
import {
  buildToolCall,
  callTool,
  connectAssistant,
  createFetch,
  type McpAnswer,
  postMessage,
  type Revision,
} from '../fixtures/mcp-client';
import { realSubmissions, WHOLE_DATA } from '../fixtures/real-submissions';
import { createAccess, createTestService } from '../fixtures/test-service';

const tested = createTestService();
const { service, key, get, loadFolder } = tested;
const clients = new Map<Revision, Client>();

beforeAll(async () => {
  for (const { folder } of realSubmissions) await loadFolder(join(WHOLE_DATA, folder));
  for (const revision of ['2026-07-28', '2025'] as const)
    clients.set(revision, await connectAssistant(service, key, revision));
});

function createClient(revision: Revision = '2026-07-28'): Client {
  const client = clients.get(revision);
  if (client === undefined) throw new Error('not connected');
  return client;
}

/** The path and the parameters of an address in a tool's answer. */
const removeOrigin = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

/** Sends a message with the key, unless other headers are given. */
function post(
  message: unknown,
  headers: Readonly<Record<string, string>> = { 'X-API-Key': key },
  target: Service = service,
): Promise<McpAnswer> {
  return postMessage(target, message, headers);
}

const WORKING = [
  ['find', { query: 'public supply' }],
  ['find', { query: '19390075', kind: 'Right' }],
  ['describe', {}],
  ['describe', { kind: 'AggregatedAmounts', organization: 'NMOSE' }],
  ['totals', { kind: 'AggregatedAmounts', filters: { State: 'NM' }, groupBy: ['Year'], orderBy: '-Sum' }],
  ['totals', { kind: 'SiteAllocationAmounts', groupBy: ['UseCategoryCV'] }],
  ['totals', { kind: 'AggregatedAmounts', filters: { SearchBoundary: 'reportingunit:WYag_RU1' } }],
  ['records', { kind: 'SiteAllocationAmounts', filters: { OrderBy: 'AllocationPriorityDate' }, limit: 3 }],
  ['records', { kind: 'Sites', filters: { PODorPOUSite: ['POD', 'POU'] }, limit: 50 }],
  ['thing', { collection: 'sites', id: 'UTss_O1~UTss_S877' }],
  ['thing', { collection: 'reporting-units', id: 'NMOSE~NMag_RU1' }],
] as const;

describe.each(['2026-07-28', '2025'] as const)('a client of %s', (revision) => {
  test('lists five read-only tools with schemas and short descriptions, and reads both resources', async () => {
    const client = createClient(revision);
    expect(client.getNegotiatedProtocolVersion()).toMatch(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['find', 'describe', 'totals', 'records', 'thing']);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(outputSchema?.['required']).toEqual(expect.arrayContaining(['address', 'caveats', 'licences', 'matched']));
    }
    const words = tools.map(({ name, title = '', description = '' }) => name + title + description).join('');
    expect(words.length).toBeLessThanOrEqual(3_600);
    expect(JSON.stringify(tools)).toContain('"enum":["NM","OK","UT","WY"]');
    const { resources } = await client.listResources();
    const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
    expect(JSON.stringify(read[0])).toContain('priority date: The date that ranks a right');
    expect(JSON.stringify(read[1])).toContain('Surface Water');
  });

  // The client checks each answer against the output schema.
  test.each(WORKING)('calls %s with %j', async (name, sentArguments) => {
    const { isError, text, structured } = await callTool(createClient(revision), name, sentArguments);
    expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining('Address: ') });
    expect(structured.shown).toBe(structured.rows.length);
    expect(structured.shown).toBeGreaterThan(0);
    expect(structured.licences.length).toBeGreaterThan(0);
    const answer = await get(removeOrigin(structured.address));
    expect(answer.status).toBe(200);
    expect(answer.headers['Data-Version']).toBe(structured.dataVersion);
  });
});

test("totals equal the operation's answer at the address that the tool returns", async () => {
  const sentArguments = {
    kind: 'AggregatedAmounts',
    filters: { State: ['NM', 'WY'], EndDate: '2001-12-31' },
    groupBy: ['ReportYear', 'State'],
  };
  const { structured } = await callTool(createClient(), 'totals', sentArguments);
  const { json } = await get(removeOrigin(structured.address));
  expect(structured.rows).toEqual(json.Totals);
  expect(structured).toMatchObject({ matched: json.TotalGroupsCount, units: { Sum: expect.stringContaining('AF') } });
  const largest = await callTool(createClient(), 'totals', { ...sentArguments, orderBy: '-Sum' });
  const sums = json.Totals.map(({ Sum }: { Sum: number }) => Sum).sort((a: number, b: number) => b - a);
  expect(largest.structured.rows.map(({ Sum }: { Sum: number }) => Sum)).toEqual(sums.slice(0, 200));
});

test('each right is one record with its sites, and its id finds it again', async () => {
  const sentArguments = { kind: 'SiteAllocationAmounts', limit: 20 };
  const { structured } = await callTool(createClient(), 'records', sentArguments);
  expect(structured.rows).toHaveLength(20);
  for (const { collection, id, AllocationNativeID } of structured.rows) {
    const { structured: thing } = await callTool(createClient(), 'thing', { collection, id });
    expect(thing.rows).toMatchObject([{ AllocationNativeID, id }]);
  }
});

describe('samples', () => {
  const samples = createTestService();
  let client: Client;

  beforeAll(async () => {
    for (const folder of ['colorado-allocations', 'wyoming-site-amounts-and-allocations'])
      await samples.loadFolder(join(PROJECT, 'data-loaders', 'samples', folder));
    client = await connectAssistant(samples.service, samples.key, '2026-07-28');
  });

  test('a right with only a native identifier has an id that finds it again', async () => {
    const { structured } = await callTool(client, 'find', { query: 'CO-0002', kind: 'Right' });
    const [{ collection, id }] = structured.rows as readonly [Record<string, unknown>];
    const { structured: thing } = await callTool(client, 'thing', { collection, id });
    expect(thing.rows).toMatchObject([{ AllocationNativeID: 'CO-0002', id }]);
  });

  test('sites matched by a filter of amounts also name the license of the rights that they count', async () => {
    const sentArguments = { kind: 'Sites', filters: { VariableCV: 'Site Specific Withdrawal' } };
    const { structured } = await callTool(client, 'records', sentArguments);
    const rows = structured.rows as readonly Record<string, unknown>[];
    expect(rows.some((row) => Number(row['AllocationsCount']) > 0)).toBe(true);
    expect(structured.licences).toMatchObject([{ dataSet: 'SiteVariableAmounts' }, { dataSet: 'WaterAllocations' }]);
  });
});

test('a result of find has the filters that find its records', async () => {
  const { structured } = await callTool(createClient(), 'find', { query: 'irrigation', kind: 'Use' });
  const [{ filters, records }] = structured.rows;
  const totals = await callTool(createClient(), 'totals', { kind: 'SiteAllocationAmounts', filters });
  expect(totals.structured.rows).toMatchObject([{ RecordsCount: records.SiteAllocationAmounts }]);
});

test.each([
  ['totals', { kind: 'Water' }, /kind must be SiteVariableAmounts or/],
  ['totals', { kind: 'AggregatedAmounts', filters: { Stat: 'NM' } }, /did you mean State\?.* describe with this kind/],
  ['totals', { kind: 'AggregatedAmounts', groupBy: ['Colour'] }, /GroupBy must be Year, .*\(it is "Colour"\)/],
  ['totals', { kind: 'AggregatedAmounts', orderBy: 'Size' }, /orderBy must be .*RecordsCount/],
  ['totals', { kind: 'AggregatedAmounts', filters: 'State=NM' }, /filters must be an object/],
  [
    'totals',
    { kind: 'AggregatedAmounts', year: 2010 },
    /totals has no argument "year"; it takes kind, filters, groupBy and orderBy\. Write conditions as filters/,
  ],
  ['totals', { kind: 'AggregatedAmounts', filters: { DataVersion: '0'.repeat(32) } }, /Start over without DataVersion/],
  ['records', { kind: 'Sites', limit: 51 }, /limit must be a whole number from 1 to 50/],
  ['records', { kind: 'Sites', filters: { format: 'csv' } }, /format is not a parameter/],
  ['thing', { collection: 'sites', id: 'UTss_S877' }, /Use find to get its id/],
  ['thing', { collection: 'sites', id: 'UTss_O1~nowhere' }, /Use find to get its id/],
  ['find', {}, /Query is required/],
  ['describe', { kind: 'Rain' }, /kind must be/],
  ['weather', {}, /The tools are find, describe/],
])('refuses %s with %j and explains why', async (name, sentArguments, sentence) => {
  const { isError, text } = await callTool(createClient(), name, sentArguments);
  expect(isError).toBe(true);
  expect(text).toMatch(sentence);
});

test.each([
  [{ County: 'Cado' }, /County "Cado" is not in the data \(nearest: "Caddo"\)/],
  [{ StartPriorityDate: '2100-01-01' }, /^Nothing matches: no record matches all filters\./],
])('explains why nothing matches %j', async (filters, why) => {
  const { structured } = await callTool(createClient(), 'totals', { kind: 'SiteAllocationAmounts', filters });
  expect(structured).toMatchObject({ shown: 0, matched: 0 });
  expect(structured.caveats[0]).toMatch(why);
});

test.each([
  ['without a key', {}, 401],
  ['with an unknown key', { 'X-API-Key': 'wdk_abc' }, 401],
  ['from the page of another site', { 'X-API-Key': key, Origin: 'https://example.org', Host: 'example.org' }, 403],
  [
    'with a foreign host name that resolves to this machine',
    { 'X-API-Key': key, Origin: 'http://evil.test', Host: 'evil.test' },
    403,
  ],
  ['from a page of this machine', { 'X-API-Key': key, Origin: 'http://localhost:6274', Host: 'localhost:7071' }, 200],
])('a request %s gets %j', async (_, headers, status) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect(await post(message, headers)).toMatchObject({ status });
});

test('accepts requests from a page of the public address, and without a key within the allowance', async () => {
  const access = createAccess(tested, { perHour: 2 });
  const open = { ...service, access, publicUrl: 'https://water.example.org/data' };
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };
  const headers = { Origin: 'https://water.example.org', Host: 'water.example.org' };
  const statuses = [await post(message, headers, open), await post(message, {}, open), await post(message, {}, open)];
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 401]);
});

test('the records that a tool reads count against the limit of the key', async () => {
  const bounded = { ...service, access: createAccess(tested, { recordsPerMinute: 60 }) };
  const asked = buildToolCall('records', { kind: 'AggregatedAmounts', limit: 50 });
  const statuses = [];
  for (let turn = 0; turn < 3; turn++) statuses.push((await post(asked, { 'X-API-Key': key }, bounded)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test.each([
  ['GET, which would open a stream', 'GET', undefined, 405],
  ['a body that is not JSON', 'POST', '{', 400],
  ['a body that is too long', 'POST', `"${'x'.repeat(33_000)}"`, 413],
])('refuses %s', async (_, method, body, status) => {
  const headers = {
    'X-API-Key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const init = body === undefined ? { method, headers } : { method, headers, body };
  expect((await createFetch(service)('http://localhost/mcp', init)).status).toBe(status);
});

test('reports an unknown resource', async () => {
  await expect(createClient().readResource({ uri: 'waterdata://rivers' })).rejects.toThrow(/waterdata:..rivers/);
});

test('refuses subscriptions, which would stay open forever', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  const headers = { 'X-API-Key': key, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  expect((await post(message, headers)).text).toMatch(/error/);
});
