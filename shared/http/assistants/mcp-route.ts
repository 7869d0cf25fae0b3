// POST /mcp: the Model Context Protocol (streamable HTTP, stateless, revision 2026-07-28 and those of 2025) for
// assistants (D67). The official SDK implements the protocol; the pipeline applies keys, limits and deadlines.

import {
  type CallToolRequestParams,
  type CallToolResult,
  createMcpHandler,
  McpServer,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { readProgramVersion } from '../../project-files';
import { shortenForDisplay } from '../../query/access-key-parameter';
import { getBaseUrl } from '../ogc/addresses';
import { listFieldTerms } from '../pages/data-guide-page';
import type { CountMoreRequests } from '../pipeline/authorize';
import { badParameters, methodNotAllowed, type Outcome, type Problem, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import { ToolCall } from './answers';
import { explainUnknownArgument } from './argument-errors';
import { MessageQueue } from './message-queue';
import { isNestedDeeper, MAX_NESTING } from './nesting';
import { readArguments } from './read-arguments';
import { describeDataSets } from './rows';
import { fitResult, fitTable, toErrorResult } from './tool-result';
import { collectChoices, listTools } from './tools';

/** Declares GET and DELETE, so that a client without a key gets a 401 before a 405 (D71). */
export const mcpRoute: Route = { access: 'key or allowance', methods: ['GET', 'POST', 'DELETE'], answer };

/** The maximum body size in bytes. */
const MAX_BODY_BYTES = 32 * 1024;

const MESSAGE_TOO_LARGE: Problem = {
  status: 413,
  title: 'Body too large',
  detail: `The body may have at most ${MAX_BODY_BYTES / 1024} KiB. Name a boundary (county:UT/Cache) instead of drawing it.`,
};

const FOREIGN_ORIGIN: Problem = {
  status: 403,
  title: 'Foreign origin',
  detail: 'Pages of other sites cannot call this endpoint. Call it from a program, without the header Origin.',
};

async function answer(request: HttpRequest, service: Service, countMore: CountMoreRequests): Promise<Outcome> {
  if (request.method !== 'POST') return refuse(methodNotAllowed('POST, OPTIONS'));
  if (!isOwnOrigin(request, service)) return refuse(FOREIGN_ORIGIN);
  if (request.readBody === undefined) {
    const message = 'is missing; send a JSON-RPC message';
    return refuse(badParameters([{ parameter: 'body', message, value: '' }]));
  }
  const body = await request.readBody(MAX_BODY_BYTES);
  if (body === undefined) return refuse(MESSAGE_TOO_LARGE);
  const refusal = countMore(countMessages(body) - 1);
  if (refusal !== undefined) return refusal;
  const call = new ToolCall(service, getBaseUrl(request, service));
  const messages = new MessageQueue();
  const handler = createMcpHandler(() => createServer(call, messages, service), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS)
    if (request.headers.has(name)) headers.set(name, request.headers.get(name) ?? '');
  // The SDK requires both types to be listed; curl sends `*/*`.
  if ((headers.get('accept') ?? '*/*').includes('*/*')) headers.set('accept', 'application/json, text/event-stream');
  const init = { method: 'POST', headers, body: new Uint8Array(body) };
  const response = await handler.fetch(new Request('http://localhost/mcp', init));
  const sent = Buffer.from(await response.arrayBuffer());
  // The SDK would turn this failure into a protocol error, but it must become a 500 or a 503.
  if (messages.failures.length > 0) throw messages.failures[0];
  return {
    kind: 'answer',
    status: response.status,
    body: sent,
    records: call.recordsRead,
    contentType: response.headers.get('content-type') ?? 'application/json',
    headers: { 'Cache-Control': 'no-store' },
  };
}

/**
 * Counts the messages in a body. Returns at least 1, because the SDK also responds to an empty batch, and to anything
 * that is not JSON, with an error.
 */
function countMessages(body: Uint8Array): number {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body).toString());
  } catch {
    return 1;
  }
  return Array.isArray(parsed) ? Math.max(1, parsed.length) : 1;
}

