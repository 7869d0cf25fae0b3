// What the record builder hands to the loader: lines in UTF-8, and texts of places that records repeat.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { IdentifierPostings, PostingPieceWriter } from '../../data-loaders/build/index/terms/identifier-terms';
import { LineWriter } from '../../data-loaders/build/records/line-writer';
import { PlaceTexts } from '../../data-loaders/build/records/place-texts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'line-writer-'))));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const line = fc.string({ unit: fc.constantFrom('a', '"', 'é', '☂', '😀'), maxLength: 40 });

test('lines are read back as they were written, whatever memory they were written to', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, line)), fc.option(fc.nat(200), { nil: undefined }), (lines, bytes) => {
      const writer = new LineWriter(lines.length, bytes === undefined ? undefined : new ArrayBuffer(bytes));
      for (const [start, end] of lines) {
        const copied = Buffer.from(end);
        writer.target.text(start);
        writer.target.copyAll(copied);
        expect(Buffer.from(writer.endLine()).toString()).toBe(start + end);
      }
      const { texts, ends } = writer.finish();
      expect(texts.toString()).toBe(lines.map(([start, end]) => `${start}${end}\n`).join(''));
      expect([...ends].every((end) => texts[end] === 0x0a)).toBe(true);
    }),
  );
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

test('posting lists come back piece by piece as they were added', async () => {
  const pieces = new PostingPieceWriter();
  const postings = Array.from({ length: 40 }, (_, index) => {
    return { term: `site:é${index}`, content: Buffer.alloc(30_000 * (index % 3), index) };
  });
  const taken: ReturnType<PostingPieceWriter['take']>[] = [];
  for (const { term, content } of postings) {
    pieces.add(term, content);
    if (pieces.isFull) taken.push(pieces.take());
  }
  taken.push(pieces.take(Buffer.from('owners')));
  expect(taken.length).toBeGreaterThan(2);
  const read: { readonly term: string; readonly content: Uint8Array }[] = [];
  const writer = {
    addPosting: (term: string, content: Uint8Array) => read.push({ term, content }),
    addArtifact: jest.fn(),
    drain: () => Promise.resolve(),
  };
  await new IdentifierPostings(() => Promise.resolve(taken.shift())).writeTo(writer);
  expect(read.map(({ term }) => term)).toEqual(postings.map(({ term }) => term));
  expect(read.every(({ content }, index) => postings[index]?.content.equals(content))).toBe(true);
  expect(writer.addArtifact).toHaveBeenCalledWith('owners', Buffer.from('owners'));
});

test('a record builder that fails while it makes posting lists fails their writing', async () => {
  const postings = new IdentifierPostings(() => Promise.reject(new Error('the thread has ended')));
  const writer = { addPosting: jest.fn(), addArtifact: jest.fn(), drain: () => Promise.resolve() };
  await expect(postings.writeTo(writer)).rejects.toThrow('the thread has ended');
  expect(writer.addPosting).not.toHaveBeenCalled();
});
