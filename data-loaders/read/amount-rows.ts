// Takes in an amounts file: checks each row's references, makes its key and stages it. Rows with one key are told apart
// later, when the rows come back in the order of their keys.

import type { AmountRecipe, CommonAmountRow } from '../build/records/recipe';
import { sortableKey } from '../build/records/recipe';
import { stagedRow, unstageRow } from '../stage/staged-row';
import { ReferencedLookups } from '../build/index/lookup-numbers';
import type { FileFindings, RowFinding } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { eachRow, type ReadingContext, type VisitedRow } from './each-row';
import { resolveKeys } from '../stage/resolve-keys';
import { References } from '../stage/references';
import type { RuleName } from '../format/rules';
import type { SubmissionFile } from '../format/column';
import { rowShapeOf, type RowShape } from '../format/row-shape';

export interface StagedAmounts {
  readonly recipe: AmountRecipe;
  /** Of the submission's own file; undefined when it has none and only what is published is staged (merge). */
  readonly findings: FileFindings | undefined;
  /** Rows staged, those of a former release too. */
  readonly rows: number;
  readonly referenced: ReferencedLookups;
  /** Organizations that accepted rows name. */
  readonly organizations: ReadonlySet<string>;
}

/** The references that every kind has: column, table and the rule that a missing one breaks. */
const REFERENCES: readonly {
  column: 'OrganizationUUID' | 'VariableSpecificUUID' | 'MethodUUID';
  table: LookupTable;
  rule: RuleName;
}[] = [
  { column: 'OrganizationUUID', table: 'organizations', rule: 'unknown-organization' },
  { column: 'VariableSpecificUUID', table: 'variables', rule: 'unknown-variable' },
  { column: 'MethodUUID', table: 'methods', rule: 'unknown-method' },
];

/** Undefined when neither the submission nor a release that it is laid over has rows of the kind. */
export async function stageAmounts(
  recipe: AmountRecipe,
  contexts: readonly ReadingContext[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<StagedAmounts | undefined> {
  const stager = new AmountStager(recipe, staging);
  checkpoints.attach(recipe.kind, stager);
  let own: FileFindings | undefined;
  let isThere = false;
  for (const context of contexts) {
    const findings = await eachRow(recipe.file, context, {
      deletion: (visited, file) => {
        stager.stageDeletion(visited, file);
      },
      row: (visited, file) => {
        stager.stageRow(visited, file);
      },
    });
    if (findings === undefined) continue;
    isThere = true;
    if (context.role !== 'former') own = findings;
  }
  checkpoints.finish(recipe.kind);
  if (!isThere) return undefined;
  return {
    recipe,
    findings: own,
    rows: stager.rows,
    referenced: stager.referenced,
    organizations: stager.organizations,
  };
}

interface SavedAmounts {
  readonly rows: number;
  readonly referenced: unknown;
  readonly organizations: ReadonlySet<string>;
}

class AmountStager implements Resumable {
  readonly referenced = new ReferencedLookups();
  readonly organizations = new Set<string>();
  rows = 0;
  private readonly references: References;
  private readonly shape: RowShape;

  constructor(
    private readonly recipe: AmountRecipe,
    private readonly staging: Staging,
  ) {
    this.references = new References(staging);
    this.shape = rowShapeOf(recipe.file);
  }

  save(): SavedAmounts {
    const { rows, referenced, organizations } = this;
    return { rows, referenced: referenced.save(), organizations };
  }

  restore(saved: unknown): void {
    const { rows, referenced, organizations } = saved as SavedAmounts; // Of `save`.
    this.rows = rows;
    this.referenced.restore(referenced);
    for (const organization of organizations) this.organizations.add(organization);
  }

  stageRow(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const row = visited.row as unknown as CommonAmountRow; // The file is the recipe's own.
    const reasons: RowFinding[] = [];
    for (const { column, table, rule } of REFERENCES) {
      const id = row[column];
      if (this.references.find(table, id) === undefined) reasons.push({ rule, column, value: id });
    }
    this.recipe.check(row, this.references, reasons, visited);
    if (reasons.length > 0) {
      file.reject(visited.line, reasons);
      return;
    }
    checkWaterSource(row, this.references, visited.warnings);
    markReferences(this.recipe, row, this.references, this.referenced);
    this.organizations.add(row.OrganizationUUID);
    this.add(row, stagedRow(this.shape, row), visited);
    file.accept(visited.line, visited.warnings);
  }

  /** The key is made as that of the row to delete was: after references were resolved. */
  stageDeletion(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const row = visited.row as unknown as CommonAmountRow; // As above; its R cells may be null.
    this.recipe.check(row, this.references, [], { ...visited, warnings: [] });
    checkWaterSource(row, this.references, []);
    this.add(row, '', { ...visited, warnings: [] });
    file.accept(visited.line, []);
  }

  private add(row: CommonAmountRow, staged: string, visited: VisitedRow<SubmissionFile>): void {
    const { line, source, warnings, isFormer } = visited;
    this.rows++;
    this.staging.addAmount(this.recipe.kind, {
      key: sortableKey(this.recipe.key(row)),
      generation: isFormer ? 1 : 0,
      line,
      row: staged,
      source,
      warnings: warnings.map(({ rule }) => rule).join(' '),
    });
  }
}

function checkWaterSource(row: CommonAmountRow, references: References, warnings: RowFinding[]): void {
  if (row.WaterSourceUUID === null || references.find('watersources', row.WaterSourceUUID) !== undefined) return;
  warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUID', value: row.WaterSourceUUID });
  row.WaterSourceUUID = null;
}

function markReferences(
  recipe: AmountRecipe,
  row: CommonAmountRow,
  references: References,
  referenced: ReferencedLookups,
): void {
  const mark = (table: LookupTable, id: string): void => {
    const number = references.find(table, id);
    if (number !== undefined) referenced.mark(table, number);
  };
  for (const { column, table } of REFERENCES) mark(table, row[column]);
  if (row.WaterSourceUUID !== null) mark('watersources', row.WaterSourceUUID);
  for (const place of recipe.places(row)) mark(recipe.placeTable, place);
  for (const use of row.BeneficialUseCategory) referenced.uses.add(use);
  if (row.PrimaryUseCategory !== null) referenced.uses.add(row.PrimaryUseCategory);
}

/** What the rows refer to that become records: not those that a newer row replaces or deletes. */
export function referencesOfRecords(recipe: AmountRecipe, staging: Staging): ReferencedLookups {
  const referenced = new ReferencedLookups();
  const references = new References(staging);
  const shape = rowShapeOf(recipe.file);
  for (const { kind, amount } of resolveKeys(staging.amounts(recipe.kind))) {
    if (kind === 'record') markReferences(recipe, unstageRow(shape, amount.row), references, referenced);
  }
  return referenced;
}
