// Describes every file of a submission, and the templates for submitters (D66): each file with only its header, and
// each file filled in for a small fictional agency. `npm run documents` generates the templates. The page at /submit
// and `npm run templates` offer them.

import type { SubmissionFile } from '../../data-loaders/format/column';
import { amountsFiles, lookupFiles } from '../../data-loaders/format/submission-files';
import type { Templates } from '../../shared/http/pages/submit-page';
import { formatCsvLine } from '../../shared/values/csv-line';

/** Describes a file. `rowIs` completes the sentence "Each row describes ...". */
interface DescribedFile {
  readonly file: SubmissionFile;
  readonly rowIs: string;
  readonly neededBy: string;
  readonly example: readonly Readonly<Record<string, string>>[];
}

/** The rows of the example may contain only declared columns. */
function describeFile<File extends SubmissionFile>(
  file: File,
  [rowIs, neededBy]: readonly [rowIs: string, neededBy: string],
  ...example: readonly Readonly<Partial<Record<keyof File['columns'] & string, string>>>[]
): DescribedFile {
  return { file, rowIs, neededBy, example: example as DescribedFile['example'] }; // A missing member is an empty cell.
}

const AT_SITES = 'amounts at sites, allocations';

const AGENCY = { OrganizationUUID: 'EX_O1', MethodUUID: 'EX_M1' };
const YEAR_2023 = { TimeframeStart: '2023-01-01', TimeframeEnd: '2023-12-31', ReportYearCV: '2023' };
const DELIVERED = { ...AGENCY, SiteUUID: 'EX_S2', VariableSpecificUUID: 'EX_V1', WaterSourceUUID: 'EX_WS1' };
const TOWN = { BeneficialUseCategory: 'Public Supply', CommunityWaterSupplySystem: 'Exampleton Water System' };
const RIGHT = {
  ...AGENCY,
  VariableSpecificUUID: 'EX_V3',
  WaterSourceUUID: 'EX_WS1',
  AllocationBasisCV: 'Decree',
};
const WELL = { SiteTypeCV: 'Well', CoordinateMethodCV: 'GPS', EPSGCodeCV: '4326', HUC8: '16020204' };
const UTAH_SITE = { County: 'Salt Lake', StateCV: 'UT', WaterSourceUUIDs: 'EX_WS1' };
const YEARLY = { AggregationInterval: '1', AggregationIntervalUnitCV: 'Year', ReportYearStartMonth: '1' };

const AREA = 'POLYGON ((-112.1 40.5, -111.7 40.5, -111.7 40.8, -112.1 40.8, -112.1 40.5))';

