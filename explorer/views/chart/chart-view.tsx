// The chart view: totals of all matching records as stacked bars over time, or up to eight sites side by side as lines.
// The choices above it select the measure, the time and the stacking.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { splitFeatureId } from '../../requests/map-features';
import type { SiteAmounts } from '../../requests/sites';
import { getKind } from '../../state/kinds';
import { getLabel, toChoices } from '../../state/labels';
import { getColor } from '../../state/palette';
import { getChartStack, getChartTime, MAX_SITES, NO_STACK } from '../../state/state';
import { UnitTypeChoice } from '../map/map-tools';
import { Checkbox, Select, Switch, type ViewProps } from '../parts/controls';
import { FindBox } from '../parts/find-box';
import { getAgeClass } from '../parts/texts';
import type { Chart } from './chart';
import { ChartFiles } from './chart-files';
import { Plot } from './plot';
import { buildSitesChart } from './sites-chart';
import { buildTotalsChart, chooseMeasure } from './totals-chart';

const CHART_CHOICES = [
  { name: 'totals', label: 'Totals' },
  { name: 'sites', label: 'Compare sites' },
] as const;

export function ChartView({ session }: ViewProps): VNode {
  const { kind, chart } = session.state.value;
  // Only time series have amounts of sites over time.
  const comparesSites = kind === 'series' && chart.type === 'sites';
  return (
    <div class="chart-view">
      <div class="choices">
        {kind === 'series' && (
          <Switch
            label="Chart type"
            value={chart.type}
            choices={CHART_CHOICES}
            onChoose={(type) => session.setChart({ type, series: '' })}
          />
        )}
        {kind === 'aggregates' && <UnitTypeChoice session={session} />}
        {!comparesSites && <TotalsChoices session={session} />}
      </div>
      {comparesSites ? <SitesChart session={session} /> : <TotalsChart session={session} />}
    </div>
  );
}

function TotalsChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { times, stacks, measures } = getKind(state.kind);
  const measure = chooseMeasure(state, session.totals.latest?.bars).name;
  const stack = getChartStack(state);
  return (
    <>
      <Select
        label="Show"
        value={measure}
        choices={measures}
        onChoose={(name) => session.setChart({ measure: name })}
      />
      <Select
        label="by"
        value={getChartTime(state)}
        choices={toChoices(times)}
        onChoose={(time) => session.setChart({ time })}
      />
      <Select
        label="Stack by"
        value={stack || NO_STACK}
        choices={[{ name: NO_STACK, label: 'no breakdown' }, ...toChoices(stacks)]}
        onChoose={(name) => session.setChart({ stack: name })}
      />
      {stack !== '' && measure !== 'Mean' && (
        <Checkbox
          label="Shares"
          isChecked={state.chart.showsShares}
          onChange={(showsShares) => session.setChart({ showsShares })}
        />
      )}
    </>
  );
}

function TotalsChart({ session }: ViewProps): VNode | null {
  const state = session.state.value;
  const query = session.totals.state.value;
  const { answer, isLoading, isStale } = query;
  const lastChart = useRef<Chart>();
  // A stale answer may have other groups than the state, so its chart stays unchanged.
  const shownChart = useMemo(
    () =>
      answer === undefined || isStale
        ? lastChart.current
        : buildTotalsChart(answer.value.pieces, state, answer.value.bars),
    [answer, isStale, state],
  );
  lastChart.current = shownChart;
  const age = getAgeClass(query);
  if (answer === undefined || shownChart === undefined || age === 'gone') return null;
  const { positions, columns } = shownChart;
  return (
    <div class={`chart-body ${age}`} aria-busy={isLoading}>
      <SeriesChoices session={session} chart={shownChart} />
      {positions.length === 0 || columns.length === 0 ? (
        <p class="notice">
          {positions.length === 0
            ? `None of these records has a ${getLabel(getChartTime(state)).toLowerCase()}, so there is nothing to draw.`
            : `None of these records has a ${chooseMeasure(state, answer.value.bars).label.toLowerCase()}.`}
        </p>
      ) : (
        <Plot chart={shownChart} />
      )}
      <p class="soft notes">{shownChart.notes.join(' ')} </p>
      <ChartFiles session={session} name={`${state.kind}-${shownChart.title}`} chart={shownChart} />
    </div>
  );
}

function SitesChart({ session }: ViewProps): VNode {
  const { chart } = session.state.value;
  const query = session.sites.state.value;
  const { answer, isLoading } = query;
  const age = getAgeClass(query);
  const sites = chart.sites.length === 0 ? [] : (answer?.value ?? []);
  const shownChart = useMemo(
    () => buildSitesChart(sites, chart.series, chart.isByWaterYear),
    [answer, chart.series, chart.isByWaterYear],
  );
  return (
    <div class={`chart-body ${age}`} aria-busy={isLoading}>
      <SiteFields session={session} sites={sites} />
      {shownChart.columns.length === 0 && !isLoading && (
        <p class="notice">
          {chart.sites.length === 0
            ? 'Add a site to see its measurements as a line. You can compare up to eight.'
            : 'No measurements of these sites match your filters.'}
        </p>
      )}
      {shownChart.columns.length > 0 && age !== 'gone' && (
        <>
          <SeriesChoices session={session} chart={shownChart} />
          <Plot chart={shownChart} />
          <p class="soft notes">{shownChart.notes.join(' ')}</p>
          <ChartFiles session={session} name={`sites-${shownChart.series}`} chart={shownChart} />
        </>
      )}
    </div>
  );
}

function SiteFields({ session, sites }: ViewProps & { readonly sites: readonly SiteAmounts[] }): VNode {
  const { chart } = session.state.value;
  const getName = (site: string): string => sites.find((one) => one.site === site)?.name ?? site;
  return (
    <div class="choices">
      <ul class="chips" aria-label="Compared sites">
        {chart.sites.map((site, index) => (
          <li key={site}>
            <button
              type="button"
              aria-label={`Remove site ${getName(site)}`}
              onClick={() => session.setChart({ sites: chart.sites.filter((one) => one !== site) })}
            >
              {!chart.isByWaterYear && <span class="swatch" style={{ background: getColor(index) }} />} {getName(site)}{' '}
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      {chart.sites.length < MAX_SITES && (
        <FindBox
          session={session}
          label="Add a site by name"
          kinds={['Site']}
          onChoose={(found) => {
            if ('feature' in found) session.compareSite(splitFeatureId(found.feature.id).identifier);
          }}
        />
      )}
      <Checkbox
        label="Overlay water years"
        isChecked={chart.isByWaterYear}
        onChange={(isByWaterYear) => session.setChart({ isByWaterYear })}
      />
    </div>
  );
}

/** Renders nothing if all amounts can be added up, because there is nothing to choose. */
function SeriesChoices({ session, chart }: ViewProps & { readonly chart: Chart }): VNode | null {
  const { choices, series } = chart;
  if (choices.length === 0) return null;
  return (
    <div class="choices series-choice">
      <Select
        label="Measure"
        value={series}
        choices={choices}
        onChoose={(name) => session.setChart({ series: name })}
      />
      {choices.length > 1 && <span class="soft">1 of {choices.length} measures. Different units can’t be added.</span>}
    </div>
  );
}
