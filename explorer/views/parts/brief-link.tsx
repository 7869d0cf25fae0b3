// A link from a chosen county or watershed to its brief (D82).

import type { VNode } from 'preact';
import type { Session } from '../../session/session';
import { type BriefArea, buildBriefRoute } from '../../state/brief-area';
import type { ViewProps } from './controls';
import { formatBoundary } from './texts';

/** The address includes the data version if the explorer has pinned one. */
export function buildBriefUrl({ client, state }: Session, area: BriefArea): string {
  return client.buildUrl(buildBriefRoute(area, state.value.filters['DataVersion']?.[0]));
}

interface BriefLinkProps extends ViewProps {
  readonly area: BriefArea | undefined;
}

/** Renders nothing without a county or watershed. */
export function BriefLink({ session, area }: BriefLinkProps): VNode | null {
  if (area === undefined) return null;
  return (
    <a class="brief-link" href={buildBriefUrl(session, area)}>
      Brief of {formatBoundary(area.boundary, session.watershedNames.latest)}
    </a>
  );
}
