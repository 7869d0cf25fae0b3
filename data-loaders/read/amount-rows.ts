// Stages the rows of an amounts file: each row is normalized and gets its key, or is rejected. Rows with the same key
// are resolved later, when they come back in key order.

import {
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
  isReversed,
  listUses,
} from '../format/amount-definitions';
import type { SubmissionFile } from '../format/column';
import { type FileFindings, isRejection, type RowFinding } from '../format/findings';
import { RowShape } from '../format/row-shape';
import { buildSortableKey } from '../format/sortable-key';
import { type AmountReferences, type ReferencedLookups, resolveKeys } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import { type RowSource, type SubmittedRow, type Visit, visitRows } from './file-rows';
import { resolveAmount, type ResolvedAmount, resolveDeletion } from './resolve-references';

export interface StagedAmounts {
  readonly definition: AmountDefinition;
  /**
   * The findings about the submission's own file; undefined if it has no such file and only previous rows are staged
   * (merge).
   */
  readonly findings: FileFindings | undefined;
  /** The number of staged rows, including those of a previous release. */
  readonly rows: number;
  readonly referenced: ReferencedLookups;
  readonly organizations: ReadonlySet<string>;
  /** The number of these rows whose priority date has a two-digit year. */
  readonly twoDigitPriorities: number;
  /** The number of relations between sites that rows of a merge deleted. */
  readonly deletedRelations: number;
}

/** Returns undefined if neither the submission nor a release that it is merged into has rows of this kind. */
export async function stageAmounts(
  definition: AmountDefinition,
  sources: readonly RowSource[],
  staging: Staging,
): Promise<StagedAmounts | undefined> {
  const { kind, file } = definition;
  const shape = new RowShape(file);
  const state = staging.getState(`amounts of ${kind}`, {
    rows: 0,
    referenced: staging.createReferences(),
    organizations: new Set<string>(),
    twoDigitPriorities: 0,
  });
  const visit: Visit<SubmissionFile> = (submitted, fileFindings) => {
    const { line, source, isPrevious, isDeletion } = submitted;
    const { findings, references, row } = isDeletion
      ? resolveDeletion(asAmountRow(submitted), staging)
      : resolveRow(definition, submitted, staging);
    fileFindings.addRow(line, findings);
    if (findings.some(isRejection)) return;
    if (references !== undefined) {
      markReferences(definition, { references, uses: listUses(row) }, state.referenced);
      state.organizations.add(row.OrganizationUUID);
      if (findings.some(isTwoDigitPriority)) state.twoDigitPriorities++;
    }
    state.rows++;
    staging.addAmount(kind, {
      key: buildSortableKey(definition.key(row)),
      row: isDeletion ? '' : shape.write(row),
      source,
      isPrevious,
      line,
      warnings: findings.map(({ rule }) => rule),
      ...(references && { references }),
    });
  };
  let ownFindings: FileFindings | undefined;
  let hasFile = false;
  for (const source of sources) {
    const findings = await visitRows(file, source, visit);
    hasFile ||= findings !== undefined;
    if (source.role !== 'previous') ownFindings = findings;
  }
  return hasFile ? { definition, findings: ownFindings, deletedRelations: 0, ...state } : undefined;
}

type Submitted = SubmittedRow<SubmissionFile>;

/** Resolves a row and collects all its findings. */
function resolveRow(definition: AmountDefinition, submitted: Submitted, staging: Staging): ResolvedAmount {
  const { findings, references, row } = resolveAmount(definition, asAmountRow(submitted), staging);
  const timeframeFindings =
    isReversed(definition.shownDates(row)) === true ? [describeReversedTimeframe(submitted)] : [];
  const allFindings = [...submitted.findings, ...timeframeFindings, ...findings, ...checkIdentifier(definition, row)];
  return { findings: allFindings, references, row };
}

function isTwoDigitPriority({ rule, column }: RowFinding): boolean {
  return rule === 'two-digit-year' && column === 'AllocationPriorityDate';
}

function asAmountRow({ row }: Submitted): CommonAmountRow {
  return row as CommonAmountRow; // The file contains amounts.
}

function checkIdentifier({ kind }: AmountDefinition, row: CommonAmountRow): readonly RowFinding[] {
  if (kind !== 'WaterAllocations') return [];
  const { AllocationUUID, AllocationNativeID } = row as AllocationRow; // The rows belong to the file of rights.
  return AllocationUUID === null && AllocationNativeID === null
    ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
    : [];
}

function describeReversedTimeframe({ raw }: Submitted): RowFinding {
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  return { rule: 'reversed-timeframe', column: 'TimeframeStart', value };
}

function markReferences(
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

/** The lookups of the rows that become records. Rows that a newer row replaces or deletes do not count. */
export function collectReferences(definition: AmountDefinition, staging: Staging): ReferencedLookups {
  const referenced = staging.createReferences();
  const shape = new RowShape(definition.file);
  for (const outcome of resolveKeys(staging.readAmounts(definition.kind))) {
    if (outcome.kind !== 'record') continue;
    const uses = listUses(shape.read(outcome.amount.row) as CommonAmountRow);
    markReferences(definition, { references: outcome.references, uses }, referenced);
  }
  return referenced;
}
