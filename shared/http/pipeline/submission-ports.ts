// What the routes of submissions need of the loaders (D76). The functions connect both: no code of the loaders runs in a
// process that answers requests, except for moving files.

import type { Settings } from '../../settings';

/** A file as it was sent. */
export interface SentFile {
  /** Its name in the submission. */
  readonly name: string;
  /** Where it is now. */
  readonly path: string;
}

export interface ExaminationJob {
  /** A folder of this job. Everything that the examination writes is in it. */
  readonly folder: string;
  readonly files: readonly SentFile[];
  /** Whether the body was an archive or a workbook, and not the files themselves. */
  readonly isPackage: boolean;
  /** `check` makes a dry run with a report, `unpack` only reads archives and workbooks. */
  readonly task: 'check' | 'unpack';
  readonly maxUnpackedBytes: number;
}

export const REPORT_FORMATS = ['json', 'html', 'text'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The names of the files with the report of a check, in the folder of its job. */
export const CHECK_REPORTS: Readonly<Record<ReportFormat, string>> = {
  json: 'report.json',
  html: 'report.html',
  text: 'report.txt',
};

export type Examination =
  /** After a check, the report is in the folder. */
  | { readonly kind: 'done' }
  /** The archive or the workbook cannot be read. The reason is a sentence without a full stop. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'given up'; readonly because: 'time' | 'memory' };

/** Runs the examination in a process of its own. Rejects when the store or the disk fails. */
export type Examine = (job: ExaminationJob) => Promise<Examination>;

/** The settings of submissions over HTTP, and their ports. */
export interface SubmissionPorts extends Pick<
  Settings,
  'submissionsHttp' | 'checkBytes' | 'submitBytes' | 'stagingDirectory'
> {
  readonly slots: SubmissionSlots;
  readonly examine: Examine;
}

/** Examinations at the same time in one process, and of one key. */
const MAX_EXAMINATIONS = 2;

/** Bounds how many bodies are on the disk and how many examinations run at the same time. */
export class SubmissionSlots {
  private readonly keys = new Set<string>();

  constructor(private readonly max = MAX_EXAMINATIONS) {}

  /** Returns false if the key has one, or if all are taken. */
  acquire(keyId: string): boolean {
    if (this.keys.size >= this.max || this.keys.has(keyId)) return false;
    this.keys.add(keyId);
    return true;
  }

  release(keyId: string): void {
    this.keys.delete(keyId);
  }
}
