// The table of identifiers finds what was added under exactly the same text, and nothing that was removed.

import fc from 'fast-check';
import { IdentifierTable } from '../../data-loaders/stage/identifier-table';

const SEED = 20_261_122;
const identifier = fc.string({ unit: fc.constantFrom('a', 'A', '1', 'é', '😀'), maxLength: 4 });

test('it answers as a map does, whatever is added and removed', () => {
  const steps = fc.array(fc.tuple(identifier, fc.constantFrom('add', 'remove')), { maxLength: 300 });
  fc.assert(
    fc.property(steps, identifier, (taken, other) => {
      const table = new IdentifierTable();
      const map = new Map<string, number>();
      taken.forEach(([id, step], index) => {
        if (step === 'remove') {
          table.remove(id);
          map.delete(id);
        } else if (!map.has(id)) {
          table.add(id, index + 1);
          map.set(id, index + 1);
        }
      });
      const ids = [...taken.map(([each]) => each), other];
      expect(ids.map((id) => table.find(id))).toEqual(ids.map((id) => map.get(id)));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('many identifiers that differ in a few digits are all found', () => {
  const table = new IdentifierTable();
  for (let number = 1; number <= 50_000; number++) table.add(`UTwr_S${number}`, number);
  const numbers = Array.from({ length: 50_000 }, (_, index) => index + 1);
  expect(numbers.filter((number) => table.find(`UTwr_S${number}`) !== number)).toEqual([]);
  expect(table.find('UTwr_S50001')).toBeUndefined();
  expect(table.isFull).toBe(false);
});
