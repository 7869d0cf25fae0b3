// The brief of a county or watershed: its address, its requests, and its figures, compared with the service's answers.

import { buildAmountCharts } from '../../explorer/brief/amount-charts';
import { listBriefSources } from '../../explorer/brief/brief-sources';
import { listCaveats } from '../../explorer/brief/caveats';
import { listHeadlines } from '../../explorer/brief/headline-figures';
import { buildDecadesChart, listDecades, listUses, readUseColors } from '../../explorer/brief/rights-figures';
import { describeShownUnits } from '../../explorer/brief/unit-figures';
import { type Brief, fetchBrief } from '../../explorer/requests/brief';
import { type Fetch, ServiceClient } from '../../explorer/requests/client';
import { CountyOutlines } from '../../explorer/requests/county-outlines';
import { type Suggestion, withBriefs } from '../../explorer/requests/find';
import { fetchOpenBrief } from '../../explorer/requests/open-brief';
import { listTiles } from '../../explorer/requests/right-points';
import { type BriefEnvironment, BriefSession } from '../../explorer/session/brief-session';
import {
  type BriefArea,
  buildBriefRoute,
  findBriefArea,
  findUnitArea,
  readBriefAddress,
} from '../../explorer/state/brief-area';
import { getDrawnColumns, stackColumns } from '../../explorer/views/chart/chart';
import { readExplorerText } from '../../shared/explorer-build';
import { readExplorerFiles } from '../../shared/http/pages/explorer-files';
import {
  answerWithJson,
  createFetch,
  createServiceClient,
  FakeService,
  settlePromises,
} from '../fixtures/explorer-services';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const COUNTY: BriefArea = { type: 'county', state: 'UT', name: 'Cache', boundary: 'county:UT/Cache' };
const WATERSHED: BriefArea = { type: 'huc8', code: '16010202', boundary: 'huc8:16010202' };

test.each([
  ['County', 'Cache', '49005', 'county:UT/Cache'],
  ['HUC8', 'Little Bear-Logan', '16010202', 'huc8:16010202'],
  ['HUC 8', 'Upper Colorado', 'HUC_01010002', 'huc8:01010002'],
  ['HUC8', 'without its leading zero', '1010002', 'huc8:01010002'],
  ['HUC12', 'x', '160102020305', undefined],
  ['Basin', 'Bear River', '16010202', undefined],
])('a reporting unit of type %s named %s with the number %s is the area %s', (type, name, nativeId, boundary) => {
  const members: Readonly<Record<string, string>> = {
    ReportingUnitTypeCV: type,
    ReportingUnitName: name,
    ReportingUnitNativeID: nativeId,
    OrganizationState: 'UT',
  };
  expect(findUnitArea((member) => members[member] ?? '')?.boundary).toBe(boundary);
});

describe('the address of a brief', () => {
  test.each([
    ['SearchBoundary=county:UT/Cache', COUNTY],
    ['searchgeometry=COUNTY:ut/Cache', COUNTY],
    ['SearchBoundary=county%3AUT%2FCache&utm_source=mail', COUNTY],
    ['State=UT&County=Cache', COUNTY],
    ['SearchBoundary=huc8:16010202', WATERSHED],
    ['HUC8=16010202', WATERSHED],
  ])('%s identifies its area', (query, area) => {
    expect(readBriefAddress(`?${query}`)).toMatchObject({ area, unread: [] });
  });

  test.each(['', 'SearchBoundary=state:UT', 'SearchBoundary=huc8:1601', 'County=Cache', 'HUC8=16010202&HUC8=16010203'])(
    '%p identifies no area',
    (query) => {
      expect(readBriefAddress(query).area).toBeUndefined();
    },
  );

  test('is read back as it was written, with the data version, and lists ignored parameters', () => {
    const route = buildBriefRoute({ ...COUNTY, name: 'Doña Ana', boundary: 'county:NM/Doña Ana' }, 'v1');
    expect(route).toBe('explore/brief?SearchBoundary=county:NM/Do%C3%B1a+Ana&DataVersion=v1');
    expect(readBriefAddress(route.slice(route.indexOf('?')))).toMatchObject({
      area: { type: 'county', state: 'NM', name: 'Doña Ana' },
      version: 'v1',
    });
    expect(readBriefAddress('?SearchBoundary=huc8:16010202&UseCategoryCV=Mining').unread).toEqual([
      'UseCategoryCV=Mining',
    ]);
  });

  test('follows from filters of the explorer, if they choose one county or watershed', () => {
    expect(findBriefArea({ SearchGeometry: ['county:UT/Cache'], UseCategoryCV: ['Mining'] })).toEqual(COUNTY);
    expect(findBriefArea({ HUC8: ['16010202'] })).toEqual(WATERSHED);
    expect(findBriefArea({ SearchBoundary: ['bbox:-112,41,-111,42'] })).toBeUndefined();
    expect(findBriefArea({ County: ['Cache', 'Rich'], State: ['UT'] })).toBeUndefined();
  });
});

