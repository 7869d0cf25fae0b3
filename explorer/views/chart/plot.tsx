// Draws a chart on the screen with uPlot: a cursor that follows the pointer or the arrow keys, zoom by dragging, and a
// legend with the figures under the cursor.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { combineStops } from '../../session/combine-stops';
import { listen, observeSize } from '../parts/browser';
import {
  type Chart,
  type DrawnColumn,
  formatPosition,
  formatTick,
  getDrawnColumns,
  listLinePoints,
  stackColumns,
} from './chart';

interface PlotProps {
  readonly chart: Chart;
}

export function Plot({ chart }: PlotProps): VNode {
  const [index, setIndex] = useState<number>();
  return (
    <>
      <Canvas chart={chart} onPoint={setIndex} />
      <div class="legend">
        <p class="soft">
          {index === undefined ? chart.axis.heading : formatHeading(chart, index)} ({chart.unit})
        </p>
        <ul>
          {listEntries(chart, index).map(({ label, color, figure, isBand }) => (
            <li key={label}>
              <span class={isBand ? 'swatch band' : 'swatch'} style={{ background: color }} />
              <span class="text">{label}</span>
              <span class="count">{figure ?? '–'}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** The legend entries with the figures of one position, or with sums. */
function listEntries({ legend, bands }: Chart, index: number | undefined) {
  return [
    ...legend.map(({ label, color = 'transparent', values, sum }) => {
      return { label, color, figure: formatFigure(index === undefined ? sum : values[index]), isBand: false };
    }),
    ...bands.map(({ label, color, spans }) => {
      const figure = index === undefined ? undefined : spans[index]?.map(formatFigure).join(' to ');
      return { label, color: color + BAND_OPACITY, figure, isBand: true };
    }),
  ];
}

function formatFigure(value: number | null | undefined): string | undefined {
  return value?.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 0 : 3 });
}

function formatHeading({ axis, positions }: Chart, index: number): string {
  return axis.format(positions[index] ?? 0);
}

/** The legend entries that have a figure, as a sentence. */
function describeFigures(chart: Chart, index: number): string {
  const figures = listEntries(chart, index).flatMap(({ label, figure }) =>
    figure === undefined ? [] : [`${label} ${figure}`],
  );
  const heading = formatHeading(chart, index);
  return figures.length === 0 ? `${heading}: no data` : `${heading}, ${chart.unit}: ${figures.join('; ')}`;
}

interface CanvasProps extends PlotProps {
  /** Called with the index of the position under the cursor. */
  readonly onPoint: (index: number | undefined) => void;
}

/** Announces the figures that the arrow keys select. */
function Canvas({ chart, onPoint }: CanvasProps): VNode {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>();
  const [announcement, setSaid] = useState('');
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const layers = buildLayers(chart);
    const options = {
      ...buildOptions(element, { chart, onPoint }),
      series: [{}, ...layers.map(({ series }) => series)],
    };
    const drawn = new UPlot(options, [[...chart.positions], ...layers.map(({ values }) => values)], element);
    plot.current = drawn;
    return combineStops([
      observeSize(element, ({ clientWidth: width, clientHeight: height }) => drawn.setSize({ width, height })),
      // The library paints the axes, so style sheets do not affect them; they are repainted. The visible range is kept.
      listen(matchMedia('(prefers-color-scheme: dark)'), 'change', () => drawn.redraw(false)),
      () => drawn.destroy(),
    ]);
  }, [chart]);
  return (
    <>
      <p class="unseen" role="status">
        {announcement}
      </p>
      <div
        class="plot"
        ref={container}
        role="img"
        aria-label={`${chart.title}, ${chart.subject}`}
        // Focusable, because the arrow keys move through the figures in the legend.
        tabIndex={0}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          const drawn = plot.current;
          const last = chart.positions.length - 1;
          if (step === undefined || drawn === undefined || last < 0) return;
          event.preventDefault();
          const previousIndex = drawn.cursor.idx ?? (step > 0 ? -1 : last + 1);
          const next = Math.max(0, Math.min(last, previousIndex + step));
          drawn.setCursor({ left: drawn.valToPos(chart.positions[next] ?? 0, 'x'), top: 0 });
          setSaid(describeFigures(chart, next));
        }}
      />
    </>
  );
}

interface Layer {
  readonly series: UPlot.Series;
  readonly values: (number | null | undefined)[];
}

/** The series for the library, back to front. A band is drawn between two invisible series. */
function buildLayers(chart: Chart): readonly Layer[] {
  const noLine = { width: 0, points: { show: false } };
  if (!chart.isStacked) {
    const edges = chart.bands.flatMap(({ spans }) => [1, 0].map((end) => spans.map((span) => span?.[end] ?? null)));
    return [
      ...edges.map((values) => ({ series: noLine, values })),
      ...getDrawnColumns(chart).map((column) => ({ series: buildLineSeries(column), values: [...column.values] })),
    ];
  }
  const paths = UPlot.paths.bars?.({ size: [0.8, 90] });
  if (paths === undefined) throw new Error('the library of charts has no bars');
  // The highest bars are behind the lower ones.
  const bars = stackColumns(chart).map(({ color, spans }) => ({
    series: { ...noLine, fill: color, paths },
    values: spans.map((span) => span?.[1] ?? null),
  }));
  return bars.toReversed();
}

/** The opacity of a band, as two hexadecimal digits after its color. */
const BAND_OPACITY = '33';

/** Lines with fewer positions have a dot at each point. */
const FEW_POINTS = 200;

/** Isolated points are always dots. */
function buildLineSeries(column: DrawnColumn): UPlot.Series {
  const show = column.values.length < FEW_POINTS;
  const alone = listLinePoints(column).filter(({ isFirst, isLast }) => isFirst && isLast);
  const filter = show ? null : alone.map(({ index }) => index);
  return { stroke: column.color, width: 1.25, points: { show, size: 4, filter: () => filter } };
}

function buildOptions(element: HTMLElement, { chart, onPoint }: CanvasProps): Omit<UPlot.Options, 'series'> {
  const style = getComputedStyle(element);
  const lines = { stroke: () => style.getPropertyValue('--line'), width: 1 };
  const text = { stroke: () => style.getPropertyValue('--soft'), font: `12px ${style.fontFamily}` };
  const axis = { ...text, grid: lines, ticks: lines };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    scales: {
      // Half a position of margin on both sides, so that a single bar has a width.
      x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] },
      y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.06 } } },
    },
    axes: [
      {
        ...axis,
        splits: ({ width }, _, first, last) => [...chart.axis.getTicks(first, last, width)],
        values: (_, values) => values.map((value) => formatPosition(chart, value)),
      },
      { ...axis, size: 84, values: (_, values) => values.map(formatTick) },
    ],
    bands: chart.bands.map(({ color }, index) => ({
      series: [2 * index + 1, 2 * index + 2],
      fill: color + BAND_OPACITY,
    })),
    cursor: { y: false, drag: { x: true, y: false } },
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
    },
  };
}
