// The index of owners against a plain scan of the same owners (D35).

import fc from 'fast-check';
import { OwnerIndexBuilder, readOwnerIndex, recordsOfOwners } from '../../shared/search/index/owner-index';

const RECORDS = 200;

/** From few letters, so that texts share parts; some take two UTF-16 units. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', ' ', '💧'), maxLength: 8 });

const owners = fc.uniqueArray(fc.tuple(text, fc.uniqueArray(fc.nat(RECORDS - 1), { minLength: 1, maxLength: 20 })), {
  selector: ([owner]) => owner,
  maxLength: 30,
});

test('finds exactly the records of the owners that contain one of the texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      owners,
      fc.array(
        text.filter((part) => part !== ''),
        { maxLength: 4 },
      ),
      async (list, parts) => {
        const builder = new OwnerIndexBuilder();
        for (const [owner, records] of list) {
          const sorted = [...records].sort((a, b) => a - b);
          builder.add(owner, Uint32Array.from(sorted.flatMap((record) => [record, record])));
        }
        const wanted = list
          .filter(([owner]) => parts.some((part) => owner.includes(part)))
          .flatMap(([, numbers]) => numbers);
        const found = await recordsOfOwners(readOwnerIndex(builder.build()), parts, RECORDS);
        expect([...found.numbers()]).toEqual([...new Set(wanted)].sort((a, b) => a - b));
      },
    ),
  );
});

test('runs of several records stay whole, and a part across two owners finds neither', async () => {
  const builder = new OwnerIndexBuilder();
  builder.add('bear river co.', Uint32Array.of(2, 5, 9, 9));
  builder.add('company of none', Uint32Array.of(6, 6));
  const index = readOwnerIndex(builder.build());
  const found = async (...parts: readonly string[]): Promise<readonly number[]> => [
    ...(await recordsOfOwners(index, parts, 10)).numbers(),
  ];
  expect(await found('river')).toEqual([2, 3, 4, 5, 9]);
  expect(await found('co.company')).toEqual([]);
  expect(await found('none', 'bear')).toEqual([2, 3, 4, 5, 6, 9]);
});
