// Labels: what people call the filters, groups and columns of the service.

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
  UseCategoryCV: 'Category of use',
  BeneficialUseCV: 'Beneficial use',
  USGSCategoryNameCV: 'National category',
  UsgsCategoryNameCV: 'National category',
  WaterSourceTypeCV: 'Water source',
  SiteTypeCV: 'Site type',
  PODorPOUSite: 'Diversion or use',
  OrganizationUUID: 'Organization',
  VariableCV: 'Variable',
  VariableSpecificCV: 'Specific variable',
  ReportingUnitTypeCV: 'Type of unit',
  AllocationLegalStatusCV: 'Legal status',
  AllocationTypeCV: 'Type of right',
  OwnerClassificationCV: 'Class of owner',
  AllocationOwner: 'Owner contains',
  AllocationNativeID: 'Number of the right',
  AllocationUUID: 'Allocation UUID',
  SiteUUID: 'Site',
  ReportingUnitUUID: 'Reporting unit',
  PriorityDecade: 'Decade of priority',
  PriorityYear: 'Year of priority',
  Year: 'Year',
  WaterYear: 'Water year',
  ReportYear: 'Report year',
  Month: 'Month of the year',
};

export type LabeledField = keyof typeof LABELS;

const labels: Readonly<Record<string, string>> = LABELS;

/** Falls back to the name itself. */
export function getLabel(name: string): string {
  return labels[name] ?? name;
}

/** Choices for a list. */
export function toChoices(names: readonly string[]): readonly LabeledName[] {
  return names.map((name) => ({ name, label: getLabel(name) }));
}
