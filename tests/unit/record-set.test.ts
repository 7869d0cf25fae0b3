// Sets of record numbers behave like sets of numbers in all their representations.

import fc from 'fast-check';
import {
  AllRecords,
  difference,
  intersection,
  ListedRecords,
  NO_RECORDS,
  readRecordSet,
  type RecordSet,
  toRecordSet,
  union,
  writeRecordSet,
} from '../../shared/search/index/record-set';
import { BitSet } from '../../shared/values/bytes/bit-set';

const SIZE = 200;

function sortUnique(list: Iterable<number>): number[] {
  return [...new Set(list)].sort((a, b) => a - b);
}

/** The first and the last number of each run of consecutive numbers. */
function findRuns(numbers: readonly number[]): Uint32Array {
  const runs: number[] = [];
  for (const number of numbers) {
    if (runs.at(-1) === number - 1) runs[runs.length - 1] = number;
    else runs.push(number, number);
  }
  return Uint32Array.from(runs);
}

function createBitSet(numbers: readonly number[], end = SIZE): BitSet {
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
  .map(sortUnique);

const sample: fc.Arbitrary<{ readonly set: RecordSet; readonly numbers: readonly number[] }> = fc.oneof(
  fc.constant({ set: new AllRecords(SIZE), numbers: Array.from({ length: SIZE }, (_, index) => index) }),
  numbers.map((list) => ({ set: new ListedRecords(Uint32Array.from(list)), numbers: list })),
  numbers.map((list) => ({ set: toRecordSet(createBitSet(list)), numbers: list })),
  numbers.map((list) => ({ set: readRecordSet(writeRecordSet(findRuns(list))), numbers: list })),
);

function expectNumbers(set: RecordSet, expected: readonly number[]): void {
  expect(set.size).toBe(expected.length);
  expect([...set.slice()]).toEqual(expected);
}

test('a set contains its numbers, and slices them like an array', () => {
  fc.assert(
    fc.property(sample, fc.nat(SIZE + 10), fc.nat(SIZE + 10), (drawn, a, b) => {
      expectNumbers(drawn.set, drawn.numbers);
      const from = Math.min(a, b);
      const to = Math.max(a, b);
      expect([...drawn.set.slice(from, to)]).toEqual(drawn.numbers.slice(from, to));
      // Every set counts some bytes: four for each listed number, or a few for a set without a list.
      const minBytes = drawn.set.size === 0 ? 0 : Math.min(4, drawn.set.size * 4);
      expect(drawn.set.byteLength).toBeGreaterThanOrEqual(minBytes);
    }),
  );
});

test('unions, intersections and differences equal those of sets of numbers, and do not change their operands', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), sample, (others, first) => {
      const samples = [first, ...others];
      const isInAll = (number: number): boolean => others.every((other) => other.numbers.includes(number));
      const isInOthers = (number: number): boolean => others.some((other) => other.numbers.includes(number));
      const rest = union(others.map(({ set }) => set));
      expectNumbers(rest, sortUnique(others.flatMap((other) => other.numbers)));
      expectNumbers(union(samples.map(({ set }) => set)), sortUnique(samples.flatMap((drawn) => drawn.numbers)));
      expectNumbers(intersection(samples.map(({ set }) => set)), first.numbers.filter(isInAll));
      expectNumbers(
        difference(first.set, rest, SIZE),
        first.numbers.filter((number) => !isInOthers(number)),
      );
      for (const drawn of samples) expectNumbers(drawn.set, drawn.numbers);
    }),
    { numRuns: 200 },
  );
  expectNumbers(intersection([new AllRecords(5), NO_RECORDS]), []);
});

test('keeps numbers above 65,535', () => {
  const runs = Uint32Array.of(1, 1, 65_535, 65_536, 1_000_000, 1_000_100);
  const set = readRecordSet(writeRecordSet(runs));
  expect(set.size).toBe(104);
  expect([...set.slice(0, 4)]).toEqual([1, 65_535, 65_536, 1_000_000]);
});

test('keeps the numbers of a bit set whether they are sparse, dense or missing', () => {
  const few = [0, 1, 65_535, 65_536 + 7];
  const exactly = Array.from({ length: 4096 }, (_, index) => 3 * 65_536 + 16 * index);
  const many = Array.from({ length: 4097 }, (_, index) => 5 * 65_536 + 15 * index);
  const all = Array.from({ length: 65_536 }, (_, index) => 6 * 65_536 + index);
  const numbers = [...few, ...exactly, ...many, ...all, 7 * 65_536 + 31];
  expectNumbers(toRecordSet(createBitSet(numbers, 7 * 65_536 + 32)), numbers);
  expectNumbers(toRecordSet(createBitSet([], 0)), []);
});

test('unites more numbers than the library accepts in one call', () => {
  const many = (first: number): RecordSet =>
    new ListedRecords(Uint32Array.from({ length: 1_200_000 }, (_, at) => 97 * at + first));
  expect(union([many(0), many(1)]).size).toBe(2_400_000);
});
