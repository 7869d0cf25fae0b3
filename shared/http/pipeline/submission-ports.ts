// The interface between the routes of submissions and the loaders (D76). The functions connect the two: in a process
// that answers requests, the only loader code that runs is the code that moves files.

import type { Readable } from 'node:stream';
import type { Settings } from '../../settings';

/** A file of a request body, stored on disk. */
export interface SentFile {
  /** Its name in the submission. */
  readonly name: string;
  /** Its path on disk. */
  readonly path: string;
}

export interface ExaminationJob {
  /** The folder of this job, which receives everything that the examination writes. */
  readonly folder: string;
  readonly files: readonly SentFile[];
  /** Whether the body was an archive or a workbook rather than the files themselves. */
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
  /** Undefined if there is no inbox. */
  readonly openDesk: (() => Promise<SubmissionDesk>) | undefined;
}

/** A submission that was sent over HTTP. Times are ISO 8601, UTC. */
export interface SubmissionRecord {
  readonly id: string;
  /** OrganizationUUID. */
  readonly organization: string;
  readonly status: 'Waiting' | 'Working' | 'Published' | 'Held' | 'Refused';
  readonly received: string;
  /** Null until it is settled. */
  readonly finished: string | null;
  /** The first line of its report; null until it is settled. */
  readonly outcome: string | null;
  /** Null unless it is held. */
  readonly confirmationCode: string | null;
}

export interface SubmissionList {
  readonly total: number;
  /** The newest first, at most 100. */
  readonly submissions: readonly SubmissionRecord[];
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  readonly read: () => Readable;
}

/** The operations on the inbox that routes need. */
export interface SubmissionDesk {
  /** Moves the files into the inbox. `workFolder` must be on the same disk. */
  submit(
    sender: { readonly organization: string; readonly keyId: string },
    files: readonly SentFile[],
    workFolder: string,
  ): Promise<SubmissionRecord>;
  list(organization: string): Promise<SubmissionList>;
  find(organization: string, id: string): Promise<SubmissionRecord | undefined>;
  /** Undefined for a submission that is not settled. */
  readReport(record: SubmissionRecord, format: ReportFormat): Promise<string | undefined>;
  /** Whether a settled submission has rejected rows, and warnings. */
  findRows(record: SubmissionRecord): Promise<{ readonly rejected: boolean; readonly warned: boolean }>;
  /** The rejected rows or the warnings of each file. */
  listRows(record: SubmissionRecord, kind: 'rejected' | 'warned'): Promise<readonly StoredFile[]>;
  /**
   * Confirms a held submission, which then waits to be loaded again. `busy`: another request is confirming it right
   * now.
   */
  confirm(record: SubmissionRecord, code: string): Promise<'confirmed' | 'wrong code' | 'not held' | 'busy'>;
}

/** Maximum number of examinations at the same time in one process. One key can run one at a time. */
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
