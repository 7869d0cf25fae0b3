// Exactly the paths in the table of docs/operating/open-without-a-key.md are open without a key (D54). Requests go
// through a minimal proxy on the same machine that adds no headers.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpFunctions } from '../../functions/http-functions';
import { PROJECT, sendRequest, startHost } from '../fixtures/host-process';
import { startBreakingProxy, startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const environment = {
  WATER_DATA_DIR: join(folder, 'data'),
  SUBMISSIONS_INBOX: createTemporaryFolder(),
  SUBMISSIONS_HTTP: 'submit',
  LOAD_SAMPLES: 'false',
};

const host = startServerForTests(() => startHost(environment));
const proxy = startServerForTests(() => startBreakingProxy(host().port, Infinity));

/** The first column of the table, whose cells may name several paths. */
function openPaths(): readonly string[] {
  const text = readFileSync(join(PROJECT, 'docs', 'operating', 'open-without-a-key.md'), 'utf8');
  const [, section = ''] = text.split('## Open without a key');
  const [table = ''] = section.split('\n## ');
  const cells = [...table.matchAll(/^\| (`\/.*?) +\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path));
}

/** Paths that need a key although the table's asterisk would include them. */
const DATA_BELOW_COLLECTIONS = /^\/ogc\/collections\/[^/]+\/(items$|tiles\/WebMercatorQuad\/\d)/;

/** Paths that accept only POST. */
const POSTED = /^\/mcp$|^\/v1\/Submissions\/(?:Checks|x\/Confirmation)$/;

/** A path of each function and of each described operation, with examples for path parameters. */
function allPaths(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8')) as { paths: object };
  const routes = httpFunctions.map(({ route }) => `/${route.replace(/\/?\{\*path\}$/, '')}`);
  const collections = ['sites', 'reporting-units', 'allocations', 'site-amounts', 'aggregated-amounts'];
  const below = collections.flatMap((id) => ['', '/queryables', '/items', '/items/a~b'].map((part) => `${id}${part}`));
  const examples: Readonly<Record<string, string>> = {
    tileMatrix: '0',
    tileRow: '0',
    tileCol: '0',
    Release: '0'.repeat(32),
    Name: 'records.parquet',
  };
  const filled = Object.keys(paths).map((path) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? 'x'),
  );
  const others = ['/ogc/api', '/ogc/conformance', '/ogc/collections', '/favicon.ico', '/docs/pages.css'];
  const tiles = ['sites', 'allocations'].map((id) => `/ogc/collections/${id}/tiles/WebMercatorQuad/0/0/0`);
  const described = below.map((path) => `/ogc/collections/${path}`);
  return [...new Set([...routes, ...filled, ...described, ...others, ...tiles])];
}

test('exactly the documented paths are open without a key behind a proxy', async () => {
  const open = openPaths();
  expect(open.length).toBeGreaterThan(10);
  const isOpen = (path: string): boolean =>
    !DATA_BELOW_COLLECTIONS.test(path) &&
    open.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one));
  const paths = allPaths();
  const wrong: unknown[] = [];
  for (const path of paths) {
    for (const headers of [{}, { 'x-requested-with': 'explorer', 'sec-fetch-site': 'same-origin' }]) {
      const { status } = await sendRequest(proxy().port, path, headers, POSTED.test(path) ? 'POST' : 'GET');
      if (isOpen(path) ? status === 401 : status !== 401) wrong.push({ path, isOpen: isOpen(path), status });
    }
  }
  expect(wrong).toEqual([]);
  expect(paths.filter((path) => !isOpen(path)).length).toBeGreaterThan(25);
  for (const path of open.filter((one) => !one.endsWith('*'))) {
    expect([path, (await sendRequest(proxy().port, path)).status]).toEqual([path, 200]);
  }
});

test('with a key, the answers behind the proxy are the same as without one', async () => {
  const headers = { 'x-api-key': host().key };
  for (const path of ['/v1/SiteVariableAmounts', '/metrics', '/v1/SiteVariableAmounts/Export?format=csv.gz']) {
    expect([path, (await sendRequest(proxy().port, path, headers)).status]).toEqual([path, 200]);
  }
});
