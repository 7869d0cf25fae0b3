// Totals over records: sums are exact, each combination of groups has its own cell, and rows are limited (D40, D52).

import fc from 'fast-check';
import type { Axis } from '../../shared/aggregate/axes';
import { addCodes, CellNumbers, computeStrides, readClasses } from '../../shared/aggregate/cells';
import { Statistics } from '../../shared/aggregate/statistics';
import { MAX_ROWS, TotalsRows } from '../../shared/aggregate/totals-rows';
import { sumExactly } from '../fixtures/plain-totals';

/** Computes the statistics of values that are all in group 0. */
function computeStatistics(values: readonly number[]): Statistics {
  const statistics = new Statistics(1);
  statistics.grow(1);
  const positions = Uint32Array.from(values, (_, position) => position);
  statistics.addValues(0, new Uint32Array(values.length), positions, Float64Array.from(values));
  return statistics;
}

test('sums of amounts and of the largest doubles are exact, however they are divided between releases', () => {
  const value = fc.oneof(
    fc.integer({ min: -1e9, max: 1e9 }).map((eighths) => eighths / 8),
    fc.double({ min: 2 ** 1020, max: Number.MAX_VALUE, noNaN: true }),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 1023, -(2 ** 1023)),
  );
  const values = fc.array(value, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(values, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.nat(6), (drawn, isNegated, cut) => {
      // Some values are added again with the opposite sign, so that much of the sum cancels out.
      const all = [...drawn, ...drawn.filter((_, index) => isNegated[index]).map((number) => -number)];
      const exact = sumExactly(all);
      const merged = new Statistics(1);
      merged.grow(1);
      for (const part of [all.slice(0, cut), all.slice(cut)]) merged.merge(0, computeStatistics(part), 0);
      for (const { sum, mean } of [computeStatistics(all).getMeasure(0, 0), merged.getMeasure(0, 0)]) {
        if (sum === null) expect(Math.abs(exact)).toBe(Infinity);
        else expect(Math.abs(sum - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-14);
        expect(Math.abs(mean ?? NaN)).toBeLessThanOrEqual(Number.MAX_VALUE);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a table', [3, 5, 2]],
  ['hashing', [3, 70_000, 30_000, 5]],
])('each combination of classes has its own cell, by %s', (_, classes) => {
  const { strides, space } = computeStrides(classes);
  const cells = new CellNumbers(space);
  const combinations = Array.from({ length: 20 }, (_, index) => classes.map((count) => (index * 7919) % count));
  const positions = Uint32Array.from(combinations, (_, position) => position);
  const keys = new Float64Array(20);
  strides.forEach((stride, axis) => {
    const codes = Uint32Array.from(combinations, (combination) => combination[axis] ?? 0);
    const addends = new Float64Array(Math.max(...codes) + 1);
    for (const code of codes) addends[code] = code * stride;
    addCodes(keys, positions, { codes, addends });
  });
  const numbers = new Uint32Array(20);
  cells.writeNumbers(keys, 20, numbers);
  const classesByCell = [...numbers].map((cell) => {
    const cellClasses: number[] = [];
    readClasses(cells.getKey(cell), strides, cellClasses);
    return cellClasses;
  });
  expect(classesByCell).toEqual(combinations);
  expect([...keys].map((key) => cells.getNumber(key))).toEqual([...numbers]);
});

/** Merges a scan with this many cells, each of which becomes a row; undefined if there are too many. */
function mergeRows(count: number): TotalsRows | undefined {
  const classes = 2 * MAX_ROWS;
  const axis: Axis = {
    column: 'place',
    classByCode: new Uint32Array(),
    classCount: classes,
    getValueNumbers: (classNumber) => [classNumber],
  };
  const statistics = new Statistics(2);
  statistics.grow(count);
  const cells = new CellNumbers(classes);
  for (let key = 0; key < count; key++) cells.getNumber(key);
  const rows = new TotalsRows({ dataSet: 'WaterAllocations', groupBy: [], countsOnce: false });
  return rows.merge({ cells, statistics, places: { countPlaces: () => undefined } }, [axis]) ? rows : undefined;
}

test('allows at most 100,000 rows in an answer (D40, D52)', () => {
  expect(mergeRows(MAX_ROWS)?.sortRows().count).toBe(MAX_ROWS);
  expect(mergeRows(MAX_ROWS + 1)).toBeUndefined();
});
