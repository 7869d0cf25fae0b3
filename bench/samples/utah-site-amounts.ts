// The sample of site amounts, with a row of nearly every kind that such a submission can get wrong.

import { SeededRandom } from '../generate/seeded-random';
import { relationColumns, siteAmountColumns, siteColumns } from './sample-columns';
import {
  methodTable,
  organizationTable,
  variableTable,
  waterSourceTable,
  type SampleOrganization,
  type SampleVariable,
} from './sample-lookups';
import { areasOf } from './sample-places';
import { soundRows, withRejected, withWarning, type SampleRow, type SampleSubmission } from './sample-submission';
import { gages } from './utah-gages';
import { publicSupply } from './utah-public-supply';

const organization: SampleOrganization = {
  uuid: 'SAMPLE_UT',
  state: 'UT',
  name: 'Sample Water Agency of Utah',
  purview: 'Sample data: invented, for trying the service.',
};

const variables: readonly SampleVariable[] = [
  { variable: 'Delivered Water Use', specific: 'Delivered Water Use_Domestic', ...yearly('G') },
  { variable: 'Delivered Water Use', specific: 'Delivered Water Use_Commercial', ...yearly('G') },
  { variable: 'Site Specific Withdrawal', specific: 'Site Specific Withdrawal_Public Supply', ...yearly('G') },
  {
    variable: 'Discharge Flow',
    specific: 'Discharge Flow_Stream Gage',
    interval: 'Month',
    statistic: 'Average',
    unit: 'CFS',
  },
  { variable: 'Gage Height', specific: 'Gage Height_Stream Gage', interval: 'Day', statistic: 'Average', unit: 'FT' },
  {
    variable: 'Reservoir Level',
    specific: 'Reservoir Level_Storage',
    interval: 'Month',
    statistic: 'Average',
    unit: 'AF',
  },
];

export function utahSiteAmounts(seed: number): SampleSubmission {
  const random = new SeededRandom(seed);
  const areas = areasOf({
    box: { west: -113.6, south: 37.2, east: -109.4, north: 40.8 },
    columns: 2,
    names: ['Saltbrush', 'Red Stair', 'Larkspur', 'Quaking Fork', 'Tamarack', 'Pinyon Flat'],
    firstHuc8: 16029001,
  });
  const supply = publicSupply(organization, areas, random);
  const observed = gages(organization, areas, supply.sites.length + 1, random);
  const sites = [...supply.sites, ...observed.sites].map((site) => site.cells);
  return {
    folder: 'utah-site-amounts',
    description:
      'Public supply, 1975 to 2023: eight towns with their service areas (polygons), the wells and springs that serve ' +
      'them, what was delivered and what was withdrawn. Observation sites: discharge by month, gage height by day, ' +
      'reservoir storage by month.',
    tables: [
      organizationTable(organization),
      variableTable(organization, variables),
      methodTable(organization, [
        {
          ApplicableResourceTypeCV: 'Surface Ground Water',
          MethodDescription: 'Meters read by the water systems,\nreported once a year.',
          MethodName: 'Reported water use',
          MethodTypeCV: 'Measured',
        },
        {
          ApplicableResourceTypeCV: 'Surface Water',
          MethodDescription: 'Automatic stations, "raw" values.',
          MethodName: 'Gage readings',
          MethodTypeCV: 'Measured',
        },
      ]),
      waterSourceTable(organization, [
        { name: 'Unspecified', type: 'Unspecified' },
        { name: 'Streams and springs', type: 'Surface Water' },
        { name: 'Valley aquifer', type: 'Groundwater' },
      ]),
      { file: 'sites.csv', columns: siteColumns, rows: withSiteFlaws(soundRows(sites)) },
      {
        file: 'podsitetopousiterelationships.csv',
        columns: relationColumns,
        rows: withRelationFlaws(soundRows(supply.relations)),
      },
      {
        file: 'sitespecificamounts.csv',
        columns: siteAmountColumns,
        rows: withAmountFlaws(soundRows([...supply.amounts, ...observed.amounts])),
      },
    ],
  };
}

function yearly(unit: string): Pick<SampleVariable, 'interval' | 'statistic' | 'unit'> {
  return { interval: 'Year', statistic: 'Cumulative', unit };
}

function withSiteFlaws(sound: readonly SampleRow[]): SampleRow[] {
  const broken = 'POLYGON ((-112.1 38.4, -112.0 38.4, -112.0 38.5, -112.1 38.5))';
  const wells = sound.flatMap(({ cells }, index) => (cells['SiteTypeCV'] === 'Well' ? [index] : []));
  const [first = 0, second = 0] = wells;
  const lastTown = sound.findLastIndex(({ cells }) => cells['PODorPOUSite'] === 'POU');
  let rows = withWarning(sound, first, { Longitude: 0, Latitude: 0 }, 'coordinates 0/0: the site has no point');
  rows = withWarning(rows, lastTown, { Geometry: broken }, 'a polygon whose ring is not closed: not searchable');
  rows = withWarning(rows, second, { HUC12: '1.60290E+11' }, 'a HUC12 that a spreadsheet has cut short');
  return withRejected(rows, rows.length - 1, { SiteName: 'The same site again' }, 'a second row of the same SiteUUID');
}

function withRelationFlaws(sound: readonly SampleRow[]): SampleRow[] {
  const rows = withRejected(sound, 12, { PODSiteUUID: 'SAMPLE_UT_S998' }, 'a relation of a site that is not there');
  return withRejected(rows, 3, {}, 'a second relation of the same sites and dates');
}

function withAmountFlaws(sound: readonly SampleRow[]): SampleRow[] {
  const newOwnYear = { ReportYearCV: 1974, TimeframeStart: '1974-01-01', TimeframeEnd: '1974-12-31' };
  const lateYear = sound[90]?.cells['ReportYearCV'] ?? '';
  let rows = withWarning(sound, 30, { WaterSourceUUID: 'SAMPLE_UT_WS9' }, 'a water source that is not held');
  rows = withWarning(
    rows,
    60,
    { TimeframeStart: sound[60]?.cells['TimeframeEnd'] ?? '', TimeframeEnd: sound[60]?.cells['TimeframeStart'] ?? '' },
    'TimeframeStart after TimeframeEnd',
  );
  rows = withWarning(rows, 90, { TimeframeEnd: `31/12/${lateYear}` }, 'a date with the day first: TimeframeEnd');
  rows = withWarning(rows, 110, { PopulationServed: 'about 900' }, 'a number that cannot be read: PopulationServed');
  rows = withRejected(rows, 500, { ...newOwnYear, SiteUUID: 'SAMPLE_UT_S999' }, 'a site that is not held');
  rows = withRejected(rows, 400, { ...newOwnYear, Amount: 'not measured' }, 'an Amount that is not a number');
  rows = withRejected(
    rows,
    300,
    { ...newOwnYear, VariableSpecificUUID: 'SAMPLE_UT_V99' },
    'a variable that is not held',
  );
  rows = withRejected(rows, 200, { ...newOwnYear, Amount: '' }, 'no Amount');
  return withRejected(rows, 20, { Amount: 1 }, 'a second row of the same key');
}
