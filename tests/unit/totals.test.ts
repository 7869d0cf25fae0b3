import fc from 'fast-check';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import { AllRecords, ListedRecords } from '../../shared/search/index/record-set';
import type { Axis } from '../../shared/totals/axes';
import { addCodes, CellNumbers, classesOf, stridesOf } from '../../shared/totals/cells';
import { chunksOf, valuesAt } from '../../shared/totals/found-chunks';
import { Statistics } from '../../shared/totals/statistics';
import { MOST_ROWS, TotalsRows } from '../../shared/totals/totals-rows';

/** The statistics of values that all stand in group 0. */
function statisticsOf(values: readonly number[]): Statistics {
  const statistics = new Statistics(1);
  statistics.grow(1);
  statistics.addValues(0, new Uint32Array(values.length), values.length, Float64Array.from(values));
  return statistics;
}

test('sums are compensated: what large values lose comes back', () => {
  expect(statisticsOf([1, 1e100, 1, -1e100]).measured(0, 0).sum).toBe(2);
  expect(statisticsOf(Array.from({ length: 10 }, () => 0.1)).measured(0, 0)).toMatchObject({ sum: 1, mean: 0.1 });
});

test('the order of adding does not show, nor how the values are spread over releases', () => {
  const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.nat(40), (all, cut) => {
      const whole = statisticsOf(all).measured(0, 0);
      expect(statisticsOf([...all].reverse()).measured(0, 0)).toEqual(whole);
      const merged = new Statistics(1);
      merged.grow(1);
      for (const part of [all.slice(0, cut), all.slice(cut)]) merged.merge(0, statisticsOf(part), 0);
      expect(merged.measured(0, 0)).toEqual(whole);
    }),
  );
});

test('without a value there is neither sum nor range, and a sum beyond all doubles is none', () => {
  expect(statisticsOf([NaN]).measured(0, 0)).toEqual({ count: 0, sum: null, mean: null, lowest: null, highest: null });
  expect(statisticsOf([1e308, 1e308, 1e308]).measured(0, 0)).toMatchObject({ count: 3, sum: null, highest: 1e308 });
});

test('keys tell all combinations of classes apart, by a table and by a Map', () => {
  for (const classes of [
    [3, 5, 2],
    [3, 70_000, 30_000, 5],
  ]) {
    const { strides, space } = stridesOf(classes);
    const cells = new CellNumbers(space);
    const chosen = Array.from({ length: 20 }, (_, index) => classes.map((count) => (index * 7919) % count));
    const keys = cells.newKeys(20);
    strides.forEach((stride, axis) => {
      const codes = chosen.map((combination) => combination[axis] ?? 0);
      const addends = cells.newKeys(Math.max(...codes) + 1);
      codes.forEach((code) => (addends[code] = code * stride));
      addCodes(keys, codes, addends, 20);
    });
    const numbers = new Uint32Array(20);
    cells.numberAll(keys, 20, numbers);
    expect([...numbers].map((cell) => classesOf(cells.keys[cell] ?? 0, classes))).toEqual(chosen);
  }
});

test('found records are cut at the chunks of the columns, and chunks without any are left out', () => {
  const numbers = Uint32Array.of(0, 7, CHUNK_RECORDS - 1, CHUNK_RECORDS, 3 * CHUNK_RECORDS + 2);
  const chunks = chunksOf(new ListedRecords(numbers), 4 * CHUNK_RECORDS);
  expect(chunks.map(({ number, positions }) => [number, [...(positions ?? [])]])).toEqual([
    [0, [0, 7, CHUNK_RECORDS - 1]],
    [1, [0]],
    [3, [2]],
  ]);
  const [, second] = chunks;
  if (second !== undefined) expect([...valuesAt(Float64Array.of(1.5, 2), second)]).toEqual([1.5]);
  const whole = chunksOf(new AllRecords(CHUNK_RECORDS + 1), CHUNK_RECORDS + 1);
  expect(whole.map(({ first, count, positions }) => [first, count, positions])).toEqual([
    [0, CHUNK_RECORDS, undefined],
    [CHUNK_RECORDS, 1, undefined],
  ]);
});

/** A scan whose cells are as many rows. */
function rowsOf(cells: number): unknown {
  const classes = 2 * MOST_ROWS;
  const axis: Axis = { column: 'place', classOf: new Uint32Array(classes), classes, valuesOf: (of) => [of] };
  const statistics = new Statistics(2);
  statistics.grow(cells);
  const keys = Array.from({ length: cells }, (_, key) => key);
  return new TotalsRows('WaterAllocations', []).merge({ keys, statistics, cellOfRecord: new Uint32Array() }, [axis]);
}

test('100,000 rows are an answer, one more is too many (D40, D52)', () => {
  expect(rowsOf(MOST_ROWS)).toHaveLength(MOST_ROWS);
  expect(rowsOf(MOST_ROWS + 1)).toBeUndefined();
});
