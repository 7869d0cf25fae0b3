// Writes the columns of a release in the order of its records, and the directory that says what their ordinals mean.

import type { FilterField } from '../../../shared/query/text-filters';
import type { DataSetKind } from '../../../shared/records/data-sets';
import {
  type ColumnDirectory,
  type FieldValues,
  VARIABLE_MEMBERS,
  type VariableTexts,
} from '../../../shared/search/index/column-format';
import { RECORD_COLUMNS } from '../../../shared/store/artifacts';
import type { ReleaseWriter } from '../../../shared/store/port';
import type { VariableRow } from '../../format/submission-files';
import { ColumnChunks } from './column-chunks';
import { TermsByCode, type OrdinalOf } from './terms-by-code';

/** The numbers of a record's lookups within their kinds, its measures, and what stands in its own row. */
export interface ValuesOfRecord {
  readonly variable: number;
  readonly method: number;
  readonly source: number | undefined;
  /** By useSetOf. */
  readonly useSet: number;
  /** By reportYearOf. */
  readonly reportYear: number;
  /** The code of the combination of vocabulary values in an allocation's row. */
  readonly rowTerms: number;
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
}

export class RecordColumns {
  /** The terms of lookups by their numbers within their kinds, and of the combinations of rows' values. */
  readonly terms = {
    variable: new TermsByCode(),
    use: new TermsByCode(),
    source: new TermsByCode(),
    rowTerms: new TermsByCode(),
  };
  private readonly numbers: readonly ColumnChunks[];
  private readonly ordinals: readonly {
    readonly column: ColumnChunks;
    readonly valueOf: (of: ValuesOfRecord) => number;
  }[];
  private readonly variables: VariableTexts[] = [];
  private readonly useSets: (readonly number[])[] = [];
  /** By the sorted numbers of uses. */
  private readonly useSetOrdinals = new Map<string, number>();
  private readonly reportYearOrdinals = new Map<string, number>();

  constructor(
    kind: DataSetKind,
    private readonly writer: Pick<ReleaseWriter, 'addArtifact'>,
  ) {
    const { numbers, ordinals } = RECORD_COLUMNS[kind];
    const valuesOf: Readonly<Record<(typeof ordinals)[number], (of: ValuesOfRecord) => number>> = {
      variable: ({ variable }) => variable,
      method: ({ method }) => method,
      source: ({ source }) => (source === undefined ? 0 : source + 1),
      useSet: ({ useSet }) => useSet,
      reportYear: ({ reportYear }) => reportYear,
      rowTerms: ({ rowTerms }) => rowTerms,
    };
    this.numbers = numbers.map((name) => new ColumnChunks(name, 'numbers', writer));
    this.ordinals = ordinals.map((name) => {
      return { column: new ColumnChunks(name, 'ordinals', writer), valueOf: valuesOf[name] };
    });
  }

  setVariable(number: number, row: VariableRow): void {
    const texts = { ...row, VariableSpecificTypeCV: row.VariableSpecificCV };
    this.variables[number] = VARIABLE_MEMBERS.map((name) => texts[name]);
  }

  /** Records come in the order of their numbers. */
  add(values: ValuesOfRecord): void {
    this.numbers.forEach((column, index) => {
      column.add(values.measures[index] ?? NaN);
    });
    for (const { column, valueOf } of this.ordinals) column.add(valueOf(values));
  }

  finish(ordinalOf: OrdinalOf, placeFields: readonly FilterField[]): void {
    const columns = [...this.numbers, ...this.ordinals.map(({ column }) => column)];
    for (const column of columns) column.flush();
    const valuesOf = (table: TermsByCode): FieldValues =>
      Object.fromEntries(table.finish(ordinalOf).map(([field, ordinals]) => [field, [...ordinals]]));
    const { variable, use, source, rowTerms } = this.terms;
    const directory: ColumnDirectory = {
      bounds: Object.fromEntries(columns.map(({ name, bounds }) => [name, bounds])),
      variables: this.variables,
      useSets: this.useSets,
      reportYears: [...this.reportYearOrdinals.keys()],
      values: {
        ...{ variable: valuesOf(variable), use: valuesOf(use) },
        ...{ source: valuesOf(source), rowTerms: valuesOf(rowTerms) },
      },
      placeFields,
    };
    this.writer.addArtifact('columns', Buffer.from(JSON.stringify(directory)));
  }

  /** Combinations come in the order of the records; the numbers of uses in any order, without repeats. */
  useSetOf(uses: readonly number[]): number {
    const sorted = [...uses].sort((a, b) => a - b);
    const key = sorted.join();
    const known = this.useSetOrdinals.get(key);
    if (known !== undefined) return known;
    const ordinal = this.useSets.push(sorted) - 1;
    this.useSetOrdinals.set(key, ordinal);
    return ordinal;
  }

  /** Years come in the order of the records. */
  reportYearOf(reportYear: string | null): number {
    return reportYear === null ? 0 : ordinalIn(this.reportYearOrdinals, reportYear) + 1;
  }
}

/** The ordinal of a text by the order in which texts came first. */
function ordinalIn(ordinals: Map<string, number>, text: string): number {
  const known = ordinals.get(text);
  if (known !== undefined) return known;
  const ordinal = ordinals.size;
  ordinals.set(text, ordinal);
  return ordinal;
}
