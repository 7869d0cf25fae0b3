// Names that a person can go to on the map, asked of the service itself.

import { signal } from '@preact/signals-core';
import { askExtentOfSites, askExtentOfUnits, askNamedAreas, askNamedPlaces } from '../../explorer/requests/place-names';
import type { NamedPlace } from '../../explorer/requests/place-names';
import type { Reply } from '../../explorer/requests/reply';
import { ServiceClient } from '../../explorer/requests/client';
import { PlaceNames, suggestionsOf } from '../../explorer/session/place-names';
import { INITIAL_STATE } from '../../explorer/state/state';
import { serviceClient } from '../fixtures/explorer-services';
import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const client = serviceClient(service);
const abort = new AbortController();

const sites = [
  {
    ...{ SiteUUID: 'S1', SiteName: 'Heron Well', SiteTypeCV: 'Well', StateCV: 'UT', County: 'Cache', HUC8: '16010202' },
    ...{ Longitude: '-111.9', Latitude: '41.7' },
  },
  { SiteUUID: 'S2', SiteName: 'Lost Spring', StateCV: 'UT', County: 'Cache' },
  { SiteUUID: 'S3', StateCV: 'UT', County: 'Cache', Longitude: '-111.5', Latitude: '41.2' },
];
const units = [
  {
    ...{ ReportingUnitUUID: 'U1', ReportingUnitName: 'Bear Basin', ReportingUnitTypeCV: 'HUC', StateCV: 'UT' },
    ...{ Geometry: 'POLYGON((-112 41, -111 41, -111 42.5, -112 41))', EPSGCodeCV: '4326' },
  },
];

beforeAll(async () => {
  await service.load({
    ...{ ...lookupsOf(), 'sites.csv': sites },
    'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1,S2,S3' })],
  });
  await service.load({
    ...{ ...lookupsOf(), 'sites.csv': sites },
    'variables.csv': ['Withdrawal', 'Stage'].map((name) => ({
      ...{ VariableSpecificUUID: name, VariableSpecificCV: name, VariableCV: name },
    })),
    'sitespecificamounts.csv': ['Withdrawal', 'Stage'].map((VariableSpecificUUID) =>
      siteAmount({ SiteUUID: 'S1', VariableSpecificUUID }),
    ),
  });
  await service.load({
    ...{ ...lookupsOf(), 'reportingunits.csv': units },
    'aggregatedamounts.csv': [aggregatedAmount({ ReportingUnitUUID: 'U1' })],
  });
});

function valueOf<Value>(reply: Reply<Value>): Value {
  if (reply.kind !== 'answer') throw new Error(`the service gave no answer: ${JSON.stringify(reply)}`);
  return reply.value;
}

test('states, counties and watersheds are those in which there are records', async () => {
  const areas = valueOf(await askNamedAreas(client, 'rights', abort.signal));
  expect(areas).toEqual([
    { kind: 'state', name: 'Utah', says: 'state' },
    { kind: 'area', name: 'Cache', says: 'county, UT', boundary: 'county:UT/Cache' },
    { kind: 'area', name: '16010202', says: 'watershed (HUC8)', boundary: 'huc8:16010202' },
  ]);
  expect(valueOf(await askNamedAreas(client, 'series', abort.signal))).toEqual(areas);
  expect(valueOf(await askNamedAreas(client, 'aggregates', abort.signal))).toEqual(areas.slice(0, 1));
});

test('sites and units have their names, or else their identifiers, and lead to what the map shows', async () => {
  const { places, total } = valueOf(await askNamedPlaces(client, { kind: 'rights', filters: {} }, abort.signal));
  expect([total, places.map(({ name, says }) => [name, says])]).toEqual([
    3,
    [
      ['Heron Well', 'Well, Cache, UT'],
      ['Lost Spring', 'site, Cache, UT'],
      ['S3', 'site, Cache, UT'],
    ],
  ]);
  expect(places[0]).toMatchObject({ kind: 'site', id: 'ORG_1~S1', point: [-111.9, 41.7] });
  const ofUnits = await askNamedPlaces(client, { kind: 'aggregates', filters: {} }, abort.signal);
  expect(valueOf(ofUnits).places).toEqual([{ kind: 'unit', name: 'Bear Basin', says: 'HUC, UT', id: 'ORG_1~U1' }]);
});

test('where one page does not have all names, those of what the map shows are asked for', async () => {
  const asked: string[] = [];
  const names = new PlaceNames(
    {
      client: new ServiceClient(
        '',
        () => '',
        (url) => {
          asked.push(url);
          return Promise.resolve(new Response('SiteUUID,SiteName\nS1,Well\n', { headers: { 'X-Total-Count': '2' } }));
        },
      ),
      state: signal(INITIAL_STATE),
      hasAccess: true,
    },
    () => () => undefined,
  );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  for (const west of [-112, -112, -112, -111]) {
    names.need([west, 41, -110, 42]);
    await settled();
  }
  expect(names.extentOfPlaces.value).toBe('of what the map shows');
  const ofSites = asked.filter((url) => url.startsWith('/v1/Sites'));
  expect(ofSites.map((url) => new URLSearchParams(url.split('?')[1]).get('SearchBoundary'))).toEqual([
    ...[null, 'bbox:-112,41,-110,42', 'bbox:-111,41,-110,42'],
  ]);
});

test('an area reaches as far as its sites, a unit as far as its polygon', async () => {
  const within = (boundary: string) => askExtentOfSites(client, [['SearchBoundary', boundary]]);
  expect(valueOf(await within('county:UT/Cache'))).toEqual([-111.9, 41.2, -111.5, 41.7]);
  expect(valueOf(await within('county:UT/None'))).toBeUndefined();
  const unit = await askExtentOfUnits(client, [['ReportingUnitUUID', 'U1']]);
  expect(valueOf(unit)).toEqual([-112, 41, -111, 42.5]);
});

describe('suggestions', () => {
  const site = (name: string): NamedPlace => ({
    ...{ kind: 'site', name, says: 'Well, Cache, UT', id: 'O~S', point: [0, 0] },
  });
  const county: NamedPlace = { kind: 'area', name: 'Cache', says: 'county, UT', boundary: 'county:UT/Cache' };

  test('have every word, in any case, areas before sites', () => {
    const places = [site('Upper Cache Well'), site('Cache 2'), county, site('Other')];
    expect(suggestionsOf(places, 'cACHE').map(({ name }) => name)).toEqual([
      ...['Cache', 'Cache 2', 'Other', 'Upper Cache Well'],
    ]);
    expect(suggestionsOf(places, 'well upper').map(({ name }) => name)).toEqual(['Upper Cache Well']);
  });

  test('are none without a word, and nine at most', () => {
    expect(suggestionsOf([county], ' ')).toEqual([]);
    const many = Array.from({ length: 30 }, (_, index) => site(`Well ${index}`));
    expect(suggestionsOf(many, 'well')).toHaveLength(9);
  });
});
