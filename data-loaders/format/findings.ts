// Collects what is found about rows while a submission is read. Every finding is counted; the first of each rule and file
// are kept in full, so that a file of millions of bad rows does not fill the memory.

import type { FileCounts, Finding } from './report';
import { rules, type RuleName } from './rules';

/** submissions.md, 5: the first 1,000 of each reason stand in the report. */
const MAX_FINDINGS_SHOWN = 1000;

/** A cell can be a polygon of megabytes. */
const MAX_VALUE_SHOWN = 200;

interface SavedFindings {
  readonly read: number;
  readonly rejectedRows: number;
  readonly warnedRows: number;
  readonly counts: ReadonlyMap<RuleName, number>;
  readonly shown: ReadonlyMap<RuleName, readonly Finding[]>;
}

/** What may be said of one row beside its line. */
export interface RowFinding {
  readonly rule: RuleName;
  readonly column: string | null;
  readonly value: string;
}

export class FileFindings {
  private read = 0;
  private rejectedRows = 0;
  private warnedRows = 0;
  private readonly counts = new Map<RuleName, number>();
  private readonly shown = new Map<RuleName, Finding[]>();

  /** `onRejected` hears of every rejected row, however many there are. */
  constructor(
    readonly file: string,
    private readonly onRejected: (line: number, reasons: readonly RowFinding[]) => void = () => undefined,
  ) {}

  /** With `restore`, what a checkpoint of a load needs (ADR 0021). */
  save(): SavedFindings {
    const { read, rejectedRows, warnedRows, counts, shown } = this;
    return { read, rejectedRows, warnedRows, counts, shown };
  }

  restore(saved: unknown): void {
    const { read, rejectedRows, warnedRows, counts, shown } = saved as SavedFindings; // Written by `save`.
    [this.read, this.rejectedRows, this.warnedRows] = [read, rejectedRows, warnedRows];
    for (const [rule, count] of counts) this.counts.set(rule, count);
    for (const [rule, findings] of shown) this.shown.set(rule, [...findings]);
  }

  accept(line: number, warnings: readonly RowFinding[]): void {
    this.read++;
    if (warnings.length > 0) this.warnedRows++;
    for (const warning of warnings) this.add(line, warning);
  }

  reject(line: number, reasons: readonly RowFinding[]): void {
    this.read++;
    this.rejectedRows++;
    this.onRejected(line, reasons);
    for (const reason of reasons) this.add(line, reason);
  }

  /** A row that was accepted turns out to be rejected; its warnings are moot. */
  rejectAccepted(line: number, reason: RowFinding, warnings: readonly RuleName[]): void {
    this.rejectedRows++;
    this.onRejected(line, [reason]);
    if (warnings.length > 0) this.warnedRows--;
    for (const rule of warnings) this.counts.set(rule, (this.counts.get(rule) ?? 0) - 1);
    for (const [rule, findings] of this.shown) {
      if (warnings.includes(rule))
        this.shown.set(
          rule,
          findings.filter((finding) => finding.line !== line),
        );
    }
    this.add(line, reason);
  }

  /** The file lacks R columns: all of its rows are rejected for one reason, said once a column. */
  rejectAll(rows: number, columns: readonly string[]): void {
    this.read += rows;
    this.rejectedRows += rows;
    for (const column of columns) this.add(1, { rule: 'missing-column', column, value: '' });
    this.counts.set('missing-column', rows);
  }

  /** What concerns the file as a whole; not a row. */
  note(finding: RowFinding): void {
    this.add(1, finding);
  }

  get accepted(): number {
    return this.read - this.rejectedRows;
  }

  get rejected(): number {
    return this.rejectedRows;
  }

  counted(): FileCounts {
    const counted = [...this.counts].filter(([, count]) => count > 0);
    const reasons = Object.fromEntries(counted.sort(([a], [b]) => weight(a) - weight(b) || (a < b ? -1 : 1)));
    const { file, read, accepted, warnedRows: warned, rejectedRows: rejected } = this;
    return { file, read, accepted, warned, rejected, reasons };
  }

  /** Rejections first, then by line. */
  listed(): readonly Finding[] {
    const findings = [...this.shown.values()].flatMap((list) => list.slice(0, MAX_FINDINGS_SHOWN));
    return findings.sort((a, b) => weight(a.rule) - weight(b.rule) || a.line - b.line);
  }

  private add(line: number, { rule, column, value }: RowFinding): void {
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
    const list = this.shown.get(rule);
    const finding = { file: this.file, line, column, rule, value: cut(value) };
    if (list === undefined) this.shown.set(rule, [finding]);
    else if (list.length < MAX_FINDINGS_SHOWN) list.push(finding);
  }
}

/** Rejections before warnings. */
function weight(rule: RuleName): number {
  return rules[rule].severity === 'rejected' ? 0 : 1;
}

/** A copy: a slice would keep the whole cell in memory, which can be a polygon of megabytes. */
function cut(value: string): string {
  return value.length <= MAX_VALUE_SHOWN ? value : Buffer.from(value.slice(0, MAX_VALUE_SHOWN)).toString();
}
