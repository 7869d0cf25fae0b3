// Collects the findings of a submission by file while it is read. Every finding is counted. Only the first findings of
// each rule and file are kept in full, so that a file with millions of bad rows does not fill the memory.

import { getOrAdd } from '../../shared/values/maps';
import { addDroppedReferences, type CellCountsByColumn, type ColumnLoss, listColumnLosses } from './cell-losses';
import type { FileCounts, Finding } from './report';
import { formatCount } from './report-numbers';
import { type Rule, type RuleName, rules } from './rules';
import { MAX_SHOWN_CHARACTERS, shortenText } from './shorten-text';

/** submissions.md, 5: the report lists the first 1,000 findings of each rule. */
const MAX_FINDINGS_LISTED = 1000;

/** The line number for a rejection that applies to all rows of a file. */
export const WHOLE_FILE = 0;

/** A finding about one row. Its value is the complete text in the file. */
export type RowFinding = Pick<Finding, 'rule' | 'column' | 'value'>;

/** A rejected row, with the names and messages of the rules that it breaks. */
export interface Rejection {
  /** WHOLE_FILE stands for all rows of the file. */
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
}

/** A warning. Its value is truncated as in the report. Line 1 stands for the file as a whole. */
export type Warning = RowFinding & Pick<Finding, 'line'>;

/** Whether a finding rejects its row. */
export function isRejection({ rule }: Pick<RowFinding, 'rule'>): boolean {
  return rules[rule].severity === 'rejected';
}

/** The minimum length of a cell's text to show before a long hint. */
const MIN_SHOWN_CHARACTERS = 40;

/** Appends the probable meaning to a text from a file. A long text is truncated first, so that the hint is complete. */
export function appendHint(value: string, hint: string | undefined): string {
  if (hint === undefined) return value;
  const room = MAX_SHOWN_CHARACTERS - ` (${hint})`.length;
  return `${shortenText(value, Math.max(MIN_SHOWN_CHARACTERS, room))} (${hint})`;
}

/** Receives every finding, even those that the report does not list. */
export interface FindingsSink {
  addRejected(file: string, rejection: Rejection): void;
  /** Receives a warning. A row that is rejected later no longer counts as warned. */
  addWarned(file: string, warning: Warning): void;
}

/** The findings about all files of one submission, in reading order, and the notes. */
export class SubmissionFindings {
  readonly files: FileFindings[] = [];

  /** Without `sink`, only the findings that the report lists are kept. */
  constructor(
    private readonly sink?: FindingsSink,
    readonly notes: string[] = [],
  ) {}

  startFile(file: string, tally: Tally): FileFindings {
    const findings = new FileFindings(file, this.sink, tally);
    this.files.push(findings);
    return findings;
  }

  /** Ignores repetitions, because a resumed load may add the same note again. */
  note(sentence: string): void {
    if (!this.notes.includes(sentence)) this.notes.push(sentence);
  }
}

export interface Tally {
  read: number;
  rejected: number;
  warned: number;
  readonly counts: Map<RuleName, number>;
  readonly shown: Map<RuleName, Finding[]>;
  /**
   * Findings that are listed only once for each value or column, regardless of the number of rows. The key identifies
   * the value or column.
   */
  readonly fileFindings: Map<string, { readonly finding: RowFinding; readonly rows: number }>;
  readonly cells: CellCountsByColumn;
}

export class FileFindings {
  constructor(
    readonly file: string,
    private readonly sink: FindingsSink | undefined,
    private readonly tally: Tally,
  ) {}

  /** Counts a row and its findings. Any rejection rejects the row, and then its warnings do not count. */
  addRow(line: number, findings: readonly RowFinding[] = []): void {
    this.tally.read++;
    if (findings.length === 0) return;
    addDroppedReferences(this.tally.cells, line, findings);
    const { noted = [], rejected, warned } = Object.groupBy(findings, ({ rule }) => rules[rule].severity);
    for (const finding of noted) this.countFileFinding(finding);
    if (rejected !== undefined) this.reject(line, rejected);
    else if (warned !== undefined) {
      this.tally.warned++;
      for (const warning of warned) this.warn(line, warning);
    }
  }

  /**
   * Rejects a row that was accepted before: whether an earlier row has the same key, or whether a deletion matches a
   * record, is known only after all rows were read. The row's warnings no longer count; `warnings` are their rules.
   */
  rejectAccepted(line: number, reason: RowFinding, warnings: readonly RuleName[]): void {
    const { counts, shown } = this.tally;
    if (warnings.length > 0) this.tally.warned--;
    for (const rule of warnings) {
      counts.set(rule, (counts.get(rule) ?? 0) - 1);
      shown.set(rule, shown.get(rule)?.filter((finding) => finding.line !== line) ?? []);
    }
    this.reject(line, [reason]);
  }

