// Stored texts that are parsed in groups give the same items as when parsed as one list.

import fc from 'fast-check';
import { iterateItems, joinJsonTexts, parseItemGroups, parseItems } from '../../shared/store/joined-fragments';

const texts = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '{', '}', ',', ':', '[', ']', '{"Id":', ',{"Id":', 'é'),
});
const padding = fc.nat(150_000).map((length) => 'x'.repeat(length));
/** Objects within an item start with the same text as the item. */
const items = fc.record(
  {
    Id: texts,
    Padding: padding,
    Nested: fc.array(fc.record({ Id: texts }, { noNullPrototype: true }), { maxLength: 5 }),
  },
  { noNullPrototype: true },
);

function join(list: readonly object[]): ReturnType<typeof joinJsonTexts> {
  return joinJsonTexts(list.map((item) => Buffer.from(JSON.stringify(item))));
}

test('groups have the items of the list in order', () => {
  fc.assert(
    fc.property(fc.array(items, { maxLength: 12 }), (list) => {
      const fragments = join(list);
      expect([...iterateItems(fragments)]).toEqual(list);
      expect(parseItems(fragments)).toEqual(list);
    }),
    { numRuns: 50 },
  );
});

test('a long list is parsed in many groups', () => {
  const list = Array.from({ length: 20_000 }, (_, Id) => ({ Id, Text: 'a text of some length, as records have' }));
  expect([...parseItemGroups(join(list))].length).toBeGreaterThan(3);
});

test('an item whose lists contain a hundred thousand similar objects is parsed only a few times', () => {
  const item = { Id: 'x', Nested: Array.from({ length: 100_000 }, (_, Id) => ({ Id })) };
  const parse = jest.spyOn(JSON, 'parse');
  try {
    expect([...iterateItems(join([item, item]))]).toHaveLength(2);
    expect(parse.mock.calls.length).toBeLessThan(20);
  } finally {
    parse.mockRestore();
  }
});
