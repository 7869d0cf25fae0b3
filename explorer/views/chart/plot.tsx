// A chart on the screen, by uplot: drawn anew when its figures or the colours of the page change, fitted to its place,
// with a cursor that follows the pointer or the arrow keys, and a zoom into a range that is dragged. Below it stands
// its legend, which has the figures under the cursor.

import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { stopAll } from '../../session/asking';
import { whenHeard, whenResized } from '../parts/browser';
import { drawnOf, linePoints, placeText, stacked, tickText, type Chart, type DrawnColumn } from './chart';

interface PlotProps {
  readonly label: string;
  readonly chart: Chart;
}

export function Plot({ label, chart }: PlotProps): VNode {
  const at = useSignal<number | undefined>(undefined);
  return (
    <>
      <Canvas label={label} chart={chart} at={at} />
      <div class="legend">
        <p class="soft">
          {at.value === undefined ? chart.axis.heading : headingAt(chart, at.value)} ·{' '}
          <span class="unit">{chart.unit}</span>
        </p>
        <ul>
          {entriesAt(chart, at.value).map(({ label: name, colour, figure }) => (
            <li key={name}>
              <span class="swatch" style={{ background: colour }} />
              <span class="text">{name}</span>
              <span class="count">{figure ?? '–'}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  /** Undefined where there is none. */
  readonly figure: string | undefined;
}

/** The figures of a place, or of all places together. */
function entriesAt({ legend, bands }: Chart, at: number | undefined): readonly LegendEntry[] {
  return [
    ...legend.map(({ label, colour = 'transparent', values, sum }) => {
      return { label, colour, figure: figureText(at === undefined ? sum : values[at]) };
    }),
    ...bands.map(({ label, colour, low, high }) => {
      const [least, most] = at === undefined ? [] : [low[at], high[at]].map(figureText);
      return { label, colour, figure: least === undefined ? undefined : `${least} to ${most ?? ''}` };
    }),
  ];
}

function figureText(value: number | null | undefined): string | undefined {
  return value?.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 0 : 3 });
}

function headingAt({ axis, xs }: Chart, at: number): string {
  return axis.textOf(xs[at] ?? 0);
}

/** The legend as a sentence: only what has a figure. */
function figuresSentence(chart: Chart, at: number): string {
  const figures = entriesAt(chart, at).flatMap(({ label, figure }) =>
    figure === undefined ? [] : [`${label} ${figure}`],
  );
  const heading = headingAt(chart, at);
  return figures.length === 0 ? `${heading}: no figure` : `${heading}, ${chart.unit}: ${figures.join('; ')}`;
}

/** `at` has the place of the figures under the cursor. What the arrow keys come to is read out. */
function Canvas({ label, chart, at }: PlotProps & { readonly at: Signal<number | undefined> }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>();
  const said = useSignal('');
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new UPlot(optionsOf(element, chart, at), dataOf(chart), element);
    plot.current = drawn;
    return stopAll([
      whenResized(element, ({ clientWidth: width, clientHeight: height }) => drawn.setSize({ width, height })),
      // The library paints, so style sheets do not reach its axes; the range that is shown stays.
      whenHeard(matchMedia('(prefers-color-scheme: dark)'), 'change', () => drawn.redraw(false)),
      () => drawn.destroy(),
    ]);
  }, [chart]);
  const moveTo = (step: number): void => {
    const drawn = plot.current;
    const { xs } = chart;
    if (drawn === undefined || xs.length === 0) return;
    const former = drawn.cursor.idx ?? (step > 0 ? -1 : xs.length);
    const next = Math.max(0, Math.min(xs.length - 1, former + step));
    drawn.setCursor({ left: drawn.valToPos(xs[next] ?? 0, 'x'), top: 0 });
    said.value = figuresSentence(chart, next);
  };
  return (
    <>
      <p class="unseen" role="status">
        {said.value}
      </p>
      <div
        class="plot"
        ref={place}
        role="img"
        aria-label={label}
        // The arrow keys go through the figures, which the legend then says.
        tabIndex={0}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          moveTo(step);
        }}
      />
    </>
  );
}

/** As the library takes them: the highest bars first, so that those behind show above the ones before them. */
function dataOf(chart: Chart): UPlot.AlignedData {
  const { bands, isStacked } = chart;
  const [xs, drawn] = [[...chart.xs], drawnOf(chart)];
  if (isStacked)
    return [
      xs,
      ...stacked(drawn)
        .map((spans) => spans.map((span) => span?.[1] ?? null))
        .toReversed(),
    ];
  return [xs, ...bands.flatMap(({ high, low }) => [[...high], [...low]]), ...drawn.map(({ values }) => [...values])];
}

/** One for each list of dataOf behind the first. The library draws a band between two series that are not seen. */
function seriesOf(chart: Chart): readonly UPlot.Series[] {
  const drawn = drawnOf(chart);
  if (!chart.isStacked) return [...chart.bands.flatMap(() => [INVISIBLE, INVISIBLE]), ...drawn.map(lineSeries)];
  const paths = UPlot.paths.bars?.({ size: [0.8, 90] });
  if (paths === undefined) throw new Error('the library of charts has no bars');
  return drawn.map(({ colour }) => ({ fill: colour, width: 0, paths, points: { show: false } })).toReversed();
}

const INVISIBLE: UPlot.Series = { width: 0, points: { show: false } };

/** How much of a band's colour is seen, as two digits of base 16 behind it. */
const BAND_OPACITY = '33';

/** So many points are drawn as dots on their line. */
const FEW_POINTS = 200;

/** A point without a neighbour is a dot, however many there are. */
function lineSeries(column: DrawnColumn): UPlot.Series {
  const show = column.values.length < FEW_POINTS;
  const alone = linePoints(column).filter(({ isFirst, isLast }) => isFirst && isLast);
  const filter = show ? null : alone.map(({ at }) => at);
  return { stroke: column.colour, width: 1.25, points: { show, size: 4, filter: () => filter } };
}

function optionsOf(element: HTMLElement, chart: Chart, at: Signal<number | undefined>): UPlot.Options {
  const style = getComputedStyle(element);
  const lines = { stroke: () => style.getPropertyValue('--line'), width: 1 };
  const text = { stroke: () => style.getPropertyValue('--soft'), font: `12px ${style.fontFamily}` };
  const axis = { ...text, grid: lines, ticks: lines };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    scales: {
      // Half a place on both sides, so that a single one has a width.
      x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] },
      y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.06 } } },
    },
    axes: [
      {
        ...axis,
        splits: ({ width }, _, first, last) => [...chart.axis.ticksOf(first, last, width)],
        values: (_, values) => values.map((value) => placeText(chart, value)),
      },
      { ...axis, size: 84, values: (_, values) => values.map(tickText) },
    ],
    series: [{}, ...seriesOf(chart)],
    bands: chart.bands.map(({ colour }, index) => ({
      ...{ series: [2 * index + 1, 2 * index + 2], fill: colour + BAND_OPACITY },
    })),
    cursor: { y: false, drag: { x: true, y: false } },
    hooks: {
      setCursor: [
        ({ cursor }) => {
          at.value = cursor.idx ?? undefined;
        },
      ],
    },
  };
}
