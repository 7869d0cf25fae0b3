// Source rows are kept as compressed pieces of each file, and read again as the text that they were.

import { readSourceText, SourceTextWriter } from '../../data-loaders/stage/source-text';

interface Piece {
  readonly file: string;
  readonly content: Uint8Array;
}

function collected() {
  const pieces: Piece[] = [];
  const sources = new SourceTextWriter({ addSourcePiece: (file, content) => pieces.push({ file, content }) });
  return { pieces, sources };
}

async function textOf(pieces: readonly Piece[], file: string): Promise<string> {
  const own = pieces.filter((piece) => piece.file === file).map(({ content }) => content);
  const name = file;
  const texts: Buffer[] = [];
  for await (const text of readSourceText({ name, pieces: () => asyncOf(own) })) texts.push(text);
  return Buffer.concat(texts).toString();
}

// eslint-disable-next-line @typescript-eslint/require-await -- pieces that are at hand
async function* asyncOf(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}

test('rows of two files come back in their order, texts and bytes alike, behind the header of their file', async () => {
  const { pieces, sources } = collected();
  const methods = ['M1,"two\nlines"', 'M2,\u00e9'];
  for (const row of methods) sources.add('methods.csv', row);
  const sites = Array.from({ length: 60_000 }, (_, number) => `S${number},"\u6c34, ${'x'.repeat(number % 90)}"`);
  for (const [number, row] of sites.entries()) sources.add('sites.csv', number % 2 === 0 ? row : Buffer.from(row));
  sources.finish();
  expect(pieces.map(({ file }) => file)).toEqual(['methods.csv', ...pieces.slice(1).map(() => 'sites.csv')]);
  expect(pieces.length).toBeGreaterThan(4);
  const [, ...methodRows] = (await textOf(pieces, 'methods.csv')).split('\n');
  expect(methodRows.join('\n')).toBe(`${methods.join('\n')}\n`);
  const text = await textOf(pieces, 'sites.csv');
  expect(text.slice(text.indexOf('\n') + 1)).toBe(`${sites.join('\n')}\n`);
  expect(text).toMatch(/^SiteUUID,/);
});

test('a row that is longer than a piece is a piece of its own with what stands before it', async () => {
  const { pieces, sources } = collected();
  const long = `S1,${'x'.repeat(12_000_000)}`;
  for (const row of ['S0,', long, 'S2,']) sources.add('sites.csv', row);
  sources.finish();
  expect(pieces).toHaveLength(2);
  const text = await textOf(pieces, 'sites.csv');
  expect(text.slice(text.indexOf('\n') + 1)).toBe(`S0,\n${long}\nS2,\n`);
});
