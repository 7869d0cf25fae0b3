// CSV for spreadsheets starts with a byte order mark, contains no formula, and can be read back by the loader.

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type CsvRow, CsvScan, getStartPosition } from '../../data-loaders/read/csv';
import { isFormula, removeGuard } from '../../shared/values/formula-guard';
import { toSpreadsheetCsv, writeSpreadsheetCsv } from '../../shared/values/spreadsheet-csv';

async function write(rows: readonly (readonly string[])[]): Promise<string> {
  const parts: string[] = [];
  for await (const part of writeSpreadsheetCsv(rows)) parts.push(part);
  return parts.join('');
}

function readAsLoader(text: string): readonly CsvRow[] {
  const scan = new CsvScan(getStartPosition('utf-8'));
  return [...scan.addBytes(Buffer.from(text)).rows, ...scan.finish().rows];
}

const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'ñ',
    ' ',
    ',',
    '"',
    '\n',
    '\r\n',
    '\t',
    '=',
    '-',
    '+',
    '@',
    "'",
    '0',
    '7',
    '.',
    '\uFEFF',
    '＝',
  ),
  maxLength: 8,
});
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
const cell = fc.oneof(text, number, fc.constantFrom('00123', '-5', '+5', ' -5', '-.5', '1e5', '-1.797E+308'));
/** A row without any text would be a blank line, which no reader counts as a row. */
const row = fc.tuple(fc.constant('x'), cell, cell, cell);

test('starts with exactly one byte order mark', async () => {
  const written = await write([['a'], ['b']]);
  expect(Buffer.from(written).toString('hex')).toBe(Buffer.from('\uFEFFa\nb\n').toString('hex'));
  expect(toSpreadsheetCsv('a\n')).toBe('\uFEFFa\n');
});

test('the loader, and another reader after removing the guard, read the cells that were written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const written = await write(rows);
      const bare = rows.map((cells) => cells.map(removeGuard));
      expect(readAsLoader(written).map(({ cells = [] }) => cells.map(removeGuard))).toEqual(bare);
      const others = parse(written, { bom: true, record_delimiter: '\n' });
      expect(others.map((cells) => cells.map(removeGuard))).toEqual(bare);
    }),
    { seed: 77, numRuns: 1000 },
  );
});

test('no cell is a formula, and no plain number has an apostrophe', async () => {
  await fc.assert(
    fc.asyncProperty(row, async (cells) => {
      const [read = []] = parse(await write([cells]), { bom: true, record_delimiter: '\n' });
      read.forEach((written, index) => {
        const isNumber = cells[index]?.trim() !== '' && Number.isFinite(Number(cells[index]));
        if (isNumber) expect(written).toBe(cells[index]);
        expect(isFormula(written)).toBe(false);
      });
    }),
    { seed: 78, numRuns: 1000 },
  );
});
