import type { Session } from '../../session/session';

/** What every part of the page is given. */
export interface ViewProps {
  readonly session: Session;
}
