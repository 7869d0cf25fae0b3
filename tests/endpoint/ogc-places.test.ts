// Sites and reporting units as collections of OGC API - Features (D42, D43, D47, D48).

import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { loadedService, type Answer } from '../fixtures/test-service';

const SITES = '/ogc/collections/sites/items';
const UNITS = '/ogc/collections/reporting-units/items';

const lookups = {
  ...lookupsOf(),
  'variables.csv': [
    { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Withdrawal, Annual', VariableCV: 'Withdrawal' },
    { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Discharge', VariableCV: 'Discharge' },
  ],
};

function yearly(site: string, variable: string, years: readonly number[], use = 'Irrigation') {
  return years.map((year) =>
    siteAmount({
      ...{ SiteUUID: site, VariableSpecificUUID: variable, ReportYearCV: year, BeneficialUseCategory: use },
      ...{ TimeframeStart: `${year}-01-01`, TimeframeEnd: `${year}-12-31` },
    }),
  );
}

const amounts = {
  ...lookups,
  'sites.csv': [
    { SiteUUID: 'S1', SiteTypeCV: 'Well', PODorPOUSite: 'POD', County: 'Cache', Longitude: '-112', Latitude: '40' },
    { SiteUUID: 'S2/~%é', SiteTypeCV: 'well', StateCV: 'CO', Geometry: 'POLYGON((-110 40,-109 40,-109 41,-110 40))' },
    { SiteUUID: 's1', SiteTypeCV: 'Gage' },
  ],
  'reportingunits.csv': [
    { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'HUC8', Geometry: 'POLYGON((-112 40,-111 40,-111 41,-112 40))' },
    { ReportingUnitUUID: 'RU2', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Cache', StateCV: 'UT' },
  ],
  'sitespecificamounts.csv': [
    ...yearly('S1', 'V2', [2001, 2002, 2003]),
    ...yearly('S1', 'V1', [1990], 'Mining'),
    ...yearly('S2/~%é', 'V1', [2000]),
    ...yearly('s1', 'V1', [2000, 2001], 'Mining'),
  ],
  'aggregatedamounts.csv': [
    aggregatedAmount({ ReportYearCV: 2000 }),
    aggregatedAmount({ ReportingUnitUUID: 'RU2', ReportYearCV: 2005, BeneficialUseCategory: 'Mining' }),
  ],
};

const rights = {
  ...lookups,
  'sites.csv': [
    { SiteUUID: 'S1', SiteTypeCV: 'Spring' },
    { SiteUUID: 'S0', PODorPOUSite: 'POU', SiteTypeCV: 'Field', Longitude: '-111.5', Latitude: '40.5' },
  ],
  'waterallocations.csv': [
    allocation({ AllocationNativeID: 'A', SiteUUID: 'S1,S0', AllocationPriorityDate: '1850-01-01' }),
  ],
};

const service = loadedService(amounts, rights);

interface Feature {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

function featuresOf({ status, json, text }: Answer): readonly Feature[] {
  expect([status, text]).toEqual([200, expect.anything()]);
  expect(json.numberReturned).toBe(json.features.length);
  return json.features as Feature[];
}

async function idsOf(path: string): Promise<readonly string[]> {
  return featuresOf(await service.get(path)).map(({ id }) => id.replace('ORG_1~', ''));
}

function filtered(text: string): string {
  return `filter=${encodeURIComponent(text)}`;
}

test.each([
  ['sites', SITES, '/v1/Sites'],
  ['reporting-units', UNITS, '/v1/ReportingUnits'],
])('%s are the places of the operation, with its columns and geometries', async (id, items, operation) => {
  const features = featuresOf(await service.get(items));
  const expected = (await service.get(`${operation}?format=geojson`)).json.features as Feature[];
  const asText = (value: unknown): unknown => (Array.isArray(value) ? value.map((one) => String(one ?? '')) : value);
  expect(features).toEqual(
    expected.map(({ properties, ...feature }) => ({
      ...feature,
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, asText(value)])),
    })),
  );
  const { json: schema } = await service.get(`/ogc/collections/${id}/schema`, {});
  const described = schema.properties.properties.properties as Record<string, { readonly type: string }>;
  expect(Object.keys(described)).toEqual(Object.keys(features[0]?.properties ?? {}));
  expect(Object.values(described).every(({ type }) => typeof type === 'string')).toBe(true);
  expect((await service.get(items, {})).status).toBe(401);
});

test('the collections of places are described, with what filters can name and where they lie', async () => {
  const { json } = await service.get('/ogc/collections', {});
  const collections = json.collections as { readonly id: string; readonly extent: object }[];
  expect(collections.map(({ id }) => id)).toEqual([
    ...['sites', 'reporting-units', 'allocations', 'site-amounts', 'aggregated-amounts'],
  ]);
  // The days are those of amounts, never priority dates.
  expect(collections[0]?.extent).toMatchObject({
    spatial: { bbox: [[-112, 40, -109, 41]] },
    temporal: { interval: [['1990-01-01T00:00:00Z', '2003-12-31T23:59:59Z']] },
  });
  const queryables = async (id: string): Promise<readonly string[]> =>
    Object.keys((await service.get(`/ogc/collections/${id}/queryables`, {})).json.properties as object);
  expect(await queryables('sites')).toEqual([
    ...['SiteUUID', 'SiteTypeCV', 'PODorPOUSite', 'State', 'County', 'HUC8', 'HUC12', 'geometry', 'OrganizationUUID'],
    ...['VariableCV', 'VariableSpecificCV', 'BeneficialUseCV', 'USGSCategoryNameCV', 'WaterSourceTypeCV'],
    ...['UseCategoryCV', 'TimeframeStart', 'TimeframeEnd'],
  ]);
  expect(await queryables('reporting-units')).toContain('UsgsCategoryNameCV');
  const { json: api } = await service.get('/ogc/api', {});
  const names = (api.paths['/collections/sites/items'].get.parameters as { readonly name: string }[]).map(
    ({ name }) => name,
  );
  expect(names).toEqual(expect.arrayContaining(['bbox', 'datetime', 'MinimumYears', 'SearchBoundary']));
});

test.each<[string, readonly string[]]>([
  ['', ['S0', 'S1', 'S2/~%é', 's1']],
  ['limit=2&offset=1', ['S1', 'S2/~%é']],
  ['bbox=-112.5,39.5,-111.2,40.7', ['S0', 'S1']],
  ['bbox=39.5,-112.5,40.7,-111.2&bbox-crs=EPSG:4326', ['S0', 'S1']],
  // A site of rights has no time.
  ['datetime=1995-01-01', ['S0', 'S1']],
  ['datetime=2004-01-01/..', ['S0']],
  ['datetime=../1990-01-01', ['S0', 'S1']],
  ['SiteTypeCV=WELL', ['S1', 'S2/~%é']],
  ['VariableCV=Discharge&MinimumYears=3', ['S1']],
  [filtered("SiteTypeCV = 'well'"), ['S2/~%é']],
  [filtered("CASEI(SiteTypeCV) = CASEI('WELL')"), ['S1', 'S2/~%é']],
  [filtered("NOT SiteTypeCV LIKE 'W%'"), ['S0', 'S2/~%é', 's1']],
  [filtered("State = 'CO'"), ['S2/~%é']],
  [filtered("SiteUUID IN ('S1', 'S0')"), ['S0', 'S1']],
  [filtered('County IS NULL AND PODorPOUSite IS NOT NULL'), ['S0']],
  // One amount must meet what AND joins, whether the filter says it or a parameter.
  [filtered("VariableCV = 'Withdrawal' AND BeneficialUseCV = 'Mining'"), ['S1', 's1']],
  [filtered("VariableCV = 'Discharge' AND BeneficialUseCV = 'Mining'"), []],
  [`BeneficialUseCV=Mining&${filtered("VariableCV = 'Discharge'")}`, []],
  [`MinimumYears=2&${filtered("VariableCV = 'Withdrawal'")}`, ['s1']],
  // A negation holds where no amount meets what is negated, and some amount is known.
  [filtered("NOT BeneficialUseCV = 'Mining'"), ['S2/~%é']],
  [filtered("VariableCV = 'Discharge' OR PODorPOUSite = 'POU'"), ['S0', 'S1']],
  [filtered('VariableCV IS NULL'), ['S0']],
  [filtered("TimeframeStart < DATE('2000-01-01')"), ['S1']],
  [filtered('S_INTERSECTS(geometry, BBOX(-110, 40, -109, 41))'), ['S2/~%é']],
  [filtered('NOT S_INTERSECTS(geometry, BBOX(-110, 40, -109, 41))'), ['S0', 'S1']],
  [`${filtered('{"op":"like","args":[{"property":"SiteUUID"},"S_"]}')}&filter-lang=cql2-json`, ['S0', 'S1']],
  [`bbox=-113,39,-109,42&datetime=2001-06-01&${filtered("OrganizationUUID = 'ORG_1'")}`, ['S0', 'S1']],
])('%s finds the sites %j', async (query, expected) => {
  expect(await idsOf(`${SITES}?${query}`)).toEqual(expected);
});

test('a place is found by its id, whatever the id holds, in every form and reference system', async () => {
  for (const path of [SITES, UNITS]) {
    for (const feature of featuresOf(await service.get(path))) {
      const address = `${path}/${encodeURIComponent(feature.id)}`;
      const answer = await service.get(address);
      expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'application/geo+json']);
      expect(answer.json).toMatchObject({ ...feature });
      expect((await service.get(`${address}?f=html`)).status).toBe(200);
      expect((await service.get(`${address}?crs=EPSG:3857`)).headers['Content-Crs']).toContain('3857');
    }
    for (const id of ['ORG_1~none', 'ORG_1~S9', 'org_1~S1', 'NONE~S1']) {
      expect([id, (await service.get(`${path}/${id}`)).status]).toEqual([id, 404]);
    }
  }
  const [, second] = featuresOf(await service.get(`${SITES}?crs=EPSG:4326`));
  expect(second?.geometry).toEqual({ type: 'Point', coordinates: [40, -112] });
});

test('a walk stays on the data version that it began with, and a site that is withdrawn is gone', async () => {
  const ids: string[] = [];
  let path: string | undefined = `${SITES}?limit=1&key=${service.key}`;
  for (let page = 0; path !== undefined && page < 9; page++) {
    const answer: Answer = await service.get(path);
    expect([answer.json.numberMatched, answer.text.includes(service.key)]).toEqual([4, false]);
    ids.push(...featuresOf(answer).map(({ id }) => id));
    if (page === 0) {
      await service.load({ ...amounts, 'sitespecificamounts.csv': yearly('S1', 'V1', [2000]) });
      expect(await idsOf(SITES)).toEqual(['S0', 'S1']);
    }
    const links = answer.json.links as { readonly rel: string; readonly href: string }[];
    path = links.find(({ rel }) => rel === 'next')?.href.replace('http://localhost', '');
  }
  expect(ids).toEqual(['ORG_1~S0', 'ORG_1~S1', 'ORG_1~S2/~%é', 'ORG_1~s1']);
  expect((await service.get(`${SITES}/ORG_1~s1`)).status).toBe(410);
});
