// Members are cut out of JSON texts as a parser reads them, and digests of keys are those of the parsed records.

import fc from 'fast-check';
import { RecordKeys } from '../../shared/answer/features/record-keys';
import { recordKey } from '../../shared/answer/write-geojson';
import { DATA_SET_KINDS, dataSetLayouts } from '../../shared/records/data-sets';
import { lookupMembers, type LookupKind } from '../../shared/records/lookups';
import type { Member, Members } from '../../shared/records/object-definition';
import type { Item } from '../../shared/records/record-references';
import { digestNameOf } from '../../shared/values/digest';
import { MemberCutter, visitObjects } from '../../shared/values/json-members';

/** Texts that look like the marks between members. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ',"SiteUUID":', '},{"SiteName":', '\\', '],"'),
);

interface ListSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

function valueOf({ schema }: Member<unknown>): fc.Arbitrary<unknown> {
  if (schema['type'] !== 'array') return fc.oneof(text, fc.constant(null), fc.double({ noNaN: true }));
  const { properties } = schema['items'] as ListSchema; // As listOf makes it.
  if (properties === undefined) return fc.array(text, { maxLength: 3 });
  const item = Object.fromEntries(Object.keys(properties).map((name) => [name, fc.option(text)]));
  return fc.array(fc.record(item), { maxLength: 3 });
}

function objectOf(members: Members): fc.Arbitrary<Item> {
  const values = Object.entries(members).map(([name, member]) => [name, valueOf(member)] as const);
  return fc.record(Object.fromEntries(values)).map((item) => {
    return Object.fromEntries(Object.keys(members).map((name) => [name, item[name]]));
  });
}

const KINDS: readonly (readonly [string, Members])[] = [
  ...DATA_SET_KINDS.map((kind) => [kind, dataSetLayouts[kind].recordMembers] as const),
  ...Object.entries(lookupMembers).map(([kind, members]) => [kind as LookupKind, members] as const),
];

test.each(KINDS)('each member of %s is cut out of a list of texts', (_, members) => {
  const names = Object.keys(members);
  const lists = fc.array(objectOf(members), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(lists, fc.array(fc.constantFrom(...names), { minLength: 1 }), (items, wanted) => {
      const list = items.map((item) => JSON.stringify(item)).join();
      const cutter = new MemberCutter(names, wanted);
      const found: (readonly string[])[] = [];
      visitObjects(list, names[0] ?? '', (start, end) => found.push(cutter.cut(list, start, end)));
      expect(found).toEqual(items.map((item) => wanted.map((name) => JSON.stringify(item[name]))));
    }),
    { numRuns: 60 },
  );
});

test('a text that lacks a member is refused', () => {
  expect(() => new MemberCutter(['a', 'b'], ['b']).cut('{"a":1}')).toThrow('lacks a member');
  expect(() => new MemberCutter(['a'], ['b'])).toThrow('objects have no member b');
});

test.each(['SiteVariableAmounts', 'AggregatedAmounts'] as const)('the keys of %s are those of their texts', (kind) => {
  const layout = dataSetLayouts[kind];
  const keys = new RecordKeys(layout, 'ORG é');
  const cutter = new MemberCutter(Object.keys(layout.recordMembers), layout.keyMembers);
  fc.assert(
    fc.property(objectOf(layout.recordMembers), (record) => {
      const digest = keys.digestOf(cutter.cut(JSON.stringify(record)));
      expect(digest).toBe(digestNameOf(recordKey(layout, 'ORG é', record)));
    }),
    { numRuns: 60 },
  );
});
