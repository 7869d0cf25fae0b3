// Takes in an amounts file: checks each row's references, makes its key and stages it. Rows with one key are told apart
// later, when the rows come back in the order of their keys.

import { sortableKey, type AmountDefinition, type CommonAmountRow } from '../format/amount-definitions';
import { stagedRow, unstageRow } from '../stage/staged-row';
import { ReferencedLookups } from '../stage/referenced-lookups';
import type { FileFindings } from '../format/findings';
import type { Checkpoints, Resumable } from '../stage/checkpoints';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import { normaliseAmount, REQUIRED_REFERENCES, withKnownWaterSource } from './normalise-amounts';
import { eachRow, type ReadingContext, type VisitedRow } from './each-row';
import { resolveKeys } from '../stage/resolve-keys';
import { References } from '../stage/references';
import type { SubmissionFile } from '../format/column';
import { rowShapeOf, type RowShape } from '../format/row-shape';

export interface StagedAmounts {
  readonly definition: AmountDefinition;
  /** Of the submission's own file; undefined when it has none and only what is published is staged (merge). */
  readonly findings: FileFindings | undefined;
  /** Rows staged, those of a former release too. */
  readonly rows: number;
  readonly referenced: ReferencedLookups;
  /** Organizations that accepted rows name. */
  readonly organizations: ReadonlySet<string>;
}

/** Undefined when neither the submission nor a release that it is laid over has rows of the kind. */
export async function stageAmounts(
  definition: AmountDefinition,
  contexts: readonly ReadingContext[],
  staging: Staging,
  checkpoints: Checkpoints,
): Promise<StagedAmounts | undefined> {
  const stager = new AmountStager(definition, staging);
  checkpoints.attach(definition.kind, stager);
  let own: FileFindings | undefined;
  let isThere = false;
  for (const context of contexts) {
    const findings = await eachRow(definition.file, context, {
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
  checkpoints.finish(definition.kind);
  if (!isThere) return undefined;
  return {
    definition,
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
    private readonly definition: AmountDefinition,
    private readonly staging: Staging,
  ) {
    this.references = new References(staging);
    this.shape = rowShapeOf(definition.file);
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
    const { references, definition } = this;
    const read = visited.row as CommonAmountRow; // The file is the definition's own.
    const normalised = normaliseAmount(definition.kind, read, { references, raw: visited.raw });
    if (normalised.kind === 'rejected') {
      file.reject(visited.line, normalised.reasons);
      return;
    }
    const { row } = normalised;
    const warnings = [...visited.warnings, ...normalised.warnings];
    markReferences(definition, row, references, this.referenced);
    this.organizations.add(row.OrganizationUUID);
    this.add(row, stagedRow(this.shape, row), { ...visited, warnings });
    file.accept(visited.line, warnings);
  }

  /** The key is that of the row to delete, whose unknown water source was left out. */
  stageDeletion(visited: VisitedRow<SubmissionFile>, file: FileFindings): void {
    const read = visited.row as CommonAmountRow; // As above; its R cells may be null.
    this.add(withKnownWaterSource(read, this.references), '', { ...visited, warnings: [] });
    file.accept(visited.line, []);
  }

  private add(row: CommonAmountRow, staged: string, visited: VisitedRow<SubmissionFile>): void {
    const { line, source, warnings, isFormer } = visited;
    this.rows++;
    this.staging.addAmount(this.definition.kind, {
      key: sortableKey(this.definition.key(row)),
      generation: isFormer ? 1 : 0,
      line,
      row: staged,
      source,
      warnings: warnings.map(({ rule }) => rule).join(' '),
    });
  }
}

function markReferences(
  definition: AmountDefinition,
  row: CommonAmountRow,
  references: References,
  referenced: ReferencedLookups,
): void {
  const mark = (table: LookupTable, id: string): void => {
    const number = references.find(table, id);
    if (number !== undefined) referenced.mark(table, number);
  };
  for (const { column, table } of REQUIRED_REFERENCES) mark(table, row[column]);
  if (row.WaterSourceUUID !== null) mark('watersources', row.WaterSourceUUID);
  for (const place of definition.places(row)) mark(definition.placeTable, place);
  for (const use of row.BeneficialUseCategory) referenced.uses.add(use);
  if (row.PrimaryUseCategory !== null) referenced.uses.add(row.PrimaryUseCategory);
}

/** What the rows refer to that become records: not those that a newer row replaces or deletes. */
export function referencesOfRecords(definition: AmountDefinition, staging: Staging): ReferencedLookups {
  const referenced = new ReferencedLookups();
  const references = new References(staging);
  const shape = rowShapeOf(definition.file);
  for (const { kind, amount } of resolveKeys(staging.amounts(definition.kind))) {
    if (kind === 'record') markReferences(definition, unstageRow(shape, amount.row), references, referenced);
  }
  return referenced;
}
