// A column of a submission file: its type, whether a row may lack it (R in submissions.md, 2), and its older names.

/** The values that cells of each type have; cells.ts reads them. */
export interface ColumnValues {
  text: string;
  /** Text that a spreadsheet may have made into a number: `11130302.0` stands for `11130302`. */
  identifier: string;
  huc8: string;
  huc12: string;
  /** A two-letter state abbreviation. */
  state: string;
  number: number;
  /** As YYYY-MM-DD. */
  date: string;
  boolean: boolean;
  list: readonly string[];
}

export type ColumnType = keyof ColumnValues;

/** The value of a cell; null when it is empty or could not be read. */
export type CellValue = ColumnValues[ColumnType] | null;

export interface Column<Type extends ColumnType = ColumnType, IsRequired extends boolean = boolean> {
  readonly type: Type;
  readonly isRequired: IsRequired;
  readonly synonyms: readonly string[];
  /** Holds terms of a controlled vocabulary: one term in two letter cases is a warning. */
  readonly isVocabulary: boolean;
}

export type Columns = Readonly<Record<string, Column>>;

export interface SubmissionFile<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

/** A row whose cells were read: R columns always have a value, lists are never missing, all else may be null. */
export type RowOf<File> =
  File extends SubmissionFile<infer C>
    ? {
        readonly [Name in keyof C]: C[Name] extends Column<infer Type, infer IsRequired>
          ? Type extends 'list'
            ? readonly string[]
            : IsRequired extends true
              ? ColumnValues[Type]
              : ColumnValues[Type] | null
          : never;
      }
    : never;

type Optional<Type extends ColumnType> = Column<Type, false>;
type Required<Type extends ColumnType> = Column<Type, true>;

export function column<Type extends ColumnType>(type: Type, ...synonyms: readonly string[]): Optional<Type> {
  return { type, isRequired: false, synonyms, isVocabulary: false };
}

export function required<Type extends ColumnType>(type: Type, ...synonyms: readonly string[]): Required<Type> {
  return { type, isRequired: true, synonyms, isVocabulary: false };
}

/** A column of a controlled vocabulary. */
export function vocabulary<C extends Column>(declared: C): C {
  return { ...declared, isVocabulary: true };
}

export function defineFile<C extends Columns>(name: string, columns: C): SubmissionFile<C> {
  return { name, columns };
}

/** Rows of one file as objects, and as lists of their values in the order of the declared columns. */
export class RowShape {
  readonly names: readonly string[];
  /**
   * Each row is a copy of it, so that all have one hidden class: built member by member, a row costs 5 microseconds.
   */
  private readonly empty: Readonly<Record<string, CellValue>>;

  constructor({ columns }: SubmissionFile) {
    this.names = Object.keys(columns);
    this.empty = Object.fromEntries(this.names.map((name) => [name, null]));
  }

  /** `values` stand in the order of the names; columns behind the last of them are null. */
  rowOf(values: readonly CellValue[]): Readonly<Record<string, CellValue>> {
    const row = { ...this.empty };
    this.names.forEach((name, index) => {
      row[name] = values[index] ?? null;
    });
    return row;
  }

  /** In the order of the names. */
  valuesOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
    return this.names.map((name) => row[name]);
  }
}
