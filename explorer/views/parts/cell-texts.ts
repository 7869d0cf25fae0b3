// Formats the columns and cells of the service's CSV for people: thousands separators, dates, and lists with commas.

/** Names of numeric columns. Identifiers and years are not numeric here. */
const NUMBERS = /(Amount|_CFS|_AF|Acreage|Maximum|PopulationServed|GWh|MW|Duty)$/;

const MOMENT = /^(\d{4}-\d{2}-\d{2})T00:00:00$/;

export function isNumberColumn(column: string): boolean {
  return NUMBERS.test(column);
}

/** Rounds to three decimals, or to six digits for a small number. */
export function formatNumberShortly(cell: string): string {
  const value = Number(cell);
  if (Number.isNaN(value)) return cell;
  const digits = Math.abs(value) >= 1 || value === 0 ? { maximumFractionDigits: 3 } : { maximumSignificantDigits: 4 };
  return value.toLocaleString('en-US', digits);
}

/** Five decimals are about one meter. */
const DEGREE_DECIMALS = 5;

/** Formats a cell for a table, with fewer digits than the data. */
export function formatCellShortly(column: string, cell: string): string {
  if (isNumberColumn(column) && cell !== '') return formatNumberShortly(cell);
  const text = formatCell(column, cell);
  if (!/^(Longitude|Latitude)$/.test(column)) return text;
  return text.replaceAll(/-?\d+\.\d+/g, (degrees) => String(Number(Number(degrees).toFixed(DEGREE_DECIMALS))));
}

/** Formats a cell with all its digits. */
export function formatCell(column: string, cell: string): string {
  if (cell === '') return '';
  // Keeps all digits.
  if (isNumberColumn(column) && !Number.isNaN(Number(cell)))
    return Number(cell).toLocaleString('en-US', { maximumFractionDigits: 15 });
  const items = cell.split(/(?<!\\)\|/);
  const texts = items.map((item) => MOMENT.exec(item)?.[1] ?? item.replaceAll(/\\([\\|])/g, '$1'));
  return [...new Set(texts)].filter((text) => text !== '').join(', ');
}

/** Labels that the rules below do not produce. */
const COLUMN_LABELS: Readonly<Record<string, string>> = {
  AllocationNativeID: 'Water right number',
  AllocationUUID: 'Water right UUID',
  AllocationOwner: 'Owner',
  AllocationTypeCV: 'Right type',
  AllocationLegalStatusCodeCV: 'Legal status',
  AllocationBasisCV: 'Basis of the right',
  AllocationCropDutyAmount: 'Crop duty',
  AllocationAmount: 'Amount',
  AllocationMaximum: 'Maximum amount',
  AllocationCommunityWaterSupplySystem: 'Community water system',
  AllocationSDWISIdentifier: 'SDWIS ID',
  SDWISIdentifierCV: 'SDWIS ID',
  AllocationChangeApplicationIndicator: 'Change application',
  LegacyAllocationIDs: 'Legacy right IDs',
  AssociatedNativeAllocationIDs: 'Associated right numbers',
  OwnerClassificationCV: 'Owner type',
  BeneficialUses: 'Uses',
  BeneficialUseCategoryCV: 'Use',
  PrimaryUseCategoryCV: 'Primary use',
  USGSCategoryNameCV: 'USGS use category',
  UsgsCategoryNameCV: 'USGS use category',
  UseCategoryCV: 'Use category',
  NAICSCodeNameCV: 'NAICS industry',
  PODorPOUSite: 'Site role',
  FreshSalineIndicatorCV: 'Fresh or saline',
  ExemptOfVolumeFlowPriority: 'Exempt from limits',
  GeneratedPowerCapacityMW: 'Power capacity (MW)',
  PowerGeneratedGWh: 'Power generated (GWh)',
  WaterSourceUUID: 'Water source ID',
  WaterSourceUUIDs: 'Water source IDs',
  WaterSourceNativeID: 'Water source number',
  WaterAllocationNativeURL: 'Agency page for the right',
  VariableSpecificTypeCV: 'Specific variable',
  VariableSpecificUUID: 'Specific variable ID',
  SiteUUID: 'Site ID',
  NativeSiteID: 'Site number',
  SiteNativeID: 'Site number',
  USGSSiteID: 'USGS site number',
  ReportingUnitUUID: 'Area ID',
  ReportingUnitUID: 'Area ID',
  ReportingUnitNativeID: 'Area number',
  ReportingUnitName: 'Area',
  ReportingUnitTypeCV: 'Type of area',
  ReportingUnitProductVersion: 'Area product version',
  ReportingUnitUpdateDate: 'Area update date',
  MethodNEMILink: 'Method link (NEMI)',
  MethodUUID: 'Method ID',
  OrganizationUUID: 'Organization ID',
  EPSGCodeCV: 'Coordinate system (EPSG)',
  NHDProductCV: 'NHD product',
  NHDNetworkStatusCV: 'NHD network status',
  NHDReachCode: 'NHD reach code',
  NHDMeasureNumber: 'NHD measure',
  NHDUpdateDate: 'NHD update date',
  StateCV: 'State',
  DataPublicationDOI: 'Publication DOI',
  DataQualityValue: 'Data quality',
  DataConfidenceValue: 'Data confidence',
  DataCoverageValue: 'Data coverage',
};

/** A column's name as words: AllocationFlow_CFS is "Flow (CFS)". */
export function formatColumn(column: string): string {
  const label = COLUMN_LABELS[column];
  if (label !== undefined) return label;
  const [name = column, unit] = column.split('_');
  const words = name
    .replace(/^Allocation(?=[A-Z])/, '')
    .replace(/(Code)?CV$/, '')
    // A plural abbreviation such as IDs is not split.
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z](?!$))/g, '$1 $2')
    .split(' ')
    .map((word, index) => (index === 0 || /^[A-Z0-9]{2,}s?$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return unit === undefined ? words : `${words} (${unit})`;
}
