// Takes in an amounts file: checks each row's references, makes its key and stages it. Rows with one key are told apart
// later, when the rows come back in the order of their keys.

import type { AmountRecipe, CommonAmountRow } from '../records/recipe';
import { sortableKey } from '../records/recipe';
import { ReferencedLookups } from '../index/lookup-numbers';
import type { FileFindings, RowFinding } from '../report/findings';
import type { LookupTable, Staging } from '../stage/staging';
import { eachRow, type ReadingContext, type VisitedRow } from './each-row';
import { References } from './references';
import type { RuleName } from '../report/rules';
import type { CellValue } from '../parse/cells';
import type { SubmissionFile } from '../parse/column';
import { rowShapeOf, type RowShape } from '../parse/row-shape';

export interface StagedAmounts {
  readonly recipe: AmountRecipe;
  readonly findings: FileFindings;
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

/** Undefined when the submission does not have the file. */
export async function stageAmounts(
  recipe: AmountRecipe,
  context: ReadingContext,
  staging: Staging,
): Promise<StagedAmounts | undefined> {
  const references = new References(staging);
  const referenced = new ReferencedLookups();
  const organizations = new Set<string>();
  const shape = rowShapeOf(recipe.file);
  const findings = await eachRow(recipe.file, context, {
    header: (source) => {
      staging.addSource(recipe.file.name, 0, source);
    },
    row: (visited, file) => {
      const row = visited.row as unknown as CommonAmountRow; // The file is the recipe's own.
      const reasons: RowFinding[] = [];
      const numbers = REFERENCES.map(({ column, table, rule }) => {
        const id = row[column];
        const number = references.find(table, id);
        if (number === undefined) reasons.push({ rule, column, value: id });
        else return { table, number };
        return undefined;
      });
      recipe.check(row, references, reasons, visited.warnings);
      if (reasons.length > 0) {
        file.reject(visited.line, reasons);
        return;
      }
      checkWaterSource(row, references, visited.warnings);
      for (const found of numbers) if (found !== undefined) referenced.mark(found.table, found.number);
      markReferences(recipe, row, references, referenced);
      organizations.add(row.OrganizationUUID);
      stage(recipe, shape, row, visited, staging);
      file.accept(visited.line, visited.warnings);
    },
  });
  return findings === undefined ? undefined : { recipe, findings, referenced, organizations };
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
  if (row.WaterSourceUUID !== null) mark('watersources', row.WaterSourceUUID);
  for (const place of recipe.places(row)) mark(recipe.placeTable, place);
  for (const use of row.BeneficialUseCategory) referenced.uses.add(use);
  if (row.PrimaryUseCategory !== null) referenced.uses.add(row.PrimaryUseCategory);
}

/** The row goes to disk as its values alone: the columns are the recipe's, always in the same order. */
function stage(
  recipe: AmountRecipe,
  shape: RowShape,
  row: CommonAmountRow,
  { line, source, warnings }: VisitedRow<SubmissionFile>,
  staging: Staging,
): void {
  staging.addAmount(recipe.kind, {
    key: sortableKey(recipe.key(row)),
    line,
    row: JSON.stringify(shape.valuesOf(row as unknown as Record<string, CellValue>)), // Made by the reader.
    source,
    warnings: warnings.map(({ rule }) => rule).join(' '),
  });
}

/** Reads what `stage` wrote. */
export function unstageRow(shape: RowShape, staged: string): CommonAmountRow {
  return shape.ofValues(JSON.parse(staged) as readonly CellValue[]) as unknown as CommonAmountRow; // Written from such a row.
}
