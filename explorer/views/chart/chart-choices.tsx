// What a chart shows: totals or single sites, what is added up, by what time, and by what bars are told apart.

import type { VNode } from 'preact';
import { kindOf, labelOf } from '../../state/kinds';
import { chartStackOf, NO_STACK, type ChartState } from '../../state/state';
import { measureOf, chartTimeOf } from './chart-figure';
import type { SeriesChoice } from '../../requests/added-series';
import type { ViewProps } from '../parts/view-props';

export function TotalsChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { times, stacks, measures } = kindOf(state.kind);
  const stackNames = stacks.map((name) => ({ name, label: labelOf(state.kind, name) }));
  return (
    <>
      <Choice session={session} part="measure" label="Show" value={measureOf(state).name} choices={measures} />
      <Choice session={session} part="time" label="by" value={chartTimeOf(state)} choices={times} />
      <Choice
        session={session}
        part="stack"
        label="stacked by"
        value={chartStackOf(state) || NO_STACK}
        choices={[{ name: NO_STACK, label: 'nothing' }, ...stackNames]}
      />
      {chartStackOf(state) !== '' && measureOf(state).name !== 'Mean' && (
        <label class="choice">
          <input
            type="checkbox"
            checked={state.chart.isOfShares}
            onChange={(event) => {
              const isOfShares = event.currentTarget.checked;
              session.change((former) => ({ ...former, chart: { ...former.chart, isOfShares } }));
            }}
          />
          Shares
        </label>
      )}
    </>
  );
}

interface SeriesProps extends ViewProps {
  readonly choices: readonly SeriesChoice[];
  readonly series: string;
}

/** Nothing to choose where everything that is found may be added up. */
export function SeriesChoices({ session, choices, series }: SeriesProps): VNode | null {
  if (choices.length === 0) return null;
  const named = choices.map(({ name, text }) => ({ name, label: text }));
  return (
    <div class="choices series-choice">
      <Choice session={session} part="series" label="of" value={series} choices={named} />
      {choices.length > 1 && (
        <span class="soft">1 of {choices.length}: units and statistics that differ are never added up</span>
      )}
    </div>
  );
}

interface ChoiceProps extends ViewProps {
  readonly part: 'measure' | 'time' | 'stack' | 'series';
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly name: string; readonly label: string }[];
}

function Choice({ session, part, label, value, choices }: ChoiceProps): VNode {
  return (
    <label>
      {label}{' '}
      <select
        value={value}
        onChange={(event) => {
          const chosen: Partial<ChartState> = { [part]: event.currentTarget.value };
          session.change((state) => ({ ...state, chart: { ...state.chart, ...chosen } }));
        }}
      >
        {choices.map((one) => (
          <option key={one.name} value={one.name}>
            {one.label}
          </option>
        ))}
      </select>
    </label>
  );
}
