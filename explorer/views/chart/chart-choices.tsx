// What a chart shows: what is added up, by what time, and by what bars are told apart.

import type { VNode } from 'preact';
import { kindOf, labelOf } from '../../state/kinds';
import { chartStackOf, NO_STACK } from '../../state/state';
import { Select, Tick } from '../parts/controls';
import type { ViewProps } from '../parts/view-props';
import type { Chart } from './chart';
import { measureOf, chartTimeOf } from './chart-figure';

export function TotalsChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { times, stacks, measures } = kindOf(state.kind);
  const measure = measureOf(state, session.totals.latest?.whole).name;
  const stack = chartStackOf(state);
  const stackNames = stacks.map((name) => ({ name, label: labelOf(state.kind, name) }));
  return (
    <>
      <Select
        label="Show"
        value={measure}
        choices={measures}
        onChoose={(name) => session.setChart({ measure: name })}
      />
      <Select label="by" value={chartTimeOf(state)} choices={times} onChoose={(time) => session.setChart({ time })} />
      <Select
        label="stacked by"
        value={stack || NO_STACK}
        choices={[{ name: NO_STACK, label: 'nothing' }, ...stackNames]}
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

/** Nothing to choose where everything that is found may be added up. */
export function SeriesChoices({ session, chart }: ViewProps & { readonly chart: Chart }): VNode | null {
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
