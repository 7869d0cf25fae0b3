// A table as a Parquet file, written as its row groups come: one is in memory, and no more (D44, ADR 0065).

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumnChunk, type ChunkMemory, type GroupColumn } from './column-chunk';
import { PageMemory } from './column-page';
import { SlotMemory } from './column-slots';
import { STATISTICS_BYTES } from './column-statistics';
import { leafOf, schemaOf, type LeafColumn, type ParquetColumn } from './parquet-column';

const CREATED_BY = 'water-data-query-service';

export class ParquetFile {
  private readonly writer: SinkWriter;
  private readonly file: ParquetWriter;
  private readonly leaves: readonly LeafColumn[];
  private readonly memory: ChunkMemory = { slots: new SlotMemory(), pages: new PageMemory() };

  /** `write` gets the bytes of the file in their order. */
  constructor(columns: readonly ParquetColumn[], write: (bytes: Uint8Array) => void) {
    this.writer = new SinkWriter(write);
    this.leaves = columns.map(leafOf);
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: schemaOf(columns),
      statisticsTruncateLength: STATISTICS_BYTES,
      createdBy: CREATED_BY,
    });
  }

  /** The columns in their order; a group without rows is none. */
  addGroup(rows: number, columns: readonly GroupColumn[]): void {
    if (rows === 0) return;
    const start = this.writer.offset;
    const written = this.leaves.map((leaf, index) => {
      const column = columns[index];
      if (column === undefined) throw new Error('a group with too few columns');
      return writeColumnChunk(this.writer, leaf, column, this.memory);
    });
    const bytes = written.reduce((sum, { chunk }) => sum + chunk.meta_data.total_uncompressed_size, 0n);
    this.file.row_groups.push({
      columns: written.map(({ chunk }) => chunk),
      total_byte_size: bytes,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(this.writer.offset - start),
    });
    this.file.num_rows += BigInt(rows);
    this.file.pendingIndexes.push(...written);
    this.writer.flush();
  }

  /** `metadata` are the key-value pairs of the footer, after which the file is whole. */
  finish(metadata: Readonly<Record<string, string>>): void {
    this.file.kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    // Our writer does not wait for anything.
    void this.file.finish();
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
