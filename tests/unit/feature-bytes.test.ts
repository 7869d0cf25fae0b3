// What features are made of without a parser: polygons and numbers read from bytes, and numbers by texts (ADR 0098,
// ADR 0135).

import fc from 'fast-check';
import { NumberText } from '../../shared/answer/features/number-texts';
import { PolygonTexts } from '../../shared/answer/features/polygon-texts';
import { readGeometry } from '../../shared/values/boundary';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { withRightHandRule } from '../../shared/values/geometry';
import { TextTable } from '../../shared/values/bytes/text-table';

const SEED = 20_261_123;

function polygonOf(text: string): string | undefined {
  const target = new ByteWriter(16);
  target.ascii('before');
  const bytes = Buffer.from(`,${JSON.stringify(text)},`);
  const isWritten = new PolygonTexts(target).write(bytes, 1, bytes.length - 1);
  expect(target.bytes(0, 6).toString()).toBe('before');
  if (!isWritten) expect(target).toHaveLength(6);
  return isWritten ? target.bytes(6).toString() : undefined;
}

/** What the reader of all forms makes of a text; undefined for one that it refuses. */
function readerOf(text: string): string | undefined {
  const read = readGeometry(text);
  return read.ok ? JSON.stringify(withRightHandRule(read.value)) : undefined;
}

/** Among many that loaders write some that only the reader of all forms knows, or refuses. */
const ordinate = (limit: number): fc.Arbitrary<string> => {
  const number = fc.double({ min: -limit, max: limit, noNaN: true });
  const odd = fc.constantFrom('7.', '1e1', '+1', '1e400', 'x');
  const usual = fc.oneof(
    fc.integer({ min: -limit, max: limit }).map(String),
    number.map((value) => value.toFixed(8)),
    number.map((value) => value.toFixed(15)),
    fc.constantFrom('0', '-0', '0.5', '1.50', '12.3456789012345678', '0.0000001'),
  );
  return fc.oneof({ arbitrary: usual, weight: 99 }, { arbitrary: odd, weight: 1 });
};

const position = fc.tuple(ordinate(180), ordinate(90)).map(([x, y]) => `${x} ${y}`);

/** Rings are closed but for a few. */
const ring = fc
  .tuple(fc.array(position, { minLength: 3, maxLength: 6 }), fc.integer({ min: 0, max: 9 }), fc.constantFrom(',', ', '))
  .map(([positions, open, comma]) => `(${[...positions, ...(open === 0 ? [] : positions.slice(0, 1))].join(comma)})`);

const polygon = fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => `(${rings.join(', ')})`);

const wellKnownText = fc.oneof(
  polygon.map((rings) => `POLYGON ${rings}`),
  fc.array(polygon, { minLength: 1, maxLength: 3 }).map((polygons) => `MULTIPOLYGON (${polygons.join(', ')})`),
  polygon.map((rings) => `polygon Z${rings} `),
);

test('a polygon is written as the reader of all forms reads it, or is left to that one', () => {
  let written = 0;
  const check = (text: string): void => {
    const json = polygonOf(text);
    if (json === undefined) return;
    written++;
    expect({ text, json }).toEqual({ text, json: readerOf(text) });
  };
  fc.assert(fc.property(wellKnownText, check), { seed: SEED, numRuns: 1500 });
  expect(written).toBeGreaterThan(200);
});

test.each([
  ['POLYGON ((30 10, 40 40, 20 40, 10 20, 30 10))'],
  ['POLYGON ((1.5 1.5,4.25 1.5,4.25 4.125,1.5 1.5), (2.5 2, 3 2, 3 2.5, 2.5 2))'],
  ['MULTIPOLYGON (((1 1, 1 5, 5 5, 1 1)), ((10 10, 20 10, 20 20.000000000000001, 10 10)))'],
  [
    'POLYGON ((-110.7493667619665 42.60565185634812, -110.7288665765312 42.5808334340158, 0.5 -0, -110.7493667619665 42.60565185634812))',
  ],
])('%s is read as bytes, rings against the right-hand rule turned', (text) => {
  expect(polygonOf(text)).toBe(readerOf(text));
});

test.each([
  ['of another type', 'POINT (1 2)'],
  ['in lower case', 'polygon ((1 1, 1 2, 2 2, 1 1))'],
  ['with three numbers', 'POLYGON ((1 1 1, 1 2 1, 2 2 1, 1 1 1))'],
  ['with an open ring', 'POLYGON ((1 1, 1 2, 2 2, 3 3))'],
  ['with a ring of three positions', 'POLYGON ((1 1, 1 2, 1 1))'],
  ['beyond the poles', 'POLYGON ((1 1, 1 92, 2 2, 1 1))'],
  ['with a parenthesis too many', 'POLYGON ((1 1, 1 2, 2 2, 1 1)))'],
  ['that is cut off', 'POLYGON ((1 1, 1 2, 2 2, 1 1)'],
  ['that is empty', 'POLYGON EMPTY'],
  ['that is not ASCII', 'POLYGON ((1 1, 1 2, 2 2, 1\u00a01))'],
])('a text %s is left to the reader of all forms, and nothing is written', (_, text) => {
  expect(polygonOf(text)).toBeUndefined();
});

test('a number that is found to be as JSON writes it is so, and has its value', () => {
  const number = new NumberText();
  let shortest = 0;
  const check = (text: string): void => {
    const bytes = Buffer.from(` ${text} `);
    if (!number.read(bytes, 1)) return;
    const read = text.slice(0, number.end - 1);
    expect(number.value).toBe(Number(read));
    if (number.isShortest) expect(text.slice(0, number.shortestEnd - 1)).toBe(JSON.stringify(Number(read)));
    if (number.isShortest) shortest++;
  };
  fc.assert(fc.property(ordinate(180), check), { seed: SEED, numRuns: 2000 });
  expect(shortest).toBeGreaterThan(200);
});

test.each([
  ['-110.570580', '-110.57058'],
  ['7.000', '7'],
  ['100', '100'],
])('%s is copied as %s, without the zeros that say nothing', (text, shortest) => {
  const number = new NumberText();
  expect(number.read(Buffer.from(text), 0) && number.isShortest).toBe(true);
  expect(text.slice(0, number.shortestEnd)).toBe(shortest);
  expect(number.value).toBe(Number(text));
});

test('a table finds the number that was set last for each text, and none for others', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat()), { minLength: 1200, maxLength: 1500 }), text, (entries, other) => {
      const table = new TextTable();
      for (const [name, number] of entries) table.set(Buffer.from(`"${name}"`), 0, Buffer.byteLength(name) + 2, number);
      const expected = new Map(entries);
      for (const name of [...expected.keys(), other]) {
        const bytes = Buffer.from(`--"${name}"`);
        expect(table.get(bytes, 2, bytes.length)).toBe(expected.get(name));
      }
    }),
    { seed: SEED, numRuns: 2 },
  );
});
