// The columns of a Parquet file: how each is declared in the schema, and how a value is stored.

import type { SchemaElement } from 'hyparquet';
import type { TableType } from '../render/table-columns';
import type { EncodedCell } from './column-values';

export interface ParquetColumn {
  readonly name: string;
  /** `bytes` are written as they are; `side` is a required number within a structure (GeoParquet 1.1). */
  readonly type: TableType | 'bytes' | 'side';
  readonly isList: boolean;
  /** The structure that a side stands in: neighbours of one name share it. */
  readonly within?: string;
}

/** Texts are written as UTF-8. */
export type PhysicalValue = number | bigint | boolean | string | Uint8Array;

/** A column as pages hold it. */
export interface LeafColumn {
  /** What the schema says of the values. */
  readonly element: SchemaElement;
  readonly path: readonly string[];
  readonly isList: boolean;
  readonly physicalOf: (value: EncodedCell) => PhysicalValue;
}

const DAY_MS = 86_400_000;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;

export function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  const roots = new Set(columns.map(({ name, within }) => within ?? name));
  return [
    { name: 'root', num_children: roots.size },
    ...columns.flatMap((column, at) => elementsOf(column, at, columns)),
  ];
}

export function leafOf(column: ParquetColumn): LeafColumn {
  const { name, within, isList } = column;
  const path = isList ? [name, 'list', 'element'] : within === undefined ? [name] : [within, name];
  return { element: valueElement(column), path, isList, physicalOf: physicalOf[column.type] };
}

function elementsOf(column: ParquetColumn, at: number, columns: readonly ParquetColumn[]): readonly SchemaElement[] {
  const { name, within, isList } = column;
  const value = valueElement(column);
  if (isList) {
    return [
      { name, ...OPTIONAL, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      value,
    ];
  }
  if (within === undefined || columns[at - 1]?.within === within) return [value];
  const sides = columns.filter((one) => one.within === within);
  return [{ name: within, ...OPTIONAL, num_children: sides.length }, value];
}

function valueElement({ name, type, isList }: ParquetColumn): SchemaElement {
  if (isList) return { name: 'element', ...OPTIONAL, ...TEXT };
  switch (type) {
    case 'text':
      return { name, ...OPTIONAL, ...TEXT };
    case 'number':
      return { name, ...OPTIONAL, type: 'DOUBLE' };
    case 'boolean':
      return { name, ...OPTIONAL, type: 'BOOLEAN' };
    case 'date':
      return { name, ...OPTIONAL, type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'timestamp':
      // The answer's timestamps name no zone.
      return {
        ...{ name, ...OPTIONAL, type: 'INT64' },
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
      };
    case 'bytes':
      return { name, ...OPTIONAL, type: 'BYTE_ARRAY' };
    case 'side':
      return { name, repetition_type: 'REQUIRED', type: 'DOUBLE' };
  }
}

const physicalOf: Readonly<Record<ParquetColumn['type'], (value: EncodedCell) => PhysicalValue>> = {
  text: String,
  number: Number,
  side: Number,
  boolean: Boolean,
  date: (value) => Date.parse(String(value).slice(0, 10)) / DAY_MS,
  timestamp: (value) => BigInt(Date.parse(`${String(value)}Z`)),
  bytes: (value) => (value instanceof Uint8Array ? value : Buffer.from(String(value))),
};
