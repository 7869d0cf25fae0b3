// A link from a chosen county or watershed to its brief (D82).

import type { VNode } from 'preact';
import type { Session } from '../../session/session';
import { type BriefArea, buildBriefRoute, findBriefArea } from '../../state/brief-area';
import type { ViewProps } from './controls';
import { formatBoundary } from './texts';

/** The address includes the data version if the explorer has pinned one. */
export function buildBriefUrl({ client, state }: Session, area: BriefArea): string {
  return client.buildUrl(buildBriefRoute(area, state.value.filters['DataVersion']?.[0]));
}

/** Renders nothing unless the filters choose one county or watershed. */
export function BriefLink({ session }: ViewProps): VNode | null {
  const area = findBriefArea(session.state.value.filters);
  if (area === undefined) return null;
  return (
    <a class="brief-link" href={buildBriefUrl(session, area)}>
      Brief of {formatBoundary(area.boundary)}
    </a>
  );
}
