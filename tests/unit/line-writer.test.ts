// What the record builder hands to the loader: lines in UTF-8, and texts of places that records repeat.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlaceTexts } from '../../data-loaders/build/place-builder';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'line-writer-'))));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('texts of places are found by rank, over the ends of blocks and beyond what is remembered', () => {
  const places = new PlaceTexts(join(folder, 'places'));
  // 16 MB, of which 8 are remembered; one text is longer than a block, and one is longer than a piece that is written.
  const textOf = (rank: number): string => `${rank}é`.padEnd(rank === 7 ? 200_000 : rank === 8 ? 20_000 : 900, '.');
  const count = 18_000;
  for (let rank = 0; rank < count; rank++) places.add(textOf(rank));
  for (let rank = 0; rank < count; rank += 97) {
    expect(places.textOf(rank)).toBe(textOf(rank));
    expect(places.textOf(count - 1 - rank)).toBe(textOf(count - 1 - rank));
  }
  for (const rank of [7, 8, count - 1]) expect(places.textOf(rank)).toBe(textOf(rank));
  expect(() => places.textOf(count)).toThrow(`place ${count} has no text`);
  places.close();
});
