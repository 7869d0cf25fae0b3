// The time column: what is written is read, and a range finds what a plain filter over the periods finds.

import { join } from 'node:path';
import fc from 'fast-check';
import { PeriodColumnWriter } from '../../data-loaders/build/record-columns';
import type { Period } from '../../shared/query/condition';
import { recordsWithDates } from '../../shared/search/column-ranges';
import { readPeriodColumn } from '../../shared/search/index/column-format';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import type { ReleaseReader } from '../../shared/store/port';
import { temporaryFolder } from '../fixtures/temporary-folder';

interface Days {
  readonly first: number;
  readonly last: number;
}

const day = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(-719_528, 2_932_896, 0));
const period = fc.option(
  fc.tuple(day, day).map(([a, b]): Days => ({ first: Math.min(a, b), last: Math.max(a, b) })),
  { nil: undefined },
);
const periods = fc.array(period, { maxLength: 60 });
const range: fc.Arbitrary<Period> = fc.record({ from: day, to: day }, { requiredKeys: [] });

const file = join(temporaryFolder(), 'codes');

function writerOf(list: readonly (Days | undefined)[]): PeriodColumnWriter {
  const writer = new PeriodColumnWriter(file);
  for (const item of list) writer.add(item);
  return writer;
}

function contentOf(list: readonly (Days | undefined)[]): Buffer {
  return Buffer.concat(Array.from(writerOf(list).pieces(), (piece) => Buffer.from(piece)));
}

type FindWithin = (bounds: Period, candidates?: Uint32Array) => Promise<readonly number[]>;

/** Finds records of a release that has the periods and nothing else, of all or among candidates. */
function searchOf(list: readonly (Days | undefined)[]): FindWithin {
  const content = contentOf(list);
  const reader: Partial<ReleaseReader> = {
    facts: { releaseId: 'r', records: list.length } as ReleaseReader['facts'],
    artifact: () => Promise.resolve(content),
  };
  const searched = { reader: reader as ReleaseReader, caches: createSearchCaches(1e7) }; // Nothing else is asked for.
  return async (bounds, candidates) => {
    const found = await recordsWithDates({ kind: 'within', dates: 'period', ...bounds }, searched, candidates);
    return [...found.numbers()];
  };
}

function isWithin(item: Days | undefined, { from, to }: Period): boolean {
  if (item === undefined) return false;
  return (from === undefined || item.first >= from) && (to === undefined || item.last <= to);
}

test('reading what was written is the identity, wherever a store puts the bytes', () => {
  fc.assert(
    fc.property(periods, fc.nat(9), (list, shift) => {
      const content = contentOf(list);
      const moved = new Uint8Array(content.length + shift).subarray(shift);
      moved.set(content);
      const { codes, periods: days } = readPeriodColumn(moved);
      const read = Array.from(codes, (code) => (code === 0 ? undefined : [days[2 * code], days[2 * code + 1]]));
      expect(read).toEqual(list.map((item) => item && [item.first, item.last]));
    }),
  );
});

test('a range finds the records whose whole period lies within it', async () => {
  await fc.assert(
    fc.asyncProperty(periods, range, async (list, bounds) => {
      const expected = list.flatMap((item, number) => (isWithin(item, bounds) ? [number] : []));
      expect(await searchOf(list)(bounds)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('among candidates it finds those of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      periods,
      range,
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      async (list, bounds, isCandidate) => {
        const candidates = Uint32Array.from(list.keys()).filter((number) => isCandidate[number]);
        const expected = [...candidates].filter((number) => isWithin(list[number], bounds));
        expect(await searchOf(list)(bounds, candidates)).toEqual(expected);
      },
    ),
  );
});

test('the extent is that of all periods', () => {
  fc.assert(
    fc.property(periods, (list) => {
      const dated = list.filter((item) => item !== undefined);
      const expected = {
        first: Math.min(...dated.map(({ first }) => first)),
        last: Math.max(...dated.map(({ last }) => last)),
      };
      expect(writerOf(list).extent()).toEqual(dated.length === 0 ? undefined : expected);
    }),
  );
});

test.each([65_534, 65_535, 65_536, 70_000])('%i distinct periods are told apart', async (count) => {
  const list = Array.from({ length: count }, (_, index) => ({ first: index, last: index }));
  const find = searchOf(list);
  expect(await find({ from: count - 2 })).toEqual([count - 2, count - 1]);
  expect(await find({ to: 1 })).toEqual([0, 1]);
  expect(await find({ from: 0 })).toHaveLength(count);
});