test('search suggests a brief right after its county or watershed, and after nothing else', () => {
  const found = (name: string, filters: Readonly<Record<string, readonly string[]>>): Suggestion => {
    return { name, description: '', filters, counts: { rights: 1, series: 0, aggregates: 0 } };
  };
  const names = withBriefs([
    found('Cache County, UT', { SearchBoundary: ['county:UT/Cache'] }),
    found('Cache Valley Farm', { AllocationOwner: ['Cache Valley Farm'] }),
    found('16010202', { SearchBoundary: ['huc8:16010202'] }),
  ]).map((one) => ('area' in one ? `${one.name} > ${one.area.boundary}` : one.name));
  expect(names).toEqual([
    'Cache County, UT',
    'Brief of Cache County, UT > county:UT/Cache',
    'Cache Valley Farm',
    '16010202',
    'Brief of watershed 16010202 > huc8:16010202',
  ]);
});

test('a county at the corner of four tiles needs all four only if two tiles would be too coarse', () => {
  const county = [-111.9, 41.3, -111.5, 41.6] as const;
  expect(listTiles(county, 'points')).toHaveLength(1);
  expect(listTiles(county, 'clusters').length).toBeLessThanOrEqual(2);
  // A corner of tiles of all zooms from 1 on.
  const corner = [-90.3, -0.3, -89.7, 0.3] as const;
  expect(listTiles(corner, 'points')).toHaveLength(4);
  expect(listTiles(corner, 'clusters')).toHaveLength(4);
});

const WITHDRAWAL = {
  VariableSpecificUUID: 'V1',
  VariableSpecificCV: 'Withdrawal',
  VariableCV: 'Withdrawal',
  AmountUnitCV: 'AF',
  AggregationStatisticCV: 'Cumulative',
};

/** Cache County is around (-111.8, 41.7); its outline is built in. */
const service = createLoadedService(
  {
    ...buildLookups(),
    'sites.csv': [
      { SiteUUID: 'S1', SiteName: 'Gage', SiteTypeCV: 'Stream Gage', County: 'Cache', StateCV: 'UT', HUC8: '16010202' },
      { SiteUUID: 'S2', StateCV: 'UT', Longitude: -111.8, Latitude: 41.7 },
      { SiteUUID: 'S3', County: 'Rich', StateCV: 'UT', Longitude: -111.8, Latitude: 41.7 },
    ],
    'waterallocations.csv': [
      right('A', {
        BeneficialUseCategory: 'Irrigation',
        AllocationPriorityDate: '1901-02-03',
        AllocationFlow_CFS: 1.5,
      }),
      right('B', { BeneficialUseCategory: 'Mining', AllocationPriorityDate: '1925-01-01', AllocationVolume_AF: 7 }),
      right('C', { BeneficialUseCategory: 'Irrigation,Stock', AllocationPriorityDate: '1909-01-01' }),
      right('D', { BeneficialUseCategory: 'Irrigation', SiteUUID: 'S2', AllocationFlow_CFS: 2 }),
      right('E', { BeneficialUseCategory: 'Irrigation', SiteUUID: 'S3', AllocationPriorityDate: '1950-01-01' }),
    ],
  },
  {
    ...buildLookups({ OrganizationUUID: 'ORG_2', OrganizationName: 'Survey' }),
    'variables.csv': [
      WITHDRAWAL,
      {
        VariableSpecificUUID: 'V2',
        VariableSpecificCV: 'Flow',
        VariableCV: 'Flow',
        AmountUnitCV: 'CFS',
        AggregationStatisticCV: 'Average',
      },
    ],
    'sites.csv': [{ SiteUUID: 'S1', SiteName: 'Gage', SiteTypeCV: 'Stream Gage', County: 'Cache', StateCV: 'UT' }],
    'sitespecificamounts.csv': [amount(2001, 4), amount(2002, 5), { ...amount(2001, 10), VariableSpecificUUID: 'V2' }],
  },
  {
    ...buildLookups({ OrganizationUUID: 'ORG_3', OrganizationName: 'Planning office' }),
    'variables.csv': [WITHDRAWAL],
    'reportingunits.csv': [
      { ReportingUnitUUID: 'RU1', ReportingUnitName: 'Cache', ReportingUnitTypeCV: 'County', StateCV: 'UT' },
      {
        ReportingUnitUUID: 'RU2',
        ReportingUnitName: 'Little Bear',
        ReportingUnitTypeCV: 'Basin',
        StateCV: 'UT',
        Geometry: 'POLYGON((-111.9 41.6,-111.7 41.6,-111.7 41.8,-111.9 41.8,-111.9 41.6))',
      },
    ],
    'aggregatedamounts.csv': [
      areaTotal({ ReportingUnitUUID: 'RU1', Amount: 60, BeneficialUseCategory: 'Irrigation' }),
      areaTotal({ ReportingUnitUUID: 'RU1', Amount: 40, BeneficialUseCategory: 'Mining' }),
      areaTotal({ ReportingUnitUUID: 'RU2', Amount: 200, BeneficialUseCategory: 'Irrigation' }),
    ],
  },
);

