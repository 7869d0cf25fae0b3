// Reading a CSV text gives the same rows however the text is cut into pieces. If all rows have the same number of
// cells, the result equals that of csv-parse, except for blank rows; with stray quotes, it equals that of a plain
// second reader.

import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type CsvBatch, type CsvRow, CsvScan, getStartPosition } from '../../data-loaders/read/csv';
import { readPlainCsv } from '../fixtures/plain-csv';
import { chooseSeed, countCases } from '../fixtures/soak';

const SEED = chooseSeed(20_261_121);

const START = getStartPosition('utf-8');

function readRows(pieces: readonly Buffer[], from = START): readonly CsvRow[] {
  const rows = [...readBatches(pieces, from)].flatMap((batch) => batch.rows);
  // This does not compare whether the last row has a line end.
  return rows.map(({ line, cells, source }) => ({ line, cells, source }));
}

/** Like SubmittedFile, reuses the memory of a piece for the next piece. */
function* readBatches(pieces: readonly Buffer[], from = START): Iterable<CsvBatch> {
  const scanner = new CsvScan(from);
  for (const piece of pieces) {
    const memory = Buffer.from(piece);
    yield scanner.addBytes(memory);
    memory.fill('#');
  }
  yield scanner.finish();
}

function cut(text: string, lengths: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(from, from + length));
    from += length;
  }
  return [...pieces, bytes.subarray(from)];
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });
const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r\n', '7'), maxLength: 6 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n');

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function isNotBlank(cells: readonly string[]): boolean {
  return cells.some((text) => text.trim() !== '');
}

const wellFormedLine = fc
  .tuple(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 3, maxLength: 3 }), lineEnd)
  .map(([cells, end]) => {
    const texts = cells.map(([text, isQuoted]) => (isQuoted || /[",\r\n]/.test(text) ? quoted(text) : text));
    return texts.join(',') + end;
  });

test('gives the same rows as csv-parse for well-formed text, however the text is split', () => {
  fc.assert(
    fc.property(fc.array(wellFormedLine, { maxLength: 12 }), lengths, (lines, pieces) => {
      const text = lines.join('');
      const expected = parse(text, {
        relax_column_count: true,
        skip_empty_lines: true,
        record_delimiter: ['\r\n', '\n'],
      });
      const rows = readRows(cut(text, pieces));
      expect(rows.map(({ cells }) => cells)).toEqual(expected.filter(isNotBlank));
    }),
    { seed: SEED, numRuns: countCases(500, 0.4) },
  );
});

test('reads each row after a stray quote from its own start, like a plain reader', () => {
  const strayCell = fc.oneof(
    fc.constantFrom('a', '', '"x"', '"', '"a\nb"', '5" p', '"a""b"', '"\n"', '"a\n', 'b"'),
    fc.string({ unit: fc.constantFrom('a', '"', '\n', ','), maxLength: 4 }),
  );
  const line = fc.array(strayCell, { minLength: 3, maxLength: 3 }).map((cells) => `${cells.join(',')}\n`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), lengths, (lines, pieces) => {
      const text = `h,i,j\n${lines.join('')}`;
      const rows = readRows(cut(text, pieces)).map(({ source, ...row }) => ({ ...row, text: source }));
      const plainRows = readPlainCsv(Buffer.from(text)).rows;
      const expected = plainRows.map((row) => ({ line: row.line, cells: row.cells, text: row.text }));
      expect(rows.slice(1)).toEqual(expected);
    }),
    { seed: SEED, numRuns: countCases(1000, 0.4) },
  );
});

test('gives the same rows, lines and sources for any text, as a whole or cut anywhere', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n', '\r'), maxLength: 80 });
  fc.assert(
    fc.property(anyText, lengths, (text, pieces) => {
      expect(readRows(cut(text, pieces))).toEqual(readRows([Buffer.from(text)]));
    }),
    { seed: SEED, numRuns: countCases(500, 0.4) },
  );
});

test('can resume after any batch of any text', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n', '\r', '\uFEFF'), maxLength: 80 });
  fc.assert(
    fc.property(anyText, lengths, (text, lengthsOfPieces) => {
      const pieces = cut(text, lengthsOfPieces);
      const all = readRows(pieces);
      const read: CsvRow[] = [];
      for (const { rows, end } of readBatches(pieces)) {
        read.push(...rows.map(({ line, cells, source }) => ({ line, cells, source })));
        expect([...read, ...readRows([Buffer.from(text).subarray(end.offset)], end)]).toEqual(all);
      }
    }),
    { seed: SEED, numRuns: countCases(300, 0.4) },
  );
});

test('skips a byte order mark', () => {
  const [header] = readRows([Buffer.from('\uFEFFa,b\n1,2\n')]);
  expect(header).toEqual({ line: 1, cells: ['a', 'b'], source: 'a,b' });
});

test.each(['1,"5" pipe",x', '1, "a",x', '1,"a" ,x', '1,a"b"c,x', '1,"a""b",x', '"","",""', '1,"a"\r,x', '1,"""",x'])(
  'gives the same cells as csv-parse for %j, as a whole or cut anywhere',
  (line) => {
    const text = `a,b,c\n${line}\r\n2,é,z`;
    const expected = parse(text, { relax_column_count: true, relax_quotes: true, record_delimiter: ['\r\n', '\n'] });
    for (let at = 0; at <= Buffer.byteLength(text); at++) {
      const rows = readRows(cut(text, [at]));
      expect(rows.map(({ cells }) => cells)).toEqual(expected.filter(isNotBlank));
    }
  },
);

describe('a quote that stays open beyond the maximum length of a record', () => {
  const lines = (count: number): string => 'x,y,z\n'.repeat(count);

  test.each([
    ['10,000 lines', `a,"b\n${lines(9998)}",c\n`, 1],
    ['10,001 lines', `a,"b\n${lines(9999)}",c\n`, 10_001],
    ['a megabyte after the first line', `a,"b\n${'x,'.repeat(512 * 1024 - 2)}",c\n`, 1],
    ['a megabyte and a byte after the first line', `a,"b\n${'x,'.repeat(512 * 1024 - 2)}x",c\n`, 2],
    ['a first line of two megabytes', `a,"${'x'.repeat(2 * 1024 * 1024)}\nb",c\n`, 1],
  ])('with %s, gives separate lines or one record, wherever the text is cut', (_, record, rows) => {
    const text = `h,i,j\n\n${record}1,2,3\n`;
    const whole = readRows([Buffer.from(text)]);
    expect(whole).toHaveLength(rows + 2);
    expect(whole[1]).toMatchObject({ line: 3, cells: rows === 1 ? expect.any(Array) : undefined });
    expect(whole.at(-1)).toEqual({ line: text.split('\n').length - 1, cells: ['1', '2', '3'], source: '1,2,3' });
    for (const size of [10_000, 65_536, 1_000_001]) {
      const pieces = Array.from({ length: Math.floor(text.length / size) }, () => size);
      // One of the rows has half a million cells, which toEqual takes seconds to compare.
      expect(isDeepStrictEqual(readRows(cut(text, pieces)), whole)).toBe(true);
    }
  });

  test('never keeps more in memory than one record of maximum length and one piece', () => {
    const pieces = cut(`h,i,j\na,"b\n${lines(150_000)}`, Array<number>(12).fill(65_536));
    let taken = 0;
    for (const { bytesRead: read, end } of readBatches(pieces)) {
      taken += read;
      expect(taken - end.offset).toBeLessThan(200_000);
    }
  });
});
