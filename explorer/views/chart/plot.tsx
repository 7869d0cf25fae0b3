// A chart on the screen, by uplot: drawn anew when its figures or the colours of the page change, fitted to its place,
// with a cursor that follows the pointer or the arrow keys, and a zoom into a range that is dragged.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { whenResized } from '../parts/resized';

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
  readonly yText: (y: number) => string;
  /** Called with the place of the figures under the cursor; undefined when it leaves. */
  readonly onCursor: (index: number | undefined) => void;
  /** The figures of a place as a sentence, which is read out when the arrow keys come to it. */
  readonly sentenceAt: (index: number) => string;
}

export function Plot({ label, data, series, bands, x, yText, onCursor, sentenceAt }: PlotProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>();
  const said = useSignal('');
  const isDark = useDarkness();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new UPlot(optionsOf(element, { series, bands, x, yText, onCursor }), data, element);
    plot.current = drawn;
    const stop = whenResized(element, ({ clientWidth, clientHeight }) =>
      drawn.setSize({ width: clientWidth, height: clientHeight }),
    );
    return () => {
      stop();
      drawn.destroy();
    };
  }, [data, series, bands, x, yText, onCursor, isDark]);
  const moveTo = (step: number): void => {
    const drawn = plot.current;
    const xs = data[0];
    if (drawn === undefined || xs.length === 0) return;
    const former = drawn.cursor.idx ?? (step > 0 ? -1 : xs.length);
    const next = Math.max(0, Math.min(xs.length - 1, former + step));
    drawn.setCursor({ left: drawn.valToPos(xs[next] ?? 0, 'x'), top: 0 });
    said.value = sentenceAt(next);
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
    const follow = (): void => {
      isDark.value = query.matches;
    };
    query.addEventListener('change', follow);
    return () => {
      query.removeEventListener('change', follow);
    };
  }, [isDark]);
  return isDark.value;
}

function optionsOf(
  element: HTMLElement,
  { series, bands = [], x, yText, onCursor }: Omit<PlotProps, 'label' | 'data' | 'sentenceAt'>,
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
      { ...axis, size: 84, values: (_, values) => values.map(yText) },
    ],
    series: [{}, ...series],
    bands: [...bands],
    cursor: { y: false, drag: { x: true, y: false } },
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)],
    },
  };
}
