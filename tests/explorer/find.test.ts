// Suggestions of names, the extent of places, and explanations for filters that match nothing, with the service itself.

import { ServiceClient } from '../../explorer/requests/client';
import { explainEmptyResult } from '../../explorer/requests/empty-result';
import { fetchExtent } from '../../explorer/requests/extents';
import { fetchFacets } from '../../explorer/requests/facets';
import {
  type DataSuggestion,
  fetchSuggestions,
  findStates,
  findStatesOfInventory,
  withSuggestion,
} from '../../explorer/requests/find';
import { fetchInventory } from '../../explorer/requests/inventory';
import { fetchMapFeature } from '../../explorer/requests/map-features';
import { fetchPointCounts } from '../../explorer/requests/point-counts';
import type { Reply } from '../../explorer/requests/reply';
import { findTowns } from '../../explorer/requests/towns';
import { Session } from '../../explorer/session/session';
import { KEY_NAME } from '../../explorer/session/tab-key';
import { INITIAL_STATE, writeAddress } from '../../explorer/state/address';
import { withFilters } from '../../explorer/state/changes';
import { KINDS } from '../../explorer/state/kinds';
import type { ExplorerState, Filters } from '../../explorer/state/state';
import { createFetch, createServiceClient, settlePromises } from '../fixtures/explorer-services';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const client = createServiceClient(service);

const sites = [
  {
    SiteUUID: 'S1',
    SiteName: 'Heron Well',
    SiteTypeCV: 'Well',
    StateCV: 'UT',
    County: 'Cache',
    HUC8: '16010202',
    Longitude: '-111.9',
    Latitude: '41.7',
  },
  { SiteUUID: 'S2', SiteName: 'Lost Spring', StateCV: 'UT', County: 'Cache' },
  { SiteUUID: 'S3', StateCV: 'UT', County: 'Cache', Longitude: '-111.5', Latitude: '41.2' },
  { SiteUUID: 'S4', StateCV: 'WY', County: 'Teton', Longitude: '-110.5', Latitude: '43.5' },
  { SiteUUID: 'S5', StateCV: 'UT', County: 'Rich', HUC8: '16010299', Longitude: '-111.2', Latitude: '41.6' },
];
const units = [
  {
    ReportingUnitUUID: 'U1',
    ReportingUnitName: 'Bear Basin',
    ReportingUnitTypeCV: 'HUC',
    StateCV: 'UT',
    Geometry: 'POLYGON((-112 41, -111 41, -111 42.5, -112 41))',
    EPSGCodeCV: '4326',
  },
];

beforeAll(async () => {
  await service.load({
    ...buildLookups(),
    'sites.csv': sites,
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A', SiteUUID: 'S1,S2,S3' }),
      allocation({ AllocationNativeID: 'B', SiteUUID: 'S2' }),
      allocation({ AllocationNativeID: 'C', SiteUUID: 'S4' }),
    ],
  });
  await service.load({
    ...buildLookups(),
    'sites.csv': sites,
    'variables.csv': ['Withdrawal', 'Stage'].map((name) => ({
      VariableSpecificUUID: name,
      VariableSpecificCV: name,
      VariableCV: name,
    })),
    'sitespecificamounts.csv': [
      ...['Withdrawal', 'Stage'].map((VariableSpecificUUID) => siteAmount({ SiteUUID: 'S1', VariableSpecificUUID })),
      siteAmount({ SiteUUID: 'S5', VariableSpecificUUID: 'Stage' }),
    ],
  });
  const numbered = { OrganizationUUID: 'ORG_2', SiteUUID: 'N1' };
  await service.load({
    ...buildLookups({ OrganizationUUID: 'ORG_2', State: 'NV' }),
    'sites.csv': [{ SiteUUID: 'N1' }],
    'waterallocations.csv': [
      allocation({ ...numbered, AllocationUUID: 'NVwr_WR9', AllocationNativeID: '000077-B' }),
      allocation({ ...numbered, AllocationUUID: 'NVwr_numberless' }),
      allocation({ ...numbered, AllocationNativeID: 'only-number' }),
    ],
  });
  await service.load({
    ...buildLookups(),
    'reportingunits.csv': units,
    'aggregatedamounts.csv': [aggregatedAmount({ ReportingUnitUUID: 'U1' })],
  });
});

