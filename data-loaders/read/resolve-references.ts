// Resolves the identifiers in a row to staged rows (submissions.md, 4). An unknown identifier is dropped with a
// warning, or rejects the row, depending on its rule.

import type { AmountDefinition, CommonAmountRow } from '../format/amount-definitions';
import { appendHint, type RowFinding } from '../format/findings';
import type { RuleName } from '../format/rules';
import { lookupFiles } from '../format/submission-files';
import { describeDifference } from '../stage/similar-identifiers';
import type { AmountReferences } from '../stage/staged-amounts';
import type { LookupTable } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';

/** A column that refers to a lookup table, and the rule that applies to an unknown identifier. */
interface Reference {
  readonly column: string;
  readonly table: LookupTable;
  readonly rule: RuleName;
}

const ORGANIZATION: Reference = { column: 'OrganizationUUID', table: 'organizations', rule: 'unknown-organization' };
const VARIABLE: Reference = { column: 'VariableSpecificUUID', table: 'variables', rule: 'unknown-variable' };
const METHOD: Reference = { column: 'MethodUUID', table: 'methods', rule: 'unknown-method' };
const WATER_SOURCE: Reference = { column: 'WaterSourceUUID', table: 'watersources', rule: 'unknown-water-source' };

/** An amount without its place is rejected, but a right may lack some or all of its sites. */
const PLACES: Readonly<Record<AmountDefinition['kind'], Reference>> = {
  SiteVariableAmounts: { column: 'SiteUUID', table: 'sites', rule: 'unknown-site' },
  AggregatedAmounts: { column: 'ReportingUnitUUID', table: 'reportingunits', rule: 'unknown-reporting-unit' },
  WaterAllocations: { column: 'SiteUUID', table: 'sites', rule: 'unknown-site-in-list' },
};

/** The resolved references of a row. If a finding rejects the row, all other members are meaningless. */
export interface ResolvedAmount {
  readonly findings: readonly RowFinding[];
  /** The staged rows to which the row refers; undefined for a row that deletes. */
  readonly references: AmountReferences | undefined;
  /** The row itself, or a copy without its unknown references. */
  readonly row: CommonAmountRow;
}

/** Stands for a missing row. It is never used, because the row with the reference is rejected. */
const NO_NUMBER = 0;

export function resolveAmount(definition: AmountDefinition, row: CommonAmountRow, staging: Staging): ResolvedAmount {
  const findings: RowFinding[] = [];
  const findNumber = (reference: Reference, id: string): number | undefined =>
    resolveIdentifiers(reference, [id], staging, findings).numbers[0];
  const organization = findNumber(ORGANIZATION, row.OrganizationUUID) ?? NO_NUMBER;
  const variable = findNumber(VARIABLE, row.VariableSpecificUUID) ?? NO_NUMBER;
  const method = findNumber(METHOD, row.MethodUUID) ?? NO_NUMBER;
  const { knownIds, numbers: places } = resolveIdentifiers(
    PLACES[definition.kind],
    definition.places(row),
    staging,
    findings,
  );
  const isRight = definition.kind === 'WaterAllocations';
  if (isRight && knownIds.length === 0) findings.push({ rule: 'without-site', column: 'SiteUUID', value: '' });
  const source = row.WaterSourceUUID;
  const waterSource = source === null ? undefined : findNumber(WATER_SOURCE, source);
  const references = { organization, variable, method, waterSource, places };
  if (findings.length === 0) return { findings, references, row };
  const resolved = { ...dropUnknownWaterSource(row, staging), ...(isRight && { SiteUUID: knownIds }) };
  return { findings, references, row: resolved };
}

/** Only the key of a row that deletes matters, and a key contains no unknown water source. Its R cells may be null. */
export function resolveDeletion(row: CommonAmountRow, staging: Staging): ResolvedAmount {
  return { findings: [], references: undefined, row: dropUnknownWaterSource(row, staging) };
}

/** The row itself, or a copy without a water source that is not in the submission. */
function dropUnknownWaterSource(row: CommonAmountRow, staging: Staging): CommonAmountRow {
  const { WaterSourceUUID: source } = row;
  const isKnown = source === null || staging.getLookups('watersources').findNumber(source) !== undefined;
  return isKnown ? row : { ...row, WaterSourceUUID: null };
}

/**
 * Finds the staged rows for a list of identifiers, in the order of the list. Adds a finding for each unknown
 * identifier.
 */
export function resolveIdentifiers(
  { column, table, rule }: Reference,
  ids: readonly string[],
  staging: Staging,
  findings: RowFinding[],
): { readonly knownIds: readonly string[]; readonly numbers: readonly number[] } {
  const lookups = staging.getLookups(table);
  const knownIds: string[] = [];
  const numbers: number[] = [];
  for (const id of ids) {
    const number = lookups.findNumber(id);
    if (number === undefined) {
      const similar = lookups.findSimilar(id);
      const hint = similar && `${lookupFiles[table].name} has ${similar}${describeDifference(id, similar)}`;
      findings.push({ rule, column, value: appendHint(id, hint) });
    } else {
      knownIds.push(id);
      numbers.push(number);
    }
  }
  return { knownIds, numbers };
}
