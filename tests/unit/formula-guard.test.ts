// The apostrophe before cells that a spreadsheet would run as formulas.

import fc from 'fast-check';
import { guardFormula, removeGuard } from '../../shared/values/formula-guard';

test.each([
  ['=1+1', "'=1+1"],
  ['+1 801 555 0100', "'+1 801 555 0100"],
  ['-5-3', "'-5-3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
  ['-', "'-"],
  ['-5', '-5'],
  ['+5', '+5'],
  ['-.5', '-.5'],
  ['+1.5e-3', '+1.5e-3'],
  ["O'Brien", "O'Brien"],
  ["'tis", "'tis"],
  ['', ''],
  ['\r\n', '\r\n'],
  ['\t\u200b ', '\t\u200b '],
  ['-5 ', '-5 '],
])('%j is written as %j', (cell, guarded) => {
  expect(guardFormula(cell)).toBe(guarded);
  expect(removeGuard(guarded)).toBe(cell);
});

test('a guarded cell is read like the original cell', () => {
  const cells = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@'\t\r\n 0-9.e\uff1d]{0,8}$/));
  fc.assert(
    fc.property(cells, (cell) => {
      expect(removeGuard(guardFormula(cell))).toBe(removeGuard(cell));
    }),
    { seed: 7, numRuns: 2000 },
  );
});
