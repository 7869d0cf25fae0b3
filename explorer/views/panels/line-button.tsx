// A button that shows a site as a line in the chart.

import type { VNode } from 'preact';
import type { ViewProps } from '../parts/controls';

/** Only time series have amounts of sites over time. */
export function LineButton({ session, site }: ViewProps & { readonly site: string }): VNode | null {
  if (session.state.value.kind !== 'series') return null;
  return <button onClick={() => session.compareSite(site)}>Chart</button>;
}
