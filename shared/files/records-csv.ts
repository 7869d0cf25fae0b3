// Records as compressed CSV (D44).

import type { DataSetKind } from '../records/data-sets';
import { tableColumns } from '../render/table-columns';
import { createRowWriter, writeCsvHeader, writeJoinedCells } from '../render/write-csv';
import { GzipText } from './gzip-text';
import type { RecordChunk } from './read-records';
import { createJoins, type Joins } from './record-joins';
import type { RecordsFile } from './records-file';
import type { Sink } from './sinks';

export class RecordsCsv implements RecordsFile {
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

  async add(chunks: readonly RecordChunk[]): Promise<void> {
    let text = this.takeHeader();
    for (const { organization, records, lookups } of chunks) {
      const writeRow = createRowWriter(this.dataSet, organization, this.joins(lookups));
      for (const record of records) text += writeRow(record);
    }
    await this.gzip.write(text);
  }

  async finish(): Promise<void> {
    await this.gzip.write(this.takeHeader());
    await this.gzip.finish();
  }

  /** Returns the header on the first call, and an empty string after that. */
  private takeHeader(): string {
    const { header } = this;
    this.header = '';
    return header;
  }
}
