// The interface between the routes of submissions and the loaders (D76). The functions connect the two. In a process
// that answers requests, the only loader code that runs is the code that moves files.

import type { Readable } from 'node:stream';
import type { Settings } from '../../settings';

/** A file of a request body, stored on disk. */
export interface SentFile {
  /** Its file name in the submission. */
  readonly name: string;
  /** Its path on disk. */
  readonly path: string;
}

export interface ExaminationJob {
  /** The folder of this job. The examination writes all its output there. */
  readonly folder: string;
  readonly files: readonly SentFile[];
  /** Whether the body was an archive or a workbook, and not the files themselves. */
  readonly isPackage: boolean;
  /** `check` makes a dry run with a report; `unpack` only reads archives and workbooks. */
  readonly task: 'check' | 'unpack';
  readonly maxUnpackedBytes: number;
}

export const REPORT_FORMATS = ['json', 'html', 'text'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The file names of a check's report, in the folder of its job. */
export const CHECK_REPORTS: Readonly<Record<ReportFormat, string>> = {
  json: 'report.json',
  html: 'report.html',
  text: 'report.txt',
};

export type Examination =
  /** After a check, the folder contains the report. */
  | { readonly kind: 'done' }
  /** The archive or the workbook cannot be read. The reason is a sentence without a period. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'given up'; readonly because: 'time' | 'memory' };

/** Runs the examination in a separate process. Rejects if the store or the disk fails. */
export type Examine = (job: ExaminationJob) => Promise<Examination>;

/** The settings of submissions over HTTP, and the functions that their routes call. */
export interface SubmissionPorts extends Pick<
  Settings,
  'submissionsHttp' | 'checkBytes' | 'submitBytes' | 'stagingDirectory'
> {
  readonly slots: SubmissionSlots;
  readonly examine: Examine;
  /** Undefined if there is no inbox. */
  readonly openDesk: (() => Promise<SubmissionDesk>) | undefined;
}

/** A submission that was sent over HTTP. Times are in ISO 8601, UTC. */
export interface SubmissionRecord {
  readonly id: string;
  /** The OrganizationUUID. */
  readonly organization: string;
  readonly status: 'Waiting' | 'Working' | 'Published' | 'Held' | 'Refused';
  readonly received: string;
  /** Null until the submission is settled. */
  readonly finished: string | null;
  /** The first line of the report; null until the submission is settled. */
  readonly outcome: string | null;
  /** Null unless the submission is held. */
  readonly confirmationCode: string | null;
}

export interface SubmissionList {
  readonly total: number;
  /** The newest submission first, at most 100. */
  readonly submissions: readonly SubmissionRecord[];
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  readonly read: () => Readable;
}

/** The inbox operations that routes need. */
export interface SubmissionDesk {
  /** Moves the files into the inbox. `workFolder` must be on the same disk. */
  submit(
    sender: { readonly organization: string; readonly keyId: string },
    files: readonly SentFile[],
    workFolder: string,
  ): Promise<SubmissionRecord>;
  list(organization: string): Promise<SubmissionList>;
  find(organization: string, id: string): Promise<SubmissionRecord | undefined>;
  /** Undefined if the submission is not settled. */
  readReport(record: SubmissionRecord, format: ReportFormat): Promise<string | undefined>;
  /** Whether a settled submission has rejected rows, and whether it has warnings. */
  findRows(record: SubmissionRecord): Promise<{ readonly rejected: boolean; readonly warned: boolean }>;
  /** Lists the files of rejected rows, or of rows with warnings. */
  listRows(record: SubmissionRecord, kind: 'rejected' | 'warned'): Promise<readonly StoredFile[]>;
  /**
   * Confirms a held submission, which then waits to be loaded again. `busy` means that another request is confirming it
   * right now.
   */
  confirm(record: SubmissionRecord, code: string): Promise<'confirmed' | 'wrong code' | 'not held' | 'busy'>;
}

/** Maximum number of examinations that one process runs at the same time. Each key may run one at a time. */
const MAX_EXAMINATIONS = 2;

/** Limits the number of bodies on disk and of examinations that run at the same time. */
export class SubmissionSlots {
  private readonly keys = new Set<string>();

  constructor(private readonly max = MAX_EXAMINATIONS) {}

  /** Returns false if the key already has a slot, or if all slots are taken. */
  acquire(keyId: string): boolean {
    if (this.keys.size >= this.max || this.keys.has(keyId)) return false;
    this.keys.add(keyId);
    return true;
  }

  release(keyId: string): void {
    this.keys.delete(keyId);
  }
}
