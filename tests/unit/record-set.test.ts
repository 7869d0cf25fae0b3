// Sets of record numbers behave as sets of numbers, whatever their form, and what identifies records is found again
// where it was written. Sums over records are exact, and their cells told apart.

import fc from 'fast-check';
import type { Axis } from '../../shared/aggregate/axes';
import { addCodes, CellNumbers, readClasses, computeStrides } from '../../shared/aggregate/cells';
import { Statistics } from '../../shared/aggregate/statistics';
import { MAX_ROWS, TotalsRows } from '../../shared/aggregate/totals';
import { readNumbers } from '../../shared/search/index/column-format';
import { findHashChunk, hashDigest, findNumbersWithHash, writeKeyHashes } from '../../shared/search/index/hashes';
import {
  AllRecords,
  difference,
  intersection,
  ListedRecords,
  toRecordSet,
  NO_RECORDS,
  readRecordSet,
  type RecordSet,
  union,
  writeRecordSet,
} from '../../shared/search/index/record-set';
import { BitSet } from '../../shared/values/bytes/bit-set';
import { digestNameOf } from '../../shared/values/digest';
import { plainSum } from '../fixtures/plain-totals';

const SIZE = 200;

const ascending = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** Each number as a run of its own, neighbours joined. */
function runsOf(numbers: readonly number[]): Uint32Array {
  const runs: number[] = [];
  for (const number of numbers) {
    if (runs.at(-1) === number - 1) runs[runs.length - 1] = number;
    else runs.push(number, number);
  }
  return Uint32Array.from(runs);
}

function marked(numbers: readonly number[], end = SIZE): BitSet {
  const set = new BitSet(end);
  for (const number of numbers) set.add(number);
  return set;
}

const numbers = fc
  .oneof(
    fc.array(fc.nat(SIZE - 1)),
    fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)).map(([a, b]) => {
      return Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => Math.min(a, b) + index);
    }),
  )
  .map(ascending);

const sample: fc.Arbitrary<{ readonly set: RecordSet; readonly numbers: readonly number[] }> = fc.oneof(
  fc.constant({ set: new AllRecords(SIZE), numbers: Array.from({ length: SIZE }, (_, index) => index) }),
  numbers.map((list) => ({ set: new ListedRecords(Uint32Array.from(list)), numbers: list })),
  numbers.map((list) => ({ set: toRecordSet(marked(list)), numbers: list })),
  numbers.map((list) => ({ set: readRecordSet(writeRecordSet(runsOf(list))), numbers: list })),
);

function expectNumbers(set: RecordSet, expected: readonly number[]): void {
  expect(set.size).toBe(expected.length);
  expect([...set.slice()]).toEqual(expected);
}

test('a set holds its numbers, and a slice is a slice of them', () => {
  fc.assert(
    fc.property(sample, fc.nat(SIZE + 10), fc.nat(SIZE + 10), (one, a, b) => {
      expectNumbers(one.set, one.numbers);
      const from = Math.min(a, b);
      const to = Math.max(a, b);
      expect([...one.set.slice(from, to)]).toEqual(one.numbers.slice(from, to));
      // A set is never counted as free: a listed number takes four bytes, a set without a list a few bytes for itself.
      const least = one.set.size === 0 ? 0 : Math.min(4, one.set.size * 4);
      expect(one.set.byteLength).toBeGreaterThanOrEqual(least);
    }),
  );
});

test('unions, intersections and differences are those of sets of numbers, and leave their operands as they were', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), sample, (others, first) => {
      const samples = [first, ...others];
      const isInAll = (number: number): boolean => others.every((other) => other.numbers.includes(number));
      const isInOthers = (number: number): boolean => others.some((other) => other.numbers.includes(number));
      const rest = union(others.map((one) => one.set));
      expectNumbers(rest, ascending(others.flatMap((one) => one.numbers)));
      expectNumbers(union(samples.map((one) => one.set)), ascending(samples.flatMap((one) => one.numbers)));
      expectNumbers(intersection(samples.map((one) => one.set)), first.numbers.filter(isInAll));
      expectNumbers(
        difference(first.set, rest, SIZE),
        first.numbers.filter((number) => !isInOthers(number)),
      );
      for (const one of samples) expectNumbers(one.set, one.numbers);
    }),
    { numRuns: 200 },
  );
  expectNumbers(intersection([new AllRecords(5), NO_RECORDS]), []);
});

test('numbers beyond 65,535 are kept', () => {
  const runs = Uint32Array.of(1, 1, 65_535, 65_536, 1_000_000, 1_000_100);
  const set = readRecordSet(writeRecordSet(runs));
  expect(set.size).toBe(104);
  expect([...set.slice(0, 4)]).toEqual([1, 65_535, 65_536, 1_000_000]);
});

