// Stages the rows of an amounts file: each is normalised, or rejected, and gets its key. Rows with one key are told
// apart later, when they come back in the order of their keys.

import { sortableKey, type AmountDefinition, type CommonAmountRow } from '../format/amount-definitions';
import { RowShape, type SubmissionFile } from '../format/column';
import { joinFindings, NO_FINDINGS, type FileFindings, type RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import { ReferencedLookups, type References } from '../stage/references';
import { readReferences, resolveKeys, stageRow, unstageRow } from '../stage/staged-amounts';
import type { AmountReferences, NewAmount } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { normaliseAmount, withKnownWaterSource } from './normalise';
import { eachRow, type RowSource, type VisitedRow, type Visitor } from './rows/each-row';

export interface StagedAmounts {
  readonly definition: AmountDefinition;
  /** The findings of the submission's own file; undefined when it has none and only former rows are staged (merge). */
  readonly findings: FileFindings | undefined;
  /** Number of rows staged, those of a former release too. */
  readonly rows: number;
  readonly referenced: ReferencedLookups;
  readonly organizations: ReadonlySet<string>;
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
  const { rows, referenced, organizations } = stager;
  return { definition, findings: own, rows, referenced, organizations };
}

class AmountStager implements Resumable, Visitor<SubmissionFile> {
  readonly referenced = new ReferencedLookups();
  readonly organizations = new Set<string>();
  rows = 0;
  private readonly shape: RowShape;

  constructor(
    private readonly definition: AmountDefinition,
    private readonly staging: Staging,
  ) {
    this.shape = new RowShape(definition.file);
  }

  save() {
    const { rows, referenced, organizations } = this;
    return { rows, referenced: referenced.save(), organizations };
  }

  restore(saved: unknown): void {
    const { rows, referenced, organizations } = saved as ReturnType<this['save']>; // Written by `save`.
    this.rows = rows;
    this.referenced.restore(referenced);
    for (const organization of organizations) this.organizations.add(organization);
  }

  row(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const { staging: references, definition } = this;
    const read = visited.row as CommonAmountRow; // The file is the definition's own.
    const normalised = normaliseAmount(definition.kind, read, { references, raw: visited.raw });
    if (normalised.kind === 'rejected') {
      file.reject(visited.line, normalised.reasons);
      return;
    }
    const { row } = normalised;
    const warnings = joinFindings(visited.warnings, normalised.warnings);
    const found = referencesOf(definition, row, references);
    mark(definition, row, found, this.referenced);
    this.organizations.add(row.OrganizationUUID);
    this.add(row, { row: stageRow(this.shape, row), references: found }, visited, warnings);
    file.accept(visited.line, warnings);
  }

  /** The key is that of the row to delete, whose unknown water source was left out. */
  deletion(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const read = visited.row as CommonAmountRow; // As above; its R cells may be null.
    this.add(withKnownWaterSource(read, this.staging), { row: '', references: undefined }, visited, NO_FINDINGS);
    file.accept(visited.line, NO_FINDINGS);
  }

  private add(
    row: CommonAmountRow,
    staged: Pick<NewAmount, 'row' | 'references'>,
    { line, source, isFormer }: VisitedRow<SubmissionFile>,
    warnings: readonly RowFinding[],
  ): void {
    this.rows++;
    this.staging.addAmount(this.definition.kind, {
      key: sortableKey(this.definition.key(row)),
      generation: isFormer ? 1 : 0,
      line,
      ...staged,
      source,
      warnings: warnings.map(({ rule }) => rule).join(' '),
    });
  }
}

/** The staged numbers of the lookups of a row that was normalised: it names none that is not staged. */
function referencesOf(definition: AmountDefinition, row: CommonAmountRow, staging: References): AmountReferences {
  const numberOf = (table: LookupTable, id: string): number => {
    const number = staging.findNumber(table, id);
    if (number === undefined) throw new Error(`${table} ${id} is referred to but is not staged`);
    return number;
  };
  const { WaterSourceUUID: source } = row;
  return {
    organization: numberOf('organizations', row.OrganizationUUID),
    variable: numberOf('variables', row.VariableSpecificUUID),
    method: numberOf('methods', row.MethodUUID),
    waterSource: source === null ? undefined : numberOf('watersources', source),
    places: definition.places(row).map((place) => numberOf(definition.placeTable, place)),
  };
}

function mark(
  { placeTable }: AmountDefinition,
  { BeneficialUseCategory: uses, PrimaryUseCategory: primary }: CommonAmountRow,
  { organization, variable, method, waterSource, places }: AmountReferences,
  referenced: ReferencedLookups,
): void {
  referenced.mark('organizations', organization);
  referenced.mark('variables', variable);
  referenced.mark('methods', method);
  if (waterSource !== undefined) referenced.mark('watersources', waterSource);
  for (const place of places) referenced.mark(placeTable, place);
  for (const use of uses) referenced.uses.add(use);
  if (primary !== null) referenced.uses.add(primary);
}

/** The lookups that the rows refer to which become records: not rows that a newer one replaces or deletes. */
export function referencesOfRecords(definition: AmountDefinition, staging: Staging): ReferencedLookups {
  const referenced = new ReferencedLookups();
  const shape = new RowShape(definition.file);
  for (const { kind, amount } of resolveKeys(staging.amounts(definition.kind))) {
    if (kind === 'record') mark(definition, unstageRow(shape, amount.row), readReferences(amount), referenced);
  }
  return referenced;
}
