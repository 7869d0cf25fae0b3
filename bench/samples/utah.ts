// The sample of site amounts, with a row of nearly every kind that such a submission can get wrong.

import { realColumns } from '../generate/columns';
import {
  methodTable,
  organizationTable,
  relationTable,
  variableTable,
  waterSourceTable,
  type Variable,
} from '../generate/lookups';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { countiesOf } from './counties';
import { RiverValleys, type Rivers } from './rivers';
import { sampleOrganization, type Sample } from './sample';
import { gages } from './utah-gages';
import { publicSupply } from './utah-public-supply';

const organization = sampleOrganization('UT', 'Utah');

/** Bear, Provo and Jordan, Sevier, Green, Virgin, San Juan. */
const rivers: Rivers = [
  {
    huc8: '16019001',
    through: [
      [-111.3, 41.85],
      [-111.85, 41.95],
      [-111.9, 41.7],
      [-112.1, 41.6],
      [-112.1, 41.47],
    ],
  },
  {
    huc8: '16029001',
    through: [
      [-111.1, 40.6],
      [-111.45, 40.45],
      [-111.65, 40.25],
      [-111.9, 40.4],
      [-111.93, 40.75],
    ],
  },
  {
    huc8: '16039001',
    through: [
      [-112.4, 37.65],
      [-112.2, 38.2],
      [-112.05, 38.75],
      [-111.85, 39.2],
      [-112, 39.5],
      [-112.6, 39.35],
    ],
  },
  {
    huc8: '14069001',
    through: [
      [-109.45, 40.6],
      [-109.4, 40.3],
      [-109.75, 40.05],
      [-110.1, 39.2],
      [-110.1, 38.7],
    ],
  },
  {
    huc8: '15019001',
    through: [
      [-112.7, 37.45],
      [-112.95, 37.2],
      [-113.3, 37.17],
      [-113.6, 37.08],
    ],
  },
  {
    huc8: '14089001',
    through: [
      [-109.5, 38.6],
      [-109.35, 37.9],
      [-109.5, 37.3],
      [-109.9, 37.2],
    ],
  },
];

const yearly = { interval: 'Year', statistic: 'Cumulative', unit: 'G' } as const;
const monthly = { interval: 'Month', statistic: 'Average' } as const;

const variables: readonly Variable[] = [
  { variable: 'Delivered Water Use', specific: 'Delivered Water Use_Domestic', ...yearly },
  { variable: 'Delivered Water Use', specific: 'Delivered Water Use_Commercial', ...yearly },
  { variable: 'Site Specific Withdrawal', specific: 'Site Specific Withdrawal_Public Supply', ...yearly },
  { variable: 'Discharge Flow', specific: 'Discharge Flow_Stream Gage', ...monthly, unit: 'CFS' },
  { variable: 'Gage Height', specific: 'Gage Height_Stream Gage', interval: 'Day', statistic: 'Average', unit: 'FT' },
  { variable: 'Reservoir Level', specific: 'Reservoir Level_Storage', ...monthly, unit: 'AF' },
];

export function utahSiteAmounts(seed: number): Sample {
  const random = new SeededRandom(seed);
  const valleys = new RiverValleys(rivers, countiesOf('49'), random);
  const supply = publicSupply(organization, valleys, random);
  const observed = gages(organization, valleys, supply.sites.length + 1, random);
  const sites = [...supply.sites, ...observed.sites].map((site) => site.cells);
  const amounts = [...supply.amounts, ...observed.amounts];
  return {
    folder: 'utah-site-amounts',
    description:
      'Public supply, 1975 to 2023: eight towns with their service areas (polygons), the wells and springs that ' +
      'serve them, what was delivered and what was withdrawn. Observation sites: discharge by month, gage height ' +
      'by day, reservoir storage by month; one gage stood still for a summer.',
    tables: [
      organizationTable(organization),
      variableTable(organization.uuid, variables),
      methodTable(organization.uuid, [
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
      waterSourceTable(organization.uuid, [
        { name: 'Unspecified', type: 'Unspecified' },
        { name: 'Streams and springs', type: 'Surface Water' },
        { name: 'Valley aquifer', type: 'Groundwater' },
      ]),
      { file: 'sites.csv', columns: realColumns.sites, ...flawed(sites, siteFlaws(sites)) },
      relationTable(flawed(supply.relations, relationFlaws)),
      { file: 'sitespecificamounts.csv', columns: realColumns.siteAmounts, ...flawed(amounts, amountFlaws(amounts)) },
    ],
  };
}

const relationFlaws: readonly PlannedFlaw[] = [
  ['rejected', 12, { PODSiteUUID: 'SAMPLE_UT_S998' }, 'a relation of a site that is not there'],
  ['rejected', 3, {}, 'a second relation of the same sites and dates'],
];

function siteFlaws(sites: readonly Cells[]): readonly PlannedFlaw[] {
  const broken = 'POLYGON ((-112.1 38.4, -112.0 38.4, -112.0 38.5, -112.1 38.5))';
  const wells = sites.flatMap(({ SiteTypeCV }, index) => (SiteTypeCV === 'Well' ? [index] : []));
  const [first = 0, second = 0] = wells;
  const lastTown = sites.findLastIndex(({ PODorPOUSite }) => PODorPOUSite === 'POU');
  return [
    ['warned', first, { Longitude: 0, Latitude: 0 }, 'coordinates 0/0: the site has no point'],
    ['warned', lastTown, { Geometry: broken }, 'a polygon whose ring is not closed: not searchable'],
    ['warned', second, { HUC12: '1.60290E+11' }, 'a HUC12 that a spreadsheet has cut short'],
    ['rejected', sites.length - 1, { SiteName: 'The same site again' }, 'a second row of the same SiteUUID'],
  ];
}

function amountFlaws(amounts: readonly Cells[]): readonly PlannedFlaw[] {
  const ownYear = { ReportYearCV: 1974, TimeframeStart: '1974-01-01', TimeframeEnd: '1974-12-31' };
  const { TimeframeStart = '', TimeframeEnd = '' } = amounts[60] ?? {};
  const reversed = { TimeframeStart: TimeframeEnd, TimeframeEnd: TimeframeStart };
  const dayFirst = { TimeframeEnd: `31/12/${amounts[90]?.['ReportYearCV'] ?? ''}` };
  return [
    ['warned', 30, { WaterSourceUUID: 'SAMPLE_UT_WS9' }, 'a water source that is not held'],
    ['warned', 60, reversed, 'TimeframeStart after TimeframeEnd'],
    ['warned', 90, dayFirst, 'a date with the day first: TimeframeEnd'],
    ['warned', 110, { PopulationServed: 'about 900' }, 'a number that cannot be read: PopulationServed'],
    ['rejected', 500, { ...ownYear, SiteUUID: 'SAMPLE_UT_S999' }, 'a site that is not held'],
    ['rejected', 400, { ...ownYear, Amount: 'not measured' }, 'an Amount that is not a number'],
    ['rejected', 300, { ...ownYear, VariableSpecificUUID: 'SAMPLE_UT_V99' }, 'a variable that is not held'],
    ['rejected', 200, { ...ownYear, Amount: '' }, 'no Amount'],
    ['rejected', 20, { Amount: 1 }, 'a second row of the same key'],
  ];
}
