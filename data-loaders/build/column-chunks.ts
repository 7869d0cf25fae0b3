// Writes a column of numbers or ordinals in chunks.

import { type ChunkBounds, writeNumbers, writeOrdinals } from '../../shared/search/index/column-format';
import { buildChunkName, CHUNK_RECORDS, type ColumnName } from '../../shared/store/artifacts';
import type { ReleaseWriter } from '../../shared/store/port';

/** A column of doubles or ordinals, written in chunks. */
export class ColumnChunks<Name extends ColumnName = ColumnName> {
  /** The bounds of the written chunks. */
  readonly bounds: ChunkBounds[] = [];
  private readonly values: Float64Array | Uint32Array;
  private count = 0;
  private min = Infinity;
  private max = -Infinity;

  constructor(
    readonly name: Name,
    type: 'numbers' | 'ordinals',
    private readonly writer: Pick<ReleaseWriter, 'addArtifact'>,
  ) {
    this.values = type === 'numbers' ? new Float64Array(CHUNK_RECORDS) : new Uint32Array(CHUNK_RECORDS);
  }

  /** NaN stands for a missing number. */
  add(value: number): void {
    this.values[this.count] = value;
    this.count++;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (this.count === CHUNK_RECORDS) this.flush();
  }

  flush(): void {
    if (this.count === 0) return;
    const values = this.values.subarray(0, this.count);
    const content = values instanceof Float64Array ? writeNumbers(values) : writeOrdinals(values);
    this.writer.addArtifact(buildChunkName(this.name, this.bounds.length), [content]);
    this.bounds.push(this.min <= this.max ? [this.min, this.max] : null);
    this.count = 0;
    this.min = Infinity;
    this.max = -Infinity;
  }
}
