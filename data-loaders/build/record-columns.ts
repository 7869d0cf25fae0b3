// The columns of a release while they are written, in the order of its records (ADR 0059, ADR 0053). A chunk of
// measures or ordinals goes to the store as soon as it is full; periods, hashes and fingerprints, which are written
// whole, wait in files. So the memory does not grow with the records.

import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { FilterField } from '../../shared/query/filter-fields';
import type { DataSetKind } from '../../shared/records/data-sets';
import {
  type ChunkBounds,
  type ColumnDirectory,
  type FieldValues,
  VARIABLE_MEMBERS,
  type VariableTexts,
  writeNumbers,
  writeOrdinals,
} from '../../shared/search/index/column-format';
import { writeKeyHashes } from '../../shared/search/index/key-hashes';
import { NO_DAY, NO_PERIOD } from '../../shared/search/index/period-column';
import {
  buildChunkName,
  CHUNK_RECORDS,
  type ColumnName,
  type OrdinalColumn,
  RECORD_COLUMNS,
} from '../../shared/store/artifacts';
import type { ReleaseWriter } from '../../shared/store/port';
import { sectionBuffers, toSection } from '../../shared/values/bytes/sections';
import type { Day, DaySpan } from '../../shared/values/dates';
import { buildByName, getOrAdd } from '../../shared/values/maps';
import type { ShownDates } from '../format/amount-definitions';
import type { VariableRow } from '../format/submission-files';
import type { Term } from './term-sources';

/**
 * The numbers of a record's variable and method within their kinds, that of its water source plus one (0 for none), its
 * set of uses by useSetOf, its year by reportYearOf, and the code of the combination of vocabulary values in a right's
 * row.
 */
type RecordOrdinals = Readonly<Record<OrdinalColumn, number>>;

const TERM_OWNERS = ['variable', 'use', 'source', 'rowTerms'] as const;

export class RecordColumns {
  /** The terms of lookups by their numbers within their kinds, and of the combinations of rows' values. */
  readonly terms: Readonly<Record<(typeof TERM_OWNERS)[number], TermsByCode>> = buildByName(TERM_OWNERS, () => []);
  private readonly numbers: readonly ColumnChunks[];
  private readonly ordinals: readonly ColumnChunks<OrdinalColumn>[];
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
    this.numbers = numbers.map((name) => new ColumnChunks(name, 'numbers', writer));
    this.ordinals = ordinals.map((name) => new ColumnChunks(name, 'ordinals', writer));
  }

  setVariable(number: number, row: VariableRow): void {
    const texts = { ...row, VariableSpecificTypeCV: row.VariableSpecificCV };
    this.variables[number] = VARIABLE_MEMBERS.map((name) => texts[name]);
  }

  /** Records come in the order of their numbers; `measures` are in the order of the kind's definition. */
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
      reportYears: [...this.reportYearOrdinals.keys()],
      values: buildByName(TERM_OWNERS, (owner) => listFieldOrdinals(this.terms[owner], findOrdinal)),
      placeFields,
    };
    this.writer.addArtifact('columns', [Buffer.from(JSON.stringify(directory))]);
  }

  /** Combinations come in the order of the records; the numbers of uses in any order, without repeats. */
  getUseSet(uses: readonly number[]): number {
    const sorted = [...uses].sort((a, b) => a - b);
    return getOrAdd(this.useSetOrdinals, sorted.join(), () => this.useSets.push(sorted) - 1);
  }

  /** Years come in the order of the records. */
  getReportYear(reportYear: string | null): number {
    if (reportYear === null) return 0;
    return getOrAdd(this.reportYearOrdinals, reportYear, () => this.reportYearOrdinals.size + 1);
  }
}

/** The number in the vocabulary plus one of the term with a text; undefined where no record has the term. */
export type FindOrdinal = (text: string) => number | undefined;

/** The terms that lookups, or combinations of a row's values, have by their codes; at most one of each field. */
export type TermsByCode = (readonly Pick<Term, 'field' | 'text'>[] | undefined)[];

/** By field, the ordinal of each code's term; 0 for none. */
function listFieldOrdinals(termsByCode: TermsByCode, findOrdinal: FindOrdinal): FieldValues {
  const listOrdinals = (field: FilterField): readonly number[] =>
    Array.from(termsByCode, (terms) => {
      const term = terms?.find((each) => each.field === field);
      return term === undefined ? 0 : (findOrdinal(term.text) ?? 0);
    });
  const fields = new Set(termsByCode.flatMap((terms) => terms?.map(({ field }) => field) ?? []));
  return Object.fromEntries([...fields].sort().map((field) => [field, listOrdinals(field)]));
}

/** A column of doubles or of ordinals that is cut into chunks. */
export class ColumnChunks<Name extends ColumnName = ColumnName> {
  /** The bounds of the chunks that were written. */
  readonly bounds: ChunkBounds[] = [];
  private readonly values: Float64Array | Uint32Array;
  private count = 0;
  private min = Infinity;
  private max = -Infinity;

  constructor(
    readonly name: Name,
    type: 'numbers' | 'ordinals',
    private readonly writer: Pick<ReleaseWriter, 'addArtifact'>,
  ) {
    this.values = type === 'numbers' ? new Float64Array(CHUNK_RECORDS) : new Uint32Array(CHUNK_RECORDS);
  }

  /** NaN stands for a number that a record does not have. */
  add(value: number): void {
    this.values[this.count++] = value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (this.count === CHUNK_RECORDS) this.flush();
  }

