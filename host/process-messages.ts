// What the processes of `npm start` tell each other (ADR 0056). One supervises; the others answer requests, and know
// the supervisor alone.

import type { Loan, LoanReport } from '../shared/access/loans';
import type { TimerState } from '../shared/http/operating/health';
import type { MetricsSnapshot } from '../shared/http/operating/metrics';

export type ToSupervisor =
  | { readonly kind: 'started' }
  /** It finishes what is under way, and takes nothing more. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'connection taken'; readonly connection: number }
  | { readonly kind: 'connection closed' }
  /** The process ends after this. */
  | { readonly kind: 'cannot start'; readonly reason: string }
  /** The answer has the same number. */
  | { readonly kind: 'loan wanted'; readonly question: number; readonly report: LoanReport }
  | { readonly kind: 'spent'; readonly report: LoanReport }
  /** An export is to begin (D46); the answer has the same number. */
  | { readonly kind: 'export place wanted'; readonly question: number }
  | { readonly kind: 'export place free' }
  /** The answer has the same number, as that of the next one has. */
  | { readonly kind: 'all metrics wanted'; readonly question: number }
  | { readonly kind: 'metrics'; readonly question: number; readonly snapshot: MetricsSnapshot };

export type FromSupervisor =
  /** Finish what is under way, and end. */
  | { readonly kind: 'stop' }
  /** Comes with the socket, of which nothing has been read. */
  | { readonly kind: 'connection'; readonly connection: number }
  | { readonly kind: 'loan'; readonly question: number; readonly loan: Loan }
  | { readonly kind: 'export place'; readonly question: number; readonly isTaken: boolean }
  /** How the last ticks ended, for `/health`. */
  | { readonly kind: 'timers'; readonly timers: readonly TimerState[] }
  | { readonly kind: 'metrics wanted'; readonly question: number }
  /** They are those of all processes. */
  | { readonly kind: 'all metrics'; readonly question: number; readonly snapshots: readonly MetricsSnapshot[] };
