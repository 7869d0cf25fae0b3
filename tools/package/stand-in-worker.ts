// Stands in for the platform's host and worker, which are available only on the platform. Loads the app in a folder,
// sends it the requests from standard input, and prints the answers as JSON.
//
// Like the worker, it reads `main` of package.json as a pattern, provides `@azure/functions-core` as a module that only
// `require` in this process can find, and sends requests to the address that the programming model reports for
// HTTP streaming. Like the host, it finds the function for a request by name and route, and answers 404 itself if none
// matches. Like the front end, it decodes `%2F` in paths and passes on the raw address in a header.

import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { createPlatformRouter, type RoutedFunction } from '../../host/platform-router';

interface Binding {
  readonly type: string;
  readonly route?: string;
  readonly methods?: readonly string[];
  readonly schedule?: string;
}

interface Metadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, Binding>>;
}

type Callback = (...args: readonly unknown[]) => unknown;

interface ProgrammingModel {
  getCapabilities(capabilities: object): Promise<{ readonly HttpUri?: string }>;
  getInvocationModel(context: object): {
    getArguments(): Promise<{ readonly context: unknown; readonly inputs: readonly unknown[] }>;
    invokeFunction(context: unknown, inputs: readonly unknown[], callback: Callback): Promise<unknown>;
    getResponse(context: unknown, result: unknown): Promise<unknown>;
  };
}

export interface TrialRequest {
  /** Defaults to GET. */
  readonly method?: string;
  /** The path with the query, as the client sends it. */
  readonly path: string;
  readonly key?: string;
  /** The parameters of a POST (D68). */
  readonly form?: Readonly<Record<string, string>>;
}

/** An answer in the worker's output. */
export interface PrintedAnswer {
  /** The function that the platform's rule selects; undefined if no function matches. */
  readonly functionName?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly base64: string;
}

export interface TrialRun {
  readonly functions: readonly { readonly name: string; readonly trigger: string; readonly at: string }[];
  /** In the order of the requests. */
  readonly answers: readonly PrintedAnswer[];
  /** Milliseconds since the process started. */
  readonly loadedAt: number;
  readonly firstAnswerAt: number;
}

interface RegisteredFunction {
  readonly metadata: Metadata;
  readonly callback: Callback;
}

interface RoutedHttpFunction extends RoutedFunction {
  readonly registered: RegisteredFunction;
}

// eslint-disable-next-line no-restricted-syntax -- the platform's worker keeps its functions for as long as it runs
const registeredFunctions = new Map<string, RegisteredFunction>();

// eslint-disable-next-line no-restricted-syntax -- likewise
let model: ProgrammingModel | undefined;

const core = {
  version: 'stand-in',
  hostVersion: '4.1000.0',
  log: () => undefined,
  registerHook: () => ({ dispose: () => undefined }),
  setProgrammingModel: (newModel: ProgrammingModel) => {
    model = newModel;
  },
  getProgrammingModel: () => model,
  registerFunction: (metadata: Metadata, callback: Callback) => {
    registeredFunctions.set(metadata.name, { metadata, callback });
  },
};

async function run(folder: string, requests: readonly TrialRequest[]): Promise<TrialRun> {
  const load = provideCore();
  // The file is part of this project.
  const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly main: string };
  for (const file of globSync(main, { cwd: folder })) load(resolve(folder, file));
  const loadedAt = performance.now();
  const functions = [...registeredFunctions.values()].map(({ metadata }) => describe(metadata));
  const findFunction = createPlatformRouter([...registeredFunctions.values()].flatMap(readHttpTrigger));
  const answers: PrintedAnswer[] = [];
  let firstAnswerAt = loadedAt;
  for (const request of requests) {
    answers.push(await answer(request, findFunction));
    if (answers.length === 1) firstAnswerAt = performance.now();
  }
  return { functions, answers, loadedAt, firstAnswerAt };
}

function readHttpTrigger(registered: RegisteredFunction): readonly RoutedHttpFunction[] {
  const { name, bindings } = registered.metadata;
  const trigger = Object.values(bindings).find(({ type }) => type === 'httpTrigger');
  if (trigger === undefined) return [];
  // The name of a function without a route is its route.
  const { route = name, methods } = trigger;
  return [{ name, route, methods: methods?.map((method) => method.toUpperCase()), registered }];
}

/** Returns the `require` of this file, which now finds the core module. */
function provideCore(): NodeJS.Require {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- the proxy calls it on what it is called on
  Module.prototype.require = new Proxy(Module.prototype.require, {
    apply: (original, from, args: [string]): unknown =>
      args[0] === '@azure/functions-core' ? core : Reflect.apply(original, from, args),
  });
  return require;
}

async function answer(
  request: TrialRequest,
  findFunction: ReturnType<typeof createPlatformRouter<RoutedHttpFunction>>,
): Promise<PrintedAnswer> {
  const { method = 'GET', path } = request;
  const delivered = decodeSlashes(path);
  const match = findFunction(method, delivered.split('?', 1)[0] ?? '');
  // The platform's own 404 has no body.
  if (match === undefined) return { status: 404, headers: {}, base64: '' };
  const response = await invoke(match.registered, request, delivered);
  return { functionName: match.name, ...response };
}

function decodeSlashes(address: string): string {
  const [path = '', ...query] = address.split('?');
  return [path.replaceAll(/%2F/gi, '/'), ...query].join('?');
}

async function invoke(
  { metadata, callback }: RegisteredFunction,
  { method = 'GET', path, key = '', form }: TrialRequest,
  delivered: string,
): Promise<PrintedAnswer> {
  const { HttpUri: address } = (await model?.getCapabilities({})) ?? {};
  if (model === undefined || address === undefined) throw new Error('the app does not stream HTTP');
  const invocationId = randomUUID();
  const headers = {
    'x-api-key': key,
    'x-ms-invocation-id': invocationId,
    'x-waws-unencoded-url': path,
    'x-forwarded-host': 'localhost',
    'x-forwarded-proto': 'https',
    // Without compression, the headers describe the plain text.
    'accept-encoding': 'identity',
    ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const [trigger = ''] = Object.keys(metadata.bindings);
  const triggerMetadata = { Headers: { json: JSON.stringify(headers) } };
  const request = { inputData: [{ name: trigger, data: {} }], triggerMetadata };
  const invocation = model.getInvocationModel({ invocationId, metadata, request, log: () => undefined });
  const body = form === undefined ? null : new URLSearchParams(form).toString();
  const sent = send(`${address.replace(/\/$/, '')}${delivered}`, { method, headers, body, redirect: 'manual' });
  const { context, inputs } = await invocation.getArguments();
  await invocation.getResponse(context, await invocation.invokeFunction(context, inputs, callback));
  return sent;
}

async function send(url: string, init: RequestInit): Promise<PrintedAnswer> {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), base64: bytes.toString('base64') };
}

function describe({ name, bindings }: Metadata): TrialRun['functions'][number] {
  const [trigger] = Object.values(bindings);
  return { name, trigger: trigger?.type ?? '', at: trigger?.route ?? trigger?.schedule ?? '' };
}

const [folder = '.'] = process.argv.slice(2);

async function main(): Promise<TrialRun> {
  // Written by package-files.ts.
  return run(folder, (await json(process.stdin)) as readonly TrialRequest[]);
}

main().then(
  // The app's server would keep the process alive.
  (result) => process.stdout.write(JSON.stringify(result), () => process.exit(0)),
  (error: unknown) => process.stderr.write(String(error), () => process.exit(1)),
);
