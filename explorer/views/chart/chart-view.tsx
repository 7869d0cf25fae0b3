// The chart: totals of everything that is found, or the lines of single sites.

import type { VNode } from 'preact';
import { Switch } from '../parts/controls';
import type { ViewProps } from '../parts/view-props';
import { TotalsChoices } from './chart-choices';
import { SitesChart } from './sites-chart';
import { TotalsChart } from './totals-chart';

const FORMS = [
  { name: 'totals', label: 'Totals' },
  { name: 'sites', label: 'Sites side by side' },
] as const;

export function ChartView({ session }: ViewProps): VNode {
  const { kind, chart } = session.state.value;
  // Only time series have an amount for each time of a site.
  const isOfSites = kind === 'series' && chart.form === 'sites';
  return (
    <div class="chart-view">
      <div class="choices">
        {kind === 'series' && (
          <Switch
            label="What to draw"
            value={chart.form}
            choices={FORMS}
            onChoose={(form) => session.setChart({ form, series: '' })}
          />
        )}
        {!isOfSites && <TotalsChoices session={session} />}
      </div>
      {isOfSites ? <SitesChart session={session} /> : <TotalsChart session={session} />}
    </div>
  );
}
