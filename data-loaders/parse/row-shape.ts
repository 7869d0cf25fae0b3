// Rows of one file as objects of one hidden class. Built property by property from an empty object, a row of 23 columns costs
// 5 microseconds to make and to take apart; as an instance of a class of the file's own it costs one.

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

function createShape(names: readonly string[]): RowShape {
  class Row {
    [name: string]: CellValue;
    constructor(values: readonly CellValue[]) {
      for (let index = 0; index < names.length; index++) this[names[index] ?? ''] = values[index] ?? null;
    }
  }
  return {
    names,
    valuesOf: (row) => names.map((name) => row[name] ?? null),
    ofValues: (values) => new Row(values),
  };
}
