// GeoJSON of a right has a feature for each of its sites, and each feature repeats the right with all of its sites.

import { allocation, buildLookups, paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

/** Together, the features of this right would exceed 512 MB, the maximum length of a string. */
const SITES = 2_500;
const FEW_SITES = 150;

const service = createTestService();

beforeAll(() => {
  const sites = Array.from({ length: SITES }, (_, index) => `A_SITE_WITH_A_LONG_IDENTIFIER_${index}`);
  return service.load({
    ...buildLookups(),
    'sites.csv': sites.map((SiteUUID) => ({ SiteUUID, Longitude: '-111', Latitude: '40' })),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A', SiteUUID: sites.slice(0, FEW_SITES).join(',') }),
      allocation({ AllocationNativeID: 'B', SiteUUID: sites.join(',') }),
    ],
  });
});

test('a right whose features are too large for a page is refused with the number that fits', async () => {
  const both = await service.get(`${paths.allocations}?format=geojson`);
  expect(both.json.errors).toEqual([expect.objectContaining({ message: expect.stringMatching(/^1 records fit: /) })]);
  const second = await service.get(`${paths.allocations}?format=geojson&StartIndex=1`);
  expect(second.json.errors).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^no record fits: .* would exceed 64 MB in geojson/) }),
  ]);
});

test('the features of a right are written in steps', async () => {
  let turns = 0;
  let milliseconds = 0;
  const clock = (): number => {
    milliseconds++;
    return milliseconds;
  };
  const giveWay = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const queue = Object.create(service.service.queue, { giveWay: { value: giveWay } }) as typeof service.service.queue;
  const counting = { ...service.service, clock, queue, deadlineMs: 1e9 };
  const path = `${paths.allocations}?format=geojson&RecordCount=1`;
  const { json } = await service.getFrom(counting, path, { 'x-api-key': service.key });
  expect(json.features).toHaveLength(FEW_SITES);
  // Each reading advances the clock by a millisecond, and a slice has eight milliseconds. Reading the sites takes the
  // same number of steps again.
  expect(turns).toBeGreaterThan((2 * FEW_SITES) / 10);
});
