import fc from 'fast-check';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import { AllRecords, ListedRecords } from '../../shared/search/index/record-set';
import type { Axis } from '../../shared/aggregate/axes';
import { CellNumbers, readClasses, stridesOf } from '../../shared/aggregate/cells';
import { addCodes } from '../../shared/aggregate/scan';
import { chunksOf } from '../../shared/aggregate/record-runs';
import { CellPlaces } from '../../shared/aggregate/place-counts';
import { MOST_ROWS, RowNumbers, TotalsRows } from '../../shared/aggregate/totals';
import { Statistics } from '../../shared/aggregate/statistics';
import { plainSum } from '../fixtures/plain-totals';

/** The statistics of values that all stand in group 0. */
function statisticsOf(values: readonly number[]): Statistics {
  const statistics = new Statistics(1);
  statistics.grow(1);
  const positions = Uint32Array.from(values, (_, position) => position);
  statistics.addValues(0, new Uint32Array(values.length), positions, Float64Array.from(values));
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

test('without a value there is neither sum nor range', () => {
  expect(statisticsOf([NaN]).measured(0, 0)).toEqual({ count: 0, sum: null, mean: null, lowest: null, highest: null });
});

test('sums stay finite and exact on the way beyond all doubles and back', () => {
  expect(statisticsOf([1.7e308, 1.7e308, -1.7e308]).measured(0, 0)).toMatchObject({ sum: 1.7e308 });
  expect(statisticsOf([1.7e308, 1.7e308, 5, -1.7e308, -1.7e308]).measured(0, 0)).toMatchObject({ sum: 5, mean: 1 });
  const least = -Number.MAX_VALUE;
  expect(statisticsOf([least]).measured(0, 0)).toEqual({
    count: 1,
    ...{ sum: least, mean: least },
    ...{ lowest: least, highest: least },
  });
});

test('a sum that is no double is none, and the mean is still there', () => {
  expect(statisticsOf([1e308, 1e308, 1e308]).measured(0, 0)).toMatchObject({ count: 3, sum: null, mean: 1e308 });
  const most = Number.MAX_VALUE;
  expect(statisticsOf([most, most, most]).measured(0, 0)).toMatchObject({ sum: null, mean: most, highest: most });
});

test('sums of amounts and of the largest doubles are exact, however they are spread over releases', () => {
  const value = fc.oneof(
    fc.integer({ min: -1e9, max: 1e9 }).map((eighths) => eighths / 8),
    fc.double({ min: 2 ** 1020, max: Number.MAX_VALUE, noNaN: true }),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 1023, -(2 ** 1023)),
  );
  const values = fc.array(value, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(values, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.nat(6), (some, isBack, cut) => {
      // Some of the values are taken back, so that much of the sum cancels.
      const all = [...some, ...some.filter((_, index) => isBack[index]).map((one) => -one)];
      const exact = plainSum(all);
      const merged = new Statistics(1);
      merged.grow(1);
      for (const part of [all.slice(0, cut), all.slice(cut)]) merged.merge(0, statisticsOf(part), 0);
      for (const { sum, mean } of [statisticsOf(all).measured(0, 0), merged.measured(0, 0)]) {
        if (sum === null) expect(Math.abs(exact)).toBe(Infinity);
        else expect(Math.abs(sum - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-14);
        expect(Math.abs(mean ?? NaN)).toBeLessThanOrEqual(Number.MAX_VALUE);
      }
    }),
    { numRuns: 500 },
  );
});

test('keys tell all combinations of classes apart, by a table and by hashing', () => {
  for (const classes of [
    [3, 5, 2],
    [3, 70_000, 30_000, 5],
  ]) {
    const { strides, space } = stridesOf(classes);
    const cells = new CellNumbers(space);
    const chosen = Array.from({ length: 20 }, (_, index) => classes.map((count) => (index * 7919) % count));
    const positions = Uint32Array.from(chosen, (_, position) => position);
    const keys = cells.newKeys(20);
    strides.forEach((stride, axis) => {
      const codes = Uint32Array.from(chosen, (combination) => combination[axis] ?? 0);
      const addends = cells.newKeys(Math.max(...codes) + 1);
      codes.forEach((code) => (addends[code] = code * stride));
      addCodes(keys, positions, { codes, addends });
    });
    const numbers = new Uint32Array(20);
    cells.numberAll(keys, 20, numbers);
    const read = [...numbers].map((cell) => {
      const found: number[] = [];
      readClasses(cells.keyOf(cell), strides, found);
      return found;
    });
    expect(read).toEqual(chosen);
    expect([...keys].map((key) => cells.numberOf(key))).toEqual([...numbers]);
  }
});

test('combinations of values are numbered as they come first, and read back', () => {
  const numbers = fc.integer({ min: 0, max: 2 ** 26 - 1 });
  const combinations = fc.array(fc.tuple(fc.nat(3), numbers, fc.nat(2)), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(combinations, (all) => {
      const rows = new RowNumbers(3);
      const distinct = [...new Map(all.map((values) => [values.join(), values])).values()];
      expect(distinct.map((values) => rows.numberOf(values))).toEqual(distinct.map((_, number) => number));
      expect(all.every((values) => distinct[rows.numberOf(values)]?.join() === values.join())).toBe(true);
      const read = rows.values();
      expect(distinct.map((_, number) => read.map((level) => level[number]))).toEqual(distinct);
    }),
    { numRuns: 30 },
  );
});

test('found records are cut at the chunks of the columns, and chunks without any are left out', () => {
  const numbers = Uint32Array.of(0, 7, CHUNK_RECORDS - 1, CHUNK_RECORDS, 3 * CHUNK_RECORDS + 2);
  const chunks = chunksOf(new ListedRecords(numbers), 4 * CHUNK_RECORDS);
  expect(chunks.map(({ number, positions }) => [number, [...positions]])).toEqual([
    [0, [0, 7, CHUNK_RECORDS - 1]],
    [1, [0]],
    [3, [2]],
  ]);
  const whole = chunksOf(new AllRecords(CHUNK_RECORDS + 1), CHUNK_RECORDS + 1);
  expect(whole.map(({ first, positions }) => [first, positions.length, positions.at(-1)])).toEqual([
    [0, CHUNK_RECORDS, CHUNK_RECORDS - 1],
    [CHUNK_RECORDS, 1, 0],
  ]);
});

/** Merges a scan of so many cells, each of which is a row. */
function mergedRows(count: number): TotalsRows | undefined {
  const classes = 2 * MOST_ROWS;
  const axis: Axis = { column: 'place', classOf: new Uint32Array(), classes, valuesOf: (of) => [of], isSingle: true };
  const statistics = new Statistics(2);
  statistics.grow(count);
  const cells = new CellNumbers(classes);
  for (let key = 0; key < count; key++) cells.numberOf(key);
  const rows = new TotalsRows('WaterAllocations', []);
  return rows.merge({ cells, statistics, places: undefined }, [axis]) ? rows : undefined;
}

test('100,000 rows are an answer, one more is too many (D40, D52)', () => {
  expect(mergedRows(MOST_ROWS)?.inOrder().count).toBe(MOST_ROWS);
  expect(mergedRows(MOST_ROWS + 1)).toBeUndefined();
});

test('a place counts once in each row, in whichever order records and their places come', () => {
  const record = fc.record({ cell: fc.nat(4), code: fc.nat(7) });
  const sets = [
    [0, 3],
    [1, 2, 4],
  ];
  const rowsOfCells = [[0], [1], [0, 1], [2], [1, 2]];
  fc.assert(
    fc.property(fc.array(record, { maxLength: 60 }), (records) => {
      const codes = Uint32Array.from(records, ({ code }) => code);
      const places = new CellPlaces({ codes, sets, places: 5, isInOrder: false, byteLength: 0 }, undefined);
      const all = Uint32Array.from(records, (_, position) => position);
      places.addAll(
        Uint32Array.from(records, ({ cell }) => cell),
        0,
        all,
      );
      const statistics = new Statistics(1);
      statistics.grow(3);
      places.countIn(rowsOfCells, 3, statistics);
      const expected = [0, 1, 2].map((row) => {
        const inRow = records.filter(({ cell }) => rowsOfCells[cell]?.includes(row));
        return new Set(inRow.flatMap(({ code }) => (code === 0 ? [] : code <= 5 ? [code - 1] : (sets[code - 6] ?? []))))
          .size;
      });
      expect([0, 1, 2].map((row) => statistics.placesOf(row))).toEqual(expected);
    }),
  );
});
