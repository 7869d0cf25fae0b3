// A plot above its legend, which has the figures under the cursor.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useCallback } from 'preact/hooks';
import { Plot, type PlotProps } from './plot';
import { tickText } from './ticks';

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** A figure, or the lowest and the highest of several. */
  readonly value: number | readonly [low: number, high: number] | null;
}

interface PlotWithLegendProps extends Omit<PlotProps, 'onCursor' | 'sentenceAt' | 'yText'> {
  readonly unit: string;
  /** Above the figures while the cursor is nowhere, and at a place. */
  readonly heading: string;
  readonly headingAt: (index: number) => string;
  readonly entriesAt: (index: number | undefined) => readonly LegendEntry[];
}

export function PlotWithLegend({ unit, heading, headingAt, entriesAt, ...plot }: PlotWithLegendProps): VNode {
  const at = useSignal<number | undefined>(undefined);
  const onCursor = useCallback(
    (index: number | undefined) => {
      at.value = index;
    },
    [at],
  );
  return (
    <>
      <Plot
        {...{ ...plot, onCursor, yText: tickText }}
        sentenceAt={(index) => figuresSentence(headingAt(index), unit, entriesAt(index))}
      />
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
function figuresSentence(heading: string, unit: string, entries: readonly LegendEntry[]): string {
  const figures = entries.flatMap(({ name, value }) => (value === null ? [] : [`${name} ${figureText(value)}`]));
  return figures.length === 0 ? `${heading}: no figure` : `${heading}, ${unit}: ${figures.join('; ')}`;
}

function figureText(value: number | readonly [number, number]): string {
  if (typeof value !== 'number') return value.map(figureText).join(' to ');
  const digits = Math.abs(value) >= 1000 ? 0 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
