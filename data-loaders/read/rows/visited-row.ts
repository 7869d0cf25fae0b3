// A row of a file as it comes to whoever takes it: its cells could be read, and whether it is accepted is for the
// visitor to say.

import { numberAt } from '../../../shared/values/numbers';
import type { CellValue, RowOf, RowShape, SubmissionFile } from '../../format/column';
import { NO_FINDINGS, type RowFinding } from '../../format/findings';
import { TEXT_PARTS, type CheckedBatch, type RowFindings, type TextPart } from './checked-batch';
import { parseRows } from '../csv/csv-records';
import type { PreparedRow } from './prepare-row';

const NOTHING_SAID: RowFindings = { warnings: NO_FINDINGS, reasons: NO_FINDINGS };

/** Valid until the next batch of rows. */
export class VisitedRow<File extends SubmissionFile> {
  constructor(
    private readonly shape: RowShape,
    private readonly batch: CheckedBatch,
    private readonly index: number,
    /** Whether it is a row of a release that a merge lays the submission over. */
    readonly isFormer: boolean,
  ) {}

  get line(): number {
    return numberAt(this.batch.lines, this.index);
  }

  /** As PreparedRow has it; parsed anew each time. */
  get row(): RowOf<File> {
    const values = JSON.parse(this.values.toString()) as readonly CellValue[]; // Written by stageRow.
    return this.shape.rowOf(values) as RowOf<File>; // The values were taken from such a row.
  }

  /** As stageRow writes it. */
  get values(): Buffer {
    return this.text('values');
  }

  /** The row as it stands beside the release. */
  get source(): Buffer {
    return this.text('source');
  }

  get geometry(): Buffer | null {
    const geometry = this.text('geometry');
    return geometry.length === 0 ? null : geometry;
  }

  get key(): string {
    return this.batch.keys[this.index] ?? '';
  }

  get references(): PreparedRow['references'] {
    const { references, referenceEnds } = this.batch;
    return this.part(references, referenceEnds);
  }

  get uses(): PreparedRow['uses'] {
    const { uses, useEnds } = this.batch;
    return this.part(uses, useEnds);
  }

  /** Those that follow from the row alone. */
  get warnings(): readonly RowFinding[] {
    return this.findings.warnings;
  }

  /** Why it is rejected, behind the reasons that follow from other rows. */
  get reasons(): readonly RowFinding[] {
    return this.findings.reasons;
  }

  /** The cell of a column as it stands in the file. */
  raw(column: string): string {
    return cellsOfSource(this.source.toString())[this.shape.names.indexOf(column)] ?? '';
  }

  private get findings(): RowFindings {
    return this.batch.findings.get(this.index) ?? NOTHING_SAID;
  }

  private text(part: TextPart): Buffer {
    const { texts, textEnds } = this.batch;
    const at = this.index * TEXT_PARTS.length + TEXT_PARTS.indexOf(part);
    const start = at === 0 ? 0 : numberAt(textEnds, at - 1);
    return Buffer.from(texts.buffer, texts.byteOffset + start, numberAt(textEnds, at) - start);
  }

  private part<Item>(items: readonly Item[], ends: readonly number[]): readonly Item[] {
    return items.slice(this.index === 0 ? 0 : ends[this.index - 1], ends[this.index]);
  }
}

/** A source row has a cell for each declared column, in their order. */
export function cellsOfSource(source: string): readonly string[] {
  // Without a quote, all commas are between cells.
  return source.includes('"') ? (parseRows(source, 1)[0]?.cells ?? []) : source.split(',');
}
