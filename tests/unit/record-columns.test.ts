// Searches in columns that are stored in chunks (D35, ADR 0059) find what a plain scan finds.

import { join } from 'node:path';
import fc from 'fast-check';
import { ColumnChunks, PeriodColumnWriter } from '../../data-loaders/build/record-columns';
import type { Period } from '../../shared/query/condition';
import { findRecordsWithDates, findRecordsWithNumber } from '../../shared/search/column-ranges';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import type { ReleaseReader } from '../../shared/store/port';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();

/** A release that has the artifacts and nothing else. */
function releaseOf(artifacts: ReadonlyMap<string, Uint8Array>, records: number): ReleaseReader {
  const reader: Partial<ReleaseReader> = {
    facts: { releaseId: 'r', records } as ReleaseReader['facts'],
    artifact: (name) => Promise.resolve(artifacts.get(name)),
  };
  return reader as ReleaseReader; // Nothing else of it is asked for.
}

function chunksOf(values: Iterable<number>): { artifacts: Map<string, Uint8Array>; bounds: unknown } {
  const artifacts = new Map<string, Uint8Array>();
  const column = new ColumnChunks('flow', 'numbers', {
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
  const { artifacts, bounds } = chunksOf(numbers);
  artifacts.set('columns', Buffer.from(JSON.stringify({ bounds: { flow: bounds } })));
  const member = { kind: 'number', column: 'flow' } as const;

  test('stand in chunks of 65,536 with the lowest and the highest of each, and no chunk is empty', () => {
    expect(bounds).toEqual([[-48.5, 47.5], null, [1000, 1006]]);
    expect([...chunksOf(numbers.slice(0, CHUNK_RECORDS)).artifacts.keys()]).toEqual(['flow.0']);
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
        const among = await findRecordsWithNumber(range, searched, Uint32Array.from(candidates));
        expect([...among.slice()]).toEqual(candidates.filter(isWithin));
        const all = await findRecordsWithNumber(range, searched);
        expect(all.size).toBe([...numbers.keys()].filter(isWithin).length);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([65_534, 65_535, 65_536, 70_000])('%i distinct periods are told apart', async (count) => {
  const writer = new PeriodColumnWriter(join(folder, 'codes'));
  for (let day = 0; day < count; day++) writer.add({ first: day, last: day });
  const content = Buffer.concat(Array.from(writer.pieces(), (piece) => Buffer.from(piece)));
  const searched = { reader: releaseOf(new Map([['periods', content]]), count), caches: createSearchCaches(1e7) };
  const find = async (bounds: Period): Promise<readonly number[]> => [
    ...(await findRecordsWithDates({ kind: 'within', dates: 'period', ...bounds }, searched)).slice(),
  ];
  expect(await find({ from: count - 2 })).toEqual([count - 2, count - 1]);
  expect(await find({ to: 1 })).toEqual([0, 1]);
  expect(await find({ from: 0 })).toHaveLength(count);
});
