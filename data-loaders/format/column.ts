// Declares the columns of submission files: type, whether each row requires a value (R in submissions.md, 2), older
// names, and whether the values come from a controlled vocabulary.

/** The values that cells of each type can have. */
export interface ColumnValues {
  text: string;
  /** WKT or GeoJSON of any length. */
  geometry: string;
  /** Text that a spreadsheet may have turned into a number: `11130302.0` stands for `11130302`. */
  identifier: string;
  huc8: string;
  huc12: string;
  /** A two-letter state abbreviation. */
  state: string;
  /** The abbreviation or the name of a state, as submitted. Any other text gets a warning. */
  stateName: string;
  number: number;
  /** A number that gets a warning when it is negative. */
  amount: number;
  /** A date as YYYY-MM-DD. */
  date: string;
  boolean: boolean;
  list: readonly string[];
  /** A list of identifiers. */
  identifiers: readonly string[];
}

export type ColumnType = keyof ColumnValues;

/** The value of a cell; null if it is empty or could not be read. */
export type CellValue = ColumnValues[ColumnType] | null;

export interface FileColumn<Type extends ColumnType = ColumnType, IsRequired extends boolean = boolean> {
  readonly type: Type;
  readonly isRequired: IsRequired;
  readonly synonyms: readonly string[];
  /**
   * Whether the values come from a controlled vocabulary. A term that occurs in two letter cases then gets a warning.
   */
  readonly isVocabulary: boolean;
}

export type Columns = Readonly<Record<string, FileColumn>>;

export interface SubmissionFile<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

/** A parsed row. R columns always have a value, lists are never null, and all other values may be null. */
export type RowOf<File> =
  File extends SubmissionFile<infer C>
    ? {
        readonly [Name in keyof C]: C[Name] extends FileColumn<infer Type, infer IsRequired>
          ? Type extends 'list' | 'identifiers'
            ? readonly string[]
            : IsRequired extends true
              ? ColumnValues[Type]
              : ColumnValues[Type] | null
          : never;
      }
    : never;

export function column<Type extends ColumnType>(type: Type, ...synonyms: readonly string[]): FileColumn<Type, false> {
  return { type, isRequired: false, synonyms, isVocabulary: false };
}

export function required<Type extends ColumnType>(type: Type, ...synonyms: readonly string[]): FileColumn<Type, true> {
  return { type, isRequired: true, synonyms, isVocabulary: false };
}

/** Declares a column with a controlled vocabulary. */
export function vocabulary<C extends FileColumn>(declared: C): C {
  return { ...declared, isVocabulary: true };
}

export function defineFile<C extends Columns>(name: string, columns: C): SubmissionFile<C> {
  return { name, columns };
}
