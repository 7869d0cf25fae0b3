// The dates of amounts in filters of OGC API - Features (D62), beside the effective ones by which `datetime` goes.

import { lookupsOf, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

test('a date in a filter is the one that the feature shows: as submitted, or none (D62)', async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': [
      { Amount: 1, TimeframeStart: '1995-12-31', TimeframeEnd: '1995-01-01' },
      { Amount: 2, TimeframeEnd: '1995-12-31' },
      { Amount: 3, ReportYearCV: '2001' },
    ].map((row) => siteAmount({ ...row })),
  });
  const foundBy = async (query: string): Promise<readonly unknown[]> =>
    (await service.get(`/ogc/collections/site-amounts/items?${query}`)).json.features.map(
      ({ properties }: { readonly properties: Row }) => properties['Amount'],
    );
  const filtered = (text: string): Promise<readonly unknown[]> => foundBy(`filter=${encodeURIComponent(text)}`);
  expect(await filtered("TimeframeStart = DATE('1995-12-31')")).toEqual([1]);
  expect(await filtered("TimeframeEnd = DATE('1995-01-01')")).toEqual([1]);
  expect((await filtered('TimeframeStart IS NULL')).toSorted()).toEqual([2, 3]);
  expect(await filtered("TimeframeStart >= DATE('2001-01-01')")).toEqual([]);
  expect(await filtered('TimeframeEnd IS NULL')).toEqual([3]);
  // The effective dates are those of `datetime`, as ever.
  expect((await foundBy('datetime=1995-06-01')).toSorted()).toEqual([1]);
  expect(await foundBy('datetime=2001-06-01')).toEqual([3]);
});