function getValue<Value>(reply: Reply<Value>): Value {
  if (reply.kind !== 'answer') throw new Error(`the service gave no answer: ${JSON.stringify(reply)}`);
  return reply.value;
}

async function found(text: string): Promise<DataSuggestion> {
  const [first] = getValue(await fetchSuggestions(client, text, [])).names;
  if (first === undefined) throw new Error(`nothing is called ${text}`);
  return first;
}

const ofKind = (kind: ExplorerState['kind']): ExplorerState => ({ ...INITIAL_STATE, kind });

test.each([
  ['cache', 'rights', { SearchGeometry: ['county:UT/Cache'] }, undefined],
  ['cache', 'series', { SearchBoundary: ['county:UT/Cache'] }, undefined],
  ['16010202', 'rights', { SearchGeometry: ['huc8:16010202'] }, undefined],
  ['heron', 'series', { OrganizationUUID: ['ORG_1'], SiteUUID: ['S1'] }, 'ORG_1~S1'],
  ['heron', 'rights', { OrganizationUUID: ['ORG_1'], SiteUUID: ['S1'] }, undefined],
  ['bear', 'aggregates', { OrganizationUUID: ['ORG_1'], ReportingUnitUUID: ['U1'] }, 'ORG_1~U1'],
] as const)(
  '%s becomes the filter of %s, and matches the suggested number of records',
  async (text, kind, filters, place) => {
    const name = await found(text);
    const state = withSuggestion(ofKind(kind), name);
    expect(state).toMatchObject({ kind, filters });
    expect(state.place).toBe(place);
    expect(getValue(await fetchFacets(client, state, [])).TotalCount).toBe(name.counts[kind]);
  },
);

test('a name without records of the shown kind leads to the kind with the most records', async () => {
  const bear = await found('bear');
  expect([bear.counts, withSuggestion(ofKind('rights'), bear).kind]).toEqual([
    { rights: 0, series: 0, aggregates: 1 },
    'aggregates',
  ]);
});

test('a suggestion says what it is and where, and the beginning of words is enough', async () => {
  const { names, total } = getValue(await fetchSuggestions(client, 'spr', ['Site']));
  expect([total, names.map(({ name, description }) => [name, description])]).toEqual([
    1,
    [['Lost Spring', 'site, Cache, UT']],
  ]);
  expect(getValue(await fetchSuggestions(client, 'spr', ['County'])).names).toEqual([]);
});

test.each([
  ['000077', 'Water right 000077-B', 'water right NVwr_WR9, NV'],
  ['nvwr wr9', 'Water right 000077-B', 'water right NVwr_WR9, NV'],
  ['numberless', 'Water right NVwr_numberless', 'water right, NV'],
  ['only-number', 'Water right only-number', 'water right, NV'],
])('the right that %s finds is called %s, %s', async (text, name, description) => {
  const right = await found(text);
  expect([right.name, right.description]).toEqual([name, description]);
  const state = withSuggestion(ofKind('rights'), right);
  expect(getValue(await fetchFacets(client, state, [])).TotalCount).toBe(1);
});

test('rights are named by their identifier if their numbers cannot be fetched', async () => {
  const send = createFetch(service);
  const halting = new ServiceClient(
    '',
    () => service.key,
    (url, options) =>
      url.includes('SiteAllocationAmounts') ? Promise.reject(new Error('offline')) : send(url, options),
  );
  const { names } = getValue(await fetchSuggestions(halting, '000077', ['Right']));
  expect(names.map(({ name }) => name)).toEqual(['Water right NVwr_WR9']);
});

