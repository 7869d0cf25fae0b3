// Source rows: the declared cells of a submitted row as a line of CSV. A row that stands in the file that way is taken
// as it is.

import fc from 'fast-check';
import { csvLine, lookupFiles } from '../../data-loaders/format/submission-files';
import { parseRows } from '../../data-loaders/read/csv/csv-records';
import { FileHeader, RowReader } from '../../data-loaders/read/row-reader';

const file = lookupFiles.relations;
const declared = Object.keys(file.columns);

const cell = fc.stringMatching(/^[a ,"\r\n]{0,4}$/);

/** A cell as somebody may write it: in quotes, although it needs none, or as it is, although it needs them. */
const written = fc.oneof(
  cell.map((text) => csvLine([text])),
  cell.map((text) => `"${text.replaceAll('"', '""')}"`),
  cell,
);

function sourceRowsOf(names: readonly string[], text: string): readonly (readonly [string, string])[] {
  const reader = new RowReader(file, new FileHeader(file, names, false));
  return parseRows(text, 1).flatMap(({ cells, source }) =>
    cells === undefined || cells.length < names.length
      ? []
      : [[reader.sourceRow(cells, source), csvLine(declared.map((name) => cells[names.indexOf(name)] ?? ''))] as const],
  );
}

test('a source row is what csvLine writes of its declared cells, however the file has them', () => {
  const names = fc.constantFrom(declared, [...declared].reverse(), [...declared, 'Other'], declared.slice(0, 2));
  const lines = names.chain((columns) =>
    fc.tuple(fc.constant(columns), fc.array(written, { minLength: columns.length, maxLength: columns.length })),
  );
  let compared = 0;
  fc.assert(
    fc.property(lines, ([columns, cells]) => {
      const rows = sourceRowsOf(columns, `${cells.join()}\n`);
      compared += rows.length;
      expect(rows.map(([row]) => row)).toEqual(rows.map(([, wanted]) => wanted));
    }),
    { seed: 5, numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(500);
});