  /** Rejects all rows of a file whose header lacks columns. Each reason counts once, not once for each row. */
  rejectAll(rows: number, reasons: readonly RowFinding[]): void {
    this.tally.read += rows;
    this.tally.rejected += rows;
    for (const reason of reasons) this.add(1, reason);
    this.sink?.addRejected(this.file, buildRejection(WHOLE_FILE, reasons));
  }

  /** Adds a finding about the file as a whole. */
  addFileFinding(finding: RowFinding): void {
    this.warn(1, finding);
  }

  listColumnLosses(): readonly ColumnLoss[] {
    return listColumnLosses(this.file, this.tally.cells);
  }

  addCountedFindings(): void {
    for (const { finding, rows } of this.tally.fileFindings.values()) {
      this.addFileFinding({ ...finding, value: appendHint(finding.value, formatCount(rows, 'row')) });
    }
  }

  get hasWarnings(): boolean {
    return [...this.tally.counts].some(([rule, count]) => count > 0 && !isRejection({ rule }));
  }

  get accepted(): number {
    return this.tally.read - this.tally.rejected;
  }

  get rejected(): number {
    return this.tally.rejected;
  }

  toCounts(): FileCounts {
    const { read, rejected, warned, counts } = this.tally;
    const appliedRules = [...counts].filter(([, count]) => count > 0);
    const reasons = Object.fromEntries(
      appliedRules.sort(([a], [b]) => severityOrder(a) - severityOrder(b) || (a < b ? -1 : 1)),
    );
    return { file: this.file, read, accepted: this.accepted, warned, rejected, reasons };
  }

  /** Lists rejections first, then warnings, each in line order. */
  list(): readonly Finding[] {
    const findings = [...this.tally.shown.values()].flatMap((list) => list.slice(0, MAX_FINDINGS_LISTED));
    return findings.sort((a, b) => severityOrder(a.rule) - severityOrder(b.rule) || a.line - b.line);
  }

  /** Counts a row for a finding that is listed only once. Most files use one coordinate system, and a few use two. */
  private countFileFinding(finding: RowFinding): void {
    const { fileFindings } = this.tally;
    const { rule, column, value } = finding;
    const name = isListedPerColumn(rule) ? `${rule} ${column ?? ''}` : `${rule} ${value}`;
    const counted = fileFindings.get(name);
    // Keeps the findings in the order in which they last occur in the file.
    fileFindings.delete(name);
    fileFindings.set(name, { finding: counted?.finding ?? finding, rows: (counted?.rows ?? 0) + 1 });
  }

  private reject(line: number, reasons: readonly RowFinding[]): void {
    this.tally.rejected++;
    this.sink?.addRejected(this.file, buildRejection(line, reasons));
    for (const reason of reasons) this.add(line, reason);
  }

  private warn(line: number, warning: RowFinding): void {
    this.sink?.addWarned(this.file, { line, ...warning, value: shownValue(warning) });
    this.add(line, warning);
  }

  private add(line: number, finding: RowFinding): void {
    const { rule, column } = finding;
    const { counts, shown } = this.tally;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    const list = getOrAdd(shown, rule, () => []);
    if (list.length < MAX_FINDINGS_LISTED)
      list.push({ file: this.file, line, column, rule, value: shownValue(finding) });
  }
}

/** Shows all missing columns of a file, because the format has few columns. */
function shownValue({ rule, value }: RowFinding): string {
  return rule === 'absent-column' ? value : shortenText(value);
}

function isListedPerColumn(rule: RuleName): boolean {
  const { isPerColumn }: Rule = rules[rule];
  return isPerColumn === true;
}

/** Sorts rejections before warnings. */
function severityOrder(rule: RuleName): number {
  return rules[rule].severity === 'rejected' ? 0 : 1;
}

function buildRejection(line: number, reasons: readonly RowFinding[]): Rejection {
  return { line, rule: reasons.map(({ rule }) => rule).join(' '), reason: reasons.map(formatReason).join(' ') };
}

function formatReason({ rule, column, value }: RowFinding): string {
  const { sentence } = rules[rule];
  if (column !== null) return `${sentence} ${column}: ${value}`;
  // The file of rejected rows contains the row itself, so this adds only its relation to another row.
  if (rule !== 'duplicate-amount') return sentence;
  return `${sentence} ${value.startsWith('as ') ? 'It has the same key' : 'It is'} ${value}`;
}
