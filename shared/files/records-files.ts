// Records as files (D44, D46): Parquet with typed columns, and the CSV form compressed, written group by group.

import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';
import { ORGANIZATION_COLUMNS, tableColumns, type ColumnValue } from '../render/table-columns';
import { csvHeader, LINE_END, valueCell } from '../render/write-csv';
import type { ExportFormat } from '../query/paging-and-format';
import type { DataSetKind } from '../records/data-sets';
import { numberAt } from '../values/numbers';
import { ColumnCodes } from './column-values';
import type { ParquetColumn } from './parquet-column';
import { ParquetFile } from './parquet-file';
import type { RecordGroup, Segment } from './record-coder';
import type { Sink } from './sink';

export interface RecordsFile {
  /** Whether it shows the digests of the records' keys. */
  readonly hasKeys: boolean;
  add(group: RecordGroup): Promise<void>;
  /** Afterwards the file is whole. */
  finish(): Promise<void>;
}

/** What a file says of itself, beside its columns. */
export type FileMetadata = Readonly<Record<string, string>>;

export const recordsFiles: Readonly<
  Record<ExportFormat, (dataSet: DataSetKind, metadata: FileMetadata, sink: Sink) => RecordsFile>
> = {
  parquet: (dataSet, metadata, sink) => new RecordsParquet(dataSet, metadata, sink),
  'csv.gz': (dataSet, _, sink) => new RecordsCsv(dataSet, sink),
};

type DescribedColumn = ParquetColumn & { readonly description?: string | undefined };

/** The columns of the CSV form, with types, and the digest of each record's key. */
class RecordsParquet implements RecordsFile {
  readonly hasKeys = true;
  private readonly file: ParquetFile;
  private readonly columns: readonly DescribedColumn[];

  constructor(
    dataSet: DataSetKind,
    private readonly metadata: FileMetadata,
    private readonly sink: Sink,
  ) {
    const { record, joined } = tableColumns[dataSet];
    this.columns = [
      ...ORGANIZATION_COLUMNS.map((name) => ({ name, type: 'text', isList: false }) as const),
      ...record,
      ...joined.flatMap(({ columns }) => columns),
      { name: 'Key', type: 'text', isList: false, description: 'Digest of the key of the record.' },
    ];
    this.file = new ParquetFile(this.columns, sink.write);
  }

  async add({ rows, segments, keys }: RecordGroup): Promise<void> {
    const digests = new ColumnCodes(undefined);
    for (const key of keys) digests.addDistinct(key);
    this.file.addGroup(rows, [
      ...segments.flatMap(({ entryOf, columns }) => columns.map((values) => ({ values, entryOf }))),
      { values: digests, entryOf: Uint32Array.from(keys, (_, row) => row) },
    ]);
    await this.sink.drained();
  }

  finish(): Promise<void> {
    this.file.finish({ ...this.metadata, columns: describedColumns(this.columns) });
    return Promise.resolve();
  }
}

/** JSON: what each column holds, with the unit where there is one. */
export function describedColumns(columns: readonly DescribedColumn[]): string {
  const described = columns.filter(({ description }) => description !== undefined);
  return JSON.stringify(Object.fromEntries(described.map(({ name, description }) => [name, description])));
}

/** Where the operating system stands in the header of gzip, and the value for an unknown one (RFC 1952). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/** So many rows are one text: some 2 MB. */
const ROWS_AT_ONCE = 4000;

const GZIP = { chunkSize: 256 * 1024 };

/** One gzip member, without the time and the system that made it (D53). */
class RecordsCsv implements RecordsFile {
  readonly hasKeys = false;
  private readonly gzip: Gzip = createGzip(GZIP);
  private readonly written: Promise<void>;
  private isBegun = false;

  constructor(
    dataSet: DataSetKind,
    private readonly sink: Sink,
  ) {
    this.written = this.passOn();
    // `add` and `finish` tell of it.
    this.written.catch(() => undefined);
    this.gzip.write(csvHeader(dataSet));
  }

  async add({ rows, segments }: RecordGroup): Promise<void> {
    const [first, ...others] = segments
      .filter(({ columns }) => columns.length > 0)
      .map((segment) => new SegmentCells(segment));
    for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
      let text = '';
      for (let row = from; row < Math.min(rows, from + ROWS_AT_ONCE); row++) {
        text += first?.of(row) ?? '';
        for (const segment of others) text += `,${segment.of(row)}`;
        text += LINE_END;
      }
      if (!this.gzip.write(text)) await Promise.race([once(this.gzip, 'drain'), this.written]);
    }
  }

  async finish(): Promise<void> {
    this.gzip.end();
    await this.written;
  }

  private async passOn(): Promise<void> {
    for await (const bytes of this.gzip as AsyncIterable<Buffer>) {
      if (!this.isBegun) bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      this.isBegun = true;
      this.sink.write(bytes);
      await this.sink.drained();
    }
  }
}

/** The cells of neighbouring columns as one text, made once for each entry. */
class SegmentCells {
  private readonly made: string[] = [];

  constructor(private readonly segment: Segment) {}

  of(row: number): string {
    const entry = numberAt(this.segment.entryOf, row);
    return (this.made[entry] ??= this.segment.columns.map((values) => valueCell(cellValue(values, entry))).join());
  }
}

function cellValue(values: ColumnCodes, entry: number): ColumnValue {
  return values.valueOf(entry) as ColumnValue; // Records have no bytes.
}
