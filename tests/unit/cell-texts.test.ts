// The conversion of a workbook's numbers to text, by number format.

import { findNumberKind, formatCellNumber } from '../../data-loaders/unpack/cell-texts';

const CUSTOM = 164;

test.each([
  ['84', 'General', '84'],
  ['0.30000000000000004', '0.00', '0.30000000000000004'],
  ['1234.5', '#,##0.00', '1234.5'],
  ['1E+21', '0', '1000000000000000000000'],
  ['1E-7', 'General', '0.0000001'],
  ['160102020305', '0', '160102020305'],
  ['84', '00000', '00084'],
  ['84101', '[<=99999]00000;00000-0000', '84101'],
  ['841011234', '00000-0000', '84101-1234'],
  ['1.5', '00000', '1.5'],
  ['-3', '00000', '-3'],
  ['7', '0', '7'],
  ['44927', 'yyyy-mm-dd', '2023-01-01'],
  ['44927.5', 'm/d/yyyy h:mm', '2023-01-01T12:00:00'],
  ['0.25', 'h:mm', '06:00:00'],
  ['1.5', '[h]:mm', '1.5'],
  ['61', 'dd.mm.yyyy', '1900-03-01'],
  ['5000000', 'yyyy-mm-dd', '5000000'],
  ['44927', '"days" 0', '44927'],
  ['44927', '[Red]0.00', '44927'],
  ['abc', 'yyyy', 'abc'],
])('%s in the format %s is %s', (text, format, expected) => {
  expect(formatCellNumber(text, findNumberKind(CUSTOM, format), false)).toBe(expected);
});

test('reads a built-in date format, and a date counted from 1904', () => {
  const date = findNumberKind(14, undefined);
  expect(formatCellNumber('44927', date, false)).toBe('2023-01-01');
  expect(formatCellNumber('43465', date, true)).toBe('2023-01-01');
  expect(formatCellNumber('44927', findNumberKind(2, undefined), false)).toBe('44927');
});
