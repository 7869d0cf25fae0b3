// The input of one run over the inbox.

import type { Settings } from '../../shared/settings';
import type { Store } from '../../shared/store/port';
import type { Clock } from './claims';
import type { Claim, Inbox } from './inbox';
import type { ReportMail } from './report-mail';

/** Whether the run should stop at its next safe point. Checked between two rows. */
export type StopRequest = Pick<AbortSignal, 'aborted'>;

export interface InboxRunInput
  extends Clock, Pick<Settings, 'stagingDirectory' | 'rejectedShareLimit' | 'holdSubmissions'> {
  readonly inbox: Inbox;
  readonly store: Store;
  /** The number of minutes after its start during which the run claims and reads submissions. */
  readonly minutes: number;
  readonly stop: StopRequest;
  /** Mails the report of a submission that was sent over HTTP. If undefined, no report is mailed. */
  readonly mailReport?: ((mail: ReportMail) => Promise<void>) | undefined;
  readonly log: (message: string) => void;
  readonly logError: (message: string, error: unknown) => void;
}

export interface ClaimedRunInput extends InboxRunInput {
  readonly claim: Claim;
  /** Called with the submission's contact once it has been read. */
  readonly noteContact?: (contact: string | null | undefined) => void;
  /** Whether the run was stopped or is out of time. If so, reading stops, and the next run resumes there. */
  readonly shouldStop: () => boolean;
}

export const UNSETTLED = {
  lost: 'another loader took it over',
  changed: 'it changed while it was read, and is read again at the next run',
} as const;

/** Thrown if the claim was lost, or if the submission has changed since it was claimed. Nothing was published. */
export class UnsettledError extends Error {
  constructor(readonly reason: keyof typeof UNSETTLED) {
    super(UNSETTLED[reason]);
  }
}

export function countAttempts({ lease }: Claim): number {
  return lease.granted.attempts.ended + lease.granted.attempts.failed;
}
