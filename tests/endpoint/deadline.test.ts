// A request that passes its deadline, or whose client has gone, is given up between two chunks of places or geometries
// that it searches (ADR 0006), and gives way to others there (ADR 0058).

import { HttpRequest } from '@azure/functions';
import type { HttpAnswer } from '../../shared/http/pipeline/service';
import { operationFunction } from '../../shared/http/v1/operations';
import { siteVariableAmounts } from '../../shared/query/operations';
import { lookupsOf, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const SITES = 600;
/** Areas across the northern edge of the boundary below: the search reads and decides them one by one. */
const AREAS = 40;
const AROUND_ALL = 'SearchBoundary=POLYGON((-120+30,-100+30,-100+45,-120+45,-120+30))';

beforeAll(async () => {
  const sites = Array.from({ length: SITES }, (_, index) => `S${index}`);
  const areas = Array.from({ length: AREAS }, (_, index) => `A${index}`);
  await service.load({
    ...lookupsOf(),
    'sites.csv': [
      ...sites.map((SiteUUID, index) => ({ SiteUUID, Longitude: -112 + index / SITES, Latitude: 40 })),
      ...areas.map((SiteUUID, index) => {
        const west = -119 + index / 10;
        return { SiteUUID, Geometry: `POLYGON((${west} 44, ${west + 1} 44, ${west + 1} 46, ${west} 46, ${west} 44))` };
      }),
    ],
    'sitespecificamounts.csv': [...sites, ...areas].map((SiteUUID) => siteAmount({ SiteUUID })),
  });
});

/** Asks a service whose clock goes on by `seconds` at each reading; the client goes at the reading `closedAt`. */
async function ask(
  query: string,
  seconds: number,
  closedAt?: number,
): Promise<HttpAnswer & { readonly looks: number }> {
  let looks = 0;
  const whenClosed: (() => void)[] = [];
  const clock = (): number => {
    if (looks === closedAt) for (const act of whenClosed) act();
    return 1000 * seconds * looks++;
  };
  const url = `http://localhost/v1/SiteVariableAmounts?RecordCount=1&${query}`;
  const request = new HttpRequest({ method: 'GET', url, headers: { 'x-api-key': service.key } });
  const asked = Object.assign(request, { onClosed: (act: () => void) => whenClosed.push(act) });
  const { status, headers } = await operationFunction(siteVariableAmounts).handle(asked, { ...service.service, clock });
  return { status, headers, looks };
}

test('a boundary around many places is a 503 with Retry-After once the deadline has passed', async () => {
  expect(await ask(AROUND_ALL, 20)).toMatchObject({
    status: 503,
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as unknown, 'Content-Type': 'application/problem+json' },
  });
});

test('the same request is answered in time, and then from the cache', async () => {
  expect(await ask(AROUND_ALL, 0.1)).toMatchObject({ status: 200 });
  expect(await ask(AROUND_ALL, 20)).toMatchObject({ status: 200 });
});

/** Polygons that nobody asked for before. */
const aroundAll = (south: number): string => AROUND_ALL.replaceAll('+30', `+${south}`);

test('a small request is answered while a long search goes on', async () => {
  const answered: string[] = [];
  const asked = [
    { name: 'long', query: aroundAll(31) },
    { name: 'small', query: 'SiteUUID=S7' },
    { name: 'long too', query: aroundAll(32) },
    { name: 'small too', query: 'SiteUUID=S8' },
  ];
  const answers = asked.map(async ({ name, query }) => {
    // Each look at the clock is later than a slice lasts.
    const { status, headers } = await ask(query, 0.01);
    answered.push(name);
    return { status, total: headers['X-Total-Count'] };
  });
  const all = { status: 200, total: String(SITES + AREAS) };
  const one = { status: 200, total: '1' };
  expect(await Promise.all(answers)).toEqual([all, one, all, one]);
  expect(answered.slice(0, 2).sort()).toEqual(['small', 'small too']);
});

test('an order that takes long to sort gives way to a small request', async () => {
  const answered: string[] = [];
  const asked = [
    { name: 'long', query: 'OrderBy=-Amount', total: SITES + AREAS },
    { name: 'small', query: 'SiteUUID=S9', total: 1 },
  ];
  const answers = asked.map(async ({ name, query, total }) => {
    const { status, headers } = await ask(query, 0.01);
    answered.push(name);
    expect([status, headers]).toMatchObject([200, { 'X-Total-Count': String(total) }]);
  });
  await Promise.all(answers);
  expect(answered).toEqual(['small', 'long']);
});

test('a search whose client has gone ends where it would have given way, without an error', async () => {
  const { status, looks } = await ask(aroundAll(33), 0.01, 20);
  expect(status).toBe(503);
  expect(looks).toBeLessThan(25);
  expect((await ask(aroundAll(33), 0.01)).looks).toBeGreaterThan(AREAS);
});
