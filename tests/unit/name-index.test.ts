// A search in the name index gives the same results as a plain scan. The number of names is so large that prefixes have
// their own blocks.

import { join } from 'node:path';
import fc from 'fast-check';
import { NameIndexWriter } from '../../data-loaders/build/name-index';
import type { AllocationRow } from '../../data-loaders/format/amount-definitions';
import { Staging } from '../../data-loaders/stage/staging';
import { readNameDirectory } from '../../shared/search/index/name-directory';
import { findPlacesWithWords, findRightsWithWords, findThingsByMatch } from '../../shared/search/index/name-words';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import type { ReleaseReader } from '../../shared/store/port';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();

describe('names', () => {
  const PLACES = 6_000;
  const RIGHTS = 9_000;

  const buildName = (rank: number): string => (rank % 3 === 0 ? `Upper Well ${rank}` : `Well Upper ${rank} \u{10400}`);
  const buildIdentifiers = (rank: number): readonly string[] => [`XX_S${rank}`, `\u{10400}${rank}`];
  const buildRightId = (record: number): string => `XX_WR${record}`;

  const blocks: Uint8Array[] = [];
  let directory = new Uint8Array();

  beforeAll(async () => {
    const staging = new Staging(join(folder, 'names'), {
      log: () => undefined,
      now: () => new Date(),
      shouldStop: () => false,
    });
    const names = new NameIndexWriter(staging);
    for (let rank = 0; rank < PLACES; rank++)
      names.addPlace({ name: buildName(rank), identifiers: buildIdentifiers(rank) });
    staging.saveRuns();
    for (let record = 0; record < RIGHTS; record++) {
      // The index reads nothing else from the row.
      names.addRight({ AllocationUUID: buildRightId(record), AllocationNativeID: null } as AllocationRow);
    }
    // Every tenth place has no records.
    for (let rank = 0; rank < PLACES; rank++) names.countPlaces([rank], rank % 10);
    await names.finish({
      addFragment: (_, content) => blocks.push(content as Uint8Array), // Content of names is always bytes.
      addArtifact: (_, pieces) => {
        directory = Buffer.concat([...pieces]);
      },
      drain: () => Promise.resolve(),
    });
    staging.close();
  });

  function openRelease() {
    const facts = { releaseId: 'one', dataSet: 'WaterAllocations', lookups: [{ kind: 'Sites', count: PLACES }] };
    const reader = {
      facts,
      artifact: () => Promise.resolve(directory),
      blobs: (_: string, numbers: Uint32Array) => Promise.resolve(Array.from(numbers, (number) => blocks[number])),
    };
    // A search for names reads nothing else from a release.
    return { reader: reader as object as ReleaseReader, caches: createSearchCaches(1e8) };
  }

  const splitWords = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => text.toLowerCase().split(/[ _]/));
  const wordsOfPlaces = Array.from({ length: PLACES }, (_, rank) =>
    rank % 10 === 0 ? [] : splitWords([buildName(rank), ...buildIdentifiers(rank)]),
  );
  const wordsOfRights = Array.from({ length: RIGHTS }, (_, record) => splitWords([buildRightId(record)]));

  /** The numbers of the things in which every word of the query is the beginning of some word. */
  function scan(words: readonly string[], wordsByNumber: readonly (readonly string[])[]): readonly number[] {
    return wordsByNumber.flatMap((ownWords, number) =>
      words.every((word) => ownWords.some((ownWord) => ownWord.startsWith(word))) ? [number] : [],
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
    const release = openRelease();
    await fc.assert(
      fc.asyncProperty(fc.array(prefix, { minLength: 1, maxLength: 3 }), async (words) => {
        expect(Array.from((await findPlacesWithWords(words, release)).slice())).toEqual(scan(words, wordsOfPlaces));
        expect(Array.from((await findRightsWithWords(words, release)).slice())).toEqual(scan(words, wordsOfRights));
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
  ])('"%s" matches %j things, by kind of match from best to worst', async (words, counts) => {
    const matched = await findThingsByMatch(words.split(' '), openRelease());
    expect(matched.map(({ size }) => size)).toEqual(counts);
  });
});
