// The rows of one piece of a file as they were checked, in few and long columns: they may come from another thread, and
// each value costs its handing over.

import { ByteWriter } from '../../../shared/values/bytes/byte-writer';
import type { RowFinding } from '../../format/findings';
import type { CsvPlace } from '../csv/csv-file';
import type { LearnedTerm } from './letter-cases';
import type { PreparedRow } from './prepare-row';

/** The findings of a row, those of its cells first. */
export type RowFindings = Pick<PreparedRow, 'warnings' | 'reasons'>;

/** A line that is no row of the file, or cannot be taken by its cells. */
interface RejectedLine {
  /** How many rows of the batch come before it. */
  readonly before: number;
  readonly line: number;
  readonly reasons: readonly RowFinding[];
}

/** The parts of a row's texts. */
export type TextPart = 'values' | 'source' | 'geometry';

export const TEXT_PARTS: readonly TextPart[] = ['values', 'source', 'geometry'];

export interface CheckedBatch {
  /** In the batch that begins with it. */
  readonly header: readonly string[] | undefined;
  /** How many rows were read behind the header. */
  readonly read: number;
  /** The place behind the last row. */
  readonly end: CsvPlace;
  readonly lines: readonly number[];
  /** Row by row: its values as stageRow writes them, its source row, its geometry. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Where each of these parts ends. */
  readonly textEnds: Uint32Array<ArrayBuffer>;
  readonly keys: readonly string[];
  readonly references: readonly (string | null)[];
  /** By row, where its references end. */
  readonly referenceEnds: readonly number[];
  readonly uses: readonly string[];
  readonly useEnds: readonly number[];
  /** The rows that delete. */
  readonly deletions: ReadonlySet<number>;
  /** The rows that have any. */
  readonly findings: ReadonlyMap<number, RowFindings>;
  readonly rejected: readonly RejectedLine[];
  readonly learned: readonly LearnedTerm[];
}

/** The texts of a usual piece of 64 KB. */
const NEW_BYTES = 256 * 1024;

/** What a row is beside what was prepared of it. */
interface CheckedTexts {
  readonly line: number;
  readonly values: string;
  readonly source: string;
}

export class CheckedBatchWriter {
  private readonly texts: ByteWriter;
  private readonly textEnds: number[] = [];
  private readonly lines: number[] = [];
  private readonly keys: string[] = [];
  private readonly references: (string | null)[] = [];
  private readonly referenceEnds: number[] = [];
  private readonly uses: string[] = [];
  private readonly useEnds: number[] = [];
  private readonly deletions = new Set<number>();
  private readonly findings = new Map<number, RowFindings>();
  private readonly rejected: RejectedLine[] = [];

  /** Writes texts into `memory`, that of an earlier batch, if there is one. */
  constructor(memory: ArrayBuffer | undefined) {
    const allocate = (bytes: number): Buffer<ArrayBuffer> => Buffer.allocUnsafeSlow(bytes);
    this.texts = new ByteWriter(memory === undefined ? allocate(NEW_BYTES) : Buffer.from(memory), allocate);
  }

  add(texts: CheckedTexts, { key, references, uses, geometry, warnings, reasons }: PreparedRow): void {
    if (warnings.length + reasons.length > 0) this.findings.set(this.lines.length, { warnings, reasons });
    this.addTexts(texts, geometry);
    this.keys.push(key);
    for (const reference of references) this.references.push(reference);
    for (const use of uses) this.uses.push(use);
    this.endRow();
  }

  /** Only the values of a row that deletes are looked at. */
  addDeletion(texts: CheckedTexts): void {
    this.deletions.add(this.lines.length);
    this.addTexts(texts, null);
    this.keys.push('');
    this.endRow();
  }

  reject(line: number, reasons: readonly RowFinding[]): void {
    this.rejected.push({ before: this.lines.length, line, reasons });
  }

  finish(rest: Pick<CheckedBatch, 'header' | 'read' | 'end' | 'learned'>): CheckedBatch {
    const { lines, keys, references, referenceEnds, uses, useEnds, deletions, findings, rejected } = this;
    return {
      ...rest,
      ...{ lines, keys, references, referenceEnds, uses, useEnds, deletions, findings, rejected },
      ...{ texts: this.texts.bytes(), textEnds: Uint32Array.from(this.textEnds) },
    };
  }

  private addTexts({ line, values, source }: CheckedTexts, geometry: Uint8Array | null): void {
    const { texts, textEnds } = this;
    this.lines.push(line);
    texts.text(values);
    textEnds.push(texts.length);
    texts.text(source);
    textEnds.push(texts.length);
    if (geometry !== null) texts.copyAll(geometry);
    textEnds.push(texts.length);
  }

  private endRow(): void {
    this.referenceEnds.push(this.references.length);
    this.useEnds.push(this.uses.length);
  }
}
