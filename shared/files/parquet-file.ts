// A table as a Parquet file, written row group by row group, with one group in memory (D44, ADR 0065). This file
// declares the columns and their types; hyparquet-writer writes them.

import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnValue, TableColumn, TableType } from '../render/table-columns';
import type { Box } from '../values/geometry';

/** Readers use the statistics of a row group to skip it. A group with large values has fewer rows. */
export const GROUP_ROWS = 10_000;

export interface ParquetColumn {
  readonly name: string;
  /** `bytes` are stored unchanged; a `box` is the struct of a geometry's bounds (GeoParquet 1.1). */
  readonly type: TableType | 'bytes' | 'box';
  readonly isList: boolean;
  /** Includes the unit, if any. */
  readonly description?: string | undefined;
  /**
   * Whether row groups store the minimum and maximum of the column. They would be useless for the bytes of a geometry.
   */
  readonly hasBounds?: boolean;
}

/** The members of a box, in the order of its sides. */
export const BOX_MEMBERS = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

type BoxValue = Readonly<Record<(typeof BOX_MEMBERS)[number], number>>;

/** A value in the form that hyparquet-writer expects. */
export type ParquetValue =
  null | string | number | bigint | boolean | Uint8Array | BoxValue | readonly (string | null)[];

const CREATED_BY = 'water-data-query-service';

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Long enough for whole identifiers, so readers that look for an identifier can skip row groups. */
const STATISTICS_BYTES = 128;

const DAY_MS = 86_400_000;

/** The schema element of each type except a box. Timestamps of answers have no time zone. */
const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  timestamp: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
  bytes: { type: 'BYTE_ARRAY' },
} as const;

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;

export class ParquetFile {
  private readonly file: ParquetWriter;
  /** The values of the current row group, by column. */
  openGroup: readonly ParquetValue[][];

  /** `write` receives the bytes of the file in order. */
  constructor(
    private readonly columns: readonly ParquetColumn[],
    write: (bytes: Uint8Array) => void,
  ) {
    this.openGroup = columns.map(() => []);
    this.file = new ParquetWriter({
      writer: new ForwardingWriter(write),
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(buildSchemaElements)],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, ZSTD) },
      statisticsTruncateLength: STATISTICS_BYTES,
      createdBy: CREATED_BY,
    });
  }

  /** The number of rows in the current row group. */
  get rows(): number {
    return this.openGroup[0]?.length ?? 0;
  }

  /** `values` are in the order of the columns. */
  addRow(values: readonly ParquetValue[]): void {
    if (values.length !== this.columns.length) throw new Error(`a row of ${values.length} values`);
    this.openGroup.forEach((column, index) => column.push(values[index] ?? null));
  }

  /** Does nothing when the group has no rows. */
  endGroup(): void {
    if (this.rows === 0) return;
    const columnData = this.columns.map(({ name, hasBounds = true }, index) => {
      return { name, data: this.openGroup[index] ?? [], statistics: hasBounds };
    });
    // The promise is not awaited because ForwardingWriter is synchronous.
    void this.file.write({ columnData, rowGroupSize: this.rows });
    this.openGroup = this.columns.map(() => []);
  }

  /** `metadata` are the key-value pairs of the footer. Afterwards the file is complete. */
  finish(metadata: Readonly<Record<string, string>>): void {
    this.endGroup();
    const describedColumns = this.columns.filter(({ description }) => description !== undefined);
    const columns = JSON.stringify(
      Object.fromEntries(describedColumns.map(({ name, description }) => [name, description])),
    );
    this.file.kvMetadata = Object.entries({ ...metadata, columns }).map(([key, value]) => ({ key, value }));
    void this.file.finish();
  }
}

/** Forwards the bytes after each row group. */
class ForwardingWriter extends ByteWriter {
  constructor(private readonly write: (bytes: Uint8Array) => void) {
    super();
  }

  flush(): void {
    this.write(this.getBytes().slice());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/** Converts a value of a table to a value of a Parquet column. */
export function toParquetValue(
  { type, isList }: Pick<TableColumn, 'type' | 'isList'>,
  value: ColumnValue,
): ParquetValue {
  // The values have the types that their column declares, and lists contain only strings (D53).
  if (isList) return (value as readonly ColumnValue[]).map((item) => (item === null ? null : String(item)));
  if (value === null) return null;
  switch (type) {
    case 'text':
      return String(value);
    case 'number':
      return Number(value);
    case 'boolean':
      return Boolean(value);
    case 'date':
      return Date.parse(String(value).slice(0, 10)) / DAY_MS;
    case 'timestamp':
      return BigInt(Date.parse(`${String(value)}Z`));
  }
}

export function toBoxValue([xmin, ymin, xmax, ymax]: Box): ParquetValue {
  return { xmin, ymin, xmax, ymax };
}

function buildSchemaElements({ name, type, isList }: ParquetColumn): readonly SchemaElement[] {
  if (isList) {
    return [
      { name, ...OPTIONAL, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', ...OPTIONAL, ...ELEMENTS.text },
    ];
  }
  if (type !== 'box') return [{ name, ...OPTIONAL, ...ELEMENTS[type] }];
  const sides = BOX_MEMBERS.map((side) => ({ name: side, repetition_type: 'REQUIRED', type: 'DOUBLE' }) as const);
  return [{ name, ...OPTIONAL, num_children: sides.length }, ...sides];
}
