// Rows that were staged on disk in sorted runs come back in their order.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SortedRuns } from '../../data-loaders/stage/sorted-runs';
import { anyText } from '../fixtures/any-text';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();

describe('sorted rows', () => {
  const SEED = 20_261_122;

  let files = 0;

  function rowsOf(
    runs: SortedRuns,
  ): readonly { readonly key: string; readonly text: string; readonly bytes: Buffer }[] {
    return Array.from(runs.rows(), (sorted) => {
      return { key: sorted.key, text: sorted.getField(0).toString(), bytes: Buffer.from(sorted.getField(1)) };
    });
  }

  const key = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\uFFFD', '😀', '~'), maxLength: 4 });
  const row = fc.record({ key, text: anyText({ maxLength: 8 }) });

  test('rows come back sorted and stable over any runs, also from a file that was left behind a checkpoint', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 6 }), fc.nat(5), (batches, reopenedAfter) => {
        const path = join(folder, String(files++));
        let runs = new SortedRuns(path, 2);
        batches.forEach((rows, index) => {
          for (const { key: added, text } of rows) runs.add(added, text, Buffer.from(added));
          const saved = runs.flush();
          if (index !== reopenedAfter) return;
          // What a process that was killed had written since.
          runs.add('lost', 'lost', '');
          runs.close();
          appendFileSync(path, 'half a block');
          runs = new SortedRuns(path, 2, saved);
        });
        const expected = batches.flat().map((each, index) => ({ ...each, index }));
        expected.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.index - b.index);
        const wanted = expected.map(({ key: sorted, text }) => ({ key: sorted, text, bytes: Buffer.from(sorted) }));
        expect(rowsOf(runs)).toEqual(wanted);
        expect(rowsOf(runs)).toHaveLength(expected.length);
        runs.close();
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  test('more runs than are merged at once, and rows larger than a block, come back in order', () => {
    const runs = new SortedRuns(join(folder, 'many'), 2);
    const keys = Array.from({ length: 600 }, (_, index) => String((index * 7919) % 600).padStart(3, '0'));
    for (const added of keys) {
      runs.add(added, added.repeat(added === '300' ? 100_000 : 1), '');
      runs.add('same', added, '');
      runs.flush();
    }
    const rows = rowsOf(runs);
    expect(rows.map((each) => each.key)).toEqual([...keys].sort().concat(keys.map(() => 'same')));
    expect(rows[300]?.text).toBe('300'.repeat(100_000));
    expect(rows.slice(600).map(({ text }) => text)).toEqual(keys);
    runs.close();
  });
});
