// Stages the rows of an amounts file: each is normalised, or rejected, and gets its key. Rows with one key are told
// apart later, when they come back in the order of their keys.

import {
  sortableKey,
  usesOf,
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
} from '../format/amount-definitions';
import { RowShape, type SubmissionFile } from '../format/column';
import { joinFindings, NO_FINDINGS, type FileFindings, type RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import {
  readReferences,
  ReferencedLookups,
  resolveKeys,
  stageRow,
  unstageRow,
  type AmountReferences,
  type NewAmount,
} from '../stage/staged-amounts';
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
  checkpoints: Checkpoints,
): Promise<StagedAmounts | undefined> {
  const stager = new AmountStager(definition, staging);
  checkpoints.attach(definition.kind, stager);
  let own: FileFindings | undefined;
  let isThere = false;
  for (const source of sources) {
    const findings = await eachRow(definition.file, source, stager);
    if (findings === undefined) continue;
    isThere = true;
    if (source.role !== 'former') own = findings;
  }
  checkpoints.finish(definition.kind);
  if (!isThere) return undefined;
  const { rows, referenced, organizations, twoDigitPriorities } = stager;
  return { definition, findings: own, rows, referenced, organizations, twoDigitPriorities };
}

class AmountStager implements Resumable, Visitor<SubmissionFile> {
  readonly referenced = new ReferencedLookups();
  readonly organizations = new Set<string>();
  rows = 0;
  twoDigitPriorities = 0;
  private readonly shape: RowShape;

  constructor(
    private readonly definition: AmountDefinition,
    private readonly staging: Staging,
  ) {
    this.shape = new RowShape(definition.file);
  }

  save() {
    const { rows, referenced, organizations, twoDigitPriorities } = this;
    return { rows, referenced: referenced.save(), organizations, twoDigitPriorities };
  }

  restore(saved: unknown): void {
    const { rows, referenced, organizations, twoDigitPriorities } = saved as ReturnType<this['save']>; // By `save`.
    [this.rows, this.twoDigitPriorities] = [rows, twoDigitPriorities];
    this.referenced.restore(referenced);
    for (const organization of organizations) this.organizations.add(organization);
  }

  row(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const { staging, definition, referenced } = this;
    const { reasons: ofReferences, references, row, ...resolved } = resolveAmount(definition, rowOf(visited), staging);
    const reasons = joinFindings(ofReferences, identifierReasons(definition, row));
    if (reasons.length > 0) {
      file.reject(visited.line, reasons);
      return;
    }
    const ofTimeframe = definition.isReversed(row) === true ? [reversed(visited)] : NO_FINDINGS;
    const warnings = joinFindings(joinFindings(visited.warnings, ofTimeframe), resolved.warnings);
    mark(definition, { references, uses: usesOf(row) }, referenced);
    this.organizations.add(row.OrganizationUUID);
    if (warnings.some(isTwoDigitPriority)) this.twoDigitPriorities++;
    const key = sortableKey(definition.key(row));
    this.add({ key, row: stageRow(this.shape, row), references }, visited, warnings);
    file.accept(visited.line, warnings);
  }

  /** The key is that of the row to delete, whose unknown water source was left out. */
  deletion(deletion: SubmittedRow<SubmissionFile>, file: FileFindings): void {
    const row = withKnownWaterSource(rowOf(deletion), this.staging); // Its R cells may be null.
    this.add({ key: sortableKey(this.definition.key(row)), row: '', references: undefined }, deletion, NO_FINDINGS);
    file.accept(deletion.line, NO_FINDINGS);
  }

  private add(
    staged: Pick<NewAmount, 'key' | 'row' | 'references'>,
    { line, source, isFormer }: SubmittedRow<SubmissionFile>,
    warnings: readonly RowFinding[],
  ): void {
    this.rows++;
    this.staging.addAmount(this.definition.kind, {
      ...staged,
      generation: isFormer ? 1 : 0,
      line,
      source,
      warnings: warnings.map(({ rule }) => rule).join(' '),
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
  const { organization, variable, method, waterSource, places } = references;
  referenced.mark('organizations', organization);
  referenced.mark('variables', variable);
  referenced.mark('methods', method);
  if (waterSource !== undefined) referenced.mark('watersources', waterSource);
  for (const place of places) referenced.mark(placeTable, place);
  for (const use of uses) referenced.uses.add(use);
}

/** The lookups that the rows refer to which become records: not rows that a newer one replaces or deletes. */
export function referencesOfRecords(definition: AmountDefinition, staging: Staging): ReferencedLookups {
  const referenced = new ReferencedLookups();
  const shape = new RowShape(definition.file);
  for (const { kind, amount } of resolveKeys(staging.amounts(definition.kind))) {
    if (kind !== 'record') continue;
    const uses = usesOf(unstageRow(shape, amount.row));
    mark(definition, { references: readReferences(amount), uses }, referenced);
  }
  return referenced;
}