function areaTotal(row: Parameters<typeof aggregatedAmount>[0]) {
  const timeframe = { TimeframeStart: '2001-01-01', TimeframeEnd: '2001-12-31' };
  return aggregatedAmount({ OrganizationUUID: 'ORG_3', ...timeframe, ...row });
}

function right(AllocationNativeID: string, row: Parameters<typeof allocation>[0]) {
  return allocation({ AllocationNativeID, AllocationUUID: AllocationNativeID, SiteUUID: 'S1', ...row });
}

function amount(year: number, Amount: number) {
  return siteAmount({
    OrganizationUUID: 'ORG_2',
    TimeframeStart: `${year}-01-01`,
    TimeframeEnd: `${year}-12-31`,
    Amount,
  });
}

/** Outlines as the build wrote them. */
const outlines = new CountyOutlines('counties-{state}', (address) =>
  Promise.resolve(JSON.parse(readExplorerText(readExplorerFiles()?.[address] ?? ''))),
);

describe('a brief', () => {
  const sent: string[] = [];
  let brief: Brief;

  beforeAll(async () => {
    const send = createFetch(service);
    const count: Fetch = (url, options) => {
      sent.push(url);
      return send(url, options);
    };
    const client = new ServiceClient('', () => service.key, count);
    const reply = await fetchBrief(client, COUNTY, { version: '', outlines });
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
    brief = reply.value;
  });

  const findTotals = async (path: string) => (await service.get(path)).json.Totals;

  test('sends at most twelve requests, all for one data version', () => {
    expect(sent.length).toBeLessThanOrEqual(12);
    expect(sent.slice(1).filter((url) => !url.includes(`DataVersion=${brief.version}`))).toEqual([]);
  });

  test('has the totals of the rights that state the county, or that state no county and lie in it', async () => {
    const [all] = await findTotals('/v1/SiteAllocationAmounts/Totals?SearchBoundary=county:UT/Cache');
    expect(all.RecordsCount).toBe(4);
    const headlines = listHeadlines(brief).map(({ text }) => text);
    expect(headlines.slice(0, 4)).toEqual(['4', '3.5 CFS', '7 AF', '1901-02-03 to 1925-01-01']);
    expect(listCaveats(brief)[0]).toMatch(/^3 water rights state Cache County; 1 states no county/);
  });

  test('counts each right in one use and one decade, as the service does', () => {
    const { rights } = brief;
    if (rights === undefined) throw new Error('no rights');
    const chart = buildDecadesChart(rights, 'x');
    const uses = listUses(rights, readUseColors(rights, chart));
    expect(uses.map(({ label, rights: count, flow }) => [label, count, flow])).toEqual([
      ['Irrigation', 2, 3.5],
      ['Mining', 1, null],
      ['Several uses, none of them primary', 1, null],
    ]);
    expect(listDecades(rights).map(({ label, rights: count }) => [label, count])).toEqual([
      ['1900s', 2],
      ['1920s', 1],
      ['No priority date', 1],
    ]);
    // Bars are as high as the service's totals, and a use has the color of its row.
    const heights = chart && stackColumns(chart).flatMap(({ spans }) => spans.map((span) => span?.[1] ?? 0));
    expect(Math.max(...(heights ?? []))).toBe(2);
    const colors = new Map(chart && getDrawnColumns(chart).map(({ label, color }) => [label, color]));
    expect(uses[0]?.color).toBe(colors.get('Irrigation'));
  });

  test('never adds up organizations, variables, statistics or units, and charts averages by their mean', () => {
    const charts = buildAmountCharts(brief.sites?.byYear.Totals ?? [], 'series');
    expect(
      charts.map(({ measure, unit, rows }) => [measure, unit, rows.map(({ year, amount: value }) => [year, value])]),
    ).toEqual([
      [
        'Sum',
        'AF',
        [
          ['2001', 4],
          ['2002', 5],
        ],
      ],
      ['Mean', 'CFS', [['2001', 10]]],
    ]);
  });

  test('adds up reporting units of the county itself, and names the types that overlap it', () => {
    const shown = brief.units && describeShownUnits(brief.area, brief.units);
    expect(shown).toMatchObject({
      type: 'County',
      isAreaItself: true,
      names: ['Cache'],
      otherTypes: [{ name: 'Basin' }],
    });
    expect(shown?.rows.map(({ Sum }) => Sum)).toEqual([100]);
    expect(listCaveats(brief).join(' ')).toContain('(Basin)');
    const [figure] = buildAmountCharts(shown?.rows ?? [], 'aggregates', shown?.pieces);
    const columns = figure?.chart === undefined ? [] : getDrawnColumns(figure.chart);
    expect(columns.map(({ label, values }) => [label, values])).toEqual([
      ['Irrigation', [60]],
      ['Mining', [40]],
    ]);
  });

  test('lists the sites with their periods, the sources, and points only inside its frame', () => {
    expect(brief.sites?.sites).toMatchObject({
      total: 1,
      places: [{ name: 'Gage', series: [{ first: '2001-01-01' }, {}] }],
    });
    expect(listBriefSources(brief).map(({ name }) => name)).toEqual(['Office', 'Survey', 'Planning office']);
    expect(brief.rights?.points.map(({ position }) => position.map((degrees) => degrees.toFixed(1)))).toEqual([
      ['-111.8', '41.7'],
    ]);
  });
});

