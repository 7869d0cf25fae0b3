// A plain scan finds what is found in columns in chunks (D35, ADR 0059), and in an index of names over so many terms
// that beginnings have blocks of their own. Rows on disk come back in their order.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { NameIndexWriter } from '../../data-loaders/build/name-index';
import { ColumnChunks, PeriodColumnWriter } from '../../data-loaders/build/record-columns';
import type { AllocationRow } from '../../data-loaders/format/amount-definitions';
import { SortedRuns } from '../../data-loaders/stage/sorted-runs';
import { Staging } from '../../data-loaders/stage/staging';
import type { Period } from '../../shared/query/condition';
import { findRecordsWithDates, findRecordsWithNumber } from '../../shared/search/column-ranges';
import { readNameDirectory } from '../../shared/search/index/name-index';
import { findThingsByMatch, findPlacesWithWords, findRightsWithWords } from '../../shared/search/index/name-words';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import type { ReleaseReader } from '../../shared/store/port';
import { anyText } from '../fixtures/any-text';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();

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

describe('names', () => {
  const PLACES = 6_000;
  const RIGHTS = 9_000;

  const nameOf = (rank: number): string => (rank % 3 === 0 ? `Upper Well ${rank}` : `Well Upper ${rank} \u{10400}`);
  const identifiersOf = (rank: number): readonly string[] => [`XX_S${rank}`, `\u{10400}${rank}`];
  const rightOf = (record: number): string => `XX_WR${record}`;

  const blocks: Uint8Array[] = [];
  let directory = new Uint8Array();

  beforeAll(async () => {
    const staging = new Staging(join(folder, 'names'), {
      log: () => undefined,
      now: () => new Date(),
      isToStop: () => false,
    });
    const names = new NameIndexWriter(staging);
    for (let rank = 0; rank < PLACES; rank++) names.addPlace({ name: nameOf(rank), identifiers: identifiersOf(rank) });
    staging.saveRuns();
    for (let record = 0; record < RIGHTS; record++) {
      // Nothing else of the row is read.
      names.addRight({ AllocationUUID: rightOf(record), AllocationNativeID: null } as AllocationRow);
    }
    // Each tenth place has no records.
    for (let rank = 0; rank < PLACES; rank++) names.countPlaces([rank], rank % 10);
    await names.finish({
      addFragment: (_, content) => blocks.push(content as Uint8Array), // Names are bytes.
      addArtifact: (_, pieces) => (directory = Buffer.concat([...pieces])),
      drain: () => Promise.resolve(),
    });
    staging.close();
  });

  function searched() {
    const facts = { releaseId: 'one', dataSet: 'WaterAllocations', lookups: [{ kind: 'Sites', count: PLACES }] };
    const reader = {
      facts,
      artifact: () => Promise.resolve(directory),
      blobs: (_: string, numbers: Uint32Array) => Promise.resolve(Array.from(numbers, (number) => blocks[number])),
    };
    // A search for names reads no more of a release.
    return { reader: reader as object as ReleaseReader, caches: createSearchCaches(1e8) };
  }

  const wordsOf = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => text.toLowerCase().split(/[ _]/));
  const ofPlaces = Array.from({ length: PLACES }, (_, rank) =>
    rank % 10 === 0 ? [] : wordsOf([nameOf(rank), ...identifiersOf(rank)]),
  );
  const ofRights = Array.from({ length: RIGHTS }, (_, record) => wordsOf([rightOf(record)]));

  function plain(words: readonly string[], all: readonly (readonly string[])[]): readonly number[] {
    return all.flatMap((own, number) =>
      words.every((word) => own.some((one) => one.startsWith(word))) ? [number] : [],
    );
  }

  const prefix = fc
    .tuple(fc.constantFrom('upper', 'well', 'xx', 's', 'wr', '', '\u{10428}'), fc.nat(9_999), fc.nat(6))
    .map(([text, number, length]) =>
      Array.from(text + String(number))
        .slice(0, 1 + length)
        .join(''),
    );

  test('finds what a plain scan finds', async () => {
    expect(readNameDirectory(directory).prefixes).toEqual(expect.arrayContaining(['iwr', 'is', '1\u{10428}']));
    const asked = searched();
    await fc.assert(
      fc.asyncProperty(fc.array(prefix, { minLength: 1, maxLength: 3 }), async (words) => {
        expect(Array.from((await findPlacesWithWords(words, asked)).slice())).toEqual(plain(words, ofPlaces));
        expect(Array.from((await findRightsWithWords(words, asked)).slice())).toEqual(plain(words, ofRights));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['well upper', [0, 0, 3_600, 3_600, 5_400]],
    ['upper well', [0, 0, 1_800, 1_800, 5_400]],
    ['upper well 33', [0, 1, 34, 34, 100]],
    ['up 3', [0, 0, 0, 1_000, 1_000]],
    ['xx wr77', [1, 0, 0, 0, 111]],
  ])('"%s" matches so many things in each way', async (words, counts) => {
    const matched = await findThingsByMatch(words.split(' '), searched());
    expect(matched.map(({ size }) => size)).toEqual(counts);
  });
});

describe('sorted rows', () => {
  const SEED = 20_261_122;

  let files = 0;

  function rowsOf(
    runs: SortedRuns,
  ): readonly { readonly key: string; readonly text: string; readonly bytes: Buffer }[] {
    return Array.from(runs.rows(), (sorted) => {
      return { key: sorted.key, text: sorted.part(0).toString(), bytes: Buffer.from(sorted.part(1)) };
    });
  }

  const key = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\uFFFD', '😀', '~'), maxLength: 4 });
  const row = fc.record({ key, text: anyText({ maxLength: 8 }) });

  test('rows come back sorted and stable over any runs, also from a file that was left behind a checkpoint', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 6 }), fc.nat(5), (batches, reopenedAfter) => {
        const path = join(folder, String(files++));
        let runs = new SortedRuns(path, 2);
        batches.forEach((rows, index) => {
          for (const { key: added, text } of rows) runs.add(added, text, Buffer.from(added));
          const saved = runs.save();
          if (index !== reopenedAfter) return;
          // What a process that was killed had written since.
          runs.add('lost', 'lost', '');
          runs.close();
          appendFileSync(path, 'half a block');
          runs = new SortedRuns(path, 2, saved);
        });
        const expected = batches.flat().map((each, index) => ({ ...each, index }));
        expected.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.index - b.index);
        const wanted = expected.map(({ key: sorted, text }) => ({ key: sorted, text, bytes: Buffer.from(sorted) }));
        expect(rowsOf(runs)).toEqual(wanted);
        expect(rowsOf(runs)).toHaveLength(expected.length);
        runs.close();
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  test('more runs than are merged at once, and rows larger than a block, come back in order', () => {
    const runs = new SortedRuns(join(folder, 'many'), 2);
    const keys = Array.from({ length: 600 }, (_, index) => String((index * 7919) % 600).padStart(3, '0'));
    for (const added of keys) {
      runs.add(added, added.repeat(added === '300' ? 100_000 : 1), '');
      runs.add('same', added, '');
      runs.save();
    }
    const rows = rowsOf(runs);
    expect(rows.map((each) => each.key)).toEqual([...keys].sort().concat(keys.map(() => 'same')));
    expect(rows[300]?.text).toBe('300'.repeat(100_000));
    expect(rows.slice(600).map(({ text }) => text)).toEqual(keys);
    runs.close();
  });
});
