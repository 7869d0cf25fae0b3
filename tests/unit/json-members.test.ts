// Members are cut out of JSON texts as a parser reads them, and digests of keys are those of the parsed records.

import fc from 'fast-check';
import { RecordKeys } from '../../shared/answer/features/record-keys';
import { recordKey } from '../../shared/answer/write-geojson';
import { DATA_SET_KINDS, dataSetLayouts } from '../../shared/records/data-sets';
import { lookupMembers, type LookupKind } from '../../shared/records/lookups';
import type { Member, Members } from '../../shared/records/object-definition';
import type { Item } from '../../shared/records/record-references';
import { digestNameOf } from '../../shared/values/digest';
import { MemberCutter } from '../../shared/values/bytes/json-members';
import { copiedText } from '../../shared/values/bytes/word-copying';
import { anyText } from '../fixtures/any-text';

/** Texts that look like the marks between members. */
const text = fc.oneof(
  anyText(),
  fc.constantFrom('', ',"SiteUUID":', '},{"SiteName":', '\\', '],"', `${'x"\\'.repeat(40)}\\`),
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
      const list = copiedText(items.map((item) => JSON.stringify(item)).join());
      const cutter = new MemberCutter(names, wanted);
      const found: (readonly string[])[] = [];
      for (let at = 0; at < list.bytes.length; at++) {
        at = cutter.locate(list, at);
        found.push(wanted.map((_, slot) => textAt(list.bytes, cutter.positions, slot)));
      }
      expect(found).toEqual(items.map((item) => wanted.map((name) => JSON.stringify(item[name]))));
    }),
    { numRuns: 60 },
  );
});

function textAt(bytes: Buffer, positions: Uint32Array, slot: number): string {
  return bytes.toString('utf8', positions[2 * slot], positions[2 * slot + 1]);
}

test.each(['{"a":1}', '{"a":1,"c":2}', '{"a":1,"bc":"2', '{"a":1,"bc":[2', '{"a":1,"bc":2'])(
  '%s, which lacks a member or its end, is refused',
  (text) => {
    expect(() => new MemberCutter(['a', 'bc'], ['bc']).locate(copiedText(text), 0)).toThrow('lacks a member');
  },
);

test('a quote behind the texts, in the slack of their memory, ends no text', () => {
  const { bytes, words } = copiedText('{"a":"1234"}');
  for (let end = 6; end < 11; end++) {
    const cut = { bytes: bytes.subarray(0, end), words };
    expect(() => new MemberCutter(['a'], ['a']).locate(cut, 0)).toThrow('lacks a member');
  }
});

test('a member that objects have not is refused', () => {
  expect(() => new MemberCutter(['a'], ['b'])).toThrow('objects have no member b');
});

test.each(['SiteVariableAmounts', 'AggregatedAmounts'] as const)('the keys of %s are those of their texts', (kind) => {
  const layout = dataSetLayouts[kind];
  const keys = new RecordKeys(layout, 'ORG é');
  const cutter = new MemberCutter(Object.keys(layout.recordMembers), layout.keyMembers);
  fc.assert(
    fc.property(objectOf(layout.recordMembers), (record) => {
      const text = copiedText(JSON.stringify(record));
      cutter.locate(text, 0);
      const digest = keys.digestOf(text, cutter.positions);
      expect(digest).toBe(digestNameOf(recordKey(layout, 'ORG é', record)));
    }),
    { numRuns: 60 },
  );
});