test('states with records are found by the beginning of their name, or by their abbreviation', async () => {
  const facets = getValue(await fetchFacets(client, ofKind('rights'), ['State']));
  const filters = { State: ['UT'] };
  for (const text of ['ut', 'Utah', 'uta'])
    expect(findStates(text, 'rights', facets)).toMatchObject([{ name: 'Utah', counts: { rights: 3 }, filters }]);
  expect(findStates('h', 'rights', facets)).toEqual([]);
});

test.each(['utah', 'UT'])('finds a state by %s, although the shown kind has no records of it', async (text) => {
  const inventory = getValue(await fetchInventory(client));
  const [found, ...others] = findStatesOfInventory(text, inventory);
  expect([found?.name, others]).toEqual(['Utah', []]);
  for (const kind of KINDS) {
    const { TotalCount } = getValue(await fetchFacets(client, { kind, filters: { State: ['UT'] } }, []));
    expect([kind, found?.counts[kind]]).toEqual([kind, TotalCount]);
  }
});

test('towns are found by the beginning of words, the largest first, and the map moves there', () => {
  const towns = {
    UT: [['Saint George', 82318, -113.584, 37.104]],
    CO: [['Georgetown', 1034, -105.698, 39.706]],
  } as const;
  const [first, second] = findTowns('georg', towns);
  if (first === undefined) throw new Error('no town is found');
  expect([first.name, first.description, second?.description]).toEqual(['Saint George', 'town, UT', 'town, CO']);
  expect(findTowns('GEORGE st', towns)).toEqual([]);
  expect(findTowns(' . ', towns)).toEqual([]);
  const state = withSuggestion({ ...ofKind('series'), view: 'table', filters: { State: ['UT'] } }, first);
  expect(state).toMatchObject({ kind: 'series', view: 'map', filters: { State: ['UT'] } });
  expect(state.map.camera).toEqual({ longitude: -113.584, latitude: 37.104, zoom: 11 });
});

describe('if nothing matches, the page says', () => {
  const why = async (kind: ExplorerState['kind'], filters: Filters) =>
    getValue(await explainEmptyResult(client, { kind, filters }));

  test('which filter to remove to get matches', async () => {
    const others = { County: ['Cache'], AllocationNativeID: ['A'] };
    const filters = { ...others, BeneficialUseCV: ['Nothing'] };
    const ways = [{ kind: 'rights', filters: others, omittedFilter: 'BeneficialUseCV', count: 1 }];
    expect(await why('rights', filters)).toEqual({ inArea: undefined, alternatives: ways });
  });

  test('that an area has records, but other filters exclude them', async () => {
    const { countInArea, alternatives } = await why('rights', {
      SearchGeometry: ['county:UT/Cache'],
      State: ['WY'],
    });
    expect([countInArea, alternatives.map(({ omittedFilter, count }) => [omittedFilter, count])]).toEqual([
      2,
      [
        ['State', 2],
        ['SearchGeometry', 1],
      ],
    ]);
  });

  test('that an area has no records of this kind, and which other kinds it has', async () => {
    const { countInArea, alternatives } = await why('rights', { SearchGeometry: ['huc8:16010299'] });
    expect(countInArea).toBe(0);
    expect(alternatives).toEqual([
      { kind: 'rights', filters: {}, omittedFilter: 'SearchGeometry', count: 6 },
      { kind: 'series', filters: { SearchBoundary: ['huc8:16010299'], DataVersion: [] }, count: 1 },
    ]);
  });

  test('that records state a county with this name in another state', async () => {
    const { countInArea, alternatives } = await why('rights', {
      SearchGeometry: ['county:UT/Teton'],
      BeneficialUseCV: ['Nothing'],
    });
    const [way, ...more] = alternatives;
    expect([countInArea, way, more]).toEqual([
      0,
      { kind: 'rights', filters: { County: ['Teton'], DataVersion: [] }, count: 1 },
      [],
    ]);
    const state = withFilters(ofKind('series'), way ?? ofKind('rights'));
    expect(getValue(await fetchFacets(client, state, [])).TotalCount).toBe(1);
  });
});

