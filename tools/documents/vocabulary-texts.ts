// The standard terms of each column with a controlled vocabulary, for the guide: the terms of the WaDE vocabularies of
// the Western States Water Council, and terms that states have published. Other terms are accepted, too.

import vocabulary from '../../shared/records/beneficial-uses.json';

const UNITS = ['AF', 'AFY', 'CFS', 'G', 'MG', 'MGD', 'GPM', 'FT', 'Acres'];

/** Text for columns in which each state has its own terms. */
const TEXTS: Readonly<Record<string, string>> = {
  VariableSpecificCV: 'The variable, its interval and its use, such as `Withdrawal_Annual_Irrigation`',
  BeneficialUseCategory: 'Your own terms, such as `Irrigation` or `Public Water Supply`',
  DataQualityValueCV: 'Your own grades',
  County: 'The name without the word County, such as `Salt Lake`',
  NAICSCodeNameCV: 'NAICS titles, such as `Crop Production` or `Water Supply and Irrigation Systems`',
  CropTypeCV: 'Names of crops, such as `Alfalfa`, `Corn` or `Pasture`',
  OwnerClassificationCV:
    '`Private`, `Native American`, or the name of a federal agency, such as `Bureau of Reclamation (USBR)`',
};

const TERMS: Readonly<Record<string, readonly string[]>> = {
  VariableCV: [
    'Allocation',
    'Withdrawal',
    'Consumptive Use',
    'Delivered Water Use',
    'Return Flow',
    'Discharge Flow',
    'Gage Height',
    'Reservoir Level',
  ],
  AggregationStatisticCV: ['Cumulative', 'Average', 'Maximum', 'Minimum', 'Median', 'Incremental'],
  AggregationIntervalUnitCV: ['Year', 'Month', 'Day', 'Hour'],
  ReportYearTypeCV: ['CalendarYear', 'WaterYear', 'FiscalYear'],
  AmountUnitCV: UNITS,
  MaximumAmountUnitCV: UNITS,
  ApplicableResourceTypeCV: ['Surface Water', 'Groundwater', 'Surface Ground Water'],
  MethodTypeCV: ['Measured', 'Estimated', 'Modeled', 'Calculated', 'Reported', 'Legal Process'],
  WaterSourceTypeCV: ['Surface Water', 'Groundwater', 'Storage', 'Reuse', 'Cross Basin Diversion'],
  WaterQualityIndicatorCV: ['Fresh', 'Brackish', 'Saline', 'Mixed'],
  SiteTypeCV: ['Well', 'Stream Gage', 'Reservoir', 'Ditch', 'Canal', 'Spring', 'Stream', 'Lake', 'Tunnel', 'Pump'],
  CoordinateMethodCV: ['GPS', 'Digitized', 'Centroid of Area', 'Representation Node'],
  NHDNetworkStatusCV: ['Y', 'N'],
  NHDProductCV: ['NHDPlus V1', 'NHDPlus V2', 'NHD Med Res', 'NHD High Res'],
  PODorPOUSite: ['POD', 'POU'],
  ReportingUnitTypeCV: ['County', 'HUC8', 'HUC12', 'Basin', 'Planning Region', 'Custom'],
  PrimaryUseCategory: listDistinct(vocabulary.categories.map(({ primaryUse }) => primaryUse)),
  USGSCategoryNameCV: listDistinct(vocabulary.categories.map(({ usgs }) => usgs)),
  CustomerTypeCV: ['Residential', 'Commercial', 'Industrial', 'Institutional', 'Agricultural'],
  IrrigationMethodCV: ['Sprinkler', 'Drip', 'Flood', 'Subirrigation'],
  AllocationLegalStatusCV: [
    'Active',
    'Pending',
    'Permitted',
    'Certificated',
    'Adjudicated',
    'Decreed',
    'Perfected',
    'Absolute',
    'Conditional',
    'Expired',
    'Cancelled',
    'Withdrawn',
  ],
  AllocationBasisCV: ['Decree', 'Permit', 'Certificate', 'License', 'Claim', 'Diversion', 'Consumptive Use'],
  AllocationTypeCV: ['Regular', 'Prior Right', 'Vested', 'Decreed', 'Temporary', 'Seasonal', 'Term'],
};

/** The guide's text about the terms of a column. Throws for a column without terms. */
export function getVocabularyText(column: string): string {
  const text = TEXTS[column];
  if (text !== undefined) return text;
  const terms = TERMS[column];
  if (terms === undefined) throw new Error(`the guide has no terms for ${column}`);
  return terms.map((term) => `\`${term}\``).join(', ');
}

/** The distinct terms without null, in the order in which they first occur. */
function listDistinct(terms: readonly (string | null)[]): readonly string[] {
  return [...new Set(terms.filter((term) => term !== null))];
}