test('the brief of a watershed has the records that state its code, and says that it has no outline', async () => {
  const reply = await fetchBrief(createServiceClient(service), WATERSHED, { version: '', outlines });
  if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
  const { rights, outline, units } = reply.value;
  const [all] = (await service.get('/v1/SiteAllocationAmounts/Totals?HUC8=16010202')).json.Totals;
  expect([rights?.facets.TotalCount, rights?.all['RecordsCount']]).toEqual([all.RecordsCount, all.RecordsCount]);
  expect([outline.shapes, units]).toEqual([[], undefined]);
  expect(listCaveats(reply.value).at(-1)).toMatch(/^No outline/);
});

test('an area without records, or with a pinned version that is gone, sends no further requests', async () => {
  const sent: string[] = [];
  const send = createFetch(service);
  const client = new ServiceClient(
    '',
    () => service.key,
    (url, options) => {
      sent.push(url.replace(/\?.*/, ''));
      return send(url, options);
    },
  );
  const piute: BriefArea = { type: 'county', state: 'UT', name: 'Piute', boundary: 'county:UT/Piute' };
  expect(await fetchBrief(client, piute, { version: '', outlines })).toMatchObject({
    value: { rights: undefined, sites: undefined, units: undefined, outline: { name: 'Piute' } },
  });
  expect(sent).toEqual([
    '/v1/Inventory',
    '/v1/ReportingUnits',
    '/v1/SiteAllocationAmounts/Facets',
    '/v1/SiteVariableAmounts/Totals',
  ]);
  sent.splice(0);
  expect(await fetchBrief(client, piute, { version: '0'.repeat(32), outlines })).toEqual({ kind: 'gone' });
  expect(sent).toEqual(['/v1/Inventory']);
});

