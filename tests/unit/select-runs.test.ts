// Runs of neighbours are found by the first number of each.

import { selectRuns } from '../../shared/store/fragments';

test('numbers are found in their runs', () => {
  const firsts = Uint32Array.of(0, 3, 4, 10);
  expect(selectRuns(firsts, Uint32Array.of(0, 2, 3, 9, 10, 500))).toEqual([
    { ordinal: 0, indexes: Uint32Array.of(0, 2) },
    { ordinal: 1, indexes: Uint32Array.of(0) },
    { ordinal: 2, indexes: Uint32Array.of(5) },
    { ordinal: 3, indexes: Uint32Array.of(0, 490) },
  ]);
  expect(selectRuns(firsts, new Uint32Array())).toEqual([]);
});
