// The legend of a chart, with the figures under its cursor.

import type { VNode } from 'preact';

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** A figure, or the lowest and the highest of several. */
  readonly value: number | readonly [low: number, high: number] | null;
}

interface ChartLegendProps {
  readonly heading: string;
  readonly unit: string;
  readonly entries: readonly LegendEntry[];
}

export function ChartLegend({ heading, unit, entries }: ChartLegendProps): VNode {
  return (
    <div class="legend">
      <p class="soft">
        {heading} · <span class="unit">{unit}</span>
      </p>
      <ul>
        {entries.map(({ name, colour, value }) => (
          <li key={name}>
            <span class="swatch" style={{ background: colour }} />
            <span class="text">{name}</span>
            <span class="count">{value === null ? '–' : figureText(value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the legend shows, as a sentence: only what has a figure. */
export function figuresSentence(heading: string, unit: string, entries: readonly LegendEntry[]): string {
  const figures = entries.flatMap(({ name, value }) => (value === null ? [] : [`${name} ${figureText(value)}`]));
  return figures.length === 0 ? `${heading}: no figure` : `${heading}, ${unit}: ${figures.join('; ')}`;
}

function figureText(value: number | readonly [number, number]): string {
  if (typeof value !== 'number') return value.map(figureText).join(' to ');
  const digits = Math.abs(value) >= 1000 ? 0 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
