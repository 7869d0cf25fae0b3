// Stands in for the platform's worker, which is not available without the platform. Loads the app in a folder, sends
// one request through it, and prints the result as JSON.
//
// Like the worker, it reads `main` of package.json as a pattern, offers `@azure/functions-core` as a module that only
// `require` inside the process finds, and sends a request to the address that the programming model names for HTTP
// streaming.

import { globSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve } from 'node:path';

interface Metadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, { readonly type: string; route?: string; schedule?: string }>>;
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

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface TrialResult extends Answer {
  readonly functions: readonly { readonly name: string; readonly trigger: string; readonly at: string }[];
  /** Milliseconds since the process started. */
  readonly loadedAt: number;
  readonly answeredAt: number;
}

const INVOCATION_ID = '00000000-0000-4000-8000-000000000001';

// eslint-disable-next-line no-restricted-syntax -- the platform's worker keeps its functions for as long as it runs
const registered = new Map<string, { readonly metadata: Metadata; readonly callback: Callback }>();

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
    registered.set(metadata.name, { metadata, callback });
  },
};

/** `name` names the function, `path` has the query; the key goes in the header. */
async function run(folder: string, name: string, path: string, key: string): Promise<TrialResult> {
  const load = provideCore();
  // Our own file.
  const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly main: string };
  for (const file of globSync(main, { cwd: folder })) load(resolve(folder, file));
  const loadedAt = performance.now();
  const answer = await invoke(name, path, key);
  const functions = [...registered.values()].map(({ metadata }) => describe(metadata));
  return { functions, ...answer, loadedAt, answeredAt: performance.now() };
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

async function invoke(name: string, path: string, key: string): Promise<Answer> {
  const registeredFunction = registered.get(name);
  if (model === undefined || registeredFunction === undefined) {
    throw new Error(`the app registered ${[...registered.keys()].sort().join(', ')} and not ${name}`);
  }
  const { HttpUri: address } = await model.getCapabilities({});
  if (address === undefined) throw new Error('the app does not stream HTTP');
  const { metadata, callback } = registeredFunction;
  const [trigger = ''] = Object.keys(metadata.bindings);
  const triggerMetadata = { Headers: { json: JSON.stringify({ 'x-api-key': key }) } };
  const request = { inputData: [{ name: trigger, data: {} }], triggerMetadata };
  const invocation = model.getInvocationModel({ invocationId: INVOCATION_ID, metadata, request, log: () => undefined });
  const answer = send(`${address.replace(/\/$/, '')}${path}`);
  const { context, inputs } = await invocation.getArguments();
  await invocation.getResponse(context, await invocation.invokeFunction(context, inputs, callback));
  return answer;
}

async function send(url: string): Promise<Answer> {
  const forwarded = { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' };
  // Without compression the headers are those of the text.
  const headers = { 'x-ms-invocation-id': INVOCATION_ID, 'accept-encoding': 'identity', ...forwarded };
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}

function describe({ name, bindings }: Metadata): TrialResult['functions'][number] {
  const [trigger] = Object.values(bindings);
  return { name, trigger: trigger?.type ?? '', at: trigger?.route ?? trigger?.schedule ?? '' };
}

const [folder = '.', name = '', path = '', key = ''] = process.argv.slice(2);

run(folder, name, path, key).then(
  // The app's server would keep the process.
  (result) => process.stdout.write(JSON.stringify(result), () => process.exit(0)),
  (error: unknown) => process.stderr.write(String(error), () => process.exit(1)),
);
