// Labels of the service's filters, groups and columns.

/** A parameter or column of the service, with its label. */
export interface LabeledName {
  readonly name: string;
  readonly label: string;
}

/** Labels of filters and groups, for all kinds. */
const LABELS = {
  State: 'State',
  County: 'County',
  HUC8: 'Watershed (HUC8)',
  HUC12: 'Subwatershed (HUC12)',
  UseCategoryCV: 'Use category',
  BeneficialUseCV: 'Beneficial use',
  USGSCategoryNameCV: 'USGS use category',
  UsgsCategoryNameCV: 'USGS use category',
  WaterSourceTypeCV: 'Water source type',
  WaterSourceUUID: 'Water source ID',
  SiteTypeCV: 'Site type',
  PODorPOUSite: 'Point of diversion or place of use',
  OrganizationUUID: 'Organization',
  VariableCV: 'Variable',
  VariableSpecificCV: 'Specific variable',
  ReportingUnitTypeCV: 'Type of area',
  AllocationLegalStatusCV: 'Legal status',
  AllocationTypeCV: 'Right type',
  OwnerClassificationCV: 'Owner type',
  AllocationOwner: 'Owner contains',
  AllocationNativeID: 'Water right number',
  AllocationUUID: 'Water right UUID',
  SiteUUID: 'Site',
  ReportingUnitUUID: 'Reporting unit',
  PriorityDecade: 'Priority decade',
  PriorityYear: 'Priority year',
  Year: 'Year',
  WaterYear: 'Water year',
  ReportYear: 'Report year',
  Month: 'Month',
};

export type LabeledField = keyof typeof LABELS;

const labels: Readonly<Record<string, string>> = LABELS;

/** Returns the name itself if it has no label. */
export function getLabel(name: string): string {
  return labels[name] ?? name;
}

/** Choices for a list. */
export function toChoices(names: readonly string[]): readonly LabeledName[] {
  return names.map((name) => ({ name, label: getLabel(name) }));
}
