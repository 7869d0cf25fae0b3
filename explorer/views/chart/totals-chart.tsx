// The chart of totals: bars by time, stacked by what they are told apart by, with the figures under the cursor.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { labelOf } from '../../state/kinds';
import { measureOf, figureOf, chartTimeOf, type Figure } from './chart-figure';
import { ChartFiles } from './chart-files-menu';
import { SeriesChoices } from './chart-choices';
import { ageOf, countText } from '../parts/choices';
import { barDrawing, figureTable, stacked, subjectOf } from './drawings';
import { PlotWithLegend, type LegendEntry, type PlotProps } from './plot';
import { lineSeries } from './sites-chart';
import { everyNth } from './ticks';
import type { ViewProps } from '../parts/view-props';

/** The room that a text on the axis needs, in pixels. */
const MARK_WIDTH = 62;

export function TotalsChart({ session }: ViewProps): VNode | null {
  const state = session.state.value;
  const asked = session.totals.current.value;
  const { answer, isAsking, isFormer } = asked;
  const drawn = useRef<Figure>();
  // A former answer may have other groups than the state now asks for, so its figure stays as it was drawn.
  const figure = useMemo(
    () => (answer === undefined || isFormer ? drawn.current : figureOf(answer.value.pieces, state, answer.value.whole)),
    [answer, isFormer, state],
  );
  drawn.current = figure;
  const age = ageOf(asked);
  if (answer === undefined || figure === undefined || age === 'gone') return null;
  const { times, pieces, choices, series, overlaps, untimed } = figure;
  return (
    <div class={`chart-body ${age}`} aria-busy={isAsking}>
      <SeriesChoices session={session} choices={choices} series={series} />
      {times.length === 0 || pieces.length === 0 ? (
        <p class="notice">
          {times.length === 0
            ? `Nothing that is found has a ${labelOf(state.kind, chartTimeOf(state)).toLowerCase()} to draw.`
            : `Nothing that is found states a ${measureOf(state, answer.value.whole).label.toLowerCase()}.`}
        </p>
      ) : (
        <Bars figure={figure} label={`${figure.title}, ${subjectOf(state)}`} />
      )}
      <p class="soft notes">
        {overlaps &&
          `A record with several values stands in each of them, so ${figure.isOfShares ? 'shares' : 'pieces'} add up to more than the whole. `}
        {untimed > 0 && `Without a time that can be drawn: ${countText(untimed)}. `}
        {pieces.length > 1 && !figure.isStacked && 'What does not add up is drawn as lines.'}
      </p>
      <ChartFiles
        session={session}
        name={`${state.kind}-${figure.title}`}
        table={() => figureTable(figure, state)}
        drawing={() => barDrawing(figure, subjectOf(state))}
      />
    </div>
  );
}

export function Bars({ figure, label }: { readonly figure: Figure; readonly label: string }): VNode {
  const { times, pieces, unit, sums } = figure;
  const { data, series } = useMemo(() => plotOf(figure), [figure]);
  const x = useMemo(() => timeAxis(times), [times]);
  const entriesAt = (index: number | undefined): readonly LegendEntry[] => {
    const entries = pieces.map(({ name, colour, values }, piece) => ({
      ...{ name: name === '' ? figure.title : name, colour },
      value: (index === undefined ? sums[piece] : values[index]) ?? null,
    }));
    const all = (index === undefined ? figure.sumOfWhole : figure.whole[index]) ?? null;
    // The whole of shares is said in its own unit by the other form of the chart.
    return pieces.length < 2 || figure.isOfShares
      ? entries
      : [...entries, { name: figure.wholeName, colour: 'transparent', value: all }];
  };
  return (
    <PlotWithLegend
      heading={`All, ${times[0] ?? ''} to ${times.at(-1) ?? ''}`}
      headingAt={(index) => times[index] ?? ''}
      {...{ label, data, series, x, unit, entriesAt }}
    />
  );
}

/** The tallest first, so that those behind show above the ones before them. */
function plotOf(figure: Figure): Pick<PlotProps, 'data' | 'series'> {
  const { times, pieces, isStacked } = figure;
  const xs = times.map((_, index) => index);
  if (!isStacked) {
    const series = pieces.map(({ colour, values }) => lineSeries(colour, values));
    return { data: [xs, ...pieces.map(({ values }) => [...values])], series };
  }
  const paths = UPlot.paths.bars?.({ size: [0.8, 90] });
  if (paths === undefined) throw new Error('the library of charts has no bars');
  const tops = stacked(figure).map((spans) => spans.map((span) => span?.[1] ?? null));
  const series = pieces.map(({ colour }): UPlot.Series => {
    return { fill: colour, width: 0, paths, points: { show: false } };
  });
  return { data: [xs, ...tops.toReversed()], series: series.toReversed() };
}

function timeAxis(times: readonly string[]): PlotProps['x'] {
  return {
    range: (_, first, last) => [first - 0.5, last + 0.5],
    splits: (plot) => {
      const { min = 0, max = times.length } = plot.scales['x'] ?? {};
      const [from, to] = [Math.max(0, Math.ceil(min)), Math.min(times.length - 1, Math.floor(max))];
      const step = everyNth(to - from + 1, plot.width / MARK_WIDTH);
      // Round years stand under their bars, whatever year is the first.
      const offset = (step - (Number(times[0]) % step)) % step || 0;
      const all = Array.from({ length: Math.ceil(times.length / step) }, (__, index) => offset + index * step);
      return all.filter((index) => index >= from && index <= to);
    },
    text: (index) => times[index] ?? '',
  };
}
