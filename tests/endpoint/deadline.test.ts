// A request that passes its deadline is given up between two places that it searches (ADR 0037).

import { HttpRequest } from '@azure/functions';
import { siteVariableAmountsFunction } from '../../functions/site-variable-amounts';
import { lookupsOf, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const SITES = 600;
const AROUND_ALL = 'SearchBoundary=POLYGON((-120+30,-100+30,-100+45,-120+45,-120+30))';

beforeAll(async () => {
  const sites = Array.from({ length: SITES }, (_, index) => `S${index}`);
  await service.load({
    ...lookupsOf(),
    'sites.csv': sites.map((SiteUUID, index) => ({ SiteUUID, Longitude: -112 + index / SITES, Latitude: 40 })),
    'sitespecificamounts.csv': sites.map((SiteUUID) => siteAmount({ SiteUUID })),
  });
});

afterAll(() => service.close());

/** Asks a service whose clock goes on by `seconds` at each reading. */
async function ask(query: string, seconds: number): Promise<{ readonly status?: number; readonly headers: unknown }> {
  let looks = 0;
  const clock = (): number => 1000 * seconds * looks++;
  const url = `http://localhost/v1/SiteVariableAmounts?RecordCount=1&${query}`;
  const request = new HttpRequest({ method: 'GET', url, headers: { 'x-api-key': service.key } });
  const { status, headers } = await siteVariableAmountsFunction.handle(request, { ...service.service, clock });
  return { ...(status === undefined ? {} : { status }), headers };
}

test('a boundary around many places is a 503 with Retry-After once the deadline has passed', async () => {
  expect(await ask(AROUND_ALL, 20)).toMatchObject({
    status: 503,
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as unknown, 'Content-Type': 'application/problem+json' },
  });
});

test('the same request is answered in time, and then from the cache', async () => {
  expect(await ask(AROUND_ALL, 1)).toMatchObject({ status: 200 });
  expect(await ask(AROUND_ALL, 20)).toMatchObject({ status: 200 });
});
