// The meaning of each column of a submission in one sentence, for the guide. A missing column is a compile error.

import { amountsFiles, lookupFiles } from '../../data-loaders/format/submission-files';

type ColumnName<File extends { readonly columns: object }> = keyof File['columns'] & string;

type Meanings<File extends { readonly columns: object }> = Readonly<Record<ColumnName<File>, string>>;

const ORGANIZATION = 'Your organization, as in organizations.csv.';
const METHOD = 'How the row was measured, estimated or established, as in methods.csv.';
const EPSG = 'The coordinate system of the coordinates and the geometry: 4326 (WGS 84), also when empty.';
const STATE = 'The state that it is in, as an abbreviation or a name.';
const PUBLICATION_DATE = 'The day on which you published the row, or last changed it.';
const DOI = 'The DOI of the published data.';
const CUSTOMERS = 'The kind of customers that receive the water, such as Residential.';
const CROP = 'The crop that is irrigated.';
const IRRIGATION_METHOD = 'How the land is irrigated, such as Sprinkler, Drip or Flood.';
const SYSTEM = 'The name of the public water system that delivers the water.';
const SYSTEM_ID = "The public water system's number in the EPA's Safe Drinking Water Information System (SDWIS).";
const USES = 'The beneficial uses of the water in your own terms, separated by commas.';
const PRIMARY_USE = 'The one category that stands for all uses of the row, such as Irrigation.';
const POPULATION = 'How many people the water serves.';

/** The columns that the files of site amounts and of aggregated amounts have in common. */
const timeSeriesMeanings = {
  OrganizationUUID: ORGANIZATION,
  VariableSpecificUUID: 'What the amount measures, with its unit and interval, as in variables.csv.',
  WaterSourceUUID: 'Where the water comes from, as in watersources.csv.',
  MethodUUID: METHOD,
  TimeframeStart: 'The first day of the period that the amount covers.',
  TimeframeEnd: 'The last day of the period that the amount covers.',
  Amount: 'The amount of water, in the AmountUnitCV of its variable.',
  ReportYearCV: 'The year under which you report the amount, which may be a water year.',
  BeneficialUseCategory: USES,
  PrimaryUseCategory: PRIMARY_USE,
  PopulationServed: POPULATION,
  CommunityWaterSupplySystem: SYSTEM,
  CustomerTypeCV: CUSTOMERS,
  IrrigatedAcreage: 'The land irrigated with the water, in acres.',
  CropTypeCV: CROP,
  IrrigationMethodCV: IRRIGATION_METHOD,
  PowerGeneratedGWh: 'The electricity generated with the water, in gigawatt-hours.',
  DataPublicationDate: PUBLICATION_DATE,
};

const organizations: Meanings<typeof lookupFiles.organizations> = {
  OrganizationUUID: 'The identifier of your organization, the same in every submission.',
  OrganizationName: 'The full name of your organization.',
  OrganizationPurview: 'What your organization is responsible for.',
  OrganizationWebsite: 'The web address of your organization.',
  OrganizationPhoneNumber: 'The telephone number of the office that answers questions about the data.',
  OrganizationContactName: 'The person or office that answers questions about the data.',
  OrganizationContactEmail: 'The email address for questions about the data.',
  State: "The two-letter abbreviation of your organization's state.",
  OrganizationDataMappingURL: 'A web page that explains how your data were mapped to these columns.',
};

const variables: Meanings<typeof lookupFiles.variables> = {
  VariableSpecificUUID: 'The identifier of the variable, which the amounts and rights refer to.',
  VariableSpecificCV: 'The variable in full, such as Withdrawal_Annual_Irrigation.',
  VariableCV: 'The kind of quantity, such as Withdrawal, Consumptive Use or Allocation.',
  AggregationStatisticCV: 'How an amount summarizes its interval, such as Cumulative (a sum) or Average.',
  AggregationInterval: 'How many units of time an amount covers, usually 1.',
  AggregationIntervalUnitCV: 'The unit of that time, such as Year, Month or Day.',
  ReportYearStartMonth: 'The month in which the report year starts: 1 for January, 10 for a federal water year.',
  ReportYearTypeCV: 'Whether the report year is a calendar year, a water year or a fiscal year.',
  AmountUnitCV: 'The unit of the amounts, such as AF (acre-feet) or CFS (cubic feet per second).',
  MaximumAmountUnitCV: 'The unit of maximum amounts, if it is different.',
};

