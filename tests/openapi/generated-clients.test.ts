// Clients that people generate from the OpenAPI document compile under strict rules and return complete answers (D80).

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { loadSamples } from '../../host/load-samples';
import { PROJECT } from '../fixtures/host-process';
import { solveChallenge, withInstantKeys } from '../fixtures/key-requests';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { type Answer, createTestService, requestService } from '../fixtures/test-service';
import { type Bodies, type ClientCall, listCalls, writeHeyApiCalls, writeOpenapiFetchCalls } from './client-calls';

const run = promisify(execFile);
const samples = createTestService();
const instant = withInstantKeys(samples.service);
const folder = createTemporaryFolder();
const packages = join(PROJECT, 'tests', 'node_modules');
const document = join(PROJECT, 'docs', 'openapi.json');
const calls = listCalls();
const environment = { PATH: process.env['PATH'], HOME: folder };

interface Generator {
  readonly name: string;
  readonly generate: (target: string) => Promise<unknown>;
  readonly writeCalls: (calls: readonly ClientCall[], bodies: Bodies) => string;
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: (target) => runTool('openapi-typescript/bin/cli.js', [document, '--output', join(target, 'paths.ts')]),
    writeCalls: writeOpenapiFetchCalls,
  },
  {
    name: 'hey-api',
    generate: (target) => runTool('@hey-api/openapi-ts/bin/run.js', ['--input', document, '--output', target]),
    writeCalls: writeHeyApiCalls,
  },
];

function runTool(script: string, args: readonly string[]): Promise<unknown> {
  return run(process.execPath, [join(packages, script), ...args], { cwd: folder, env: environment });
}

beforeAll(async () => {
  await loadSamples(samples.store, { stagingDirectory: join(samples.folder, 'staging') });
  await samples.makeFiles();
});

describe.each(generators)('a client made by $name', ({ name, generate, writeCalls }) => {
  const target = join(folder, name);
  const answers: Answer[] = [];
  let results: Readonly<Record<string, unknown>>;

  test('compiles under strict rules, with a call of every operation', async () => {
    mkdirSync(target);
    await generate(target);
    const proof = await solveChallenge(instant);
    const bodies = {
      // Generated clients send null for unset members.
      RequestKey: JSON.stringify({
        Name: 'Zenobia Quill',
        Email: 'zenobia@mail.example.org',
        Purpose: null,
        Proof: proof,
      }),
      ClaimKey: JSON.stringify({ Token: 'A'.repeat(48) }),
    };
    writeFileSync(join(target, 'calls.ts'), writeCalls(calls, bodies));
    writeFileSync(join(target, 'tsconfig.json'), JSON.stringify(TYPE_CHECK));
    const compiler = join(PROJECT, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
    const checked = await run(process.execPath, [compiler, '--strict', '--project', target]).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(checked.stdout).toBe('');
  }, 60_000);

  test('returns every answer as it was sent', async () => {
    const outfile = join(target, 'calls.cjs');
    const entryPoints = [join(target, 'calls.ts')];
    await esbuild.build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', nodePaths: [packages] });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the test has just written it
    const { callAll } = require(outfile) as { readonly callAll: CallAll };
    results = await callAll(recordInto(answers, await issueKey()), samples.key);
    expect(Object.keys(results)).toEqual(calls.map(({ operationId }) => operationId));
    for (const [index, { operationId, hasBytes }] of calls.entries()) {
      const answer = answers[index];
      const result = results[operationId];
      const bytes = result instanceof Blob ? await result.arrayBuffer() : result;
      const isWhole = hasBytes ? Buffer.from(bytes as ArrayBuffer).equals(answer?.bytes ?? Buffer.alloc(0)) : true;
      expect({ operationId, status: answer?.status, isWhole }).toEqual({ operationId, ...expectation(operationId) });
      if (!hasBytes && answer?.status === 200) expect(result).toEqual(answer.json);
    }
  }, 60_000);

  test('returns files and tiles with content', () => {
    const lengths = calls.flatMap(({ hasBytes }, index) => (hasBytes ? [answers[index]?.bytes.length ?? 0] : []));
    expect(lengths.filter((length) => length === 0)).toEqual([]);
    expect(lengths.length).toBeGreaterThan(9);
  });
});

type CallAll = (fetch: typeof globalThis.fetch, key: string) => Promise<Readonly<Record<string, unknown>>>;

const TYPE_CHECK = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    paths: { 'openapi-fetch': [join(packages, 'openapi-fetch')] },
  },
  files: ['calls.ts'],
};

/** There is no token from a mail here; every other call succeeds. */
function expectation(operationId: string): { readonly status: number; readonly isWhole: boolean } {
  const others: Readonly<Record<string, number>> = { ClaimKey: 410, RequestKey: 201, RotateKey: 201, DeleteKey: 204 };
  return { status: others[operationId] ?? 200, isWhole: true };
}

async function issueKey(): Promise<string> {
  const body = { Name: 'Yorick Vale', Email: 'yorick@mail.example.org', Proof: await solveChallenge(instant) };
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body), address: '192.0.2.7' };
  const { json } = await requestService(instant, '/v1/Keys/Requests', sent);
  return (json as { readonly Key: string }).Key;
}

/** Calls the service without a socket and records its answers. `ownKey` is used for operations on the key itself. */
function recordInto(answers: Answer[], ownKey: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    const body = new Uint8Array(await request.arrayBuffer());
    expect(headers['x-api-key']).toBe(samples.key);
    const key = url.pathname.startsWith('/v1/Keys/Own') ? ownKey : samples.key;
    const sent = { method: request.method, headers: { ...headers, 'x-api-key': key }, body, address: '192.0.2.8' };
    const answer = await requestService(instant, url.pathname + url.search, sent);
    answers.push(answer);
    const content = answer.status === 204 ? null : Buffer.from(answer.bytes);
    return new Response(content, { status: answer.status, headers: answer.headers });
  };
}
