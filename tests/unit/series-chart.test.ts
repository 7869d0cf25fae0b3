// The chart of a series (D49): whatever the amounts are, the drawing stays in the picture, and small.

import fc from 'fast-check';
import { seriesChart } from '../../shared/http/pages/charts';
import type { SeriesFigures } from '../../shared/http/pages/series-figures';

interface Amount {
  readonly first: number;
  readonly days: number;
  readonly value: number | null;
}

function seriesOf(amounts: readonly Amount[]): SeriesFigures {
  const timeframes = amounts
    .toSorted((a, b) => a.first - b.first)
    .map(({ first, days, value }) => ({
      ...{ time: { first, last: first + days - 1 }, records: 1, count: value === null ? 0 : 1 },
      ...{ sum: value, mean: value, lowest: value, highest: value },
    }));
  const counted = { variable: 0, records: amounts.length, years: 1, days: undefined };
  return { variable: { AmountUnitCV: 'AF' }, counted, years: [], timeframes };
}

function chartOf(amounts: readonly Amount[]): string {
  const chart = seriesChart(seriesOf(amounts), 'Flow');
  return chart === '' ? '' : chart.text;
}

const amount = fc.record({
  first: fc.integer({ min: -40_000, max: 40_000 }),
  days: fc.oneof(fc.constantFrom(1, 31, 365), fc.integer({ min: 1, max: 2_000 })),
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), { freq: 9 }),
});

test('every point of any series is in the picture, and there are no more than can be seen', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 700 }), (amounts) => {
      const text = chartOf(amounts);
      expect(text === '').toBe(amounts.filter(({ value }) => value !== null).length < 2);
      expect(text).not.toMatch(/NaN|Infinity/);
      const [, line = ''] = /class="line" d="([^"]*)"/.exec(text) ?? [];
      const points = [...line.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)];
      expect(points.length).toBeLessThanOrEqual(2 * 301);
      for (const [, x, y] of points) {
        expect([Number(x) >= 52, Number(x) <= 352, Number(y) >= 22, Number(y) <= 168]).toEqual([
          ...[true, true, true, true],
        ]);
      }
      for (const [, x] of text.matchAll(/<text x="([-\d.]+)"/g)) expect(Number(x)).toBeLessThanOrEqual(352);
    }),
    { seed: 20_261_122, numRuns: 40 },
  );
});
