// A table as a Parquet file, written as its rows come: a row group is in memory, and no more (D44, ADR 0065).

import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { TableType, ColumnValue } from '../answer/table-columns';

export interface ParquetColumn {
  readonly name: string;
  /** `bytes` are written as they are, `box` is a structure of four numbers (GeoParquet 1.1). */
  readonly type: TableType | 'bytes' | 'box';
  readonly isList: boolean;
}

/** West, south, east and north, in degrees. */
interface BoxValue {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

export type ParquetValue = ColumnValue | Uint8Array | BoxValue;

/** Readers skip whole groups by their statistics; a group of amounts takes some 100 MB while it is put together. */
const GROUP_ROWS = 50_000;

/** Rows with polygons of megabytes make smaller groups. */
const GROUP_BYTES = 64 * 1024 * 1024;

/** Whole identifiers fit, so that a reader that looks for one skips every group without it. */
const STATISTICS_BYTES = 128;

const CREATED_BY = 'water-data-query-service';

const DAY_MS = 86_400_000;

export class ParquetFile {
  private readonly file: ParquetWriter;
  /** For each column the values of the group under way. */
  private readonly values: unknown[][];
  private readonly converters: readonly ((value: ParquetValue) => unknown)[];
  private rows = 0;
  private bytes = 0;

  /** `write` gets the bytes of the file in their order. */
  constructor(
    private readonly columns: readonly ParquetColumn[],
    write: (bytes: Uint8Array) => void,
  ) {
    this.values = columns.map(() => []);
    this.converters = columns.map(converterOf);
    this.file = new ParquetWriter({
      writer: new SinkWriter(write),
      schema: schemaOf(columns),
      codec: 'ZSTD',
      compressors: { ZSTD: compress },
      statisticsTruncateLength: STATISTICS_BYTES,
      createdBy: CREATED_BY,
    });
  }

  /** The values in the order of the columns. `bytes` is what the row adds beside usual cells. */
  addRow(values: readonly ParquetValue[], bytes = 0): void {
    for (const [index, convert] of this.converters.entries()) {
      const column = this.values[index];
      const last = column?.at(-1);
      const value = convert(values[index] ?? null);
      // Neighbours often have equal texts: one of them is kept, the others are garbage at once.
      column?.push(value === last ? last : value);
    }
    this.rows++;
    this.bytes += bytes;
    if (this.rows === GROUP_ROWS || this.bytes > GROUP_BYTES) this.endGroup();
  }

  /** `metadata` are the key-value pairs of the footer, after which the file is whole. */
  finish(metadata: Readonly<Record<string, string>>): void {
    this.endGroup();
    this.file.kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    // Our writer does not wait for anything.
    void this.file.finish();
  }

  private endGroup(): void {
    if (this.rows === 0) return;
    const columnData = this.columns.map(({ name }, index) => ({
      name,
      data: this.values[index] ?? [],
      columnIndex: true,
    }));
    void this.file.write({ columnData, rowGroupSize: this.rows });
    for (const values of this.values) values.length = 0;
    this.rows = 0;
    this.bytes = 0;
  }
}

/** Gives what was written away after each row group. */
class SinkWriter extends ByteWriter {
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

function compress(content: Uint8Array): Uint8Array {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

function elementsOf({ name, type, isList }: ParquetColumn): readonly SchemaElement[] {
  const repetition_type = 'OPTIONAL';
  if (isList) {
    return [
      { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type, ...TEXT },
    ];
  }
  switch (type) {
    case 'text':
      return [{ name, repetition_type, ...TEXT }];
    case 'number':
      return [{ name, repetition_type, type: 'DOUBLE' }];
    case 'boolean':
      return [{ name, repetition_type, type: 'BOOLEAN' }];
    case 'date':
      return [{ name, repetition_type, type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }];
    case 'timestamp': {
      // The answer's timestamps name no zone.
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } as const;
      return [{ name, repetition_type, type: 'INT64', logical_type }];
    }
    case 'bytes':
      return [{ name, repetition_type, type: 'BYTE_ARRAY' }];
    case 'box': {
      const sides = ['xmin', 'ymin', 'xmax', 'ymax'];
      const side = { type: 'DOUBLE', repetition_type: 'REQUIRED' } as const;
      return [{ name, repetition_type, num_children: 4 }, ...sides.map((one) => ({ name: one, ...side }))];
    }
  }
}

/** What the writer of columns takes: days and milliseconds since 1970 for dates, texts inside lists. */
function converterOf({ type, isList }: ParquetColumn): (value: ParquetValue) => unknown {
  if (isList) return textsOf;
  if (type === 'date') return remembered((text) => Date.parse(text.slice(0, 10)) / DAY_MS);
  if (type === 'timestamp') return remembered((text) => BigInt(Date.parse(`${text}Z`)));
  return (value) => value;
}

function textsOf(value: ParquetValue): unknown {
  if (!Array.isArray(value)) return [];
  return value.every((item) => typeof item === 'string')
    ? value
    : value.map((item) => (item === null ? null : String(item)));
}

/** Neighbours have few different dates. */
function remembered(convert: (text: string) => unknown): (value: ParquetValue) => unknown {
  let last = '';
  let converted: unknown = null;
  return (value) => {
    if (typeof value !== 'string') return null;
    if (value !== last) [last, converted] = [value, convert(value)];
    return converted;
  };
}
