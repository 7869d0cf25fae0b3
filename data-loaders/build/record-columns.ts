// Writes the columns of a release in record order (ADR 0053, ADR 0059). A chunk of measures or ordinals is sent to the
// store as soon as it is full, so that memory does not grow with the records.

import type { FilterField } from '../../shared/query/filter-fields';
import type { DataSetKind } from '../../shared/records/data-sets';
import {
  type ColumnDirectory,
  type FieldValues,
  VARIABLE_MEMBERS,
  type VariableTexts,
} from '../../shared/search/index/column-format';
import { writeKeyHashes } from '../../shared/search/index/key-hashes';
import { buildChunkName, type OrdinalColumn, RECORD_COLUMNS } from '../../shared/store/artifacts';
import type { ReleaseWriter } from '../../shared/store/port';
import { buildByName, getOrAdd } from '../../shared/values/maps';
import type { VariableRow } from '../format/submission-files';
import { ColumnChunks } from './column-chunks';
import { type ColumnFile, readUint32Pieces } from './column-file';
import type { Term } from './term-sources';

/**
 * The ordinals of a record: the numbers of its variable and method within their kinds, the number of its water source
 * plus one (0 for none), its use set (getUseSet), its report year (getReportYear), and the combination of vocabulary
 * values in a right's row.
 */
type RecordOrdinals = Readonly<Record<OrdinalColumn, number>>;

const TERM_OWNERS = ['variable', 'use', 'source', 'rowTerms'] as const;

export class RecordColumns {
  /**
   * The terms of lookups, keyed by the lookup's number within its kind, and the terms of combinations of row values,
   * keyed by code.
   */
  readonly terms: Readonly<Record<(typeof TERM_OWNERS)[number], TermsByCode>> = buildByName(TERM_OWNERS, () => []);
  private readonly numbers: readonly ColumnChunks[];
  private readonly ordinals: readonly ColumnChunks<OrdinalColumn>[];
  private readonly variables: VariableTexts[] = [];
  private readonly useSets: (readonly number[])[] = [];
  private readonly primaryUses: number[] = [];
  /** The ordinals of use sets, keyed by the number of the primary use and the sorted numbers of the uses. */
  private readonly useSetOrdinals = new Map<string, number>();
  private readonly reportYearOrdinals = new Map<string, number>();

  constructor(
    kind: DataSetKind,
    private readonly writer: Pick<ReleaseWriter, 'addArtifact'>,
  ) {
    const { numbers, ordinals } = RECORD_COLUMNS[kind];
    this.numbers = numbers.map((name) => new ColumnChunks(name, 'numbers', writer));
    this.ordinals = ordinals.map((name) => new ColumnChunks(name, 'ordinals', writer));
  }

  setVariable(number: number, row: VariableRow): void {
    const texts = { ...row, VariableSpecificTypeCV: row.VariableSpecificCV };
    this.variables[number] = VARIABLE_MEMBERS.map((name) => texts[name]);
  }

  /** Records must be added in record order. `measures` are in the order of the kind's definition. */
  add(ordinals: RecordOrdinals, measures: readonly (number | null)[]): void {
    this.numbers.forEach((column, index) => {
      column.add(measures[index] ?? NaN);
    });
    for (const column of this.ordinals) column.add(ordinals[column.name]);
  }

  finish(findOrdinal: FindOrdinal, placeFields: readonly FilterField[]): void {
    const columns = [...this.numbers, ...this.ordinals];
    for (const column of columns) column.flush();
    const directory: ColumnDirectory = {
      bounds: Object.fromEntries(columns.map(({ name, bounds }) => [name, bounds])),
      variables: this.variables,
      useSets: this.useSets,
      primaryUses: this.primaryUses,
      reportYears: [...this.reportYearOrdinals.keys()],
      values: buildByName(TERM_OWNERS, (owner) => listFieldOrdinals(this.terms[owner], findOrdinal)),
      placeFields,
    };
    this.writer.addArtifact('columns', [Buffer.from(JSON.stringify(directory))]);
  }

  /**
   * Returns the ordinal of a set of uses. `uses` are distinct numbers in any order; `primaryUse` is one of them, or
   * undefined.
   */
  getUseSet(uses: readonly number[], primaryUse: number | undefined): number {
    const sorted = [...uses].sort((a, b) => a - b);
    const primary = primaryUse === undefined ? 0 : primaryUse + 1;
    return getOrAdd(this.useSetOrdinals, [primary, ...sorted].join(), () => {
      this.primaryUses.push(primary);
      return this.useSets.push(sorted) - 1;
    });
  }

  /** Returns the ordinal of a report year; 0 for none. */
  getReportYear(reportYear: string | null): number {
    if (reportYear === null) return 0;
    return getOrAdd(this.reportYearOrdinals, reportYear, () => this.reportYearOrdinals.size + 1);
  }
}

/** Returns the position of a term in the vocabulary plus one; undefined if no record has the term. */
export type FindOrdinal = (text: string) => number | undefined;

/** The terms of lookups or of combinations of row values, keyed by code. There is at most one term for each field. */
export type TermsByCode = (readonly Pick<Term, 'field' | 'text'>[] | undefined)[];

/** Maps each code to the ordinal of its term, for each field; 0 for none. */
function listFieldOrdinals(termsByCode: TermsByCode, findOrdinal: FindOrdinal): FieldValues {
  const listOrdinals = (field: FilterField): readonly number[] =>
    Array.from(termsByCode, (terms) => {
      const term = terms?.find((each) => each.field === field);
      return term === undefined ? 0 : (findOrdinal(term.text) ?? 0);
    });
  const fields = new Set(termsByCode.flatMap((terms) => terms?.map(({ field }) => field) ?? []));
  return Object.fromEntries([...fields].sort().map((field) => [field, listOrdinals(field)]));
}

/** Writes the hashes that identify features of amounts (D48). `hashes` contains one for each record. */
export function writeKeyHashChunks(hashes: ColumnFile, writer: Pick<ReleaseWriter, 'addArtifact'>): void {
  const length = hashes.byteLength / Uint32Array.BYTES_PER_ELEMENT;
  writeKeyHashes({ length, batches: () => readUint32Pieces(hashes) }, (chunk, content) => {
    writer.addArtifact(buildChunkName('keyHashes', chunk), [content]);
  });
}
