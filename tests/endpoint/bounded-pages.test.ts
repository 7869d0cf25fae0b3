// Pages of features that a submission makes as large as possible are still served, and have a bounded size.

import { readSeriesFigures } from '../../shared/http/pages/features/series-figures';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const MAX_PAGE_BYTES = 500_000;

const service = createTestService();

const latitudes = ['90', '-90', '89.99999999', '-89.99999999', '89.999999999999'];

beforeAll(() =>
  service.load({
    ...buildLookups(),
    'sites.csv': latitudes.map((Latitude) => ({ SiteUUID: `at ${Latitude}`, Longitude: '-111', Latitude })),
    'sitespecificamounts.csv': latitudes.flatMap((latitude) => [
      siteAmount({ SiteUUID: `at ${latitude}`, TimeframeStart: '2001-01-01', Amount: '1e308' }),
      siteAmount({ SiteUUID: `at ${latitude}`, TimeframeStart: '2002-01-01', Amount: '-1e308' }),
    ]),
  }),
);

test.each(latitudes)('the page of a site at latitude %s has a bounded size', async (latitude) => {
  for (const collection of ['sites/items/ORG_1~at', 'site-amounts/items?f=html&SiteUUID=at']) {
    const path = `/ogc/collections/${collection}${encodeURIComponent(` ${latitude}`)}`;
    const { status, text } = await service.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text.length).toBeLessThan(MAX_PAGE_BYTES);
  }
});

describe('pages of features with large contents', () => {
  const large = createTestService();
  const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
  const corners = count(60_000).map((index) => {
    const angle = (index / 60_000) * 2 * Math.PI;
    const radius = index % 2 === 0 ? 1 : 0.5;
    return `${(-111 + radius * Math.cos(angle)).toFixed(6)} ${(40 + radius * Math.sin(angle)).toFixed(6)}`;
  });

  beforeAll(async () => {
    const sites = count(3_000).map((index) => `S${index}`);
    await large.load({
      ...buildLookups(),
      'variables.csv': count(60).map((index) => ({
        VariableSpecificUUID: `V${index}`,
        VariableSpecificCV: `Variable ${index}`,
        VariableCV: 'Variable',
      })),
      'sites.csv': sites.map((SiteUUID, index) => ({
        SiteUUID,
        PODorPOUSite: index === 0 ? 'POD' : 'POU',
        Longitude: String(-111 - index / 10_000),
        Latitude: String(40 + (index % 977) / 1_000),
      })),
      'podsitetopousiterelationships.csv': sites.slice(1).flatMap((POUSiteUUID) => [
        { PODSiteUUID: 'S0', POUSiteUUID, StartDate: '2001-01-01', EndDate: '2001-02-01' },
        { PODSiteUUID: 'S0', POUSiteUUID, StartDate: '2003-01-01', EndDate: '2003-02-01' },
      ]),
      'reportingunits.csv': [
        { ReportingUnitUUID: 'RU1', Geometry: `POLYGON ((${[...corners, corners[0] ?? ''].join(', ')}))` },
      ],
      'aggregatedamounts.csv': [aggregatedAmount({ VariableSpecificUUID: 'V0' })],
      'sitespecificamounts.csv': [
        ...count(60).flatMap((index) => [
          siteAmount({ SiteUUID: 'S0', VariableSpecificUUID: `V${index}`, TimeframeStart: '2001-01-01' }),
          siteAmount({ SiteUUID: 'S0', VariableSpecificUUID: `V${index}`, TimeframeStart: '2002-01-01' }),
        ]),
      ],
      'waterallocations.csv': [
        allocation({ AllocationNativeID: 'A', SiteUUID: sites.join(), VariableSpecificUUID: 'V0' }),
      ],
    });
  });

  test.each(['0/0/0', '6/24/12', '9/193/98'])('a tile %s of an area with very many corners is drawn', async (tile) => {
    const path = `/ogc/collections/reporting-units/tiles/WebMercatorQuad/${tile}`;
    const { status, text } = await large.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain('RU1');
  });

  test.each([
    ['sites/items/ORG_1~S0', '2,899 more are in the JSON answer.'],
    ['sites/items/ORG_1~S0', '36 more series'],
    ['reporting-units/items/ORG_1~RU1', 'class="area"'],
    ['allocations/items/ORG_1~A', '2800 more sites'],
  ])('the page %s has a bounded size and says what it omits: %s', async (feature, sentence) => {
    const { status, text } = await large.get(`/ogc/collections/${feature}?f=html`);
    expect([feature, status]).toEqual([feature, 200]);
    expect(text).toContain(sentence);
    expect(text.length).toBeLessThan(MAX_PAGE_BYTES);
  });

  test('figures are computed only for the series that a page shows', async () => {
    const state = await large.store.currentState();
    const entry = state.entries.find(({ dataSet }) => dataSet === 'SiteVariableAmounts');
    const reader = await large.store.openRelease(entry?.releaseId ?? '');
    if (reader === undefined) throw new Error('the release is not there');
    const series = await readSeriesFigures({ reader, caches: large.service.caches }, 0);
    expect(series).toHaveLength(60);
    expect(series.filter(({ years }) => years.length > 0)).toHaveLength(24);
  });
});
