// Names that are found, how far places reach, and what filters that find nothing leave, asked of the service itself.

import { askExtentOfSites, askExtentOfUnits } from '../../explorer/requests/extents';
import { askNames, statesNamed, withFound, type FoundName } from '../../explorer/requests/find';
import { askCountsWithout, askFacets } from '../../explorer/requests/operations';
import type { Reply } from '../../explorer/requests/reply';
import { INITIAL_STATE, type ExplorerState } from '../../explorer/state/state';
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

async function found(text: string): Promise<FoundName> {
  const [first] = valueOf(await askNames(client, text, [], abort.signal)).names;
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
] as const)('%s becomes the filter of %s, and finds as many as are said', async (text, kind, filters, place) => {
  const name = await found(text);
  const state = withFound(ofKind(kind), name);
  expect(state).toMatchObject({ kind, filters });
  expect(state.place).toBe(place);
  expect(valueOf(await askFacets(client, state, [], abort.signal)).TotalCount).toBe(name.counts[kind]);
});

test('what the kind that is shown has none of leads to the kind that has most of it', async () => {
  const bear = await found('bear');
  expect([bear.counts, withFound(ofKind('rights'), bear).kind]).toEqual([
    { rights: 0, series: 0, aggregates: 1 },
    'aggregates',
  ]);
});

test('a suggestion says what it is and where, and the beginning of words is enough', async () => {
  const { names, total } = valueOf(await askNames(client, 'spr', ['Site'], abort.signal));
  expect([total, names.map(({ name, says }) => [name, says])]).toEqual([1, [['Lost Spring', 'site, Cache, UT']]]);
  expect(valueOf(await askNames(client, 'spr', ['County'], abort.signal)).names).toEqual([]);
});

test('states that are counted are found by the beginning of their name, or by their abbreviation', async () => {
  const facets = valueOf(await askFacets(client, ofKind('rights'), ['State'], abort.signal));
  const filter = [['State', 'UT']];
  for (const text of ['ut', 'Utah', 'uta'])
    expect(statesNamed(text, 'rights', facets)).toMatchObject([{ name: 'Utah', counts: { rights: 1 }, filter }]);
  expect(statesNamed('h', 'rights', facets)).toEqual([]);
});

test('filters that find nothing together say which of them leaves something when it is taken away', async () => {
  const filters = { County: ['Cache'], AllocationNativeID: ['A'], BeneficialUseCV: ['Nothing'] };
  const counts = valueOf(await askCountsWithout(client, { kind: 'rights', filters }, abort.signal));
  expect(counts).toEqual([{ name: 'BeneficialUseCV', count: 1 }]);
});

test('an area reaches as far as its sites, a unit as far as its polygon', async () => {
  const within = (boundary: string) => askExtentOfSites(client, [['SearchBoundary', boundary]]);
  expect(valueOf(await within('county:UT/Cache'))).toEqual([-111.9, 41.2, -111.5, 41.7]);
  expect(valueOf(await within('county:UT/None'))).toBeUndefined();
  const unit = await askExtentOfUnits(client, [['ReportingUnitUUID', 'U1']]);
  expect(valueOf(unit)).toEqual([-112, 41, -111, 42.5]);
});
