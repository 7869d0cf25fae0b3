// Objects of the answer: one declaration gives the order, the JSON text and the schema.

import { Ajv } from 'ajv';
import fc from 'fast-check';
import { anyText } from '../fixtures/any-text';
import {
  boolean,
  listOf,
  number,
  objectOf,
  objectWriter,
  requiredNumber,
  requiredText,
  text,
  type ObjectOf,
} from '../../shared/records/object-definition';

const members = {
  ...{ Zeta: requiredText, 'a "quoted" name': text, Amount: requiredNumber, Acreage: number, IsExempt: boolean },
  ...{ Uses: listOf(objectOf({ Use: requiredText })), Tags: listOf(requiredText) },
};

type Sample = ObjectOf<typeof members>;

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const sample: fc.Arbitrary<Sample> = fc.record({
  ...{ Zeta: anyText(), 'a "quoted" name': fc.option(anyText()), Amount: finite, Acreage: fc.option(finite) },
  ...{ IsExempt: fc.option(fc.boolean()), Uses: fc.array(fc.record({ Use: anyText() }, { noNullPrototype: true })) },
  Tags: fc.array(anyText()),
});

const write = objectWriter(members);
const isSample = new Ajv({ allowUnionTypes: true }).compile(objectOf(members).schema);

test('a value is written as JSON.stringify writes it, members in the declared order, and fits the schema', () => {
  fc.assert(
    fc.property(sample, (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse()) as Sample; // The same members.
      const ordered = Object.fromEntries(Object.keys(members).map((name) => [name, value[name as keyof Sample]]));
      expect(write(reversed)).toBe(JSON.stringify(ordered));
      expect(write(value)).not.toMatch(/[\n\r]/);
      expect(JSON.parse(write(value))).toEqual({ ...value });
      expect(isSample(JSON.parse(write(value)))).toBe(true);
    }),
  );
});

test('members that were not declared are not written', () => {
  const value = { Zeta: 'z', extra: 'x' };
  expect(objectWriter({ Zeta: requiredText })(value)).toBe('{"Zeta":"z"}');
});

const valid: Sample = {
  ...{ Zeta: '', 'a "quoted" name': null, Amount: 0, Acreage: null, IsExempt: null, Uses: [{ Use: 'Irrigation' }] },
  Tags: [],
};

test.each([
  ['a missing member', { Zeta: undefined }],
  ['a null that must be known', { Zeta: null }],
  ['an amount as text', { Amount: '1' }],
  ['null for a list', { Uses: null }],
  ['an item with another member', { Uses: [{ Use: 'a', Other: 1 }] }],
  ['null in a list of texts', { Tags: [null] }],
  ['an undeclared member', { Other: 1 }],
])('the schema refuses %s', (_, change) => {
  expect(isSample(valid)).toBe(true);
  expect(isSample(JSON.parse(JSON.stringify({ ...valid, ...change })))).toBe(false);
});
