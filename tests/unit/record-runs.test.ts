// Records of a run are written as differences and read back with the same bytes (ADR 0025).

import fc from 'fast-check';
import type { ContentReference } from '../../shared/store/cosmos/documents';
import { lookupsOf, readRecordRun, RecordRunBuilder, type RecordRun } from '../../shared/store/cosmos/documents';

interface Written {
  readonly json: string;
  readonly references: readonly number[];
}

/** Records as a store would read them: each text, or the bytes that were put elsewhere, and its lookups. */
function readBack(records: readonly Written[]): { readonly runs: readonly RecordRun[]; readonly back: Written[] } {
  const contents: Uint8Array[] = [];
  const packer = new RecordRunBuilder((content): ContentReference => [contents.push(content) - 1, content.length, 0]);
  const packed = records.map(({ json, references }) => packer.add(json, references));
  const runs = [...packed, packer.take()].filter((run) => run !== undefined);
  const stored = JSON.parse(JSON.stringify(runs)) as readonly RecordRun[];
  const back = stored.flatMap((run) => {
    const indexes = Uint32Array.from(run.records.keys());
    return readRecordRun(run, packer.shape(), indexes).map((text, index) => ({
      json: typeof text === 'string' ? text : Buffer.from(contents[text[0]] ?? []).toString(),
      references: lookupsOf(run, index),
    }));
  });
  return { runs, back };
}

const values = fc.oneof(
  fc.constantFrom(null, 0, 0.1, 1e21, 5e-324, -1.5, '', 'ü☂', '𝄞', '\u0000"\\', '\ud800', [], ['a', 'b'], { a: null }),
  fc.string({ maxLength: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const plainRecord = fc
  .tuple(values, values, values, values)
  .map(([first, second, third, fourth]) => JSON.stringify({ first, second, third, fourth }));
/** Texts that no loader writes, but that must read back as they were. */
const oddRecord = fc.constantFrom(
  '{"first":-0}',
  '{"first":1.0,"second":1,"third":1,"fourth":1}',
  '{"fourth":1,"third":1,"second":1,"first":1}',
  '{"__proto__":1}',
  '{"first":1,"first":2}',
  '{"first":{"__proto__":1},"second":1,"third":1,"fourth":1}',
  '{ "first": 1 }',
  '[1]',
  '"text"',
  'no JSON',
  JSON.stringify({ first: 'x'.repeat(70_000), second: 1, third: 1, fourth: 1 }),
);
const written = fc.record({
  json: fc.oneof({ weight: 9, arbitrary: plainRecord }, { weight: 1, arbitrary: oddRecord }),
  references: fc.array(fc.nat(20), { maxLength: 4 }),
});

test('records read back as they were written, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 60 }), (records) => {
      expect(readBack(records).back).toEqual(records);
    }),
    { seed: 4, numRuns: 200 },
  );
});

function yearOf(year: number): string {
  const fixed = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`Member${index}`, 'the same for all']));
  return JSON.stringify({ ...fixed, TimeframeStart: `${year}-01-01`, TimeframeEnd: `${year}-12-31`, Amount: year / 7 });
}

test('a run has at most 3 KB, and neighbours take a fraction of their size', () => {
  const years = Array.from({ length: 1000 }, (_, index) => ({ json: yearOf(1000 + index), references: [1, 2, 3] }));
  const { runs, back } = readBack(years);
  expect(back).toEqual(years);
  for (const run of runs) expect(JSON.stringify(run).length).toBeLessThanOrEqual(3072);
  expect(runs.length).toBeLessThan(45);
});

test('some records of a run are read without the others', () => {
  const packer = new RecordRunBuilder(() => [0, 0, 0]);
  for (let year = 2000; year < 2010; year++) packer.add(yearOf(year), []);
  const run = packer.take();
  if (run === undefined) throw new Error('nothing was packed');
  expect(readRecordRun(run, packer.shape(), Uint32Array.of(0, 4, 9))).toEqual([2000, 2004, 2009].map(yearOf));
});