/** The request headers that the protocol uses. */
const FORWARDED_HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Whether the request has no origin, like requests from programs, or comes from a page of the service: the origin of the page is
 * PUBLIC_URL, or both page and service are on loopback. This excludes a foreign host name that resolves to this
 * machine.
 */
function isOwnOrigin({ headers }: HttpRequest, { publicUrl }: Service): boolean {
  const origin = headers.get('origin');
  if (origin === null) return true;
  const isHere = LOOPBACK.test(origin) && LOOPBACK.test(`http://${headers.get('host') ?? ''}`);
  return isHere || (publicUrl !== '' && origin.toLowerCase() === new URL(publicUrl).origin);
}

const INSTRUCTIONS =
  'Water rights, time series of sites and amounts by area, as submitted by states. Use totals for sums. With ' +
  'each figure, give people the address, the units, the caveats and the source of the data.';

/**
 * Creates a server for the supported requests of the protocol. Failures that must not become an answer are added to the
 * queue.
 */
function createServer(call: ToolCall, messages: MessageQueue, service: Service): McpServer {
  // Clients are not notified of changes, because there is no event stream.
  const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };
  const options = { capabilities, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR };
  const mcp = new McpServer({ name: 'water-data-query-service', version: readProgramVersion() }, options);
  const { server } = mcp;
  server.setRequestHandler('tools/list', () =>
    messages.run(async () => {
      return { tools: await getTools(call, service) };
    }),
  );
  server.setRequestHandler('tools/call', ({ params }) => messages.run(() => callTool(call, params)));
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (resource === undefined) throw new ResourceNotFoundError(uri);
    return messages.run(async () => ({ contents: [{ ...resource, text: await resourceText(resource.name, call) }] }));
  });
  return mcp;
}

/**
 * Builds the tools. Their descriptions list values of the published data, so they are cached until the next publish.
 */
async function getTools(call: ToolCall, { store, caches }: Service): Promise<ReturnType<typeof listTools>> {
  const { version } = await store.currentState();
  const cache = caches.getCache<ReturnType<typeof listTools>>('assistantTools');
  const cached = cache.get(version);
  if (cached !== undefined) return cached;
  const read = await call.inventory();
  const tools = listTools(collectChoices(read.ok ? read.value.json.Organizations : []));
  // A failed inventory is not cached.
  if (read.ok && read.value.dataVersion === version) cache.set(version, tools, JSON.stringify(tools).length);
  return tools;
}

/** The SDK requires a validator for answers from the client, but this server never sends requests to a client. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error('no response from a client is expected');
  },
};

const RESOURCES = [
  { name: 'glossary', title: 'Terms of water data' },
  { name: 'vocabulary', title: 'Filter values, by data set' },
].map(({ name, title }) => ({ uri: `waterdata://${name}`, name, title, mimeType: 'text/plain' }));

async function resourceText(name: string, call: ToolCall): Promise<string> {
  if (name === 'glossary')
    return listFieldTerms()
      .map((cells) => cells.join(': '))
      .join('\n');
  const read = await call.inventory();
  return read.ok ? fitTable(describeDataSets(read.value.json.Organizations, [], undefined)) : read.problem;
}

async function callTool(
  call: ToolCall,
  { name, arguments: sentArguments = {} }: CallToolRequestParams,
): Promise<CallToolResult> {
  const tools = listTools(new Map());
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const toolNames = tools.map((one) => one.name).join(', ');
    return toErrorResult(`There is no tool ${shortenForDisplay(name, 100)}. The tools are ${toolNames}.`);
  }
  if (isNestedDeeper(Object.values(sentArguments), MAX_NESTING)) {
    const advice = 'Write filters as an object with names and values, such as {"State": "UT"}.';
    return toErrorResult(`The arguments are nested more than ${MAX_NESTING} levels deep. ${advice}`);
  }
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const problem = explainUnknownArgument(tool.name, names, sentArguments);
  if (problem !== undefined) return toErrorResult(problem);
  const answered = await call[tool.name](readArguments(tool.inputSchema, sentArguments));
  return answered.ok ? fitResult(answered.value) : toErrorResult(answered.problem);
}
