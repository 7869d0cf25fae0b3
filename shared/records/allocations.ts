// The records of water rights (D27), members in the answer's order.

import { boolean, date, described, listOf, number, objectOf, requiredText, text } from './object-definition';
import type { ObjectOf } from './object-definition';
import { recurring, recurringMembers } from './recurring-members';

export const allocationSiteMembers = {
  ...recurringMembers('SiteUUID', 'NativeSiteID', 'SiteName', 'SiteTypeCV', 'Longitude', 'Latitude'),
  ...recurringMembers('CoordinateMethodCV', 'HUC8', 'HUC12', 'County', 'StateCV', 'PODorPOUSite'),
};

const flow = described(number, 'Flow of the right in cubic feet per second (CFS).');
const volume = described(number, 'Volume of the right in acre-feet (AF).');

export const waterAllocationMembers = {
  AllocationNativeID: described(text, "The organization's own identifier of the right."),
  WaterSourceUUID: recurring.WaterSourceUUID,
  AllocationOwner: described(text, 'Who holds the right.'),
  AllocationApplicationDate: described(date, 'Day on which the right was applied for.'),
  AllocationPriorityDate: described(
    date,
    'Day from which the right counts; older rights come first when water is short.',
  ),
  AllocationLegalStatusCodeCV: described(text, 'Legal status of the right.'),
  AllocationExpirationDate: described(date, 'Day on which the right ends.'),
  AllocationChangeApplicationIndicator: described(text, 'Whether the right was changed on application.'),
  LegacyAllocationIDs: described(text, 'Former identifiers of the right.'),
  AllocationAcreage: described(number, 'Area in acres that may be irrigated.'),
  AllocationBasisCV: described(text, 'What the right rests on.'),
  TimeframeStart: described(text, 'Start of the season in which water may be taken, as submitted, such as 04/15.'),
  TimeframeEnd: described(text, 'End of the season in which water may be taken, as submitted, such as 10/31.'),
  DataPublicationDate: recurring.DataPublicationDate,
  AllocationCropDutyAmount: described(
    number,
    'Water per irrigated area, in acre-feet per acre where not said otherwise.',
  ),
  AllocationAmount: flow,
  AllocationMaximum: volume,
  PopulationServed: recurring.PopulationServed,
  GeneratedPowerCapacityMW: described(number, 'Capacity of the power plant in megawatts.'),
  AllocationCommunityWaterSupplySystem: recurring.AllocationCommunityWaterSupplySystem,
  AllocationSDWISIdentifier: recurring.SDWISIdentifierCV,
  ...recurringMembers('MethodUUID', 'VariableSpecificTypeCV'),
  Sites: described(
    listOf(objectOf(allocationSiteMembers)),
    "Where the water of the right is taken or used, in the submission's order; geometries are in the organization's Sites.",
  ),
  BeneficialUses: described(
    listOf(described(requiredText, "Refers to an item of the organization's BeneficialUses.")),
    'All beneficial uses of the right.',
  ),
  AllocationUUID: described(text, 'Identifier of the right, unique over all organizations.'),
  AllocationFlow_CFS: described(flow, 'The same as AllocationAmount, in cubic feet per second.'),
  AllocationVolume_AF: described(volume, 'The same as AllocationMaximum, in acre-feet.'),
  AllocationTypeCV: described(text, 'Type of the right.'),
  OwnerClassificationCV: described(text, 'Kind of owner.'),
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
  ExemptOfVolumeFlowPriority: described(boolean, 'Whether the right is exempt from a volume, a flow or a priority.'),
  ...recurringMembers('IrrigationMethodCV', 'CropTypeCV', 'CustomerTypeCV'),
  WaterAllocationNativeURL: described(text, 'Page of the organization about the right.'),
  ...recurringMembers('DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
};

export type WaterAllocation = ObjectOf<typeof waterAllocationMembers>;