  flush(): void {
    if (this.count === 0) return;
    const values = this.values.subarray(0, this.count);
    const content = values instanceof Float64Array ? writeNumbers(values) : writeOrdinals(values);
    this.writer.addArtifact(buildChunkName(this.name, this.bounds.length), [content]);
    this.bounds.push(this.min <= this.max ? [this.min, this.max] : null);
    [this.count, this.min, this.max] = [0, Infinity, -Infinity];
  }
}

/** Codes fit two bytes up to this number of distinct periods. */
const MAX_SHORT_CODES = 0x10000;

/** A period column while records come: only the table of periods is in memory. */
export class PeriodColumnWriter {
  /** By the days of the period and those that are shown, as texts. */
  private readonly codesByPeriod = new Map<string, number>();
  private readonly periods: number[] = [0, 0];
  private readonly shownDates: number[] = [NO_DAY, NO_DAY];
  private readonly codes: ColumnFile;

  /** `path` is that of the file, which is removed by whoever made its folder. */
  constructor(path: string) {
    this.codes = new ColumnFile(path, Uint32Array);
  }

  /** `first` of the period must not be later than `last`; undefined when the record has no dates, and shows none. */
  add(period: DaySpan | undefined, shownDates: ShownDates | undefined = period): void {
    this.codes.add(period === undefined ? NO_PERIOD : this.getCode(period.first, period.last, shownDates));
  }

  /** First and last day over all records; undefined when none has dates. */
  extent(): DaySpan | undefined {
    let first = Infinity;
    let last = -Infinity;
    for (let index = 2; index < this.periods.length; index += 2) {
      first = Math.min(first, this.periods[index] ?? first);
      last = Math.max(last, this.periods[index + 1] ?? last);
    }
    return first === Infinity ? undefined : { first, last };
  }

  /** What `readPeriodColumn` reads; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    const isShort = this.periods.length / 2 <= MAX_SHORT_CODES;
    const codeBytes = isShort ? Uint16Array.BYTES_PER_ELEMENT : Uint32Array.BYTES_PER_ELEMENT;
    const inMemory = [Uint32Array.of(codeBytes), Int32Array.from(this.periods), Int32Array.from(this.shownDates)].map(
      toSection,
    );
    const byteLength = (this.codes.byteLength / Uint32Array.BYTES_PER_ELEMENT) * codeBytes;
    const pieces = (): Iterable<Uint8Array> => (isShort ? shortenCodes(this.codes) : this.codes.pieces());
    return sectionBuffers([...inMemory, { byteLength, pieces }]);
  }

  private getCode(first: Day, last: Day, shownDates: ShownDates | undefined): number {
    return getOrAdd(this.codesByPeriod, `${first} ${last} ${shownDates?.first} ${shownDates?.last}`, () => {
      this.shownDates.push(shownDates?.first ?? NO_DAY, shownDates?.last ?? NO_DAY);
      return this.periods.push(first, last) / 2 - 1;
    });
  }
}

/** Writes the hashes by which features of amounts are addressed (D48); `hashes` has one for each record. */
export function writeKeyHashChunks(hashes: ColumnFile, writer: Pick<ReleaseWriter, 'addArtifact'>): void {
  const length = hashes.byteLength / Uint32Array.BYTES_PER_ELEMENT;
  writeKeyHashes({ length, batches: () => readUint32Pieces(hashes) }, (chunk, content) => {
    writer.addArtifact(buildChunkName('keyHashes', chunk), [content]);
  });
}

/** Numbers that are written together. */
const BUFFERED_NUMBERS = 8192;
const READ_BYTES = 1 << 20;

/** A column of numbers of which all but the last few thousand lie in a file. No file stays open between the calls. */
export class ColumnFile {
  private readonly buffered: Float64Array | Float32Array | Uint32Array;
  private bufferedCount = 0;
  private writtenBytes = 0;

  /** Starts the file anew. */
  constructor(
    private readonly path: string,
    Numbers: Float64ArrayConstructor | Float32ArrayConstructor | Uint32ArrayConstructor,
  ) {
    this.buffered = new Numbers(BUFFERED_NUMBERS);
    writeFileSync(path, '');
  }

  get byteLength(): number {
    return this.writtenBytes + this.bufferedCount * this.buffered.BYTES_PER_ELEMENT;
  }

  add(value: number): void {
    this.buffered[this.bufferedCount++] = value;
    if (this.bufferedCount === BUFFERED_NUMBERS) this.write();
  }

  /** The bytes of all numbers; a piece is overwritten after the next one. */
  *pieces(): Iterable<Uint8Array> {
    this.write();
    const file = openSync(this.path, 'r');
    try {
      const piece = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.writtenBytes));
      for (let offset = 0; offset < this.writtenBytes;) {
        const length = readSync(file, piece, 0, piece.length, offset);
        if (length === 0) throw new Error(`${this.path} was cut off`);
        yield piece.subarray(0, length);
        offset += length;
      }
    } finally {
      closeSync(file);
    }
  }

  private write(): void {
    const { buffer, BYTES_PER_ELEMENT } = this.buffered;
    const bytes = new Uint8Array(buffer, 0, this.bufferedCount * BYTES_PER_ELEMENT);
    appendFileSync(this.path, bytes);
    this.writtenBytes += bytes.length;
    this.bufferedCount = 0;
  }
}

/** Numbers of four bytes in two. */
function* shortenCodes(codes: ColumnFile): Iterable<Uint8Array> {
  for (const numbers of readUint32Pieces(codes)) yield new Uint8Array(Uint16Array.from(numbers).buffer);
}

/** The numbers of a column of Uint32Array; a piece is overwritten after the next one. */
export function* readUint32Pieces(column: ColumnFile): Iterable<Uint32Array> {
  for (const { buffer, byteOffset, byteLength } of column.pieces()) {
    yield new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  }
}
