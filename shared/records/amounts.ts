// The amount records at sites and of reporting units (D26), members in the answer's order.

import { date, described, requiredNumber, text, timestamp, type ObjectOf } from './object-definition';
import { recurring, recurringMembers } from './recurring-members';

const amount = described(requiredNumber, 'The amount as submitted, in the unit of AmountUnitCV; exports are negative.');

const FIRST_DAY = 'First day of the timeframe that the amount is about.';
const LAST_DAY = 'Last day of the timeframe that the amount is about.';

export const siteVariableAmountMembers = {
  ...recurringMembers('SiteUUID', 'SiteTypeCV', 'Longitude', 'Latitude', 'CoordinateMethodCV', 'CoordinateAccuracy'),
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  ...recurringMembers('WaterSourceUUID', 'WaterSourceTypeCV', 'MethodUUID', 'ReportYear'),
  TimeframeStart: described(date, FIRST_DAY),
  TimeframeEnd: described(date, LAST_DAY),
  Amount: amount,
  ...recurringMembers('AmountUnitCV', 'IrrigationMethodCV', 'IrrigatedAcreage', 'CropTypeCV', 'PopulationServed'),
  ...recurringMembers('PowerGeneratedGWh', 'AllocationCommunityWaterSupplySystem', 'SDWISIdentifierCV'),
  CustomerTypeCV: recurring.CustomerTypeCV,
  AssociatedNativeAllocationIDs: described(text, "The organization's identifiers of the rights that it belongs to."),
  ...recurringMembers('DataPublicationDate', 'DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
};

export const aggregatedAmountMembers = {
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  ...recurringMembers('WaterSourceUUID', 'MethodUUID'),
  ReportingUnitUID: described(recurring.ReportingUnitUUID, 'The same as ReportingUnitUUID.'),
  ...recurringMembers('ReportingUnitName', 'ReportingUnitTypeCV', 'ReportYear'),
  TimeframeStart: described(timestamp, FIRST_DAY),
  TimeframeEnd: described(timestamp, LAST_DAY),
  AmountUnitCV: recurring.AmountUnitCV,
  Amount: amount,
  ...recurringMembers('PopulationServed', 'AllocationCommunityWaterSupplySystem', 'CustomerTypeCV'),
  ...recurringMembers('SDWISIdentifierCV', 'PowerGeneratedGWh', 'IrrigationMethodCV', 'IrrigatedAcreage', 'CropTypeCV'),
  ...recurringMembers('DataPublicationDate', 'VariableSpecificUUID', 'VariableCV', 'PrimaryUseCategoryCV'),
  ReportingUnitUUID: recurring.ReportingUnitUUID,
};

export type SiteVariableAmount = ObjectOf<typeof siteVariableAmountMembers>;
export type AggregatedAmount = ObjectOf<typeof aggregatedAmountMembers>;
