// The report of one run over a submission (submissions.md, 5): what was taken, what was not and why, what changed.

import type { DataSetKind } from '../../shared/records/data-sets';
import type { RuleName } from './rules';

export type Verdict = 'published' | 'unchanged' | 'refused' | 'would-publish';

export interface Finding {
  readonly file: string;
  /** Line on which the row starts; 1 for what concerns the file as a whole. */
  readonly line: number;
  /** Null when the finding concerns the whole row. */
  readonly column: string | null;
  readonly rule: RuleName;
  /** What stands in the file, at most MAX_VALUE_SHOWN characters of it. */
  readonly value: string;
}

/** read = accepted + rejected; `warned` counts accepted rows with at least one warning. */
export interface FileCounts {
  readonly file: string;
  readonly read: number;
  readonly accepted: number;
  readonly warned: number;
  readonly rejected: number;
  readonly reasons: Readonly<Partial<Record<RuleName, number>>>;
}

/** How the records of a data set differ from its former release, by key. */
export interface DataSetChange {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface DataSetOutcome {
  readonly organizationUuid: string;
  readonly dataSet: DataSetKind;
  readonly records: number;
  readonly outcome: 'published' | 'unchanged' | 'would-publish' | 'kept';
  readonly releaseId: string | null;
  readonly formerReleaseId: string | null;
  readonly change: DataSetChange | null;
}

export interface Report {
  readonly verdict: Verdict;
  /** The verdict in one sentence. */
  readonly sentence: string;
  readonly dataVersion: string | null;
  readonly dataSets: readonly DataSetOutcome[];
  readonly files: readonly FileCounts[];
  /** The first MAX_FINDINGS_SHOWN of each rule and file. */
  readonly findings: readonly Finding[];
  /** What was seen beside the rows: files not read, columns not known. */
  readonly notes: readonly string[];
  readonly milliseconds: number;
}