test.each([
  ['rights', {}, { all: 6, mappable: 2 }],
  ['rights', { SearchGeometry: ['county:UT/Cache'] }, { all: 2, mappable: 1 }],
  ['rights', { SearchGeometry: ['bbox:-112,41,-111,42'] }, { all: 1, mappable: 1 }],
  ['rights', { SearchGeometry: ['county:UT/Cache'], State: ['UT'] }, undefined],
  ['series', {}, { all: 3, mappable: 3 }],
  ['aggregates', {}, { all: 1, mappable: 1 }],
] as const)('the map of %s shows how many records for %j have a position', async (kind, filters, counts) => {
  const session = new Session({
    base: '',
    send: createFetch(service),
    query: writeAddress({ ...ofKind(kind), filters }),
    schedule: () => () => undefined,
    showQuery: () => undefined,
    storage: { getItem: (name) => (name === KEY_NAME ? service.key : null), setItem: () => undefined },
  });
  const stop = session.start();
  const isWaiting = (): boolean =>
    session.mappableCounts.state.value.isLoading || session.unitTotals.state.value.isLoading;
  for (let turn = 0; turn < 200 && isWaiting(); turn++) await settlePromises();
  expect(session.mappableCounts.fresh).toEqual(counts);
  stop();
});

test.each([
  ['rights', 'ORG_1~A', ['AllocationNativeID', 'A'], ['SiteUUID', 'S1|S2|S3'], 0],
  ['series', 'ORG_1~S1', ['SiteName', 'Heron Well'], ['County', 'Cache'], 2],
  ['aggregates', 'ORG_1~U1', ['ReportingUnitName', 'Bear Basin'], ['ReportingUnitTypeCV', 'HUC'], 1],
] as const)("the details of one of %s equal the service's answer", async (kind, id, name, member, series) => {
  const feature = getValue(await fetchMapFeature(client, kind, id));
  expect(feature.members).toEqual(expect.arrayContaining([name, member]));
  expect(feature.series.map((memberOf) => memberOf('RecordsCount'))).toEqual(Array.from({ length: series }, () => '1'));
  expect(getValue(await fetchMapFeature(client, kind, `${id}~none`)).members).toEqual([]);
});

test('an area extends as far as its sites, a unit as far as its polygon', async () => {
  const within = (boundary: string) => fetchExtent(client, 'v1/Sites', { SearchBoundary: boundary });
  expect(getValue(await within('county:UT/Cache'))).toEqual([-111.9, 41.2, -111.5, 41.7]);
  expect(getValue(await within('county:UT/None'))).toBeUndefined();
  const right = await fetchExtent(client, 'v1/SiteAllocationAmounts', { AllocationNativeID: 'A' });
  expect(getValue(right)).toEqual([-111.9, 41.2, -111.5, 41.7]);
  const unit = await fetchExtent(client, 'v1/ReportingUnits', { ReportingUnitUUID: 'U1' });
  expect(getValue(unit)).toEqual([-112, 41, -111, 42.5]);
});

test('points are counted like the rings of the map, for the whole map with one request', async () => {
  const all = await fetchPointCounts(client, { kind: 'rights', filters: {} }, 'mainCategory');
  // Right A has two sites with a position, right B has none, and right C has one.
  expect(all).toMatchObject({ kind: 'answer', value: { total: 3, values: [[null, 3]] } });
  const series = await fetchPointCounts(client, { kind: 'series', filters: {} }, 'variable');
  const sitesWithAmounts = await client.request<{ readonly numberMatched: number }>('ogc/collections/sites/items', {
    filter: 'VariableCV IS NOT NULL',
    bbox: '-180,-90,180,90',
    f: 'json',
  });
  expect(series).toMatchObject({
    value: { total: sitesWithAmounts.kind === 'answer' ? sitesWithAmounts.value.numberMatched : NaN },
  });
  const none = await fetchPointCounts(client, { kind: 'rights', filters: { State: ['CA'] } }, 'mainCategory');
  expect(none).toMatchObject({ kind: 'answer', value: { total: 0, values: [] } });
});
