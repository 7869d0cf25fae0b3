// Records within bounds of a column of several chunks, against a plain scan of its numbers (D35).

import fc from 'fast-check';
import { ColumnChunks } from '../../data-loaders/build/record-columns';
import { recordsWithNumber } from '../../shared/search/column-ranges';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import type { ReleaseReader } from '../../shared/store/port';

interface Release {
  readonly reader: ReleaseReader;
  /** The artifacts that were read, in order. */
  readonly read: string[];
}

/** A release that has the numbers as its column `flow`, and nothing else. */
function releaseOf(numbers: readonly number[]): Release {
  const artifacts = new Map<string, Uint8Array>();
  const column = new ColumnChunks('flow', 'numbers', { addArtifact: (name, content) => artifacts.set(name, content) });
  for (const number of numbers) column.add(number);
  column.flush();
  artifacts.set('columns', Buffer.from(JSON.stringify({ bounds: { flow: column.bounds } })));
  const read: string[] = [];
  const reader: Partial<ReleaseReader> = {
    facts: { releaseId: 'r', records: numbers.length } as ReleaseReader['facts'],
    artifact: (name) => {
      read.push(name);
      return Promise.resolve(artifacts.get(name));
    },
  };
  return { reader: reader as ReleaseReader, read }; // Nothing else of it is asked for.
}

/** Three chunks: small numbers and gaps, gaps alone, large numbers. */
const numbers = Array.from({ length: 2 * CHUNK_RECORDS + 100 }, (_, record) => {
  if (record >= 2 * CHUNK_RECORDS) return 1000 + (record % 7);
  return record >= CHUNK_RECORDS || record % 5 === 0 ? NaN : (record % 97) - 48.5;
});

const bound = fc.constantFrom(undefined, -100, -48.5, -1, 0.5, 48.5, 999, 1000, 1003, 2000);

test('finds what a plain scan finds, among all records and among candidates', async () => {
  const { reader } = releaseOf(numbers);
  const caches = createSearchCaches(10_000_000);
  const steps = fc.constantFrom(1, 13, 30_011, 70_000);
  await fc.assert(
    fc.asyncProperty(bound, bound, steps, fc.nat(200), async (least, most, step, first) => {
      const range = {
        member: { kind: 'number', column: 'flow' },
        ...(least !== undefined && { least }),
        ...(most !== undefined && { most }),
      } as const;
      const isWithin = (record: number): boolean => {
        const number = numbers[record] ?? NaN;
        return number >= (least ?? -Infinity) && number <= (most ?? Infinity);
      };
      const candidates = [...numbers.keys()].filter((record) => record >= first && (record - first) % step === 0);
      const among = await recordsWithNumber(range, { reader, caches }, Uint32Array.from(candidates));
      expect([...among.numbers()]).toEqual(candidates.filter(isWithin));
      const all = await recordsWithNumber(range, { reader, caches });
      expect(all.size).toBe([...numbers.keys()].filter(isWithin).length);
    }),
    { numRuns: 30 },
  );
});

test('reads only chunks that can hold such a record, and of these only those that hold a candidate', async () => {
  const readsOf = async (least: number, candidates?: readonly number[]): Promise<readonly string[]> => {
    const { reader, read } = releaseOf(numbers);
    const caches = createSearchCaches(10_000_000);
    const range = { member: { kind: 'number', column: 'flow' }, least } as const;
    if (candidates === undefined) await recordsWithNumber(range, { reader, caches });
    else await recordsWithNumber(range, { reader, caches }, Uint32Array.from(candidates));
    return read;
  };
  expect(await readsOf(-50)).toEqual(['columns', 'flow.0', 'flow.2']);
  expect(await readsOf(100)).toEqual(['columns', 'flow.2']);
  expect(await readsOf(5000)).toEqual(['columns']);
  expect(await readsOf(-50, [1, CHUNK_RECORDS + 1])).toEqual(['columns', 'flow.0']);
});
