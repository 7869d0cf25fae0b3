import fc from 'fast-check';
import { NumberTable } from '../../shared/values/bytes/number-table';

test('keys are numbered in the order in which they come first, whatever they are', () => {
  const keys = fc.array(fc.oneof(fc.nat(200), fc.maxSafeNat()), { maxLength: 2000 });
  fc.assert(
    fc.property(keys, (all) => {
      const table = new NumberTable();
      const distinct = [...new Set(all)];
      const numbers = all.map((key) => table.numberOf(key));
      expect(numbers).toEqual(all.map((key) => distinct.indexOf(key)));
      expect(table.count).toBe(distinct.length);
      expect(distinct.map((_, number) => table.keyOf(number))).toEqual(distinct);
    }),
    { numRuns: 40 },
  );
});