const methods: Meanings<typeof lookupFiles.methods> = {
  MethodUUID: 'The identifier of the method, which the amounts and rights refer to.',
  MethodName: 'A short name of the method.',
  MethodDescription: 'How the amounts were measured, estimated or established.',
  MethodNEMILink:
    'A web address where the method is described, such as its page in the National Environmental Methods Index.',
  ApplicableResourceTypeCV: 'The water that the method applies to, such as Surface Water or Groundwater.',
  MethodTypeCV: 'The kind of method, such as Measured, Estimated or Legal Process.',
  DataCoverageValue: 'The area or time that the data cover.',
  DataQualityValueCV: 'The quality of the data, in your own grades.',
  DataConfidenceValue: 'How certain the amounts are, such as a margin of error.',
  WaDEDataMappingUrl: 'A web page that explains how these data were mapped to the columns.',
};

const watersources: Meanings<typeof lookupFiles.watersources> = {
  WaterSourceUUID: 'The identifier of the water source, which sites, amounts and rights refer to.',
  WaterSourceNativeID: "Your office's own number for the water source.",
  WaterSourceName: 'The name of the river, lake, reservoir or aquifer.',
  WaterSourceTypeCV: 'The kind of source, such as Surface Water or Groundwater.',
  WaterQualityIndicatorCV: 'The quality of the water, such as Fresh, Brackish or Saline.',
  GNISFeatureNameCV: 'Its name in the Geographic Names Information System (GNIS).',
  Geometry: 'Its shape as well-known text or GeoJSON, in degrees.',
};

const sites: Meanings<typeof lookupFiles.sites> = {
  SiteUUID: 'The identifier of the site, the same in every submission.',
  SiteNativeID: "Your office's own number for the site.",
  SiteName: 'The name of the site.',
  USGSSiteID: 'Its U.S. Geological Survey (USGS) number, if it is a USGS gage or well.',
  SiteTypeCV: 'The kind of site, such as Well, Stream Gage or Reservoir.',
  Longitude: 'Its longitude in decimal degrees, negative in the western hemisphere.',
  Latitude: 'Its latitude in decimal degrees.',
  Geometry: 'Its shape as well-known text or GeoJSON in degrees, if it is more than a point.',
  CoordinateMethodCV: 'How the coordinates were determined, such as GPS, Digitized or Centroid of Area.',
  CoordinateAccuracy: 'How accurate the coordinates are.',
  GNISCodeCV: 'Its number in the Geographic Names Information System (GNIS).',
  EPSGCodeCV: EPSG,
  NHDNetworkStatusCV: 'Whether the site is on the National Hydrography Dataset (NHD) network: Y or N.',
  NHDProductCV: 'The NHD product that was used to locate the site, such as NHDPlus V2.',
  NHDUpdateDate: 'The date of the NHD product.',
  NHDReachCode: 'The 14-digit code of the NHD reach that the site is on.',
  NHDMeasureNumber: 'The position of the site on the reach, from 0 at its lower end to 100 at its upper end.',
  HUC8: 'The 8-digit code of its subbasin; if empty, the first 8 digits of HUC12 are used.',
  HUC12: 'The 12-digit code of its subwatershed.',
  County: 'The county that it is in.',
  StateCV: STATE,
  PODorPOUSite: 'POD for a point of diversion, where water is taken, or POU for a place of use.',
  WaterSourceUUIDs: 'Its water sources, as in watersources.csv, separated by commas.',
};

const relations: Meanings<typeof lookupFiles.relations> = {
  PODSiteUUID: 'The point of diversion, as in sites.csv.',
  POUSiteUUID: 'The place where its water is used, as in sites.csv.',
  StartDate: 'The first day on which the relation applies.',
  EndDate: 'The last day on which the relation applies; empty if it still does.',
};

const reportingunits: Meanings<typeof lookupFiles.reportingunits> = {
  ReportingUnitUUID: 'The identifier of the area, the same in every submission.',
  ReportingUnitNativeID: "Your office's own number for the area, such as a FIPS code or a HUC.",
  ReportingUnitName: 'The name of the area.',
  ReportingUnitTypeCV: 'The kind of area, such as County, HUC8 or Basin.',
  ReportingUnitUpdateDate: 'The day on which its boundary was last changed.',
  ReportingUnitProductVersion: 'The edition of the boundaries that the area comes from.',
  StateCV: STATE,
  EPSGCodeCV: EPSG,
  Geometry: 'Its boundary as well-known text or GeoJSON, in degrees.',
};

const beneficialuses: Meanings<typeof lookupFiles.beneficialuses> = {
  BeneficialUseCategory: 'A beneficial use in your own terms, as written in the amounts and rights.',
  PrimaryUseCategory: 'The category that it belongs to, such as Irrigation.',
  USGSCategoryNameCV: 'The national U.S. Geological Survey category that it belongs to.',
  NAICSCodeNameCV: 'The industry that it belongs to in the North American Industry Classification System (NAICS).',
};

