// A timer function: when it runs and what it does. The platform and the local host call the same declarations.

import type { Settings } from '../../shared/settings';
import type { StopSignal } from './stop-signal';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined when the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** One tick. Ends at its next safe point when `stop` says so. */
  readonly run: (settings: Settings, stop: StopSignal) => Promise<void>;
}
