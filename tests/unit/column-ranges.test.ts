// Columns of a release are written in chunks, and what lies within bounds is found in them as a plain scan finds it
// (D35, ADR 0059).

import { join } from 'node:path';
import fc from 'fast-check';
import { ColumnChunks, PeriodColumnWriter } from '../../data-loaders/build/record-columns';
import type { Period } from '../../shared/query/condition';
import { recordsWithDates, recordsWithNumber } from '../../shared/search/column-ranges';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import type { ReleaseReader } from '../../shared/store/port';
import { temporaryFolder } from '../fixtures/temporary-folder';

/** A release that has the artifacts and nothing else. `read` gets the names of those that are read. */
function releaseOf(artifacts: ReadonlyMap<string, Uint8Array>, records: number, read: string[] = []): ReleaseReader {
  const reader: Partial<ReleaseReader> = {
    facts: { releaseId: 'r', records } as ReleaseReader['facts'],
    artifact: (name) => {
      read.push(name);
      return Promise.resolve(artifacts.get(name));
    },
  };
  return reader as ReleaseReader; // Nothing else of it is asked for.
}

type Artifacts = Map<string, Uint8Array>;

function chunksOf(type: 'numbers' | 'ordinals', values: Iterable<number>): { artifacts: Artifacts; bounds: unknown } {
  const artifacts: Artifacts = new Map();
  const name = type === 'numbers' ? 'flow' : 'useSet';
  const column = new ColumnChunks(name, type, {
    addArtifact: (chunk, pieces) => artifacts.set(chunk, new Uint8Array(Buffer.concat([...pieces]))),
  });
  for (const value of values) column.add(value);
  column.flush();
  return { artifacts, bounds: column.bounds };
}

describe('numbers', () => {
  /** Three chunks: small numbers and gaps, gaps alone, large numbers. */
  const numbers = Array.from({ length: 2 * CHUNK_RECORDS + 100 }, (_, record) => {
    if (record >= 2 * CHUNK_RECORDS) return 1000 + (record % 7);
    return record >= CHUNK_RECORDS || record % 5 === 0 ? NaN : (record % 97) - 48.5;
  });
  const { artifacts, bounds } = chunksOf('numbers', numbers);
  artifacts.set('columns', Buffer.from(JSON.stringify({ bounds: { flow: bounds } })));
  const member = { kind: 'number', column: 'flow' } as const;

  test('stand in chunks of 65,536 with the lowest and the highest of each, and no chunk is empty', () => {
    expect(bounds).toEqual([[-48.5, 47.5], null, [1000, 1006]]);
    expect([...chunksOf('numbers', numbers.slice(0, CHUNK_RECORDS)).artifacts.keys()]).toEqual(['flow.0']);
  });

  test('those within bounds are what a plain scan finds, among all records and among candidates', async () => {
    const searched = { reader: releaseOf(artifacts, numbers.length), caches: createSearchCaches(10_000_000) };
    const bound = fc.constantFrom(undefined, -100, -48.5, -1, 0.5, 48.5, 999, 1000, 1003, 2000);
    const steps = fc.constantFrom(1, 13, 30_011, 70_000);
    await fc.assert(
      fc.asyncProperty(bound, bound, steps, fc.nat(200), async (least, most, step, first) => {
        const range = { member, ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
        const isWithin = (record: number): boolean => {
          const number = numbers[record] ?? NaN;
          return number >= (least ?? -Infinity) && number <= (most ?? Infinity);
        };
        const candidates = [...numbers.keys()].filter((record) => record >= first && (record - first) % step === 0);
        const among = await recordsWithNumber(range, searched, Uint32Array.from(candidates));
        expect([...among.slice()]).toEqual(candidates.filter(isWithin));
        const all = await recordsWithNumber(range, searched);
        expect(all.size).toBe([...numbers.keys()].filter(isWithin).length);
      }),
      { numRuns: 30 },
    );
  });
});

describe('periods', () => {
  interface Days {
    readonly first: number;
    readonly last: number;
  }

  const file = join(temporaryFolder(), 'codes');

  type FindWithin = (bounds: Period, candidates?: Uint32Array) => Promise<readonly number[]>;

  /** Finds records of a release that has the periods, of all or among candidates. */
  function searchOf(list: readonly (Days | undefined)[]): FindWithin {
    const writer = new PeriodColumnWriter(file);
    for (const item of list) writer.add(item);
    const content = Buffer.concat(Array.from(writer.pieces(), (piece) => Buffer.from(piece)));
    const reader = releaseOf(new Map([['periods', content]]), list.length);
    const searched = { reader, caches: createSearchCaches(1e7) };
    return async (bounds, candidates) => {
      const found = await recordsWithDates({ kind: 'within', dates: 'period', ...bounds }, searched, candidates);
      return [...found.slice()];
    };
  }

  test.each([65_534, 65_535, 65_536, 70_000])('%i distinct periods are told apart', async (count) => {
    const find = searchOf(Array.from({ length: count }, (_, index) => ({ first: index, last: index })));
    expect(await find({ from: count - 2 })).toEqual([count - 2, count - 1]);
    expect(await find({ to: 1 })).toEqual([0, 1]);
    expect(await find({ from: 0 })).toHaveLength(count);
  });
});
