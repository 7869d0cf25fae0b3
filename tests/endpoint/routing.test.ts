// Every address in the service's answers and documents reaches the function that owns it, by the platform's rule (ADR
// 0148).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpFunctions } from '../../functions/http-functions';
import { createPlatformRouter, type RoutedFunction } from '../../host/platform-router';
import { HTTP_METHODS } from '../../shared/http/pipeline/service';
import { formerFunctions } from '../fixtures/former-functions';
import { PROJECT } from '../fixtures/host-process';
import { createOgcService } from '../fixtures/ogc-service';
import { readProjectFiles } from '../fixtures/project-text';
import { readSitemap, SITE } from '../fixtures/sitemap-reading';

interface Address {
  readonly method: string;
  readonly path: string;
}

const ORIGIN = 'http://localhost';

const { service } = createOgcService();

/** The function that owns an address, by its first segments. Written independently of the routes of functions. */
function findOwner(path: string): string {
  const [first = '', second = ''] = path.slice(1).split(/[/?#]/);
  if (first === 'v1' && second !== '') return second;
  const owners: Readonly<Record<string, string>> = { ogc: 'Ogc', mcp: 'Mcp', health: 'Health', metrics: 'Metrics' };
  return owners[first] ?? 'WebPages';
}

/** The function that 1.0.0 intended for an address: the matching function with the longest route. */
function findFormerOwner(path: string): string {
  const matching = formerFunctions.filter((declared) => createPlatformRouter([declared])('GET', path) !== undefined);
  const [longest] = matching.toSorted((one, other) => other.route.length - one.route.length);
  return longest?.name ?? 'nothing';
}

/** The addresses that reach no function, or a function that does not own them. */
function findMisrouted(
  functions: readonly RoutedFunction[],
  addresses: readonly Address[],
  findOwnerName: (path: string) => string,
): readonly string[] {
  const findFunction = createPlatformRouter(functions);
  return addresses
    .map(({ method, path }) => ({ method, path: path.split(/[?#]/, 1)[0] ?? '' }))
    .map(({ method, path }) => ({
      address: `${method} ${path}`,
      owner: findOwnerName(path),
      reached: findFunction(method, path)?.name ?? 'nothing',
    }))
    .filter(({ owner, reached }) => owner !== reached)
    .map(({ address, owner, reached }) => `${address} reaches ${reached}, not ${owner}`);
}

function listOpenApiAddresses(): readonly Address[] {
  const text = readFileSync(join(PROJECT, 'docs/openapi.json'), 'utf8');
  // The file is part of this project.
  const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, object>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => method.toUpperCase())
      .filter((method) => HTTP_METHODS.some((known) => known === method))
      .map((method) => ({ method, path: fillTemplate(path) })),
  );
}

function fillTemplate(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '0');
}

/** Matches addresses of the service in documents: after its origin, or as a path in code. */
const DOCUMENTED =
  /(?:https?:\/\/(?:HOST|127\.0\.0\.1:7071|localhost:7071)|`(?:GET |POST )?)(?<path>\/(?:v1|ogc|mcp|health|metrics|docs|explore|submit|downloads|keys|openapi\.json|data\.json|releases\.atom|sitemap\.xml|robots\.txt|favicon\.ico)(?:[/?][^\s`"'<>*)…]*)?)(?=[\s`"'<>)])/g;

function listDocumentedAddresses(): readonly Address[] {
  const documents = readProjectFiles(['docs', 'clients', 'explorer', '.']).filter(
    // Decision records describe the past.
    ({ path }) => path.endsWith('.md') && !path.startsWith('docs/adr/') && path !== 'CHANGELOG.md',
  );
  const paths = documents.flatMap(({ text }) =>
    Array.from(text.matchAll(DOCUMENTED), ({ groups }) => fillTemplate(groups?.['path'] ?? '')),
  );
  return [...new Set(paths)].map((path) => ({ method: 'GET', path }));
}

async function listLandingPageAddresses(): Promise<readonly Address[]> {
  const { text } = await service.get('/');
  const links = Array.from(text.matchAll(/\b(?:href|src|action)="(?<link>[^"#]+)/g), ({ groups }) => groups?.['link']);
  const urls = links.map((link = '') => new URL(link.replaceAll('&amp;', '&'), `${ORIGIN}/`));
  return toAddresses(urls.filter(({ origin }) => origin === ORIGIN));
}

async function listSitemapAddresses(): Promise<readonly Address[]> {
  const entries = await readSitemap(service, service.service);
  const pages = entries.flatMap(({ address, part }) => [address.slice(SITE.length), part]);
  return ['/sitemap.xml', ...new Set(pages)].map((path) => ({ method: 'GET', path: path === '' ? '/' : path }));
}

/** All addresses that the documents of the OGC API link to, from the landing page on. */
async function crawlOgcAddresses(): Promise<readonly Address[]> {
  const seen = new Set<string>();
  const queue = [`${ORIGIN}/ogc`];
  for (let href = queue.shift(); href !== undefined; href = queue.shift()) {
    const path = fillTemplate(href.slice(ORIGIN.length));
    if (!href.startsWith(ORIGIN) || seen.has(path)) continue;
    seen.add(path);
    const { headers, text } = await service.getWith(path, { accept: 'application/json' });
    if (headers['Content-Type']?.includes('json') === true) queue.push(...findLinks(JSON.parse(text)));
  }
  return [...seen].map((path) => ({ method: 'GET', path }));
}

function findLinks(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'href' in value && typeof value.href === 'string' ? [value.href] : [];
  return [...own, ...Object.values(value).flatMap(findLinks)];
}

function toAddresses(urls: readonly URL[]): readonly Address[] {
  return [...new Set(urls.map(({ pathname, search }) => `${pathname}${search}`))].map((path) => ({
    method: 'GET',
    path,
  }));
}

describe.each([
  ['OpenAPI', listOpenApiAddresses],
  ['the documents', listDocumentedAddresses],
  ['the landing page', listLandingPageAddresses],
  ['the sitemap', listSitemapAddresses],
  ['the link trees of the OGC API', crawlOgcAddresses],
])('the addresses of %s', (_, listAddresses) => {
  let addresses: readonly Address[];

  beforeAll(async () => {
    addresses = await listAddresses();
  });

  test('reach the functions that own them', () => {
    expect(addresses.length).toBeGreaterThan(5);
    expect(findMisrouted(httpFunctions, addresses, findOwner)).toEqual([]);
  });

  test('reach them in any letter case and with a trailing slash', () => {
    const variants = addresses.map(({ method, path }) => {
      const [plain = ''] = path.split(/[?#]/, 1);
      return { method, path: plain.endsWith('/') ? plain : `${plain}/` };
    });
    expect(findMisrouted(httpFunctions, variants, findOwner)).toEqual([]);
    const findFunction = createPlatformRouter(httpFunctions);
    const others = variants.filter(
      ({ method, path }) => findFunction(method, path.toLowerCase()) !== findFunction(method, path),
    );
    expect(others).toEqual([]);
  });

  test('did not all reach the intended functions in 1.0.0', () => {
    expect(findMisrouted(formerFunctions, addresses, findFormerOwner)).not.toEqual([]);
  });
});

test('with the function names of 1.0.0, two of the three endpoints reached the function for unknown paths', () => {
  const endpoints = ['SiteVariableAmounts', 'AggregatedAmounts', 'SiteAllocationAmounts'];
  const addresses = endpoints.map((name) => ({ method: 'GET', path: `/v1/${name}` }));
  expect(findMisrouted(formerFunctions, addresses, findFormerOwner)).toEqual([
    'GET /v1/SiteVariableAmounts reaches OtherPaths, not SiteVariableAmounts',
    'GET /v1/SiteAllocationAmounts reaches OtherPaths, not SiteAllocationAmounts',
  ]);
  expect(findMisrouted(httpFunctions, addresses, findOwner)).toEqual([]);
});

test('each function except WebPages has a path that no other function has', () => {
  const findFunction = createPlatformRouter(httpFunctions);
  for (const { name, route } of httpFunctions) {
    const base = `/${route.replace(/\/?\{\*path\}$/, '')}`;
    const reached = [base, `${base}/`, `${base}/a/b`].map((path) => findFunction('GET', path.replace('//', '/'))?.name);
    expect(reached).toEqual([name, name, name]);
  }
});

test('the three endpoints of the specification come first', () => {
  expect(httpFunctions.slice(0, 3).map(({ name }) => name)).toEqual([
    'SiteVariableAmounts',
    'AggregatedAmounts',
    'SiteAllocationAmounts',
  ]);
});

test.each(httpFunctions.map(({ name, route }) => [name, `/${route.replace(/\/?\{\*path\}$/, '')}`] as const))(
  '%s answers 405 or 404 itself to a method that it does not offer',
  async (_, path) => {
    const { status, headers } = await service.get(path, undefined, 'PATCH');
    expect([404, 405]).toContain(status);
    expect(headers['X-Request-Id']).toEqual(expect.any(String));
    expect(headers['Allow'] !== undefined).toBe(status === 405);
  },
);

test.each(['//v1/Sites', '//', '/v1//Sites'])('%s reaches no function and is a 404', async (path) => {
  expect((await service.get(path)).status).toBe(404);
});

test('a path below a resource without a route is a 404 of that resource', async () => {
  const { status, text } = await service.get('/v1/Sites/Nothing');
  expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ status: 404 })]);
});
