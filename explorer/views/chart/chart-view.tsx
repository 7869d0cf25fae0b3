// The chart: totals of everything that is found, or the lines of single sites.

import type { VNode } from 'preact';
import { TotalsChoices } from './chart-choices';
import { SitesChart } from './sites-chart';
import { TotalsChart } from './totals-chart';
import type { ViewProps } from '../parts/view-props';

const FORMS = [
  { form: 'totals', label: 'Totals' },
  { form: 'sites', label: 'Sites side by side' },
] as const;

export function ChartView({ session }: ViewProps): VNode {
  const { kind, chart } = session.state.value;
  // Only time series have an amount for each time of a site.
  const isOfSites = kind === 'series' && chart.form === 'sites';
  return (
    <div class="chart-view">
      <div class="choices">
        {kind === 'series' && (
          <div class="switch" role="group" aria-label="What to draw">
            {FORMS.map(({ form, label }) => (
              <button
                key={form}
                type="button"
                aria-pressed={form === chart.form}
                onClick={() => {
                  session.change((state) => ({ ...state, chart: { ...state.chart, form, series: '' } }));
                }}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        {!isOfSites && <TotalsChoices session={session} />}
      </div>
      {isOfSites ? <SitesChart session={session} /> : <TotalsChart session={session} />}
    </div>
  );
}
