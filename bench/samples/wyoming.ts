// The sample of one organization with two data sets: what ditches diverted, and the rights that they divert under.
// Its files use the older column names, a byte order mark, CRLF line ends and numbers that a spreadsheet has touched.

import { dayNumber, monthsOf, slashDay } from '../generate/calendar-days';
import { realColumns } from '../generate/columns';
import { methodTable, organizationTable, variableTable, waterSourceTable } from '../generate/lookups';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { countiesOf } from './counties';
import { RiverValleys, type Rivers } from './rivers';
import { createSite, sampleOrganization, type Sample, type SampleSite } from './sample';

const organization = sampleOrganization('WY', 'Wyoming');

/** North Platte, Wind and Bighorn, Green, Powder. */
const rivers: Rivers = [
  {
    huc8: '10189001',
    through: [
      [-106.81, 41.45],
      [-106.9, 42.3],
      [-106.31, 42.85],
      [-105.38, 42.76],
      [-104.2, 42.08],
    ],
  },
  {
    huc8: '10089001',
    through: [
      [-109.63, 43.53],
      [-108.9, 43.2],
      [-108.38, 43.02],
      [-108.21, 43.65],
      [-107.96, 44.02],
      [-108.06, 44.5],
    ],
  },
  {
    huc8: '14049001',
    through: [
      [-109.9, 42.95],
      [-110.1, 42.4],
      [-109.6, 41.75],
      [-109.47, 41.3],
    ],
  },
  {
    huc8: '10099001',
    through: [
      [-106.85, 43.6],
      [-106.64, 43.71],
      [-106.2, 44.3],
      [-106, 44.8],
    ],
  },
];

const DITCHES = 45;
/** These have been read since the first year, the others for the last three. */
const OLD_DITCHES = 9;
const RIGHTS = 60;

const ditchNames = 'Antelope,Wind Lantern,Cloud Basin,Granite Draw,Medicine Bend,Sage Hen,Three Forks,Owl'.split(',');

const FIRST_YEAR = 2018;

/** Ditches run from May to September. */
function irrigationMonthsSince(year: number): ReturnType<typeof monthsOf> {
  return monthsOf(year, 2023).filter(({ start }) => start.slice(5) >= '05-01' && start.slice(5) < '10');
}

const amountFlaws: readonly PlannedFlaw[] = [
  ['rejected', 70, { SiteUUID: 'sample_wy_s3' }, 'a site that is not held: identifiers are exact, letter case too'],
];

export function wyomingDiversions(seed: number): Sample {
  const random = new SeededRandom(seed);
  const sites = ditches(random);
  return {
    folder: 'wyoming-site-amounts-and-allocations',
    description:
      'Two data sets of one organization: what 45 ditches diverted, May to September of 2018 to 2023, and 60 ' +
      'rights to do so. With older column names, a byte order mark, CRLF line ends and a HUC8 such as 10089001.0.',
    tables: [
      organizationTable(organization),
      variableTable(organization.uuid, [
        {
          ...{ variable: 'Site Specific Withdrawal', specific: 'Site Specific Withdrawal_Irrigation' },
          ...{ interval: 'Month', statistic: 'Cumulative', unit: 'AF' },
        },
        {
          ...{ variable: 'Allocation', specific: 'Allocation', interval: 'Year', statistic: 'Average' },
          ...{ unit: 'CFS', maximumUnit: 'AF' },
        },
      ]),
      methodTable(organization.uuid, [
        { ApplicableResourceTypeCV: 'Surface Water', MethodName: 'Flume readings', MethodTypeCV: 'Measured' },
        { ApplicableResourceTypeCV: 'Surface Water', MethodName: 'Permits', MethodTypeCV: 'Legal Process' },
      ]),
      waterSourceTable(organization.uuid, [{ name: 'Cloud Basin River', type: 'Surface Water' }]),
      {
        file: 'sites.csv',
        columns: realColumns.olderSites,
        rows: sites.map(olderSiteCells),
        form: 'UTF-8 with BOM and CRLF',
      },
      {
        file: 'sitespecificamounts.csv',
        columns: realColumns.siteAmounts,
        ...flawed(
          sites.flatMap((site, index) => diversionsOf(site, index < OLD_DITCHES ? FIRST_YEAR : 2021, random)),
          amountFlaws,
        ),
      },
      {
        file: 'waterallocations.csv',
        columns: realColumns.olderAllocations,
        rows: Array.from({ length: RIGHTS }, (_, index) => rightCells(sites, index, random)),
      },
    ],
  };
}

