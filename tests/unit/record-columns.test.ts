// Searches in columns that are stored in chunks (D35, ADR 0059) give the results of a plain scan.

import { join } from 'node:path';
import fc from 'fast-check';
import { ColumnChunks } from '../../data-loaders/build/column-chunks';
import { PeriodColumnWriter } from '../../data-loaders/build/period-column';
import type { Period } from '../../shared/query/condition';
import { findRecordsWithDates } from '../../shared/search/date-ranges';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { findRecordsWithNumber } from '../../shared/search/number-ranges';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import type { ReleaseReader } from '../../shared/store/port';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();

/** A release that has only these artifacts. */
function createRelease(artifacts: ReadonlyMap<string, Uint8Array>, records: number): ReleaseReader {
  const reader: Partial<ReleaseReader> = {
    facts: { releaseId: 'r', records } as ReleaseReader['facts'],
    artifact: (name) => Promise.resolve(artifacts.get(name)),
  };
  return reader as ReleaseReader; // The searches read nothing else from the release.
}

function writeChunks(values: Iterable<number>): { artifacts: Map<string, Uint8Array>; bounds: unknown } {
  const artifacts = new Map<string, Uint8Array>();
  const column = new ColumnChunks('flow', 'numbers', {
    addArtifact: (chunk, pieces) => artifacts.set(chunk, new Uint8Array(Buffer.concat([...pieces]))),
  });
  for (const value of values) column.add(value);
  column.flush();
  return { artifacts, bounds: column.bounds };
}

describe('numbers', () => {
  /** Three chunks: small numbers with gaps, only gaps, and large numbers. */
  const numbers = Array.from({ length: 2 * CHUNK_RECORDS + 100 }, (_, record) => {
    if (record >= 2 * CHUNK_RECORDS) return 1000 + (record % 7);
    return record >= CHUNK_RECORDS || record % 5 === 0 ? NaN : (record % 97) - 48.5;
  });
  const { artifacts, bounds } = writeChunks(numbers);
  artifacts.set('columns', Buffer.from(JSON.stringify({ bounds: { flow: bounds } })));
  const member = { kind: 'number', column: 'flow' } as const;

  test('are stored in chunks of 65,536 with the lowest and the highest number of each chunk', () => {
    expect(bounds).toEqual([[-48.5, 47.5], null, [1000, 1006]]);
  });

  test('have no empty chunk after a last chunk that is full', () => {
    expect([...writeChunks(numbers.slice(0, CHUNK_RECORDS)).artifacts.keys()]).toEqual(['flow.0']);
  });

  test('within bounds are the same as in a plain scan, among all records and among candidates', async () => {
    const release = { reader: createRelease(artifacts, numbers.length), caches: createSearchCaches(10_000_000) };
    const bound = fc.constantFrom(undefined, -100, -48.5, -1, 0.5, 48.5, 999, 1000, 1003, 2000);
    const steps = fc.constantFrom(1, 13, 30_011, 70_000);
    await fc.assert(
      fc.asyncProperty(bound, bound, steps, fc.nat(200), async (min, max, step, first) => {
        const range = { member, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
        const isWithin = (record: number): boolean => {
          const number = numbers[record] ?? NaN;
          return number >= (min ?? -Infinity) && number <= (max ?? Infinity);
        };
        const candidates = [...numbers.keys()].filter((record) => record >= first && (record - first) % step === 0);
        const amongCandidates = await findRecordsWithNumber(range, release, Uint32Array.from(candidates));
        expect([...amongCandidates.slice()]).toEqual(candidates.filter(isWithin));
        const amongAll = await findRecordsWithNumber(range, release);
        expect(amongAll.size).toBe([...numbers.keys()].filter(isWithin).length);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([65_534, 65_535, 65_536, 70_000])('distinguishes %i periods', async (count) => {
  const writer = new PeriodColumnWriter(join(folder, 'codes'));
  for (let day = 0; day < count; day++) writer.add({ first: day, last: day });
  const content = Buffer.concat(Array.from(writer.pieces(), (piece) => Buffer.from(piece)));
  const release = { reader: createRelease(new Map([['periods', content]]), count), caches: createSearchCaches(1e7) };
  const find = async (bounds: Period): Promise<readonly number[]> => [
    ...(await findRecordsWithDates({ kind: 'within', dates: 'period', ...bounds }, release)).slice(),
  ];
  expect(await find({ from: count - 2 })).toEqual([count - 2, count - 1]);
  expect(await find({ to: 1 })).toEqual([0, 1]);
  expect(await find({ from: 0 })).toHaveLength(count);
});
