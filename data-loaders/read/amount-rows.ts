// Stages the rows of an amounts file: each is normalised, or rejected, and gets its key. Rows with one key are told
// apart later, when they come back in the order of their keys.

import {
  isReversed,
  sortableKey,
  usesOf,
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
} from '../format/amount-definitions';
import { RowShape, type SubmissionFile } from '../format/column';
import { NO_FINDINGS, type FileFindings, type RowFinding } from '../format/findings';
import { resolveKeys, type AmountReferences, type NewAmount, type ReferencedLookups } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import { eachRow, type RowSource, type SubmittedRow, type VisitedRow, type Visitor } from './file-rows';
import { resolveAmount, withKnownWaterSource } from './resolve-references';

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
  const stager = new AmountStager(definition, staging);
  let own: FileFindings | undefined;
  let isThere = false;
  for (const source of sources) {
    const findings = await eachRow(definition.file, source, stager);
    if (findings === undefined) continue;
    isThere = true;
    if (source.role !== 'former') own = findings;
  }
  if (!isThere) return undefined;
  return { definition, findings: own, ...stager.state };
}

class AmountStager implements Visitor<SubmissionFile> {
  readonly state;
  private readonly shape: RowShape;

  constructor(
    private readonly definition: AmountDefinition,
    private readonly staging: Staging,
  ) {
    this.shape = new RowShape(definition.file);
    this.state = staging.part(`amounts of ${definition.kind}`, {
      ...{ rows: 0, referenced: staging.noReferences(), organizations: new Set<string>(), twoDigitPriorities: 0 },
    });
  }

  row(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const { staging, definition, state } = this;
    const { reasons: ofReferences, references, row, ...resolved } = resolveAmount(definition, rowOf(visited), staging);
    const reasons = [...ofReferences, ...identifierReasons(definition, row)];
    if (reasons.length > 0) {
      file.reject(visited.line, reasons);
      return;
    }
    const ofTimeframe = isReversed(definition.shownDates(row)) === true ? [reversed(visited)] : NO_FINDINGS;
    const warnings = [...visited.warnings, ...ofTimeframe, ...resolved.warnings];
    mark(definition, { references, uses: usesOf(row) }, state.referenced);
    state.organizations.add(row.OrganizationUUID);
    if (warnings.some(isTwoDigitPriority)) state.twoDigitPriorities++;
    const key = sortableKey(definition.key(row));
    this.add({ key, row: this.shape.write(row), references }, visited, warnings);
    file.accept(visited.line, warnings);
  }

  /** The key is that of the row to delete, whose unknown water source was left out. */
  deletion(deletion: SubmittedRow<SubmissionFile>, file: FileFindings): void {
    const row = withKnownWaterSource(rowOf(deletion), this.staging); // Its R cells may be null.
    this.add({ key: sortableKey(this.definition.key(row)), row: '' }, deletion, NO_FINDINGS);
    file.accept(deletion.line, NO_FINDINGS);
  }

  private add(
    staged: Pick<NewAmount, 'key' | 'row' | 'references'>,
    { line, source, isFormer }: SubmittedRow<SubmissionFile>,
    warnings: readonly RowFinding[],
  ): void {
    this.state.rows++;
    this.staging.addAmount(this.definition.kind, {
      ...staged,
      ...{ isFormer, line, source },
      warnings: warnings.map(({ rule }) => rule),
    });
  }
}

function isTwoDigitPriority({ rule, column }: RowFinding): boolean {
  return rule === 'two-digit-year' && column === 'AllocationPriorityDate';
}

function rowOf({ row }: SubmittedRow<SubmissionFile>): CommonAmountRow {
  return row as CommonAmountRow; // The file is one of amounts.
}

function identifierReasons({ kind }: AmountDefinition, row: CommonAmountRow): readonly RowFinding[] {
  if (kind !== 'WaterAllocations') return NO_FINDINGS;
  const { AllocationUUID, AllocationNativeID } = row as AllocationRow; // Rows of its file.
  return AllocationUUID === null && AllocationNativeID === null
    ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
    : NO_FINDINGS;
}

function reversed({ raw }: SubmittedRow<SubmissionFile>): RowFinding {
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
    const uses = usesOf(shape.read(outcome.amount.row) as CommonAmountRow);
    mark(definition, { references: outcome.references, uses }, referenced);
  }
  return referenced;
}
