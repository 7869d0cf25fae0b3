// The sample of one organization with two data sets: what ditches diverted, and the rights that they divert under.
// Its files use the older column names, a byte order mark, CRLF line ends and numbers that a spreadsheet has touched.

import { dayNumber, monthsOf, slashDay } from '../generate/calendar-days';
import { realColumns } from '../generate/columns';
import { methodTable, organizationTable, variableTable, waterSourceTable } from '../generate/lookups';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import {
  areaAt,
  areasOf,
  createSite,
  positionWithin,
  sampleOrganization,
  type Sample,
  type SampleSite,
} from './sample';

const organization = sampleOrganization('WY', 'Wyoming');

const DITCHES = 9;
const RIGHTS = 60;

/** Ditches run from May to September. */
const irrigationMonths = monthsOf(2018, 2023).filter(({ start }) => start.slice(5) >= '05-01' && start.slice(5) < '10');

const amountFlaws: readonly PlannedFlaw[] = [
  ['rejected', 70, { SiteUUID: 'sample_wy_s3' }, 'a site that is not held: identifiers are exact, letter case too'],
];

export function wyomingDiversions(seed: number): Sample {
  const random = new SeededRandom(seed);
  const sites = ditches(random);
  return {
    folder: 'wyoming-site-amounts-and-allocations',
    description:
      'Two data sets of one organization: what nine ditches diverted, May to September of 2018 to 2023, and 60 ' +
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
          sites.flatMap((site) => diversionsOf(site, random)),
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
  const areas = areasOf({
    box: { west: -110.6, south: 41.3, east: -104.4, north: 44.7 },
    columns: 2,
    names: ['Antelope Rim', 'Wind Lantern', 'Cloud Basin', 'Granite Draw'],
    firstHuc8: 10089001,
  });
  return Array.from({ length: DITCHES }, (_, index) => {
    const area = areaAt(areas, index);
    return createSite({
      organization,
      number: index + 1,
      name: `Sample Ditch ${index + 1}`,
      type: 'Ditch',
      use: 'POD',
      area,
      position: positionWithin(random, area),
      waterSources: 'SAMPLE_WY_WS1',
    });
  });
}

function olderSiteCells({ cells }: SampleSite, index: number): Cells {
  const { SiteUUID: uuid = '', HUC8: huc8 = '', ...others } = cells;
  return { index, WaDESiteUUID: uuid, HUC8: `${huc8}.0`, ...others };
}

function diversionsOf(site: SampleSite, random: SeededRandom): Cells[] {
  const usual = 100 + 900 * random.next();
  return irrigationMonths.map(({ year, start, end }) => ({
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
