// The package behind the stand-in for the platform: its functions, found by the platform's rule, answer what the local
// host answers (ADR 0148).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeKey } from '../../shared/access/access-keys';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { packageFiles, sendRequests, type TrialAnswer, unpack } from '../../tools/package/package-files';
import type { TrialRequest } from '../../tools/package/stand-in-worker';
import { allocation, buildLookups } from '../fixtures/handmade';
import { PROJECT, runProgram, startHost } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { readTileFeatures, writeTilePath } from '../fixtures/read-tiles';
import { writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { TEST_NOW } from '../fixtures/test-service';

const PREPARING_MS = 120_000;

const folder = createTemporaryFolder();
const app = join(folder, 'app');
const samples = join(folder, 'samples');
const slashes = join(folder, 'slashes');
const { key, record } = makeKey('tester', TEST_NOW.toISOString(), null);

/** Publishes the samples, and gives the answers that the package should give. */
const host = startServerForTests(() => startHost({ WATER_DATA_DIR: samples }));

async function addKey(dataDirectory: string): Promise<void> {
  const store = openEmbeddedStore(dataDirectory);
  await store.keys.add(record);
  await store.close();
}

async function askPackage(dataDirectory: string, requests: readonly TrialRequest[]): Promise<readonly TrialAnswer[]> {
  const withKey = requests.map((request) => ({ key, ...request }));
  return (await sendRequests(app, withKey, { WATER_DATA_DIR: dataDirectory })).answers;
}

async function fetchFromHost(path: string): Promise<Buffer> {
  const headers = { 'x-api-key': host().key, 'accept-encoding': 'identity' };
  const response = await fetch(`http://127.0.0.1:${host().port}${path}`, { headers });
  if (!response.ok) throw new Error(`the local host answers ${path} with ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The paths of the README's links to the service and of its requests. */
function readReadmePaths(): readonly string[] {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  const addresses = readme.matchAll(/http:\/\/127\.0\.0\.1:7071(?<path>\/[^\s"`|]*)/g);
  return [...new Set(Array.from(addresses, ({ groups }) => groups?.['path'] ?? ''))];
}

function readTotal(answer: TrialAnswer | undefined): number {
  return Number(JSON.parse(answer?.text ?? '').TotalWaterAllocationsCount);
}

beforeAll(async () => {
  unpack(packageFiles(), app);
  await addKey(samples);
  const submission = writeSubmission(join(folder, 'submission'), {
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1', StateCV: 'UT', Longitude: -111, Latitude: 40 }],
    'waterallocations.csv': [allocation({ AllocationNativeID: '36/2551', SiteUUID: 'S1' })],
  });
  const { code, errors } = await runProgram('load', [submission], { WATER_DATA_DIR: slashes });
  if (code !== 0) throw new Error(errors);
  await addKey(slashes);
}, PREPARING_MS);

test("answers the README's requests and pages", async () => {
  const paths = [...readReadmePaths(), '/openapi.json', '/ogc'];
  expect(paths.filter((path) => path.startsWith('/v1/SiteVariableAmounts'))).not.toEqual([]);
  const answers = await askPackage(
    samples,
    paths.map((path) => ({ path })),
  );
  expect(answers.map(({ status }, index) => [paths[index], status])).toEqual(paths.map((path) => [path, 200]));
  for (const [index, path] of paths.entries()) {
    if (path.startsWith('/v1/')) expect(answers[index]?.body).toEqual(await fetchFromHost(path));
  }
});

test('answers queries, totals, tiles, exports and places with the same bytes as the local host', async () => {
  const paths = [
    '/v1/SiteVariableAmounts?State=UT&RecordCount=3',
    '/v1/SiteVariableAmounts/Totals?GroupBy=Year',
    '/v1/AggregatedAmounts/Facets?Facet=BeneficialUseCV',
    '/v1/SiteAllocationAmounts?RecordCount=3&format=geojson',
    '/v1/SiteAllocationAmounts/Export?format=csv.gz',
    '/v1/Sites?RecordCount=3',
    '/v1/ReportingUnits?RecordCount=3',
    '/v1/Inventory',
    writeTilePath('sites', { zoom: 0, row: 0, column: 0 }),
    writeTilePath('allocations', { zoom: 0, row: 0, column: 0 }),
    '/V1/sitevariableamounts/totals/?GroupBy=Year',
  ];
  const answers = await askPackage(
    samples,
    paths.map((path) => ({ path })),
  );
  expect(answers.map(({ status }, index) => [paths[index], status])).toEqual(paths.map((path) => [path, 200]));
  expect(answers.map(({ functionName }) => functionName)).toEqual([
    'SiteVariableAmounts',
    'SiteVariableAmounts',
    'AggregatedAmounts',
    'SiteAllocationAmounts',
    'SiteAllocationAmounts',
    'Sites',
    'ReportingUnits',
    'Inventory',
    'Ogc',
    'Ogc',
    'SiteVariableAmounts',
  ]);
  for (const [index, path] of paths.entries()) expect(answers[index]?.body).toEqual(await fetchFromHost(path));
  const tile = answers[8]?.body ?? Buffer.of();
  expect(readTileFeatures({ bytes: tile }, 'sites')).not.toEqual([]);
});

test('opens a right whose identifier has a slash, as a page and as GeoJSON, in either spelling', async () => {
  const items = '/ogc/collections/allocations/items/ORG_1~36';
  const [geojson, page, decoded] = await askPackage(slashes, [
    { path: `${items}%2F2551?f=json` },
    { path: `${items}%2F2551?f=html` },
    { path: `${items}/2551?f=json` },
  ]);
  expect([geojson?.functionName, geojson?.status, page?.status, decoded?.status]).toEqual(['Ogc', 200, 200, 200]);
  expect(JSON.parse(geojson?.text ?? '')).toMatchObject({ id: 'ORG_1~36/2551' });
  expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
  expect(page?.text).toContain('36/2551');
  expect(decoded?.text).toBe(geojson?.text);
});

test('answers a POST with a boundary of 5,000 positions', async () => {
  const ring = Array.from({ length: 4999 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 4999;
    return [-105.5 + 2 * Math.cos(angle), 39 + 2 * Math.sin(angle)];
  });
  const boundary = JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
  const path = '/v1/SiteAllocationAmounts';
  const [inside, all] = await askPackage(samples, [
    { method: 'POST', path, form: { SearchBoundary: boundary, RecordCount: '1' } },
    { method: 'GET', path: `${path}?RecordCount=1` },
  ]);
  expect([inside?.functionName, inside?.status]).toEqual(['SiteAllocationAmounts', 200]);
  expect(readTotal(inside)).toBeGreaterThan(0);
  expect(readTotal(inside)).toBeLessThan(readTotal(all));
});

test('answers 405 itself for a declared method, and leaves paths without a function to the platform', async () => {
  const [patched, unknown, slashed, missing] = await askPackage(samples, [
    { method: 'PATCH', path: '/v1/Sites' },
    { method: 'PROPFIND', path: '/v1/Sites' },
    { path: '//v1/Sites' },
    { path: '/v1/Nothing' },
  ]);
  expect(patched).toMatchObject({ functionName: 'Sites', status: 405, headers: { allow: expect.any(String) } });
  expect([unknown?.functionName, unknown?.status]).toEqual([undefined, 404]);
  expect([slashed?.functionName, slashed?.status]).toEqual([undefined, 404]);
  expect(missing).toMatchObject({
    functionName: 'WebPages',
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  });
});
