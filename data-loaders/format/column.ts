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
  /** A list of identifiers. */
  identifiers: readonly string[];
}

export type ColumnType = keyof ColumnValues;

/** The value of a cell; null when it is empty or could not be read. */
export type CellValue = ColumnValues[ColumnType] | null;

export interface FileColumn<Type extends ColumnType = ColumnType, IsRequired extends boolean = boolean> {
  readonly type: Type;
  readonly isRequired: IsRequired;
  readonly synonyms: readonly string[];
  /** Holds terms of a controlled vocabulary: one term in two letter cases is a warning. */
  readonly isVocabulary: boolean;
}

export type Columns = Readonly<Record<string, FileColumn>>;

export interface SubmissionFile<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

/** A row whose cells were read: R columns always have a value, lists are never missing, all else may be null. */
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

/** A column of a controlled vocabulary. */
export function vocabulary<C extends FileColumn>(declared: C): C {
  return { ...declared, isVocabulary: true };
}

export function defineFile<C extends Columns>(name: string, columns: C): SubmissionFile<C> {
  return { name, columns };
}

/**
 * Turns rows of a file into lists of values in the order of the columns, and back. Both ways are compiled code, which
 * saves a load of amounts a tenth of its processor time (ADR 0049).
 */
export class RowShape {
  readonly names: readonly string[];
  /** Makes a row of values in the order of the names; columns behind the last of them are null. */
  readonly rowOf: (values: readonly CellValue[]) => Readonly<Record<string, CellValue>>;
  /** The values of a row in the order of the names. */
  readonly valuesOf: (row: Readonly<Record<string, unknown>>) => readonly unknown[];

  constructor({ columns }: SubmissionFile) {
    this.names = Object.keys(columns);
    const quoted = this.names.map((name) => JSON.stringify(name));
    const members = quoted.map((name, index) => `${name}: values[${index}] ?? null`);
    const values = quoted.map((name) => `row[${name}]`);
    // The compiled texts take and give what the members declare.
    this.rowOf = compile('values', `({${members.join()}})`) as RowShape['rowOf'];
    this.valuesOf = compile('row', `[${values.join()}]`) as RowShape['valuesOf'];
  }
}

/** The only text from outside could be the name of a column, and those are declared here. */
function compile(parameter: string, expression: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see RowShape
  return new Function(parameter, `return ${expression}`);
}
