// The input of one run over the inbox.

import type { Settings } from '../../shared/settings';
import type { Store } from '../../shared/store/port';
import type { Clock } from './claims';
import type { Claim, Inbox } from './inbox';

/** Whether the tick is to end at its next safe point. It is asked between two rows. */
export type StopRequest = Pick<AbortSignal, 'aborted'>;

export interface InboxRunInput
  extends Clock, Pick<Settings, 'stagingDirectory' | 'rejectedShareLimit' | 'holdSubmissions'> {
  readonly inbox: Inbox;
  readonly store: Store;
  /** Minutes after its start in which the tick claims submissions and reads them. */
  readonly minutes: number;
  readonly stop: StopRequest;
  readonly log: (message: string) => void;
  readonly logError: (message: string, error: unknown) => void;
}

export interface ClaimedRunInput extends InboxRunInput {
  readonly claim: Claim;
  /** Whether the tick was told to stop or is out of time: reading then ends, and the next tick goes on from there. */
  readonly shouldStop: () => boolean;
}

export const UNSETTLED = {
  lost: 'somebody else took it over',
  changed: 'it changed while it was read, and is read again at the next tick',
} as const;

/** The claim is lost, or the submission is not what it was when it was claimed: nothing of it was published. */
export class UnsettledError extends Error {
  constructor(readonly reason: keyof typeof UNSETTLED) {
    super(UNSETTLED[reason]);
  }
}

export function countAttempts({ lease }: Claim): number {
  return lease.granted.attempts.ended + lease.granted.attempts.failed;
}
