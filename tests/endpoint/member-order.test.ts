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

test('the members of SiteVariableAmounts', async () => {
  const { json } = await service.get(paths.site);
  expect(Object.keys(json)).toEqual(['TotalSiteVariableAmountsCount', 'Organizations']);
  const collections = words(
    'VariableSpecifics Methods BeneficialUses SiteVariableAmounts Sites State OrganizationUUID',
  );
  const [organization] = json.Organizations;
  expect(Object.keys(organization)).toEqual([...organizationStart, ...collections]);
  expectEach(organization.WaterSources, waterSource);
  expectEach(organization.VariableSpecifics, variable);
  expectEach(organization.Methods, method);
  expectEach(organization.BeneficialUses, use);
  expectEach(organization.Sites, site);
  expectEach(organization.SiteVariableAmounts, siteAmount);
  expectEach(organization.SiteVariableAmounts[0].BeneficialUseCategoryCV, ['BeneficialUseCategoryCV']);
  expectEach(organization.Sites[0].WaterSources, words('WaterSourceUUID WaterSourceTypeCV'));
  expectEach(organization.Sites[0].RelatedPOUSites, words('SiteUUID StartDate EndDate'));
});

test('the members of AggregatedAmounts', async () => {
  const { json } = await service.get(paths.aggregated);
  expect(Object.keys(json)).toEqual(['TotalAggregatedAmountsCount', 'Organizations']);
  const collections = words(`ReportingUnits VariableSpecifics Methods BeneficialUses AggregatedAmounts State
    OrganizationDataMappingURL OrganizationUUID`);
  const [organization] = json.Organizations;
  expect(Object.keys(organization)).toEqual([...organizationStart, ...collections]);
  expectEach(organization.WaterSources, waterSource);
  expectEach(organization.ReportingUnits, reportingUnit);
  expectEach(organization.VariableSpecifics, variable);
  expectEach(organization.Methods, method);
  expectEach(organization.BeneficialUses, use);
  expectEach(organization.AggregatedAmounts, aggregatedAmount);
  expectEach(organization.AggregatedAmounts[0].BeneficialUseCategoryCV, ['BeneficialUseCategoryCV']);
});

test('the members of SiteAllocationAmounts', async () => {
  const { json } = await service.get(paths.allocations);
  expect(Object.keys(json)).toEqual(['TotalWaterAllocationsCount', 'Organizations']);
  const collections = words('VariableSpecifics Methods BeneficialUses WaterAllocations Sites State OrganizationUUID');
  const [organization] = json.Organizations;
  expect(Object.keys(organization)).toEqual([...organizationStart, ...collections]);
  expectEach(organization.WaterSources, waterSource);
  expectEach(organization.VariableSpecifics, variable);
  expectEach(organization.Methods, method);
  expectEach(organization.BeneficialUses, use);
  expectEach(organization.Sites, site);
  expectEach(organization.WaterAllocations, allocation);
  expectEach(organization.WaterAllocations[0].Sites, allocationSite);
});

/** Expects at least one object, and of each these members in this order. */
function expectEach(objects: readonly object[], members: readonly string[]): void {
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) expect(Object.keys(object)).toEqual(members);
}