test('without a key, a brief has the numbers of the service and the points of rights, from few requests', async () => {
  const sent: string[] = [];
  const send = createFetch(service);
  const client = new ServiceClient(
    '',
    () => service.key,
    (url, options) => {
      sent.push(url);
      return send(url, options);
    },
  );
  const reply = await fetchOpenBrief(client, COUNTY, { version: '', outlines });
  expect(reply).toMatchObject({ value: { counts: { rights: 4, series: 1, aggregates: 2 }, points: [{ count: 1 }] } });
  expect(sent.every((url) => url.startsWith('/ogc/'))).toBe(true);
  expect(sent.length).toBeLessThanOrEqual(6);
});

interface OpenOptions extends Partial<Pick<BriefEnvironment, 'query' | 'answersWithoutKey' | 'browserKeys'>> {
  readonly key?: string;
}

describe('the session of a brief', () => {
  function open(service: FakeService, { query = '?HUC8=16010202', key = '', ...environment }: OpenOptions = {}) {
    const routes: string[] = [];
    const session = new BriefSession({
      base: '',
      send: service.send,
      schedule: () => () => undefined,
      query,
      showRoute: (route) => routes.push(route),
      storage: { getItem: () => key, setItem: () => undefined },
      outlines,
      ...environment,
    });
    session.start();
    return { session, routes };
  }

  const refusal = answerWithJson({ type: 'urn:water-data-query-service:problem:key-missing' }, 401);

  test('sends no request without a key, and uses the key that a person enters', async () => {
    const fake = new FakeService().answer(answerWithJson({}, 503));
    const { session } = open(fake);
    await settlePromises();
    expect([fake.sent.length, session.hasKey.value]).toEqual([0, false]);
    session.useKey(' wdk_1 ');
    await settlePromises();
    expect(fake.sent).toMatchObject([{ url: '/v1/Inventory', headers: { 'X-API-Key': 'wdk_1' } }]);
    expect(session.brief.state.value.trouble).toMatchObject({ kind: 'busy' });
  });

  test('shows what the service answers without a key, and everything once there is a key', async () => {
    const fake = new FakeService().answer(answerWithJson({ numberMatched: 0 }));
    const { session } = open(fake, { query: '?SearchBoundary=county:UT/Cache', answersWithoutKey: true });
    await settlePromises();
    expect(fake.sent.map(({ url }) => url.replace(/\?.*/, ''))).toEqual(
      ['allocations', 'sites', 'reporting-units'].map((name) => `/ogc/collections/${name}/items`),
    );
    expect(session.openBrief.fresh?.counts).toEqual({ rights: 0, series: 0, aggregates: 0 });
    session.useKey('wdk_1');
    await settlePromises();
    expect(fake.sent.slice(3)[0]?.url).toBe('/v1/Inventory');
    expect(session.openBrief.fresh).toBeUndefined();
  });

  test('uses the key that the page gets for this browser, unless there is already a key', async () => {
    const requested: boolean[] = [];
    const browserKeys = {
      isOwn: (key: string) => key === 'wdk_browser',
      request: (isNew: boolean) => {
        requested.push(isNew);
        return Promise.resolve('wdk_browser');
      },
    };
    const fake = new FakeService().answer(refusal);
    const { session } = open(fake, { browserKeys });
    expect(session.isGettingKey.value).toBe(true);
    await settlePromises();
    expect(fake.sent).toMatchObject([{ url: '/v1/Inventory', headers: { 'X-API-Key': 'wdk_browser' } }]);
    expect([session.usesBrowserKey, session.isGettingKey.value]).toEqual([true, false]);
    open(fake, { browserKeys, key: 'wdk_1' });
    await settlePromises();
    expect(requested).toEqual([false]);
  });

  test('switches to another area and uses the current data', async () => {
    const fake = new FakeService().answer(refusal);
    const { session, routes } = open(fake, { query: '?HUC8=16010202&DataVersion=old', key: 'wdk_1' });
    await settlePromises();
    session.showArea(COUNTY);
    await settlePromises();
    expect(routes).toEqual(['explore/brief?SearchBoundary=county:UT/Cache']);
    expect(fake.sent.map(({ url }) => url)).toEqual(['/v1/Inventory?DataVersion=old', '/v1/Inventory']);
    session.showAddress('');
    expect(session.brief.state.value.answer).toBeUndefined();
  });
});
