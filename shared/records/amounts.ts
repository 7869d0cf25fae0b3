// The amount records at sites and of reporting units (D26), members in the answer's order.

import { date, described, requiredNumber, text, timestamp, type ObjectOf } from './object-definition';
import { recurring } from './recurring-members';

const amount = described(requiredNumber, 'The amount as submitted, in the unit of AmountUnitCV; exports are negative.');

const FIRST_DAY = 'First day of the timeframe that the amount is about.';
const LAST_DAY = 'Last day of the timeframe that the amount is about.';

export const siteVariableAmountMembers = {
  SiteUUID: recurring.SiteUUID,
  SiteTypeCV: recurring.SiteTypeCV,
  Longitude: recurring.Longitude,
  Latitude: recurring.Latitude,
  CoordinateMethodCV: recurring.CoordinateMethodCV,
  CoordinateAccuracy: recurring.CoordinateAccuracy,
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  WaterSourceUUID: recurring.WaterSourceUUID,
  WaterSourceTypeCV: recurring.WaterSourceTypeCV,
  MethodUUID: recurring.MethodUUID,
  ReportYear: recurring.ReportYear,
  TimeframeStart: described(date, FIRST_DAY),
  TimeframeEnd: described(date, LAST_DAY),
  Amount: amount,
  AmountUnitCV: recurring.AmountUnitCV,
  IrrigationMethodCV: recurring.IrrigationMethodCV,
  IrrigatedAcreage: recurring.IrrigatedAcreage,
  CropTypeCV: recurring.CropTypeCV,
  PopulationServed: recurring.PopulationServed,
  PowerGeneratedGWh: recurring.PowerGeneratedGWh,
  AllocationCommunityWaterSupplySystem: recurring.AllocationCommunityWaterSupplySystem,
  SDWISIdentifierCV: recurring.SDWISIdentifierCV,
  CustomerTypeCV: recurring.CustomerTypeCV,
  AssociatedNativeAllocationIDs: described(text, "The organization's identifiers of the rights that it belongs to."),
  DataPublicationDate: recurring.DataPublicationDate,
  DataPublicationDOI: recurring.DataPublicationDOI,
  VariableSpecificUUID: recurring.VariableSpecificUUID,
  VariableCV: recurring.VariableCV,
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
};

export const aggregatedAmountMembers = {
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  WaterSourceUUID: recurring.WaterSourceUUID,
  MethodUUID: recurring.MethodUUID,
  ReportingUnitUID: described(recurring.ReportingUnitUUID, 'The same as ReportingUnitUUID.'),
  ReportingUnitName: recurring.ReportingUnitName,
  ReportingUnitTypeCV: recurring.ReportingUnitTypeCV,
  ReportYear: recurring.ReportYear,
  TimeframeStart: described(timestamp, FIRST_DAY),
  TimeframeEnd: described(timestamp, LAST_DAY),
  AmountUnitCV: recurring.AmountUnitCV,
  Amount: amount,
  PopulationServed: recurring.PopulationServed,
  AllocationCommunityWaterSupplySystem: recurring.AllocationCommunityWaterSupplySystem,
  CustomerTypeCV: recurring.CustomerTypeCV,
  SDWISIdentifierCV: recurring.SDWISIdentifierCV,
  PowerGeneratedGWh: recurring.PowerGeneratedGWh,
  IrrigationMethodCV: recurring.IrrigationMethodCV,
  IrrigatedAcreage: recurring.IrrigatedAcreage,
  CropTypeCV: recurring.CropTypeCV,
  DataPublicationDate: recurring.DataPublicationDate,
  VariableSpecificUUID: recurring.VariableSpecificUUID,
  VariableCV: recurring.VariableCV,
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
  ReportingUnitUUID: recurring.ReportingUnitUUID,
};

export type SiteVariableAmount = ObjectOf<typeof siteVariableAmountMembers>;
export type AggregatedAmount = ObjectOf<typeof aggregatedAmountMembers>;
