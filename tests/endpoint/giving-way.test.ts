// While a page of many records is written, other requests run in between, as during a search.

import type { Service } from '../../shared/http/pipeline/service';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const RECORDS = 1_500;

/** The maximum number of characters of a row or feature in these tests, including everything around it. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * Each reading advances the clock by a millisecond, and a slice has eight milliseconds: about one turn for eight
 * records.
 */
const MIN_TURNS = RECORDS / 10;

const service = createTestService();

beforeAll(async () => {
  const numbers = Array.from({ length: RECORDS }, (_, index) => index);
  await service.load({
    ...buildLookups(),
    'sites.csv': numbers.map((index) => ({ SiteUUID: `S${index}`, Longitude: '-111', Latitude: '40' })),
    'sitespecificamounts.csv': numbers.map((index) => siteAmount({ SiteUUID: `S${index}` })),
    'waterallocations.csv': numbers.map((index) =>
      allocation({ AllocationNativeID: `A${index}`, SiteUUID: `S${index}` }),
    ),
  });
});

/** The service with a clock that advances at each reading, and the number of times that it let other requests run. */
function countTurns(): { readonly counting: Service; readonly getTurns: () => number } {
  let milliseconds = 0;
  let turns = 0;
  const clock = (): number => {
    milliseconds++;
    return milliseconds;
  };
  const queue: Service['queue'] = Object.create(service.service.queue, {
    giveWay: {
      value: () => {
        turns++;
        return Promise.resolve();
      },
    },
  }) as Service['queue']; // The object has all members of its prototype.
  return { counting: { ...service.service, clock, queue, deadlineMs: 1e9 }, getTurns: () => turns };
}

const EPSG_3857 = encodeURIComponent('http://www.opengis.net/def/crs/EPSG/0/3857');

test.each([
  `/v1/SiteVariableAmounts?RecordCount=${RECORDS}&format=csv`,
  `/v1/SiteVariableAmounts?RecordCount=${RECORDS}&format=geojson`,
  `/v1/SiteAllocationAmounts?RecordCount=${RECORDS}&format=csv`,
  `/v1/SiteAllocationAmounts?RecordCount=${RECORDS}&format=geojson`,
  `/v1/Sites?RecordCount=${RECORDS}&format=csv`,
  `/v1/Sites?RecordCount=${RECORDS}&format=geojson`,
  `/ogc/collections/allocations/items?limit=${RECORDS}&f=json`,
  `/ogc/collections/allocations/items?limit=${RECORDS}&f=html`,
  `/ogc/collections/allocations/items?limit=${RECORDS}&f=json&crs=${EPSG_3857}`,
  `/ogc/collections/sites/items?limit=${RECORDS}&f=html`,
  `/ogc/collections/site-amounts/items?limit=${RECORDS}&f=json&crs=${EPSG_3857}`,
])('%s lets other requests run between its records', async (path) => {
  const { counting, getTurns } = countTurns();
  const { status, text } = await service.getFrom(counting, path, { 'x-api-key': service.key });
  expect([path, status]).toEqual([path, 200]);
  expect(text).toContain(String(RECORDS - 1));
  expect(getTurns()).toBeGreaterThan(MIN_TURNS);
});

test.each([
  `/ogc/collections/allocations/items?limit=${RECORDS}&f=html`,
  `/ogc/collections/allocations/items?limit=${RECORDS}&f=json`,
  `/v1/SiteAllocationAmounts?RecordCount=${RECORDS}&format=csv`,
])('%s is written record by record', async (path) => {
  const write = jest.spyOn(Buffer.prototype, 'write');
  const { text } = await service.get(path);
  const lengths = write.mock.calls.map(([written]) => String(written).length);
  jest.restoreAllMocks();
  expect(text.length).toBeGreaterThan(10 * MAX_TEXT_LENGTH);
  expect(Math.max(...lengths)).toBeLessThan(MAX_TEXT_LENGTH);
});
