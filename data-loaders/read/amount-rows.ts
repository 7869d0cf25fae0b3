// Stages the rows of an amounts file: each is normalised, or rejected, and gets its key. Rows with one key are told
// apart later, when they come back in the order of their keys.

import {
  type AllocationRow,
  type AmountDefinition,
  buildSortableKey,
  type CommonAmountRow,
  isReversed,
  listUses,
} from '../format/amount-definitions';
import { RowShape, type SubmissionFile } from '../format/column';
import { type FileFindings, isRejection, type RowFinding } from '../format/findings';
import { type AmountReferences, type ReferencedLookups, resolveKeys } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import { eachRow, type RowSource, type SubmittedRow, type Visit } from './file-rows';
import { resolveAmount, type ResolvedAmount, resolveDeletion } from './resolve-references';

export interface StagedAmounts {
  readonly definition: AmountDefinition;
  /** The findings of the submission's own file; undefined when it has none and only former rows are staged (merge). */
  readonly findings: FileFindings | undefined;
  /** Number of rows staged, those of a former release too. */
  readonly rows: number;
  readonly referenced: ReferencedLookups;
  readonly organizations: ReadonlySet<string>;
  /** Number of these rows whose priority date has a year of two digits. */
  readonly twoDigitPriorities: number;
}

/** Undefined when neither the submission nor a release that it is laid over has rows of the kind. */
export async function stageAmounts(
  definition: AmountDefinition,
  sources: readonly RowSource[],
  staging: Staging,
): Promise<StagedAmounts | undefined> {
  const { kind, file } = definition;
  const shape = new RowShape(file);
  const state = staging.part(`amounts of ${kind}`, {
    rows: 0,
    referenced: staging.noReferences(),
    organizations: new Set<string>(),
    twoDigitPriorities: 0,
  });
  const visit: Visit<SubmissionFile> = (submitted, ofFile) => {
    const { line, source, isFormer, isDeletion } = submitted;
    const { findings, references, row } = isDeletion
      ? resolveDeletion(rowOf(submitted), staging)
      : resolveRow(definition, submitted, staging);
    ofFile.addRow(line, findings);
    if (findings.some(isRejection)) return;
    if (references !== undefined) {
      mark(definition, { references, uses: listUses(row) }, state.referenced);
      state.organizations.add(row.OrganizationUUID);
      if (findings.some(isTwoDigitPriority)) state.twoDigitPriorities++;
    }
    state.rows++;
    staging.addAmount(kind, {
      key: buildSortableKey(definition.key(row)),
      row: isDeletion ? '' : shape.write(row),
      source,
      isFormer,
      line,
      warnings: findings.map(({ rule }) => rule),
      ...(references && { references }),
    });
  };
  let own: FileFindings | undefined;
  let isThere = false;
  for (const source of sources) {
    const findings = await eachRow(file, source, visit);
    isThere ||= findings !== undefined;
    if (source.role !== 'former') own = findings;
  }
  return isThere ? { definition, findings: own, ...state } : undefined;
}

type Submitted = SubmittedRow<SubmissionFile>;

/** With all that is found of the row. */
function resolveRow(definition: AmountDefinition, submitted: Submitted, staging: Staging): ResolvedAmount {
  const { findings, references, row } = resolveAmount(definition, rowOf(submitted), staging);
  const ofTimeframe = isReversed(definition.shownDates(row)) === true ? [reversed(submitted)] : [];
  const found = [...submitted.findings, ...ofTimeframe, ...findings, ...identifierReasons(definition, row)];
  return { findings: found, references, row };
}

function isTwoDigitPriority({ rule, column }: RowFinding): boolean {
  return rule === 'two-digit-year' && column === 'AllocationPriorityDate';
}

function rowOf({ row }: Submitted): CommonAmountRow {
  return row as CommonAmountRow; // The file is one of amounts.
}

function identifierReasons({ kind }: AmountDefinition, row: CommonAmountRow): readonly RowFinding[] {
  if (kind !== 'WaterAllocations') return [];
  const { AllocationUUID, AllocationNativeID } = row as AllocationRow; // Rows of its file.
  return AllocationUUID === null && AllocationNativeID === null
    ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
    : [];
}

function reversed({ raw }: Submitted): RowFinding {
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  return { rule: 'reversed-timeframe', column: 'TimeframeStart', value };
}

function mark(
  { placeTable }: AmountDefinition,
  { references, uses }: { readonly references: AmountReferences; readonly uses: readonly string[] },
  referenced: ReferencedLookups,
): void {
  const { marks } = referenced;
  marks.organizations[references.organization] = 1;
  marks.variables[references.variable] = 1;
  marks.methods[references.method] = 1;
  if (references.waterSource !== undefined) marks.watersources[references.waterSource] = 1;
  for (const place of references.places) marks[placeTable][place] = 1;
  for (const use of uses) referenced.uses.add(use);
}

/** The lookups that the rows refer to which become records: not rows that a newer one replaces or deletes. */
export function referencesOfRecords(definition: AmountDefinition, staging: Staging): ReferencedLookups {
  const referenced = staging.noReferences();
  const shape = new RowShape(definition.file);
  for (const outcome of resolveKeys(staging.amounts(definition.kind))) {
    if (outcome.kind !== 'record') continue;
    const uses = listUses(shape.read(outcome.amount.row) as CommonAmountRow);
    mark(definition, { references: outcome.references, uses }, referenced);
  }
  return referenced;
}