test('marked numbers are kept where they are few, where they are many, and where there are none between them', () => {
  const few = [0, 1, 65_535, 65_536 + 7];
  const exactly = Array.from({ length: 4096 }, (_, index) => 3 * 65_536 + 16 * index);
  const many = Array.from({ length: 4097 }, (_, index) => 5 * 65_536 + 15 * index);
  const all = Array.from({ length: 65_536 }, (_, index) => 6 * 65_536 + index);
  const numbers = [...few, ...exactly, ...many, ...all, 7 * 65_536 + 31];
  expectNumbers(toRecordSet(marked(numbers, 7 * 65_536 + 32)), numbers);
  expectNumbers(toRecordSet(marked([], 0)), []);
});

test('unites more numbers than the library takes at once', () => {
  const many = (first: number): RecordSet =>
    new ListedRecords(Uint32Array.from({ length: 1_200_000 }, (_, at) => 97 * at + first));
  expect(union([many(0), many(1)]).size).toBe(2_400_000);
});

test.each([0, 1, 3, 65_536, 65_537, 150_000])('of %d records each is in its chunk', (count) => {
  const digests = Array.from({ length: count }, (_, record) => digestNameOf(String(record)));
  // Two records of one hash.
  if (count > 2) digests[2] = `${(digests[1] ?? '').slice(0, 8)}ffffffffffffffffffffffff`;
  const chunks: Uint8Array[] = [];
  const hashes = digests.map(hashDigest);
  writeKeyHashes({ length: count, batches: () => [hashes.slice(0, 100), hashes.slice(100)] }, (chunk, content) => {
    expect(chunk).toBe(chunks.push(content) - 1);
  });
  expect(chunks).toHaveLength(Math.ceil(count / 65_536));
  const read = chunks.map(readNumbers);
  const missed = digests.filter((digest, record) => {
    const chunk = read[findHashChunk(hashDigest(digest), count)];
    return chunk === undefined || !findNumbersWithHash(chunk, hashDigest(digest)).includes(record);
  });
  expect(missed).toEqual([]);
  if (read[0] !== undefined && count > 2) {
    const shared = read[findHashChunk(hashDigest(digests[1] ?? ''), count)] ?? new Float64Array();
    expect(findNumbersWithHash(shared, hashDigest(digests[2] ?? ''))).toEqual(expect.arrayContaining([1, 2]));
  }
});

/** The statistics of values that all stand in group 0. */
function statisticsOf(values: readonly number[]): Statistics {
  const statistics = new Statistics(1);
  statistics.grow(1);
  const positions = Uint32Array.from(values, (_, position) => position);
  statistics.addValues(0, new Uint32Array(values.length), positions, Float64Array.from(values));
  return statistics;
}

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
      for (const { sum, mean } of [statisticsOf(all).getMeasure(0, 0), merged.getMeasure(0, 0)]) {
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
    const { strides, space } = computeStrides(classes);
    const cells = new CellNumbers(space);
    const chosen = Array.from({ length: 20 }, (_, index) => classes.map((count) => (index * 7919) % count));
    const positions = Uint32Array.from(chosen, (_, position) => position);
    const keys = new Float64Array(20);
    strides.forEach((stride, axis) => {
      const codes = Uint32Array.from(chosen, (combination) => combination[axis] ?? 0);
      const addends = new Float64Array(Math.max(...codes) + 1);
      codes.forEach((code) => (addends[code] = code * stride));
      addCodes(keys, positions, { codes, addends });
    });
    const numbers = new Uint32Array(20);
    cells.writeNumbers(keys, 20, numbers);
    const read = [...numbers].map((cell) => {
      const found: number[] = [];
      readClasses(cells.getKey(cell), strides, found);
      return found;
    });
    expect(read).toEqual(chosen);
    expect([...keys].map((key) => cells.getNumber(key))).toEqual([...numbers]);
  }
});

/** Merges a scan of so many cells, each of which is a row. */
function mergedRows(count: number): TotalsRows | undefined {
  const classes = 2 * MAX_ROWS;
  const axis: Axis = {
    column: 'place',
    classByCode: new Uint32Array(),
    classCount: classes,
    getValueNumbers: (of) => [of],
  };
  const statistics = new Statistics(2);
  statistics.grow(count);
  const cells = new CellNumbers(classes);
  for (let key = 0; key < count; key++) cells.getNumber(key);
  const rows = new TotalsRows('WaterAllocations', []);
  return rows.merge({ cells, statistics, places: { countPlaces: () => undefined } }, [axis]) ? rows : undefined;
}

test('100,000 rows are an answer, one more is too many (D40, D52)', () => {
  expect(mergedRows(MAX_ROWS)?.sortRows().count).toBe(MAX_ROWS);
  expect(mergedRows(MAX_ROWS + 1)).toBeUndefined();
});
