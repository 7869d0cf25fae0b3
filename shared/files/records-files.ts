// Records as files (D44, D46): Parquet with typed columns, and the CSV form compressed, written stretch by stretch.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createGzip, type Gzip } from 'node:zlib';
import type { ExportFormat } from '../query/format-parameters';
import { type DataSetKind, dataSetLayouts, type Item } from '../records/data-sets';
import { buildRecordKey } from '../records/feature-ids';
import {
  type ColumnValue,
  createJoinWriter,
  type JoinedColumns,
  type LookupItems,
  ORGANIZATION_COLUMNS,
  readColumnValue,
  type TableColumn,
  tableColumns,
} from '../render/table-columns';
import { createRowWriter, writeCsvHeader, writeJoinedCells } from '../render/write-csv';
import { digestContent } from '../values/digest';
import { GROUP_ROWS, ParquetFile, type ParquetValue, toParquetValue } from './parquet-file';
import type { RecordChunk } from './read-records';

/** Where the bytes of a file go while it is written. */
export interface Sink {
  /** The bytes must stay as they are. */
  readonly write: (bytes: Uint8Array) => void;
  /** Resolves when more may be written: bounds the memory where whoever takes the bytes is slower. */
  drained(): Promise<void>;
}

/** A file on the local disk. */
export class FileSink implements Sink {
  private readonly stream: WriteStream;

  constructor(path: string) {
    this.stream = createWriteStream(path, { flags: 'wx' });
    // `drained` and `close` tell of it.
    this.stream.on('error', () => undefined);
  }

  readonly write = (bytes: Uint8Array): void => {
    this.stream.write(bytes);
  };

  async drained(): Promise<void> {
    if (this.stream.writableNeedDrain) await once(this.stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.stream.errored !== null) throw this.stream.errored;
    this.stream.end();
    await once(this.stream, 'close');
  }
}

export interface RecordsFile {
  add(chunk: RecordChunk): Promise<void>;
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

/** Makes the joined values of a record, one of each reference. */
type Joins<Written> = (lookups: LookupItems) => readonly ((record: Item) => Written)[];

/** Lookups of another release may say something else of the same identifiers; those of one may grow. */
function createJoins<Written>(
  joins: readonly JoinedColumns[],
  write: (values: readonly ColumnValue[], join: JoinedColumns) => Written,
): Joins<Written> {
  let currentLookups: LookupItems | undefined;
  let currentJoins: ReturnType<Joins<Written>> = [];
  return (lookups) => {
    if (lookups !== currentLookups)
      currentJoins = joins.map((join) => createJoinWriter(join, lookups, (values) => write(values, join)));
    currentLookups = lookups;
    return currentJoins;
  };
}

/** Texts that few records share make a smaller group: a right has many. */
const GROUP_CHARACTERS = 6_000_000;

const KEY_COLUMN = { name: 'Key', type: 'text', isList: false, hasBounds: false } as const;

/** The columns of the CSV form, with types, and the digest of each record's key. */
class RecordsParquet implements RecordsFile {
  private readonly file: ParquetFile;
  private readonly joins: Joins<readonly ParquetValue[]>;
  /** How many characters the texts have that were made for the row group under way. */
  private characters = 0;

  constructor(
    private readonly dataSet: DataSetKind,
    private readonly metadata: FileMetadata,
    private readonly sink: Sink,
  ) {
    const { record, joined } = tableColumns[dataSet];
    const columns = [
      ...ORGANIZATION_COLUMNS.map((name) => ({ name, type: 'text', isList: false }) as const),
      ...record,
      // What lookups say is spread over all groups, so its bounds would let no reader skip one.
      ...joined.flatMap((join) => join.columns.map((column) => ({ ...column, hasBounds: false }))),
      { ...KEY_COLUMN, description: 'Digest of the key of the record.' },
    ];
    this.joins = createJoins(joined, (values, join) =>
      join.columns.map((column, index) => this.convertValue(column, values[index] ?? null)),
    );
    this.file = new ParquetFile(columns, sink.write);
  }

