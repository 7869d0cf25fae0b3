// Names of places in the explorer: counties with the same name in different states, and watersheds by code.

import { listPublishedStates } from '../../explorer/requests/inventory';
import { fetchNamesakes, findStatesByCounty, listNamesakes } from '../../explorer/requests/namesakes';
import { fetchWatershedNames, listWatershedTypes } from '../../explorer/requests/watershed-names';
import { INITIAL_STATE } from '../../explorer/state/address';
import { isCountyChosen, withToggledNamesake } from '../../explorer/state/namesakes';
import type { Filters } from '../../explorer/state/state';
import { createServiceClient } from '../fixtures/explorer-services';
import { aggregatedAmount, allocation, buildLookups } from '../fixtures/handmade';
import { createLoadedService, type TestService } from '../fixtures/test-service';

describe('counties with the same name', () => {
  const statesByCounty = new Map([
    ['lincoln', new Set(['ID', 'WY'])],
    ['teton', new Set(['ID', 'WY'])],
    ['ada', new Set(['ID'])],
  ]);

  function toggle(filters: Filters, county: string, state: string): Filters {
    return withToggledNamesake({ ...INITIAL_STATE, filters }, { county, state }, statesByCounty).filters;
  }

  test.each<[description: string, before: Filters, county: string, state: string, after: Filters]>([
    ['choosing a county sets its state', {}, 'Lincoln', 'ID', { County: ['Lincoln'], State: ['ID'] }],
    ['removing the county also removes its state', { County: ['Lincoln'], State: ['ID'] }, 'Lincoln', 'ID', {}],
    [
      'choosing the other county adds its state',
      { County: ['Lincoln'], State: ['ID'] },
      'Lincoln',
      'WY',
      { County: ['Lincoln'], State: ['ID', 'WY'] },
    ],
    [
      'removing one of two counties leaves the other county',
      { County: ['Lincoln'], State: ['ID', 'WY'] },
      'Lincoln County',
      'WY',
      { County: ['Lincoln'], State: ['ID'] },
    ],
    [
      'a county without a state means all states, and removing one state leaves the others',
      { County: ['Lincoln'] },
      'Lincoln',
      'ID',
      { County: ['Lincoln'], State: ['WY'] },
    ],
    [
      'a county that was chosen without its state stays in the result when another is added',
      { County: ['Ada'] },
      'Lincoln',
      'WY',
      { County: ['Ada', 'Lincoln'], State: ['ID', 'WY'] },
    ],
    [
      'a state that another county needs stays',
      { County: ['Ada', 'Lincoln'], State: ['ID', 'WY'] },
      'Lincoln',
      'ID',
      { County: ['Ada'], State: ['ID', 'WY'] },
    ],
  ])('%s', (_, before, county, state, after) => {
    expect(toggle(before, county, state)).toEqual(after);
  });

  test('are chosen if the filters have their name, and either their state or no state', () => {
    expect(isCountyChosen({ filters: { County: ['Lincoln'] } }, 'Lincoln County', 'WY')).toBe(true);
    expect(isCountyChosen({ filters: { County: ['Lincoln'], State: ['ID'] } }, 'Lincoln', 'WY')).toBe(false);
    expect(isCountyChosen({ filters: { County: ['Ada'], State: ['WY'] } }, 'Lincoln', 'WY')).toBe(false);
  });
});

const rightsOf = (state: string, counties: readonly string[]) => ({
  ...buildLookups(),
  'organizations.csv': [{ OrganizationUUID: `ORG_${state}`, OrganizationName: state, State: state }],
  'sites.csv': counties.map((County, index) => ({
    SiteUUID: `${state}${index}`,
    SiteName: '',
    County,
    StateCV: state,
    Longitude: '-111',
    Latitude: '42',
  })),
  'waterallocations.csv': counties.map((_, index) =>
    allocation({
      OrganizationUUID: `ORG_${state}`,
      AllocationNativeID: `${state}${index}`,
      SiteUUID: `${state}${index}`,
    }),
  ),
});

describe('counts of counties with the same name', () => {
  const service = createLoadedService(
    rightsOf('ID', ['Lincoln', 'Lincoln County', 'Ada']),
    rightsOf('WY', ['Lincoln', 'Albany']),
  );

  async function fetchCounts(filters: Filters): Promise<unknown> {
    const inventory = (await service.get('/v1/Inventory')).json;
    const names = listNamesakes(findStatesByCounty(inventory));
    expect(names).toEqual(['lincoln']);
    const reply = await fetchNamesakes(createServiceClient(service), { kind: 'rights', filters }, names);
    return reply.kind === 'answer' ? reply.value.map(({ state, count }) => `${state} ${count}`).sort() : reply;
  }

  test('are separate for each state, with the other filters applied', async () => {
    expect(await fetchCounts({})).toEqual(['ID 2', 'WY 1']);
    expect(await fetchCounts({ AllocationNativeID: ['WY0'] })).toEqual(['WY 1']);
    for (const [state, count] of [
      ['ID', 2],
      ['WY', 1],
    ]) {
      const { json } = await service.get(`/v1/SiteAllocationAmounts?County=Lincoln&State=${state ?? ''}`);
      expect(json.TotalWaterAllocationsCount).toBe(count);
    }
  });
});

describe('names of watersheds', () => {
  const unit = (ReportingUnitNativeID: string, ReportingUnitName: string, ReportingUnitTypeCV: string) => ({
    ReportingUnitUUID: `U${ReportingUnitNativeID}${ReportingUnitTypeCV}`,
    ReportingUnitNativeID,
    ReportingUnitName,
    ReportingUnitTypeCV,
    StateCV: 'UT',
  });
  const units = [
    unit('16010101', 'Upper Bear', 'HUC8'),
    unit('2060003', 'Gunpowder-Patapsco', 'HUC8'),
    unit('16010102', '16010102', 'HUC8'),
    unit('16010201', 'Cache', 'County'),
  ];
  const lookups = {
    ...buildLookups(),
    'reportingunits.csv': units,
    'aggregatedamounts.csv': units.map(({ ReportingUnitUUID }) => aggregatedAmount({ ReportingUnitUUID })),
  };
  const service: TestService = createLoadedService(lookups);

  test('are the names of published reporting units of this type, by their 8-digit code', async () => {
    const types = listWatershedTypes((await service.get('/v1/Inventory')).json);
    expect(types).toEqual(['HUC8']);
    const reply = await fetchWatershedNames(createServiceClient(service), types);
    expect(reply.kind === 'answer' ? [...reply.value].sort() : reply).toEqual([
      ['02060003', 'Gunpowder-Patapsco'],
      ['16010101', 'Upper Bear'],
    ]);
  });
});

describe('the states of the areas of an organization', () => {
  const areas = (organization: string, StateCV: string) => ({
    ...buildLookups(),
    'organizations.csv': [{ OrganizationUUID: organization, OrganizationName: organization, State: StateCV }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'U1', ReportingUnitName: 'Area', StateCV }],
    'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: organization, ReportingUnitUUID: 'U1' })],
  });
  const service = createLoadedService(areas('ORG_1', 'UT'), areas('ORG_2', 'WY'));

  test('determine where the map goes, with or without shapes', async () => {
    const inventory = (await service.get('/v1/Inventory')).json;
    expect(listPublishedStates(inventory, ['ORG_2'])).toEqual(['WY']);
    expect(listPublishedStates(inventory, ['ORG_1', 'ORG_2'])).toEqual(['UT', 'WY']);
    expect(listPublishedStates(inventory, [])).toEqual([]);
    expect(listPublishedStates(undefined, ['ORG_1'])).toEqual([]);
  });
});
