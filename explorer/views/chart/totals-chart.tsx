// The chart of totals: bars by time, stacked by what they are told apart by, with the figures under the cursor.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { labelOf } from '../../state/kinds';
import { measureOf, figureOf, chartTimeOf, type TotalsFigure } from './chart-figure';
import { ChartFiles } from './chart-files-menu';
import { SeriesChoices } from './chart-choices';
import { ageOf, countText } from '../parts/choices';
import { Plot } from './plot';
import type { ViewProps } from '../parts/view-props';

export function TotalsChart({ session }: ViewProps): VNode | null {
  const state = session.state.value;
  const asked = session.totals.current.value;
  const { answer, isAsking, isFormer } = asked;
  const drawn = useRef<TotalsFigure>();
  // A former answer may have other groups than the state now asks for, so its figure stays as it was drawn.
  const figure = useMemo(
    () => (answer === undefined || isFormer ? drawn.current : figureOf(answer.value.pieces, state, answer.value.whole)),
    [answer, isFormer, state],
  );
  drawn.current = figure;
  const age = ageOf(asked);
  if (answer === undefined || figure === undefined || age === 'gone') return null;
  const { xs, columns, overlaps, untimed } = figure;
  return (
    <div class={`chart-body ${age}`} aria-busy={isAsking}>
      <SeriesChoices session={session} chart={figure} />
      {xs.length === 0 || columns.length === 0 ? (
        <p class="notice">
          {xs.length === 0
            ? `Nothing that is found has a ${labelOf(state.kind, chartTimeOf(state)).toLowerCase()} to draw.`
            : `Nothing that is found states a ${measureOf(state, answer.value.whole).label.toLowerCase()}.`}
        </p>
      ) : (
        <Plot chart={figure} label={`${figure.title}, ${figure.subject}`} />
      )}
      <p class="soft notes">
        {overlaps &&
          `A record with several values stands in each of them, so ${figure.isOfShares ? 'shares' : 'pieces'} add up to more than the whole. `}
        {untimed > 0 && `Without a time that can be drawn: ${countText(untimed)}. `}
        {columns.length > 1 && !figure.isStacked && 'What does not add up is drawn as lines.'}
      </p>
      <ChartFiles session={session} name={`${state.kind}-${figure.title}`} chart={figure} />
    </div>
  );
}
