// The page sizes of service.md, Limits.

import { found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const RECORDS = 10_001;

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': Array.from({ length: RECORDS }, (_, index) =>
      siteAmount({ Amount: index, ReportYearCV: 10_000 + index }),
    ),
  });
});

afterAll(() => service.close());

test.each([
  ['', 0, 1_000],
  ['StartIndex=1000', 1_000, 1_000],
  ['RecordCount=1', 0, 1],
  ['RecordCount=10000', 0, 10_000],
  ['RecordCount=10000&StartIndex=10000', 10_000, 1],
])('?%s answers from record %i on %i records', async (query, first, count) => {
  const expected = Array.from({ length: count }, (_, index) => first + index);
  expect(await found(service, `${paths.site}?${query}`)).toEqual(expected);
});