const siteAmounts: Meanings<typeof amountsFiles.SiteVariableAmounts> = {
  SiteUUID: 'The site of the amount, as in sites.csv.',
  ...timeSeriesMeanings,
  SDWISIdentifier: SYSTEM_ID,
  AssociatedNativeAllocationIDs: "Your office's numbers for the rights under which the water was taken.",
  DataPublicationDOI: DOI,
  Geometry: 'A shape for the amount itself, such as the area that it irrigates.',
};

const aggregatedAmounts: Meanings<typeof amountsFiles.AggregatedAmounts> = {
  ReportingUnitUUID: 'The reporting unit of the amount, as in reportingunits.csv.',
  ...timeSeriesMeanings,
  SDWISIdentifierCV: SYSTEM_ID,
};

const allocations: Meanings<typeof amountsFiles.WaterAllocations> = {
  OrganizationUUID: ORGANIZATION,
  VariableSpecificUUID: 'What is allocated, as in variables.csv.',
  MethodUUID: METHOD,
  SiteUUID: 'The points of diversion and places of use of the right, as in sites.csv, separated by commas.',
  WaterSourceUUID: 'The source that the right may draw from, as in watersources.csv.',
  BeneficialUseCategory: USES,
  PrimaryUseCategory: PRIMARY_USE,
  AllocationUUID: 'An identifier for the right that is unique across all organizations, if you have one.',
  AllocationNativeID: "Your office's number for the right.",
  AllocationOwner: 'The person or organization that holds the right.',
  AllocationApplicationDate: 'The day on which the right was applied for.',
  AllocationPriorityDate: "The day that determines the right's priority: when water is short, older rights come first.",
  AllocationExpirationDate: 'The day on which the right expires.',
  AllocationLegalStatusCV: 'The legal status of the right, such as Certificated, Decreed or Pending.',
  AllocationChangeApplicationIndicator: 'Whether an application has changed the right, or is about to.',
  LegacyAllocationIDs: 'Earlier numbers of the right.',
  IrrigatedAcreage: 'The land that may be irrigated under the right, in acres.',
  AllocationBasisCV: 'What the right is based on, such as a Decree, a Permit or a Certificate.',
  AllocationTimeframeStart: 'The day of the year from which water may be taken, such as 04/15.',
  AllocationTimeframeEnd: 'The day of the year until which water may be taken, such as 10/31.',
  AllocationCropDutyAmount: 'How much water the irrigated land may receive, in acre-feet per acre.',
  AllocationFlow_CFS: 'The flow that may be taken, in cubic feet per second.',
  AllocationVolume_AF: 'The volume that may be taken in a year, in acre-feet.',
  PopulationServed: POPULATION,
  GeneratedPowerCapacityMW: 'The capacity of the power plant, in megawatts.',
  CommunityWaterSupplySystem: SYSTEM,
  AllocationCommunityWaterSupplySystem:
    'The name of the public water system; it is used instead of CommunityWaterSupplySystem if both are filled in.',
  AllocationSDWISIdentifierCV: SYSTEM_ID,
  AllocationTypeCV: 'The type of the right, such as Regular, Temporary, Vested or Decreed.',
  OwnerClassificationCV: 'The kind of owner, such as Private or a federal agency.',
  ExemptOfVolumeFlowPriority: 'Whether the right is exempt from volume, flow and priority limits: 1 or 0.',
  IrrigationMethodCV: IRRIGATION_METHOD,
  CropTypeCV: CROP,
  CustomerTypeCV: CUSTOMERS,
  WaterAllocationNativeURL: "Your office's web page for the right.",
  DataPublicationDate: PUBLICATION_DATE,
  DataPublicationDOI: DOI,
};

/** Keyed by file and column. */
export const columnMeanings = new Map<string, Readonly<Record<string, string>>>([
  [lookupFiles.organizations.name, organizations],
  [lookupFiles.variables.name, variables],
  [lookupFiles.methods.name, methods],
  [lookupFiles.watersources.name, watersources],
  [lookupFiles.sites.name, sites],
  [lookupFiles.relations.name, relations],
  [lookupFiles.reportingunits.name, reportingunits],
  [lookupFiles.beneficialuses.name, beneficialuses],
  [amountsFiles.SiteVariableAmounts.name, siteAmounts],
  [amountsFiles.AggregatedAmounts.name, aggregatedAmounts],
  [amountsFiles.WaterAllocations.name, allocations],
]);
