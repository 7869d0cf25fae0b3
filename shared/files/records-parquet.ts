// Records as Parquet: the columns of the CSV format, with types, and the digest of each record's key (D44).

import { type DataSetKind, dataSetLayouts } from '../records/data-sets';
import { buildRecordKey } from '../records/feature-ids';
import type { Item } from '../records/record-references';
import {
  type ColumnValue,
  ORGANIZATION_COLUMNS,
  readColumnValue,
  type TableColumn,
  tableColumns,
} from '../render/table-columns';
import { digestContent } from '../values/digest';
import { GROUP_ROWS, ParquetFile, type ParquetValue, toParquetValue } from './parquet-file';
import type { RecordChunk } from './read-records';
import { createJoins, type Joins } from './record-joins';
import type { FileMetadata, RecordsFile } from './records-file';
import type { Sink } from './sinks';

/** Records with long texts, such as rights, get smaller row groups. */
const GROUP_CHARACTERS = 6_000_000;
const KEY_COLUMN = { name: 'Key', type: 'text', isList: false, hasBounds: false } as const;

export class RecordsParquet implements RecordsFile {
  private readonly file: ParquetFile;
  private readonly joins: Joins<readonly ParquetValue[]>;
  /** The number of characters in the texts of the current row group. */
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
      // Lookup values occur in all groups, so their bounds would not let a reader skip any group.
      ...joined.flatMap((join) => join.columns.map((column) => ({ ...column, hasBounds: false }))),
      { ...KEY_COLUMN, description: 'Digest of the key of the record.' },
    ];
    this.joins = createJoins(joined, (values, join) =>
      join.columns.map((column, index) => this.convertValue(column, values[index] ?? null)),
    );
    this.file = new ParquetFile(columns, sink.write);
  }

  async add(chunks: readonly RecordChunk[]): Promise<void> {
    const { dataSet, file } = this;
    const { record: recordColumns, joined } = tableColumns[dataSet];
    const columns = file.openGroup.values();
    const fillNext = (readValue: (record: Item, chunk: RecordChunk) => ParquetValue): void => {
      const values = columns.next().value ?? [];
      for (const chunk of chunks) {
        for (const record of chunk.records) values.push(readValue(record, chunk));
      }
    };
    for (const name of ORGANIZATION_COLUMNS) fillNext((_record, { organization }) => organization[name]);
    for (const column of recordColumns) fillNext(this.createColumnWriter(column));
    for (const [index, { columns: joinedColumns }] of joined.entries()) {
      const values = chunks.flatMap(({ records, lookups }) => {
        const join = this.joins(lookups)[index];
        return join === undefined ? [] : records.map(join);
      });
      for (const member of joinedColumns.keys()) {
        const rows = values.values();
        fillNext(() => rows.next().value?.[member] ?? null);
      }
    }
    // The digest is also the id of the record's feature.
    fillNext((record, { organization }) =>
      digestContent(buildRecordKey(dataSetLayouts[dataSet], organization.OrganizationUUID, record)),
    );
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

  /** Consecutive records with the same value share the converted value. */
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
