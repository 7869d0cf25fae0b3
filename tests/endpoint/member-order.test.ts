// Every declared member is there, in the order of the specification (D21 to D27): the lists are written out here.

import { paths } from '../fixtures/handmade';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { loadedService } from '../fixtures/test-service';

const service = loadedService({ ...siteAmountsSubmission, ...allocationsSubmission }, aggregatedSubmission);

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

const organizationStart = words(`OrganizationName OrganizationPurview OrganizationWebsite OrganizationPhoneNumber
  OrganizationContactName OrganizationContactEmail OrganizationState WaterSources`);
const variable = words(`VariableSpecificTypeCV VariableCV AmountUnitCV AggregationStatisticCV AggregationInterval
  AggregationIntervalUnitCV ReportYearStartMonth ReportYearTypeCV MaximumAmountUnitCV VariableSpecificUUID`);
const method = words(`MethodUUID MethodName MethodDescription MethodNEMILink ApplicableResourceType MethodTypeCV
  DataCoverageValue DataQualityValue DataConfidenceValue`);
const use = words('BeneficialUseCategoryCV PrimaryUseCategoryCV USGSCategoryNameCV NAICSCodeNameCV Term Name');
const waterSource = words(`WaterSourceName WaterSourceNativeID WaterSourceUUID WaterSourceTypeCV FreshSalineIndicatorCV
  WaterSourceGeometry`);
const site = words(`SiteName SiteUUID NativeSiteID USGSSiteID SiteTypeCV Longitude Latitude PODorPOUSite
  CoordinateMethodCV CoordinateAccuracy WaterSources SiteGeometry NHDNetworkStatusCV NHDProductCV NHDUpdateDate
  NHDReachCode NHDMeasureNumber StateCV County HUC8 HUC12 RelatedPODSites RelatedPOUSites WaterSourceUUIDs`);
const reportingUnit = words(`ReportingUnitUUID ReportingUnitNativeID ReportingUnitName ReportingUnitTypeCV
  ReportingUnitUpdateDate ReportingUnitProductVersion StateCV EPSGCodeCV Geometry ReportingUnitGeometry`);
const siteAmount = words(`SiteUUID SiteTypeCV Longitude Latitude CoordinateMethodCV CoordinateAccuracy
  VariableSpecificTypeCV BeneficialUseCategoryCV WaterSourceUUID WaterSourceTypeCV MethodUUID ReportYear TimeframeStart
  TimeframeEnd Amount AmountUnitCV IrrigationMethodCV IrrigatedAcreage CropTypeCV PopulationServed PowerGeneratedGWh
  AllocationCommunityWaterSupplySystem SDWISIdentifierCV CustomerTypeCV AssociatedNativeAllocationIDs
  DataPublicationDate DataPublicationDOI VariableSpecificUUID VariableCV PrimaryUseCategoryCV`);
const aggregatedAmount = words(`VariableSpecificTypeCV BeneficialUseCategoryCV WaterSourceUUID MethodUUID
  ReportingUnitUID ReportingUnitName ReportingUnitTypeCV ReportYear TimeframeStart TimeframeEnd AmountUnitCV Amount
  PopulationServed AllocationCommunityWaterSupplySystem CustomerTypeCV SDWISIdentifierCV PowerGeneratedGWh
  IrrigationMethodCV IrrigatedAcreage CropTypeCV DataPublicationDate VariableSpecificUUID VariableCV
  PrimaryUseCategoryCV ReportingUnitUUID`);
const allocation = words(`AllocationNativeID WaterSourceUUID AllocationOwner AllocationApplicationDate
  AllocationPriorityDate AllocationLegalStatusCodeCV AllocationExpirationDate AllocationChangeApplicationIndicator
  LegacyAllocationIDs AllocationAcreage AllocationBasisCV TimeframeStart TimeframeEnd DataPublicationDate
  AllocationCropDutyAmount AllocationAmount AllocationMaximum PopulationServed GeneratedPowerCapacityMW
  AllocationCommunityWaterSupplySystem AllocationSDWISIdentifier MethodUUID VariableSpecificTypeCV Sites BeneficialUses
  AllocationUUID AllocationFlow_CFS AllocationVolume_AF AllocationTypeCV OwnerClassificationCV PrimaryUseCategoryCV
  ExemptOfVolumeFlowPriority IrrigationMethodCV CropTypeCV CustomerTypeCV WaterAllocationNativeURL DataPublicationDOI
  VariableSpecificUUID VariableCV`);
const allocationSite = words(`SiteUUID NativeSiteID SiteName SiteTypeCV Longitude Latitude CoordinateMethodCV HUC8 HUC12
  County StateCV PODorPOUSite`);

/** By operation: what is beside the envelope, the lists of an organization, and the members of their items. */
const answers = [
  {
    ...{ path: paths.site, kind: 'SiteVariableAmounts', record: siteAmount },
    last: 'VariableSpecifics Methods BeneficialUses SiteVariableAmounts Sites State OrganizationUUID',
    inRecord: { BeneficialUseCategoryCV: words('BeneficialUseCategoryCV') },
  },
  {
    ...{ path: paths.aggregated, kind: 'AggregatedAmounts', record: aggregatedAmount },
    last: `ReportingUnits VariableSpecifics Methods BeneficialUses AggregatedAmounts State OrganizationDataMappingURL
      OrganizationUUID`,
    inRecord: { BeneficialUseCategoryCV: words('BeneficialUseCategoryCV') },
  },
  {
    ...{ path: paths.allocations, kind: 'WaterAllocations', record: allocation },
    last: 'VariableSpecifics Methods BeneficialUses WaterAllocations Sites State OrganizationUUID',
    inRecord: { Sites: allocationSite },
  },
];

const lookups: Readonly<Record<string, readonly string[]>> = {
  ...{ WaterSources: waterSource, VariableSpecifics: variable, Methods: method, BeneficialUses: use, Sites: site },
  ReportingUnits: reportingUnit,
};

test.each(answers)('the members of $kind', async ({ path, kind, record, last, inRecord }) => {
  const { json } = await service.get(path);
  expect(Object.keys(json)).toEqual([`Total${kind}Count`, 'Organizations']);
  const [organization] = json.Organizations;
  expect(Object.keys(organization)).toEqual([...organizationStart, ...words(last)]);
  expectEach(organization[kind], record);
  for (const [list, members] of Object.entries(lookups))
    if (list in organization) expectEach(organization[list], members);
  for (const [list, members] of Object.entries(inRecord)) expectEach(organization[kind][0][list], members);
});

test('the members of the water sources and relations of a site', async () => {
  const { json } = await service.get(paths.site);
  const [{ WaterSources, RelatedPOUSites }] = json.Organizations[0].Sites;
  expectEach(WaterSources, words('WaterSourceUUID WaterSourceTypeCV'));
  expectEach(RelatedPOUSites, words('SiteUUID StartDate EndDate'));
});

/** Expects at least one object, and of each these members in this order. */
function expectEach(objects: readonly object[], members: readonly string[]): void {
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) expect(Object.keys(object)).toEqual(members);
}
