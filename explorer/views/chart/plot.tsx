// A chart on the screen, by uplot: drawn anew when its figures or the colours of the page change, fitted to its place,
// with a cursor that follows the pointer or the arrow keys, and a zoom into a range that is dragged. Below it stands
// its legend, which has the figures under the cursor.

import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { whenHeard, whenResized } from '../parts/browser';
import { tickText } from './ticks';

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** A figure, or the lowest and the highest of several. */
  readonly value: number | readonly [low: number, high: number] | null;
}

export interface PlotProps {
  readonly label: string;
  readonly data: UPlot.AlignedData;
  readonly series: readonly UPlot.Series[];
  readonly bands?: readonly UPlot.Band[] | undefined;
  readonly x: {
    readonly range: UPlot.Range.Function;
    readonly splits?: UPlot.Axis.Splits;
    readonly text: (x: number) => string;
  };
  readonly unit: string;
  /** Above the figures while the cursor is nowhere, and at a place. */
  readonly heading: string;
  readonly headingAt: (index: number) => string;
  readonly entriesAt: (index: number | undefined) => readonly LegendEntry[];
}

export function PlotWithLegend(props: PlotProps): VNode {
  const { unit, heading, headingAt, entriesAt } = props;
  const at = useSignal<number | undefined>(undefined);
  return (
    <>
      <Plot {...props} at={at} />
      <div class="legend">
        <p class="soft">
          {at.value === undefined ? heading : headingAt(at.value)} · <span class="unit">{unit}</span>
        </p>
        <ul>
          {entriesAt(at.value).map(({ name, colour, value }) => (
            <li key={name}>
              <span class="swatch" style={{ background: colour }} />
              <span class="text">{name}</span>
              <span class="count">{value === null ? '–' : figureText(value)}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** The legend as a sentence: only what has a figure. */
function figuresSentence({ unit, headingAt, entriesAt }: PlotProps, index: number): string {
  const figures = entriesAt(index).flatMap(({ name, value }) =>
    value === null ? [] : [`${name} ${figureText(value)}`],
  );
  const heading = headingAt(index);
  return figures.length === 0 ? `${heading}: no figure` : `${heading}, ${unit}: ${figures.join('; ')}`;
}

function figureText(value: number | readonly [number, number]): string {
  if (typeof value !== 'number') return value.map(figureText).join(' to ');
  const digits = Math.abs(value) >= 1000 ? 0 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** `at` has the place of the figures under the cursor. What the arrow keys come to is read out. */
function Plot({ at, ...props }: PlotProps & { readonly at: Signal<number | undefined> }): VNode {
  const { label, data, series, bands, x } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>();
  const said = useSignal('');
  const isDark = useDarkness();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new UPlot(optionsOf(element, props, at), data, element);
    plot.current = drawn;
    const stop = whenResized(element, ({ clientWidth, clientHeight }) =>
      drawn.setSize({ width: clientWidth, height: clientHeight }),
    );
    return () => {
      stop();
      drawn.destroy();
    };
  }, [data, series, bands, x, isDark]);
  const moveTo = (step: number): void => {
    const drawn = plot.current;
    const xs = data[0];
    if (drawn === undefined || xs.length === 0) return;
    const former = drawn.cursor.idx ?? (step > 0 ? -1 : xs.length);
    const next = Math.max(0, Math.min(xs.length - 1, former + step));
    drawn.setCursor({ left: drawn.valToPos(xs[next] ?? 0, 'x'), top: 0 });
    said.value = figuresSentence(props, next);
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

/** Whether the page is dark now: uplot paints, so style sheets do not reach its axes. */
function useDarkness(): boolean {
  const isDark = useSignal(matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    return whenHeard(query, 'change', () => {
      isDark.value = query.matches;
    });
  }, [isDark]);
  return isDark.value;
}

function optionsOf(
  element: HTMLElement,
  { series, bands = [], x }: PlotProps,
  at: Signal<number | undefined>,
): UPlot.Options {
  const style = getComputedStyle(element);
  const axis = {
    stroke: style.getPropertyValue('--soft'),
    grid: { stroke: style.getPropertyValue('--line'), width: 1 },
    ticks: { stroke: style.getPropertyValue('--line'), width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    scales: { x: { time: false, range: x.range }, y: { range: { min: { soft: 0, mode: 1 }, max: { pad: 0.06 } } } },
    axes: [
      { ...axis, ...(x.splits === undefined ? {} : { splits: x.splits }), values: (_, values) => values.map(x.text) },
      { ...axis, size: 84, values: (_, values) => values.map(tickText) },
    ],
    series: [{}, ...series],
    bands: [...bands],
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
