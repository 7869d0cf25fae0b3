// Sites and reporting units as collections of OGC API - Features (D42, D43, D47, D48).

import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { loadedService, type Answer } from '../fixtures/test-service';

const SITES = '/ogc/collections/sites/items';

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

test.each<[string, readonly string[]]>([
  ['', ['S0', 'S1', 'S2/~%é', 's1']],
  ['bbox=-112.5,39.5,-111.2,40.7', ['S0', 'S1']],
  ['bbox=39.5,-112.5,40.7,-111.2&bbox-crs=EPSG:4326', ['S0', 'S1']],
  // A site of rights has no time.
  ['datetime=1995-01-01', ['S0', 'S1']],
  ['datetime=2004-01-01/..', ['S0']],
  ['datetime=../1990-01-01', ['S0', 'S1']],
  ['SiteTypeCV=WELL', ['S1', 'S2/~%é']],
  ['VariableCV=Discharge&MinimumYears=3', ['S1']],
  [filtered("CASEI(SiteTypeCV) = CASEI('WELL')"), ['S1', 'S2/~%é']],
  // One amount must meet what AND joins, whether the filter says it or a parameter.
  [filtered("VariableCV = 'Withdrawal' AND BeneficialUseCV = 'Mining'"), ['S1', 's1']],
  [`BeneficialUseCV=Mining&${filtered("VariableCV = 'Discharge'")}`, []],
  [`MinimumYears=2&${filtered("VariableCV = 'Withdrawal'")}`, ['s1']],
  // A negation holds where no amount meets what is negated, and some amount is known.
  [filtered("NOT BeneficialUseCV = 'Mining'"), ['S2/~%é']],
  [filtered('S_INTERSECTS(geometry, BBOX(-110, 40, -109, 41))'), ['S2/~%é']],
  [`${filtered('{"op":"like","args":[{"property":"SiteUUID"},"S_"]}')}&filter-lang=cql2-json`, ['S0', 'S1']],
  [`bbox=-113,39,-109,42&datetime=2001-06-01&${filtered("OrganizationUUID = 'ORG_1'")}`, ['S0', 'S1']],
])('%s finds the sites %j', async (query, expected) => {
  expect(await idsOf(`${SITES}?${query}`)).toEqual(expected);
});
