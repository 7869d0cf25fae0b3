// A table as a Parquet file, written as its rows come: one group of them is in memory, and no more (D44, ADR 0065). The
// columns and their types are declared here; hyparquet-writer writes them.

import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnValue, TableColumn, TableType } from '../render/table-columns';
import type { Box } from '../values/geometry';

/** Readers skip whole groups by their statistics. Large values make smaller groups. */
export const GROUP_ROWS = 10_000;

export interface ParquetColumn {
  readonly name: string;
  /** `bytes` are written as they are; a `box` is the structure that covers a geometry (GeoParquet 1.1). */
  readonly type: TableType | 'bytes' | 'box';
  readonly isList: boolean;
  /** With the unit where there is one. */
  readonly description?: string | undefined;
  /** Whether groups say between which values the column lies. Nobody asks for a geometry by the order of its bytes. */
  readonly hasBounds?: boolean;
}

/** The members of a box, in the order of its sides. */
export const BOX_MEMBERS = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

type BoxValue = Readonly<Record<(typeof BOX_MEMBERS)[number], number>>;

/** A value as hyparquet-writer takes it. */
export type ParquetValue =
  null | string | number | bigint | boolean | Uint8Array | BoxValue | readonly (string | null)[];

const CREATED_BY = 'water-data-query-service';

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Whole identifiers fit, so that a reader that looks for one skips every group without it. */
const STATISTICS_BYTES = 128;

const DAY_MS = 86_400_000;

/** What stands in the schema for values of each type but a box. The answer's timestamps name no zone. */
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
  /** The values of the group under way, column by column. */
  openGroup: readonly ParquetValue[][];

  /** `write` gets the bytes of the file in their order. */
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

  /** How many rows the group under way has. */
  get rows(): number {
    return this.openGroup[0]?.length ?? 0;
  }

  /** The values of a row in the order of the columns. */
  addRow(values: readonly ParquetValue[]): void {
    if (values.length !== this.columns.length) throw new Error(`a row of ${values.length} values`);
    this.openGroup.forEach((column, index) => column.push(values[index] ?? null));
  }

  /** A group without rows is none. */
  endGroup(): void {
    if (this.rows === 0) return;
    const columnData = this.columns.map(({ name, hasBounds = true }, index) => {
      return { name, data: this.openGroup[index] ?? [], statistics: hasBounds };
    });
    // Our writer waits for nothing.
    void this.file.write({ columnData, rowGroupSize: this.rows });
    this.openGroup = this.columns.map(() => []);
  }

  /** `metadata` are the key-value pairs of the footer, after which the file is whole. */
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

/** Passes on what was written after each row group. */
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

/** A value of a table as a value of a column. */
export function toParquetValue(
  { type, isList }: Pick<TableColumn, 'type' | 'isList'>,
  value: ColumnValue,
): ParquetValue {
  // The values have the types that their column declares, and lists have texts alone (D53).
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
