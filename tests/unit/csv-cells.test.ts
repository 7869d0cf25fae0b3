// CSV cells in answers.

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Scalar } from '../../shared/render/table-columns';
import { writeCell, writeListCell } from '../../shared/render/write-csv';
import { anyText } from '../fixtures/any-text';
import { readCsv, splitCell } from '../fixtures/read-formats';

const cells = fc.oneof(
  anyText(),
  fc.stringMatching(/^[=+\-@'"\t\r\n,|\\ 0-9.eE\uff1d]{0,8}$/),
  fc.constantFrom('-5', '-0.25e+3', '=1+1', "'", "''", '-', '-5-3'),
);

/** A CSV file with one row, whose columns are c0, c1 and so on. */
function toCsv(...writtenCells: readonly string[]): string {
  return `${writtenCells.map((_, index) => `c${index}`).join()}\r\n${writtenCells.join()}\r\n`;
}

test('any text is read back unchanged, next to any other', () => {
  fc.assert(
    fc.property(cells, cells, (first, second) => {
      expect(readCsv(toCsv(writeCell(first), writeCell(second), 'x'))).toEqual([{ c0: first, c1: second, c2: 'x' }]);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test('any list of texts is read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(cells.filter((text) => text !== '')), (items) => {
      const [row] = readCsv(toCsv(writeListCell(items), 'x'));
      expect(splitCell(row?.['c0'] ?? '')).toEqual(items);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test('no cell except a number begins with a character that makes a spreadsheet run it', () => {
  fc.assert(
    fc.property(cells, (text) => {
      const [[cell = ''] = []] = parse(toCsv(writeCell(text), 'x'), { from_line: 2, record_delimiter: '\r\n' });
      expect(/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) && Number.isNaN(Number(cell))).toBe(false);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test.each<[Scalar, string]>([
  [null, ''],
  [-5, '-5'],
  [1e21, '1e+21'],
  [true, 'true'],
  ['-111.5', '-111.5'],
  ['-1.5E-7', '-1.5E-7'],
  ['01010203', '01010203'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['+1 801 555 0100', "'+1 801 555 0100"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['-', "'-"],
  ['\t=1', "'\t=1"],
  ["'quoted", "''quoted"],
  ['a,b', '"a,b"'],
  ['a\nb', '"a\nb"'],
  ['a=b', 'a=b'],
])('writes %j as the cell %s', (value, cell) => {
  expect(writeCell(value)).toBe(cell);
});

test.each<[readonly (string | null)[], string]>([
  [[], ''],
  [['one'], 'one'],
  [['one', 'two'], 'one|two'],
  [['a|b', 'c\\d'], 'a\\|b|c\\\\d'],
  [['one', null, 'three'], 'one||three'],
  [['-111.5', '-112'], "'-111.5|-112"],
  [['one, two'], '"one, two"'],
])('writes the list %j as the cell %s', (items, cell) => {
  expect(writeListCell(items)).toBe(cell);
});
