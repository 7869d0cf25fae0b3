// POST /mcp: the Model Context Protocol (streamable HTTP, stateless, revision 2026-07-28 and those of 2025) for
// assistants (D67). The official SDK speaks the protocol; keys, limits and deadlines are those of the pipeline.

import {
  type CallToolRequestParams,
  type CallToolResult,
  createMcpHandler,
  McpServer,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { readProgramVersion } from '../../project-files';
import { shortenForDisplay } from '../../query/access-key-parameter';
import type { Item } from '../../records/record-references';
import { getBaseUrl } from '../ogc/addresses';
import { listFieldTerms } from '../pages/data-guide-page';
import { badParameters, type Outcome, type Problem, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { type ToolAnswer, ToolCall } from './answers';
import { describeDataSets } from './rows';
import { collectChoices, listTools } from './tools';

export const mcpRoute: Route = { access: 'key or allowance', methods: ['POST'], answer };

const FOREIGN_ORIGIN: Problem = {
  status: 403,
  title: 'Foreign origin',
  detail: 'A page of another site cannot ask here. Programs send no header Origin.',
};

async function answer(request: HttpRequest, service: Service): Promise<Outcome> {
  if (!isOwnOrigin(request, service)) return refuse(FOREIGN_ORIGIN);
  const body = await request.readBody?.();
  if (body === undefined) {
    const message = 'must be there and have at most 32 KiB; name a boundary instead of drawing it';
    return refuse(badParameters([{ parameter: 'body', message, value: '' }]));
  }
  const call = new ToolCall(service, getBaseUrl(request, service));
  const failures: unknown[] = [];
  const handler = createMcpHandler(() => createServer(call, failures), { maxSubscriptions: 0, keepAliveMs: 0 });
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS)
    if (request.headers.has(name)) headers.set(name, request.headers.get(name) ?? '');
  const init = { method: 'POST', headers, body: new Uint8Array(body) };
  const response = await handler.fetch(new Request('http://localhost/mcp', init));
  const sent = Buffer.from(await response.arrayBuffer());
  // The SDK would make an error of the protocol of what must become a 500 or a 503.
  if (failures.length > 0) throw failures[0];
  return {
    kind: 'answer',
    status: response.status,
    body: sent,
    records: call.recordsRead,
    contentType: response.headers.get('content-type') ?? 'application/json',
    headers: { 'Cache-Control': 'no-store' },
  };
}

/** The headers that the protocol knows. */
const FORWARDED_HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * A browser names the origin of the page that asks. It must be a page of the service by its own address, or of this
 * machine where the service is asked on this machine: a name that somebody lets point here is neither.
 */
function isOwnOrigin({ headers }: HttpRequest, { publicUrl }: Service): boolean {
  const origin = headers.get('origin');
  if (origin === null) return true;
  const isHere = LOOPBACK.test(origin) && LOOPBACK.test(`http://${headers.get('host') ?? ''}`);
  return isHere || (publicUrl !== '' && origin.toLowerCase() === new URL(publicUrl).origin);
}

const INSTRUCTIONS =
  'Water rights, time series of sites and amounts by area, as states have submitted them. Ask totals for sums, and ' +
  'give people the address, the units, the caveats and whose data it is with each figure.';

/** The requests of the protocol that are answered. The argument `failures` takes what must not become an answer. */
function createServer(call: ToolCall, failures: unknown[]): McpServer {
  const capabilities = { tools: {}, resources: {} };
  const options = { capabilities, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR };
  const mcp = new McpServer({ name: 'water-data-query-service', version: readProgramVersion() }, options);
  const { server } = mcp;
  const recordFailure = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  server.setRequestHandler('tools/list', () =>
    recordFailure(async () => {
      const read = await call.inventory();
      return { tools: listTools(collectChoices(read.ok ? read.value.json.Organizations : [])) };
    }),
  );
  server.setRequestHandler('tools/call', ({ params }) => recordFailure(() => callTool(call, params)));
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (resource === undefined) throw new ResourceNotFoundError(uri);
    return recordFailure(async () => ({ contents: [{ ...resource, text: await resourceText(resource.name, call) }] }));
  });
  return mcp;
}

