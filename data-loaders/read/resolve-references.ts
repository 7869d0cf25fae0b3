// From what rows refer to to the staged rows that it names (submissions.md, 4): unknown references are left out with a
// warning or reject the row.

import type { AmountDefinition, CommonAmountRow } from '../format/amount-definitions';
import { withHint, type RowFinding } from '../format/findings';
import { lookupFiles, type RelationRow } from '../format/submission-files';
import type { RuleName } from '../format/rules';
import type { AmountReferences } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staged-lookups';

/** Finds the staged row that an identifier names, and the one that is meant where only letter case differs. */
type References = Pick<Staging, 'lookups'>;

/** A column that must name a row of a lookup table, and the rule that it breaks otherwise. */
interface Reference {
  readonly column: string;
  readonly table: LookupTable;
  readonly rule: RuleName;
}

const ORGANIZATION: Reference = { column: 'OrganizationUUID', table: 'organizations', rule: 'unknown-organization' };
const VARIABLE: Reference = { column: 'VariableSpecificUUID', table: 'variables', rule: 'unknown-variable' };
const METHOD: Reference = { column: 'MethodUUID', table: 'methods', rule: 'unknown-method' };

/** Places without which a row is rejected; a right may lack some or all of its sites. */
const REQUIRED_PLACES: Readonly<Record<AmountDefinition['kind'], Reference | undefined>> = {
  SiteVariableAmounts: { column: 'SiteUUID', table: 'sites', rule: 'unknown-site' },
  AggregatedAmounts: { column: 'ReportingUnitUUID', table: 'reportingunits', rule: 'unknown-reporting-unit' },
  WaterAllocations: undefined,
};

/** What the references of a row come to. */
export interface ResolvedAmount {
  /** Why the row is rejected, in the order of its references. */
  readonly reasons: readonly RowFinding[];
  readonly warnings: readonly RowFinding[];
  /** Those that are there; of a row that is rejected they mean nothing. */
  readonly references: AmountReferences;
  /** The row itself, or a copy without its unknown references. */
  readonly row: CommonAmountRow;
}

export function resolveAmount(
  definition: AmountDefinition,
  row: CommonAmountRow,
  references: References,
): ResolvedAmount {
  const said: Said = { reasons: [], warnings: [] };
  const { OrganizationUUID, VariableSpecificUUID, MethodUUID, WaterSourceUUID: source } = row;
  const places = definition.places(row);
  const required = {
    organization: findRequired(ORGANIZATION, OrganizationUUID, references, said),
    variable: findRequired(VARIABLE, VariableSpecificUUID, references, said),
    method: findRequired(METHOD, MethodUUID, references, said),
  };
  const { known, numbers } = findPlaces(definition, places, references, said);
  const waterSource = source === null ? undefined : references.lookups('watersources').findNumber(source);
  const withSource = withKnownWaterSource(row, references);
  if (withSource !== row) {
    const value = unknown('watersources', source ?? '', references);
    said.warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUID', value });
  }
  // Only rights have lists of places, from which some may be left out; other rows without their place are rejected.
  const withPlaces = known.length === places.length ? withSource : { ...withSource, SiteUUID: known };
  return { ...said, references: { ...required, waterSource, places: numbers }, row: withPlaces };
}

/** The findings that follow from what a row refers to. */
interface Said {
  readonly reasons: RowFinding[];
  readonly warnings: RowFinding[];
}

/** The number of none, which is never asked for: the row is rejected. */
const NO_NUMBER = 0;

function findRequired(
  { column, table, rule }: Reference,
  id: string,
  references: References,
  { reasons }: Pick<Said, 'reasons'>,
): number {
  const number = references.lookups(table).findNumber(id);
  if (number === undefined) reasons.push({ rule, column, value: unknown(table, id, references) });
  return number ?? NO_NUMBER;
}

function findPlaces(
  { kind, placeTable }: AmountDefinition,
  places: readonly string[],
  references: References,
  said: Said,
): KnownReferences {
  const required = REQUIRED_PLACES[kind];
  const found = findKnown(placeTable, places, references, (value) => {
    if (required !== undefined) said.reasons.push({ rule: required.rule, column: required.column, value });
    else said.warnings.push({ rule: 'unknown-site-in-list', column: 'SiteUUID', value });
  });
  if (required === undefined && found.known.length === 0) {
    said.warnings.push({ rule: 'without-site', column: 'SiteUUID', value: '' });
  }
  return found;
}

/** Those of a list, in its order, which are staged, and their staged numbers. */
interface KnownReferences {
  readonly known: string[];
  readonly numbers: number[];
}

/** Calls `onUnknown` for each of the others with what a finding says of it. */
function findKnown(
  table: LookupTable,
  ids: readonly string[],
  references: References,
  onUnknown: (value: string) => void,
): KnownReferences {
  const found: KnownReferences = { known: [], numbers: [] };
  for (const id of ids) {
    const number = references.lookups(table).findNumber(id);
    if (number === undefined) onUnknown(unknown(table, id, references));
    else {
      found.known.push(id);
      found.numbers.push(number);
    }
  }
  return found;
}

/** The row itself, or a copy without the water source that the submission does not have. */
export function withKnownWaterSource(row: CommonAmountRow, references: References): CommonAmountRow {
  const { WaterSourceUUID: source } = row;
  const isKnown = source === null || references.lookups('watersources').findNumber(source) !== undefined;
  return isKnown ? row : { ...row, WaterSourceUUID: null };
}

/** The water sources of a place that are there, and their staged numbers. */
export function resolveWaterSources(
  sources: readonly string[],
  references: References,
): Pick<ResolvedAmount, 'warnings'> & KnownReferences {
  const warnings: RowFinding[] = [];
  const found = findKnown('watersources', sources, references, (value) => {
    warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value });
  });
  return { ...found, warnings };
}

/** The identifier of no row, with the one that is probably meant. */
function unknown(table: LookupTable, id: string, references: References): string {
  const meant = references.lookups(table).identifierInOtherCase(id);
  return withHint(id, meant && `${lookupFiles[table].name} has ${meant}`);
}

/** Why a relation between sites cannot be taken: a site that the submission does not have. */
export function relationReasons(row: RelationRow, references: References): readonly RowFinding[] {
  const reasons: RowFinding[] = [];
  for (const column of ['PODSiteUUID', 'POUSiteUUID'] as const) {
    findRequired({ column, table: 'sites', rule: 'relation-without-site' }, row[column], references, { reasons });
  }
  return reasons;
}
