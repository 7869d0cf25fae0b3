// Rows that were staged on disk in sorted runs are read back in order.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SortedRuns } from '../../data-loaders/stage/sorted-runs';
import { anyText } from '../fixtures/any-text';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();

describe('sorted rows', () => {
  const SEED = 20_261_122;

  interface ReadRow {
    readonly key: string;
    readonly text: string;
    readonly bytes: Buffer;
  }

  let fileCount = 0;

  function readRows(runs: SortedRuns): readonly ReadRow[] {
    return Array.from(runs.rows(), (row) => ({
      key: row.key,
      text: row.getField(0).toString(),
      bytes: Buffer.from(row.getField(1)),
    }));
  }

  const key = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\uFFFD', '😀', '~'), maxLength: 4 });
  const row = fc.record({ key, text: anyText({ maxLength: 8 }) });

  test('come back sorted and stable, even after a file was reopened at a checkpoint', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 6 }), fc.nat(5), (batches, reopenedAfter) => {
        fileCount++;
        const path = join(folder, String(fileCount));
        let runs = new SortedRuns(path, 2);
        batches.forEach((rows, index) => {
          for (const added of rows) runs.add(added.key, added.text, Buffer.from(added.key));
          const saved = runs.flush();
          if (index !== reopenedAfter) return;
          // A process wrote this after the checkpoint and was killed.
          runs.add('lost', 'lost', '');
          runs.close();
          appendFileSync(path, 'half a block');
          runs = new SortedRuns(path, 2, saved);
        });
        const sorted = batches.flat().map((added, index) => ({ ...added, index }));
        sorted.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.index - b.index);
        const expected = sorted.map((added) => ({ key: added.key, text: added.text, bytes: Buffer.from(added.key) }));
        expect(readRows(runs)).toEqual(expected);
        // The rows can be read a second time.
        expect(readRows(runs)).toHaveLength(expected.length);
        runs.close();
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  test('come back in order from more runs than are merged at once, including rows larger than a block', () => {
    const runs = new SortedRuns(join(folder, 'many'), 2);
    const keys = Array.from({ length: 600 }, (_, index) => String((index * 7919) % 600).padStart(3, '0'));
    for (const addedKey of keys) {
      runs.add(addedKey, addedKey.repeat(addedKey === '300' ? 100_000 : 1), '');
      runs.add('same', addedKey, '');
      runs.flush();
    }
    const rows = readRows(runs);
    expect(rows.map((row) => row.key)).toEqual([...keys].sort().concat(keys.map(() => 'same')));
    expect(rows[300]?.text).toBe('300'.repeat(100_000));
    expect(rows.slice(600).map(({ text }) => text)).toEqual(keys);
    runs.close();
  });
});