  async add({ organization, records, lookups }: RecordChunk): Promise<void> {
    const { dataSet, file } = this;
    const { record: recordColumns, joined } = tableColumns[dataSet];
    const columns = file.openGroup.values();
    const fillNext = (readValue: (record: Item, index: number) => ParquetValue): void => {
      const values = columns.next().value ?? [];
      records.forEach((record, index) => values.push(readValue(record, index)));
    };
    for (const name of ORGANIZATION_COLUMNS) fillNext(() => organization[name]);
    for (const column of recordColumns) fillNext(this.createColumnWriter(column));
    for (const [index, join] of this.joins(lookups).entries()) {
      const values = records.map(join);
      joined[index]?.columns.forEach((_, member) => {
        fillNext((_record, index) => values[index]?.[member] ?? null);
      });
    }
    // The name of the key, which features have as their id.
    fillNext((record) => digestContent(buildRecordKey(dataSetLayouts[dataSet], organization.OrganizationUUID, record)));
    if (file.rows >= GROUP_ROWS || this.characters > GROUP_CHARACTERS) {
      file.endGroup();
      this.characters = 0;
    }
    await this.sink.drained();
  }

  finish(): Promise<void> {
    this.file.finish(this.metadata);
    return Promise.resolve();
  }

  /** Neighbours that have the same value share what is made of it. */
  private createColumnWriter(column: TableColumn): (record: Item) => ParquetValue {
    let last: ColumnValue | undefined;
    let converted: ParquetValue = null;
    return (record) => {
      const value = readColumnValue(record, column);
      if (value !== last) converted = this.convertValue(column, value);
      last = value;
      return converted;
    };
  }

  private convertValue(column: TableColumn, value: ColumnValue): ParquetValue {
    if (typeof value === 'string') this.characters += value.length;
    else if (Array.isArray(value)) this.characters += value.join('').length;
    return toParquetValue(column, value);
  }
}

class RecordsCsv implements RecordsFile {
  private readonly gzip: GzipText;
  private readonly joins: Joins<string>;
  private header: string;

  constructor(
    private readonly dataSet: DataSetKind,
    sink: Sink,
  ) {
    this.gzip = new GzipText(sink);
    this.joins = createJoins(tableColumns[dataSet].joined, writeJoinedCells);
    this.header = writeCsvHeader(dataSet);
  }

  async add({ organization, records, lookups }: RecordChunk): Promise<void> {
    const writeRow = createRowWriter(this.dataSet, organization, this.joins(lookups));
    let text = this.takeHeader();
    for (const record of records) text += writeRow(record);
    await this.gzip.write(text);
  }

  async finish(): Promise<void> {
    await this.gzip.write(this.takeHeader());
    await this.gzip.finish();
  }

  /** The header, the first time. */
  private takeHeader(): string {
    const { header } = this;
    this.header = '';
    return header;
  }
}

/** Where the operating system stands in the header of gzip, and the value for an unknown one (RFC 1952). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

const GZIP = { chunkSize: 256 * 1024 };

/** A text as one gzip member, without the time and the system that made it (D53). */
export class GzipText {
  private readonly gzip: Gzip = createGzip(GZIP);
  private readonly forwarding: Promise<void>;
  private hasStarted = false;

  constructor(private readonly sink: Sink) {
    this.forwarding = this.forward();
    // `write` and `finish` tell of it.
    this.forwarding.catch(() => undefined);
  }

  async write(text: string): Promise<void> {
    if (!this.gzip.write(text)) await Promise.race([once(this.gzip, 'drain'), this.forwarding]);
  }

  async finish(): Promise<void> {
    this.gzip.end();
    await this.forwarding;
  }

  private async forward(): Promise<void> {
    for await (const bytes of this.gzip as AsyncIterable<Buffer>) {
      if (!this.hasStarted) bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      this.hasStarted = true;
      this.sink.write(bytes);
      await this.sink.drained();
    }
  }
}