/** Nothing is ever asked of the client, whose answer would be validated. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error('no answer of a client is expected');
  },
};

const RESOURCES = [
  { name: 'glossary', title: 'Words of the field' },
  { name: 'vocabulary', title: 'Values of filters, by data set' },
].map(({ name, title }) => ({ uri: `waterdata://${name}`, name, title, mimeType: 'text/plain' }));

async function resourceText(name: string, call: ToolCall): Promise<string> {
  if (name === 'glossary')
    return listFieldTerms()
      .map((cells) => cells.join(': '))
      .join('\n');
  const read = await call.inventory();
  return read.ok ? formatTable(describeDataSets(read.value.json.Organizations, [], undefined)) : read.problem;
}

async function callTool(
  call: ToolCall,
  { name, arguments: given = {} }: CallToolRequestParams,
): Promise<CallToolResult> {
  const tools = listTools(new Map());
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const known = tools.map((one) => one.name).join(', ');
    return toErrorResult(`There is no tool ${shortenForDisplay(name, 100)}. The tools are ${known}.`);
  }
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const unknown = Object.keys(given).find((one) => !names.includes(one));
  if (unknown !== undefined) {
    return toErrorResult(
      `${name} takes no ${shortenForDisplay(unknown, 100)}, but ${names.join(', ')}. What narrows the data goes into filters.`,
    );
  }
  const answered = await call[tool.name](given);
  return answered.ok ? fitResult(answered.value) : toErrorResult(answered.problem);
}

function toErrorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Bounds a result; what the protocol writes around it is under 2 KB. */
const MAX_RESULT_BYTES = 58_000;

/** As many of the rows as fit. */
function fitResult(answer: ToolAnswer): CallToolResult {
  let { rows } = answer;
  for (;;) {
    const result = formatResult(answer, rows);
    if (Buffer.byteLength(JSON.stringify(result)) <= MAX_RESULT_BYTES) return result;
    if (rows.length === 0)
      return toErrorResult('The answer would be too long. Ask for fewer values, or name the boundary.');
    rows = rows.slice(0, Math.floor(rows.length * 0.8));
  }
}

function formatResult(
  { rowsAre, rows: all, caveats: said, address, dataVersion, matched, units, licences }: ToolAnswer,
  rows: readonly Item[],
): CallToolResult {
  const cut =
    rows.length < all.length ? [`Only the first ${rows.length} of ${all.length} rows fit: ask for less.`] : [];
  const caveats = [...cut, ...said];
  const lines = [
    `${rows.length} of ${matched} ${rowsAre}, data version ${dataVersion}`,
    formatTable(rows),
    ...caveats.map((caveat) => `Note: ${caveat}`),
    ...Object.entries(units).map(([name, unit]) => `Unit of ${name}: ${String(unit)}`),
    `Source: ${licences.map(({ organization, license }) => `${String(organization)} (licence ${String(license)})`).join('; ')}`,
    `Address: ${address}`,
  ];
  const structuredContent = { address, dataVersion, shown: rows.length, matched, rows, units, licences, caveats };
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent };
}

/** A table of the members in which rows differ, behind those that are the same in all. */
function formatTable(rows: readonly Item[]): string {
  const formatCell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isSame = (name: string): boolean => new Set(rows.map((row) => formatCell(row[name]))).size === 1;
  const same = names.filter(isSame).map((name) => `${name}: ${formatCell(rows[0]?.[name])}`);
  const columns = names.filter((name) => !isSame(name));
  if (columns.length === 0) return same.join('\n');
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return [...same, ...lines.map((cells) => cells.map(formatCell).join(' | '))].join('\n');
}
