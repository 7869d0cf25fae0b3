// The tools for assistants answer any arguments, however wrong they are (D67).

import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Service } from '../../shared/http/pipeline/service';
import { anyText } from '../fixtures/any-text';
import { buildToolCall, type McpAnswer, postMessage } from '../fixtures/mcp-client';
import { realSubmissions, WHOLE_DATA } from '../fixtures/real-submissions';
import { countCases } from '../fixtures/soak';
import { createTestService } from '../fixtures/test-service';

const { service, key, loadFolder } = createTestService();

beforeAll(async () => {
  for (const { folder } of realSubmissions) await loadFolder(join(WHOLE_DATA, folder));
});

/** Sends a message with the key, unless other headers are given. */
function post(
  message: unknown,
  headers: Readonly<Record<string, string>> = { 'X-API-Key': key },
  target: Service = service,
): Promise<McpAnswer> {
  return postMessage(target, message, headers);
}

const anyName = fc.oneof(
  fc.constantFrom('State', 'County', 'SearchBoundary', 'SiteUUID', 'OrderBy', 'ChangedSince', 'DataVersion', 'key'),
  fc.constantFrom('MinimumAmount', 'StartDate', 'AllocationOwner', '__proto__', 'constructor', 'format', 'GroupBy'),
  anyText({ maxLength: 20 }),
);

const anyValue = fc.oneof(
  fc.constantFrom('NM', 'UT', 'county:OK/Caddo', 'bbox:-120,30,-90,45', 'POINT(0 0)', '-Sum', 'Year', 'wdk_secret'),
  anyText({ maxLength: 400 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const anyArguments = fc.record(
  {
    kind: fc.oneof(
      fc.constantFrom('SiteVariableAmounts', 'AggregatedAmounts', 'SiteAllocationAmounts', 'Sites', 'Right'),
      anyValue,
    ),
    filters: fc.oneof(fc.dictionary(anyName, fc.oneof(anyValue, fc.array(anyValue, { maxLength: 5 }))), anyValue),
    groupBy: fc.oneof(fc.array(fc.constantFrom('Year', 'State', 'ReportingUnitUUID', 'SiteUUID', 'County')), anyValue),
    orderBy: anyValue,
    query: anyValue,
    state: anyValue,
    organization: anyValue,
    limit: fc.oneof(fc.integer({ min: 1, max: 50 }), anyValue),
    collection: fc.oneof(fc.constantFrom('sites', 'allocations', 'reporting-units'), anyValue),
    id: fc.oneof(fc.constantFrom('UTss_O1~UTss_S877', 'OKwr_O1~19390075', 'a~b', '~'), anyValue),
  },
  { requiredKeys: [] },
);

/** Valid arguments, so that answers are tested as well as errors. */
const goodCall = fc
  .record({
    kind: fc.constantFrom('SiteVariableAmounts', 'AggregatedAmounts', 'SiteAllocationAmounts'),
    text: anyText(),
  })
  .chain(({ kind, text }) =>
    fc.constantFrom<readonly [string, object]>(
      ['totals', { kind, filters: { State: ['UT', 'NM'] }, groupBy: ['State'] }],
      ['records', { kind, filters: { County: [`x${text}`] }, limit: 2 }],
      ['find', { query: `x${text}` }],
      ['describe', { kind }],
    ),
  );

const otherMessage = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
  method: fc.oneof(
    fc.constantFrom('resources/read', 'tools/list', 'tools/call', 'initialize', 'server/discover', 'prompts/list'),
    fc.string(),
  ),
  params: fc.oneof(fc.record({ uri: fc.string(), name: fc.string() }), fc.jsonValue()),
});

const OF_TOOLS: Readonly<Record<string, readonly string[]>> = {
  find: ['query', 'kind', 'state'],
  describe: ['organization', 'kind'],
  thing: ['collection', 'id'],
  totals: ['kind', 'filters', 'groupBy', 'orderBy'],
  records: ['kind', 'filters', 'limit'],
};

function createCall([name, drawn]: readonly [string, object]): object {
  const own = Object.entries(drawn).filter(([argument]) => OF_TOOLS[name]?.includes(argument));
  return buildToolCall(name, Object.fromEntries(own));
}

test('answers any arguments within 60 KB, without an internal error and without repeating a key', async () => {
  const runs = countCases(5000, 0.024);
  let answered = 0;
  const message = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(fc.constantFrom(...Object.keys(OF_TOOLS)), anyArguments).map(createCall) },
    { weight: 1, arbitrary: goodCall.map(createCall) },
    { weight: 1, arbitrary: otherMessage },
  );
  await fc.assert(
    fc.asyncProperty(message, async (sent) => {
      const { status, text } = await post(sent);
      expect(status).toBeLessThan(500);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
      expect(text).not.toContain('wdk_');
      // The SDK itself explains what is wrong with a message that does not match the schema of its method.
      if (!/Invalid input|Unrecognized key/.test(text)) expect(text).not.toContain('-32603');
      if (text.includes('"structuredContent"')) answered++;
    }),
    { numRuns: runs },
  );
  expect(answered).toBeGreaterThan(runs / 20);
}, 3_600_000);
