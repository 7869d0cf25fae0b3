// A column of a submission file: its type, whether a row may lack it (R in submissions.md, 2), and its older names.

/** What the cells of a column hold; cells.ts reads each. */
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

/** A row that was read: R columns always have a value, lists are never missing, all else may be null. */
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

/** The JSON schema of a row that was read, for ajv: what an R column must hold and what another may. */
export function rowSchema(file: SubmissionFile): object {
  const properties: Record<string, object> = {};
  for (const [name, { type, isRequired }] of Object.entries(file.columns))
    properties[name] = cellSchema(type, isRequired);
  return { type: 'object', properties, required: Object.keys(file.columns) };
}

function cellSchema(type: ColumnType, isRequired: boolean): object {
  switch (type) {
    case 'list':
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    case 'number':
      return { type: isRequired ? 'number' : ['number', 'null'] };
    case 'boolean':
      return { type: isRequired ? 'boolean' : ['boolean', 'null'] };
    case 'date':
      return { type: isRequired ? 'string' : ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
    case 'text':
    case 'identifier':
    case 'huc8':
    case 'huc12':
    case 'state':
      return { type: isRequired ? 'string' : ['string', 'null'], minLength: 1 };
  }
}