function ditches(random: SeededRandom): SampleSite[] {
  const valleys = new RiverValleys(rivers, countiesOf('56'), random);
  return Array.from({ length: DITCHES }, (_, index) => {
    return createSite({
      organization,
      number: index + 1,
      name: `${ditchNames[index % ditchNames.length] ?? ''} Ditch ${index + 1} (sample)`,
      type: 'Ditch',
      use: 'POD',
      place: valleys.placeAt(index, { share: (index * 0.618) % 1, away: 0.07 }),
      waterSources: 'SAMPLE_WY_WS1',
    });
  });
}

function olderSiteCells({ cells }: SampleSite, index: number): Cells {
  const { SiteUUID: uuid = '', HUC8: huc8 = '', ...others } = cells;
  return { index, WaDESiteUUID: uuid, HUC8: `${huc8}.0`, ...others };
}

function diversionsOf(site: SampleSite, firstYear: number, random: SeededRandom): Cells[] {
  const usual = 100 + 900 * random.next();
  return irrigationMonthsSince(firstYear).map(({ year, start, end }) => ({
    MethodUUID: 'SAMPLE_WY_M1',
    OrganizationUUID: 'SAMPLE_WY',
    SiteUUID: site.uuid,
    VariableSpecificUUID: 'SAMPLE_WY_V1',
    WaterSourceUUID: 'SAMPLE_WY_WS1',
    Amount: Math.round(usual * (50 + 100 * random.next())) / 100,
    BeneficialUseCategory: 'Irrigation',
    CropTypeCV: 'Alfalfa',
    ReportYearCV: `${year}.0`,
    TimeframeEnd: `${end} 00:00:00`,
    TimeframeStart: `${start} 00:00:00`,
  }));
}

function rightCells(sites: readonly SampleSite[], index: number, random: SeededRandom): Cells {
  return {
    AllocationUUID: `SAMPLE_WY_WR${index + 1}`,
    AllocationNativeID: `P${index + 100}`,
    MethodUUID: 'SAMPLE_WY_M2',
    OrganizationUUID: 'SAMPLE_WY',
    SiteUUID: sites[index % sites.length]?.uuid ?? '',
    VariableSpecificUUID: 'SAMPLE_WY_V2',
    WaterSourceUUID: 'SAMPLE_WY_WS1',
    AllocationAmount: Math.round(random.next() ** 2 * 3000 + 1) / 100,
    AllocationLegalStatusCodeCV: 'Adjudicated',
    AllocationMaximum: random.chance(0.3) ? Math.round(random.next() * 9000) / 10 : '',
    AllocationOwner: `Sample Ranch ${random.integer(1, 40)}`,
    AllocationPriorityDate: slashDay(random.integer(dayNumber(1884, 1, 1), dayNumber(1995, 12, 31))),
    AllocationTimeframeEnd: '09/30',
    AllocationTimeframeStart: '05/01',
    BeneficialUseCategory: random.chance(0.3) ? 'Irrigation,Stock Watering' : 'Irrigation',
    DataPublicationDate: '02/08/2022',
    IrrigatedAcreage: Math.round(random.next() * 3000) / 10,
    PrimaryBeneficialUseCategory: 'Irrigation',
    WaterAllocationNativeUrl: `https://example.org/permits/${index + 100}`,
  };
}
