// Parquet files: hyparquet reads back what was written, whatever the columns contain, over groups and pages, and
// statistics include every value.

import fc from 'fast-check';
import { type ParquetColumn, ParquetFile, toParquetValue } from '../../shared/files/parquet-file';
import type { TableType } from '../../shared/render/table-columns';
import { anyText } from '../fixtures/any-text';
import { type Parquet, readParquet } from '../fixtures/parquet-reading';

type Value = string | number | boolean | null | readonly (string | null)[];

const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'Cache', 'UT-1'), anyText({ maxLength: 200 }));
const date = fc.date({ min: new Date('1850-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

const valuesOf: Readonly<Record<TableType, fc.Arbitrary<string | number | boolean>>> = {
  text: text.map((one) => one.toWellFormed()),
  number: fc.oneof(
    fc.constantFrom(0, 1, -1.5),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  ),
  boolean: fc.boolean(),
  date: date.map((one) => one.toISOString().slice(0, 10)),
  timestamp: date.map((one) => `${one.toISOString().slice(0, 10)}T00:00:00`),
};

const TYPES = Object.keys(valuesOf) as TableType[];

const listOfTexts = fc.array(fc.option(valuesOf.text.map(String)), { maxLength: 4 });

interface DrawnColumn {
  readonly type: TableType;
  readonly isList: boolean;
  readonly value: fc.Arbitrary<Value>;
}

const drawnColumn = fc.constantFrom<DrawnColumn>(
  ...TYPES.map((type) => ({ type, isList: false, value: fc.option(valuesOf[type]) })),
  { type: 'text', isList: true, value: listOfTexts },
);

const drawnTable = fc.array(drawnColumn, { minLength: 1, maxLength: 5 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns.map(({ type, isList }, index) => ({ name: `c${index}`, type, isList }))),
    groups: fc.array(fc.array(fc.tuple(...columns.map(({ value }) => value)), { minLength: 1, maxLength: 30 }), {
      maxLength: 3,
    }),
  }),
);

function write(
  columns: readonly (ParquetColumn & { readonly type: TableType })[],
  groups: readonly (readonly (readonly Value[])[])[],
): Promise<Parquet> {
  const pieces: Uint8Array[] = [];
  const file = new ParquetFile(columns, (bytes) => pieces.push(bytes));
  for (const rows of groups) {
    for (const row of rows) file.addRow(columns.map((column, index) => toParquetValue(column, row[index] ?? null)));
    file.endGroup();
  }
  file.finish({ title: 'drawn' });
  return readParquet(Buffer.concat(pieces));
}

/** The value as hyparquet reads it. */
function asRead(value: Value, type: TableType): unknown {
  if (typeof value !== 'string') return value;
  return type === 'date' || type === 'timestamp' ? new Date(type === 'date' ? value : `${value}Z`) : value;
}

test('reads back what was written', async () => {
  await fc.assert(
    fc.asyncProperty(drawnTable, async ({ columns, groups }) => {
      const { rows, values, metadata } = await write(columns, groups);
      expect(values).toEqual({ title: 'drawn', columns: '{}' });
      expect(metadata.row_groups).toHaveLength(groups.length);
      const expected = groups.flat().map((row) => columns.map(({ type }, index) => asRead(row[index] ?? null, type)));
      expect(rows.map((row) => columns.map(({ name }) => row[name]))).toEqual(expected);
    }),
    { seed: 14, numRuns: 150 },
  );
});

test('reads back a group of many rows, with the minimum and maximum of its columns', async () => {
  const columns = [
    { name: 'year', type: 'number', isList: false },
    { name: 'place', type: 'text', isList: false },
    { name: 'uses', type: 'text', isList: true },
    { name: 'none', type: 'text', isList: false },
  ] as const;
  const rows = Array.from({ length: 25_001 }, (_, row): readonly Value[] => [
    1900 + Math.floor(row / 250),
    row % 3 === 0 ? null : `P${row % 7000}`,
    Array.from({ length: row % 4 }, (_one, at) => (at === 2 ? null : `U${(row + at) % 5}`)),
    null,
  ]);
  const { rows: read, metadata } = await write(columns, [rows]);
  expect(read.map((row) => columns.map(({ name }) => row[name])).join('|') === rows.join('|')).toBe(true);
  const chunks = metadata.row_groups[0]?.columns ?? [];
  const bounds = chunks.map(({ meta_data }) => meta_data?.statistics);
  expect(bounds[0]).toMatchObject({ min_value: 1900, max_value: 2000, null_count: 0n });
  expect(bounds[1]).toMatchObject({ min_value: 'P0', max_value: 'P999', null_count: 8334n });
  expect(bounds[3]).toMatchObject({ null_count: 25_001n });
});
