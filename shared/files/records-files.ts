// Records as files (D44, D46): Parquet with typed columns, and the CSV form compressed, written as the records come.

import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';
import type { SliceItems } from '../answer/page-texts';
import { columnValue, joinedValues, ORGANIZATION_COLUMNS, tableColumns } from '../answer/table-columns';
import { csvHeader, csvRows } from '../answer/write-csv';
import { recordKey } from '../answer/write-geojson';
import type { ExportFormat } from '../query/paging-and-format';
import { dataSetLayouts, type DataSetKind } from '../records/data-sets';
import { digestNameOf } from '../values/digest';
import { ParquetFile, type ParquetColumn, type ParquetValue } from './parquet-file';
import type { Sink } from './sink';

export interface RecordsFile {
  add(records: SliceItems): Promise<void>;
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
  private readonly file: ParquetFile;
  private readonly columns: readonly DescribedColumn[];

  constructor(
    private readonly dataSet: DataSetKind,
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

  async add({ organization, records, lookups }: SliceItems): Promise<void> {
    const layout = dataSetLayouts[this.dataSet];
    const { record: columns, joined } = tableColumns[layout.kind];
    const start = ORGANIZATION_COLUMNS.map((name) => organization[name]);
    const joins = joined.map((join) => joinedValues(join, lookups, (values) => values));
    for (const record of records) {
      const row: ParquetValue[] = [...start];
      for (const column of columns) row.push(columnValue(record, column));
      for (const join of joins) for (const value of join(record)) row.push(value);
      row.push(digestNameOf(recordKey(layout, organization.OrganizationUUID, record)));
      this.file.addRow(row);
    }
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

/** One gzip member, without the time and the system that made it (D53). */
class RecordsCsv implements RecordsFile {
  private readonly gzip: Gzip = createGzip();
  private readonly written: Promise<void>;
  private isBegun = false;

  constructor(
    private readonly dataSet: DataSetKind,
    private readonly sink: Sink,
  ) {
    this.written = this.passOn();
    // `add` and `finish` tell of it.
    this.written.catch(() => undefined);
    this.gzip.write(csvHeader(dataSet));
  }

  async add(records: SliceItems): Promise<void> {
    if (!this.gzip.write([...csvRows(this.dataSet, records)].join('')))
      await Promise.race([once(this.gzip, 'drain'), this.written]);
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
