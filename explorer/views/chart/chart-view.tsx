// The chart: totals of everything that is found as bars by time, stacked by what they are told apart by; or up to eight
// sites side by side, as lines over time or with their water years laid over each other. Above it stands what is
// chosen: what is added up, by what time, and by what bars are told apart.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { splitFeatureId } from '../../requests/places';
import type { SiteAmounts } from '../../requests/sites';
import { kindOf, labelled, labelOf } from '../../state/kinds';
import { colourOf } from '../../state/palette';
import { chartStackOf, chartTimeOf, MOST_SITES, NO_STACK } from '../../state/state';
import { Select, Switch, Tick, type ViewProps } from '../parts/controls';
import { FindBox } from '../parts/find-box';
import { ageOf } from '../parts/texts';
import type { Chart } from './chart';
import { figureOf, measureOf } from './chart-figure';
import { ChartFiles } from './chart-files-menu';
import { linesOf } from './lines-figure';
import { Plot } from './plot';

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

function TotalsChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { times, stacks, measures } = kindOf(state.kind);
  const measure = measureOf(state, session.totals.latest?.whole).name;
  const stack = chartStackOf(state);
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
        value={chartTimeOf(state)}
        choices={labelled(times)}
        onChoose={(time) => session.setChart({ time })}
      />
      <Select
        label="stacked by"
        value={stack || NO_STACK}
        choices={[{ name: NO_STACK, label: 'nothing' }, ...labelled(stacks)]}
        onChoose={(name) => session.setChart({ stack: name })}
      />
      {stack !== '' && measure !== 'Mean' && (
        <Tick
          label="Shares"
          isTicked={state.chart.isOfShares}
          onChange={(isOfShares) => session.setChart({ isOfShares })}
        />
      )}
    </>
  );
}

function TotalsChart({ session }: ViewProps): VNode | null {
  const state = session.state.value;
  const asked = session.totals.current.value;
  const { answer, isAsking, isFormer } = asked;
  const drawn = useRef<Chart>();
  // A former answer may have other groups than the state now asks for, so its figure stays as it was drawn.
  const figure = useMemo(
    () => (answer === undefined || isFormer ? drawn.current : figureOf(answer.value.pieces, state, answer.value.whole)),
    [answer, isFormer, state],
  );
  drawn.current = figure;
  const age = ageOf(asked);
  if (answer === undefined || figure === undefined || age === 'gone') return null;
  const { xs, columns } = figure;
  return (
    <div class={`chart-body ${age}`} aria-busy={isAsking}>
      <SeriesChoices session={session} chart={figure} />
      {xs.length === 0 || columns.length === 0 ? (
        <p class="notice">
          {xs.length === 0
            ? `Nothing that is found has a ${labelOf(chartTimeOf(state)).toLowerCase()} to draw.`
            : `Nothing that is found states a ${measureOf(state, answer.value.whole).label.toLowerCase()}.`}
        </p>
      ) : (
        <Plot chart={figure} />
      )}
      <p class="soft notes">{figure.notes.join(' ')} </p>
      <ChartFiles session={session} name={`${state.kind}-${figure.title}`} chart={figure} />
    </div>
  );
}

function SitesChart({ session }: ViewProps): VNode {
  const { chart } = session.state.value;
  const asked = session.sites.current.value;
  const { answer, isAsking } = asked;
  const age = ageOf(asked);
  const sites = chart.sites.length === 0 ? [] : (answer?.value ?? []);
  const figure = useMemo(
    () => linesOf(sites, chart.series, chart.isByWaterYear),
    [answer, chart.series, chart.isByWaterYear],
  );
  return (
    <div class={`chart-body ${age}`} aria-busy={isAsking}>
      <SiteFields session={session} sites={sites} />
      {figure.columns.length > 0 && age !== 'gone' && (
        <>
          <SeriesChoices session={session} chart={figure} />
          <Plot chart={figure} />
          <p class="soft notes">{figure.notes.join(' ')}</p>
          <ChartFiles session={session} name={`sites-${figure.series}`} chart={figure} />
        </>
      )}
    </div>
  );
}

function SiteFields({ session, sites }: ViewProps & { readonly sites: readonly SiteAmounts[] }): VNode {
  const { chart } = session.state.value;
  const nameOf = (site: string): string => sites.find((one) => one.site === site)?.name ?? site;
  return (
    <div class="choices">
      <ul class="chips" aria-label="Sites that are compared">
        {chart.sites.map((site, index) => (
          <li key={site}>
            <button
              type="button"
              aria-label={`Remove site ${nameOf(site)}`}
              onClick={() => session.setChart({ sites: chart.sites.filter((one) => one !== site) })}
            >
              {!chart.isByWaterYear && <span class="swatch" style={{ background: colourOf(index) }} />} {nameOf(site)}{' '}
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      {chart.sites.length < MOST_SITES && (
        <FindBox
          session={session}
          label="Add a site by its name"
          kinds={['Site']}
          onChoose={(found) => {
            if ('feature' in found) session.compareSite(splitFeatureId(found.feature.id).identifier);
          }}
        />
      )}
      <Tick
        label="Water years laid over each other"
        isTicked={chart.isByWaterYear}
        onChange={(isByWaterYear) => session.setChart({ isByWaterYear })}
      />
    </div>
  );
}

/** Nothing to choose where everything that is found may be added up. */
function SeriesChoices({ session, chart }: ViewProps & { readonly chart: Chart }): VNode | null {
  const { choices, series } = chart;
  if (choices.length === 0) return null;
  return (
    <div class="choices series-choice">
      <Select label="of" value={series} choices={choices} onChoose={(name) => session.setChart({ series: name })} />
      {choices.length > 1 && (
        <span class="soft">1 of {choices.length}: units and statistics that differ are never added up</span>
      )}
    </div>
  );
}