/** In the order in which a submitter prepares them. */
export const describedFiles: readonly DescribedFile[] = [
  describeFile(lookupFiles.organizations, ['the organization that submits', 'all'], {
    OrganizationUUID: 'EX_O1',
    OrganizationName: 'Example Water Agency',
    OrganizationPurview: 'Water rights and water use of an invented state',
    OrganizationWebsite: 'https://www.example.org',
    OrganizationContactName: 'Data office',
    OrganizationContactEmail: 'data@example.org',
    State: 'UT',
  }),
  describeFile(
    lookupFiles.variables,
    ['what is measured, with its unit, statistic and interval', 'all'],
    {
      VariableSpecificUUID: 'EX_V1',
      VariableSpecificCV: 'Delivered Water Use',
      VariableCV: 'Delivered Water Use',
      ...YEARLY,
      ReportYearTypeCV: 'CalendarYear',
      AggregationStatisticCV: 'Cumulative',
      AmountUnitCV: 'AF',
      MaximumAmountUnitCV: 'AF',
    },
    {
      VariableSpecificUUID: 'EX_V2',
      VariableSpecificCV: 'Withdrawal',
      VariableCV: 'Withdrawal',
      ...YEARLY,
      ReportYearTypeCV: 'CalendarYear',
      AggregationStatisticCV: 'Cumulative',
      AmountUnitCV: 'AF',
      MaximumAmountUnitCV: 'AF',
    },
    {
      VariableSpecificUUID: 'EX_V3',
      VariableSpecificCV: 'Allocation',
      VariableCV: 'Allocation',
      ...YEARLY,
      ReportYearTypeCV: 'CalendarYear',
      AggregationStatisticCV: 'Average',
      AmountUnitCV: 'CFS',
      MaximumAmountUnitCV: 'AF',
    },
  ),
  describeFile(lookupFiles.methods, ['how the amounts were measured or estimated', 'all'], {
    MethodUUID: 'EX_M1',
    MethodName: 'Metered and decreed',
    MethodDescription: 'Amounts are read from meters once a year; rights are taken from court decrees.',
    ApplicableResourceTypeCV: 'Surface Ground Water',
    MethodTypeCV: 'Reported',
  }),
  describeFile(
    lookupFiles.watersources,
    ['a river, reservoir or aquifer', 'submissions whose rows refer to a water source'],
    {
      WaterSourceUUID: 'EX_WS1',
      WaterSourceNativeID: '101',
      WaterSourceName: 'Example Valley Aquifer',
      WaterSourceTypeCV: 'Groundwater',
      WaterQualityIndicatorCV: 'Fresh',
    },
  ),
  describeFile(
    lookupFiles.sites,
    ['a place where water is measured, taken or used', AT_SITES],
    {
      ...WELL,
      ...UTAH_SITE,
      SiteUUID: 'EX_S1',
      SiteNativeID: 'W-17',
      SiteName: 'Exampleton Well No. 1',
      Longitude: '-111.8252',
      Latitude: '40.6671',
      PODorPOUSite: 'POD',
    },
    {
      ...UTAH_SITE,
      SiteUUID: 'EX_S2',
      SiteNativeID: 'A-3',
      SiteName: 'Exampleton service area',
      SiteTypeCV: 'Service Area',
      CoordinateMethodCV: 'Centroid of Area',
      EPSGCodeCV: '4326',
      HUC8: '16020204',
      Longitude: '-111.9',
      Latitude: '40.65',
      Geometry: AREA,
      PODorPOUSite: 'POU',
    },
  ),
  describeFile(lookupFiles.relations, ['a point of diversion and a place of use that it supplies', AT_SITES], {
    PODSiteUUID: 'EX_S1',
    POUSiteUUID: 'EX_S2',
    StartDate: '2020-01-01',
    EndDate: '2023-12-31',
  }),
  describeFile(lookupFiles.reportingunits, ['an area for which amounts are totaled', 'aggregated amounts'], {
    ReportingUnitUUID: 'EX_RU1',
    ReportingUnitNativeID: '49035',
    ReportingUnitName: 'Salt Lake',
    ReportingUnitTypeCV: 'County',
    StateCV: 'UT',
    EPSGCodeCV: '4326',
    Geometry: AREA,
  }),
  describeFile(
    lookupFiles.beneficialuses,
    ['a use in your own words, with its categories', 'none; it is optional'],
    {
      BeneficialUseCategory: 'Public Supply',
      PrimaryUseCategory: 'Public Supply',
      USGSCategoryNameCV: 'Public Supply',
      NAICSCodeNameCV: 'Water Supply and Irrigation Systems',
    },
    {
      BeneficialUseCategory: 'Irrigation',
      PrimaryUseCategory: 'Irrigation',
      USGSCategoryNameCV: 'Irrigation',
      NAICSCodeNameCV: 'Crop Production',
    },
  ),
  describeFile(
    amountsFiles.SiteVariableAmounts,
    ['an amount at a site over a timeframe', 'the data set SiteVariableAmounts'],
    { ...DELIVERED, ...TOWN, ...YEAR_2023, Amount: '1250.5', PopulationServed: '9048' },
    {
      ...DELIVERED,
      ...TOWN,
      Amount: '1198',
      PopulationServed: '8990',
      ReportYearCV: '2022',
      TimeframeStart: '2022-01-01',
      TimeframeEnd: '2022-12-31',
    },
  ),
  describeFile(
    amountsFiles.AggregatedAmounts,
    ['an amount for a reporting unit over a timeframe', 'the data set AggregatedAmounts'],
    {
      ...AGENCY,
      ...YEAR_2023,
      ReportingUnitUUID: 'EX_RU1',
      VariableSpecificUUID: 'EX_V2',
      WaterSourceUUID: 'EX_WS1',
      Amount: '80312',
      BeneficialUseCategory: 'Irrigation',
      IrrigatedAcreage: '21400',
    },
  ),
  describeFile(
    amountsFiles.WaterAllocations,
    ['a water right', 'the data set WaterAllocations'],
    {
      ...RIGHT,
      AllocationNativeID: '35-8031',
      AllocationOwner: 'Town of Exampleton',
      SiteUUID: 'EX_S1',
      BeneficialUseCategory: 'Public Supply,Irrigation',
      AllocationPriorityDate: '1902-03-04',
      AllocationLegalStatusCV: 'Active',
      AllocationFlow_CFS: '2.5',
      AllocationVolume_AF: '1800',
      AllocationTimeframeStart: '01/01',
      AllocationTimeframeEnd: '12/31',
    },
    {
      ...RIGHT,
      AllocationNativeID: '35-8110',
      AllocationOwner: 'Example Irrigation Company',
      SiteUUID: 'EX_S1',
      BeneficialUseCategory: 'Irrigation',
      AllocationPriorityDate: '1931-05-20',
      IrrigatedAcreage: '140',
      AllocationLegalStatusCV: 'Active',
      AllocationFlow_CFS: '1.2',
      AllocationVolume_AF: '560',
      AllocationTimeframeStart: '04/01',
      AllocationTimeframeEnd: '10/31',
    },
  ),
];

const EXAMPLE_METADATA = {
  mode: 'replace',
  contact: 'data@example.org',
  note: 'Report year 2023, first submission',
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
  citation: 'Example Water Agency (2024): Water rights and water use.',
};

export function buildTemplates(): Templates {
  return {
    files: describedFiles.map(({ file: { name, columns }, rowIs, neededBy, example }) => {
      const names = Object.keys(columns);
      const header = formatCsvLine(names);
      const rows = example.map((row) => formatCsvLine(names.map((column) => row[column] ?? '')));
      return { name, rowIs, neededBy, empty: `${header}\n`, example: `${[header, ...rows].join('\n')}\n` };
    }),
    exampleMetadata: `${JSON.stringify(EXAMPLE_METADATA, null, 2)}\n`,
  };
}
