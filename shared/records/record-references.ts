// Which members of a record refer to which lookups.

import type { DataSetKind } from './data-sets';
import type { LookupKind } from './lookups';

/** A record or a lookup as parsed from its JSON text. */
export type Item = Readonly<Record<string, unknown>>;

export interface RecordReference {
  readonly lookups: LookupKind;
  /** The record's member that holds the identifier, or a list of identifiers or objects. */
  readonly member: string;
  /** In a list of objects, the member that holds the identifier. */
  readonly within?: string;
  readonly isList: boolean;
}

const commonReferences: readonly RecordReference[] = [
  referTo('VariableSpecifics', 'VariableSpecificUUID'),
  referTo('Methods', 'MethodUUID'),
  referTo('WaterSources', 'WaterSourceUUID'),
];

const amountUses = referToList('BeneficialUses', 'BeneficialUseCategoryCV', 'BeneficialUseCategoryCV');

/** The reference to the place comes first. */
export const recordReferences: Readonly<Record<DataSetKind, readonly [RecordReference, ...RecordReference[]]>> = {
  SiteVariableAmounts: [referTo('Sites', 'SiteUUID'), ...commonReferences, amountUses],
  AggregatedAmounts: [referTo('ReportingUnits', 'ReportingUnitUUID'), ...commonReferences, amountUses],
  WaterAllocations: [
    referToList('Sites', 'Sites', 'SiteUUID'),
    ...commonReferences,
    referToList('BeneficialUses', 'BeneficialUses'),
  ],
};

/** Returns the identifiers in a record's reference, in order. The list is empty if the member is null. */
export function readIdentifiers(record: Item, { member, within, isList }: RecordReference): readonly string[] {
  const value = record[member];
  if (value === null) return [];
  const items = isList ? (value as readonly unknown[]) : [value]; // Records have the declared shape.
  return items.map((item) => String(within === undefined ? item : (item as Item)[within]));
}

function referTo(lookups: LookupKind, member: string): RecordReference {
  return { lookups, member, isList: false };
}

function referToList(lookups: LookupKind, member: string, within?: string): RecordReference {
  return { lookups, member, isList: true, ...(within === undefined ? {} : { within }) };
}
