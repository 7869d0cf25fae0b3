// By which of its members an amount record refers to which lookups.

import type { DataSetKind } from './data-sets';
import type { LookupKind } from './lookups';

/** A record or a lookup as its JSON text reads. */
export type Item = Readonly<Record<string, unknown>>;

export interface RecordReference {
  readonly lookups: LookupKind;
  /** The record's member that holds the identifier, or a list. */
  readonly member: string;
  /** The member of each object of a list that holds the identifier. */
  readonly within?: string;
  readonly isList: boolean;
}

const commonReferences: readonly RecordReference[] = [
  one('VariableSpecifics', 'VariableSpecificUUID'),
  one('Methods', 'MethodUUID'),
  one('WaterSources', 'WaterSourceUUID'),
];

const usesOfAmount = list('BeneficialUses', 'BeneficialUseCategoryCV', 'BeneficialUseCategoryCV');

/** The place first. */
export const recordReferences: Readonly<Record<DataSetKind, readonly [RecordReference, ...RecordReference[]]>> = {
  SiteVariableAmounts: [one('Sites', 'SiteUUID'), ...commonReferences, usesOfAmount],
  AggregatedAmounts: [one('ReportingUnits', 'ReportingUnitUUID'), ...commonReferences, usesOfAmount],
  WaterAllocations: [list('Sites', 'Sites', 'SiteUUID'), ...commonReferences, list('BeneficialUses', 'BeneficialUses')],
};

/** The identifiers that a record refers by, in its order; none where the member is null. */
export function identifiersIn(record: Item, { member, within, isList }: RecordReference): readonly string[] {
  const value = record[member];
  if (value === null) return [];
  const items = isList ? (value as readonly unknown[]) : [value]; // Records are as they were declared.
  return items.map((item) => String(within === undefined ? item : (item as Item)[within]));
}

function one(lookups: LookupKind, member: string): RecordReference {
  return { lookups, member, isList: false };
}

function list(lookups: LookupKind, member: string, within?: string): RecordReference {
  return { lookups, member, isList: true, ...(within === undefined ? {} : { within }) };
}
