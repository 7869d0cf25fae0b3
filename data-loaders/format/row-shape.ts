// Rows of one file as objects of one hidden class. Built property by property from an empty object, a row of 23 columns costs
// 5 microseconds to make and to take apart, by name in a loop half of one; by code that is made for the file, a tenth.

import type { CellValue } from './cells';
import type { SubmissionFile } from './column';

type AnyRow = Record<string, CellValue>;

export interface RowShape {
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly valuesOf: (row: Readonly<AnyRow>) => readonly CellValue[];
  /** Of values in the order of the names. */
  readonly ofValues: (values: readonly CellValue[]) => AnyRow;
}

const shapes = new Map<SubmissionFile, RowShape>();

/** Made once a file kind. */
export function rowShapeOf(file: SubmissionFile): RowShape {
  const known = shapes.get(file);
  if (known !== undefined) return known;
  const shape = createShape(Object.keys(file.columns));
  shapes.set(file, shape);
  return shape;
}

/** As ajv makes its validators; the only text from outside would be a column's name, and those are declared by us. */
function createShape(names: readonly string[]): RowShape {
  const quoted = names.map((name) => JSON.stringify(name));
  const properties = quoted.map((name, index) => `${name}: values[${index}] ?? null`);
  const values = quoted.map((name) => `row[${name}] ?? null`);
  return {
    names,
    valuesOf: compiled('row', `[${values.join()}]`) as RowShape['valuesOf'],
    ofValues: compiled('values', `({${properties.join()}})`) as RowShape['ofValues'],
  };
}

function compiled(parameter: string, expression: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see createShape
  return new Function(parameter, `return ${expression}`);
}
