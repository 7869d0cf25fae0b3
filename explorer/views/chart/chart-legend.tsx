// The legend of a chart, with the figures under its cursor. It is read out when they change.

import type { VNode } from 'preact';

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly value: number | null;
}

interface ChartLegendProps {
  readonly heading: string;
  readonly unit: string;
  readonly entries: readonly LegendEntry[];
}

export function ChartLegend({ heading, unit, entries }: ChartLegendProps): VNode {
  return (
    <div class="legend" aria-live="polite">
      <p class="soft">
        {heading} <span class="unit">{unit}</span>
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

function figureText(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
