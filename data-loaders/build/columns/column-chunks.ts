// Columns while they are written: a chunk goes to the store as soon as it is full, so that the memory does not grow
// with the records.

import { writeNumbers, writeOrdinals, type ChunkBounds } from '../../../shared/search/index/column-format';
import { CHUNK_RECORDS, chunkName, type ColumnName } from '../../../shared/store/artifacts';
import type { ReleaseWriter } from '../../../shared/store/port';

/** Doubled, it comes to CHUNK_RECORDS. */
const FIRST_RECORDS = 1024;

/** A column of doubles or of ordinals that is collected in the order of the records. */
export class ColumnChunks {
  /** The bounds of the chunks that were written. */
  readonly bounds: ChunkBounds[] = [];
  /** Grows to a whole chunk, so that a release of few records takes little memory. */
  private values: Float64Array | Uint32Array;
  private count = 0;
  private lowest = Infinity;
  private highest = -Infinity;

  constructor(
    readonly name: ColumnName,
    type: 'numbers' | 'ordinals',
    private readonly writer: Pick<ReleaseWriter, 'addArtifact'>,
  ) {
    this.values = type === 'numbers' ? new Float64Array(FIRST_RECORDS) : new Uint32Array(FIRST_RECORDS);
  }

  /** NaN stands for a number that a record does not have. */
  add(value: number): void {
    this.values[this.count++] = value;
    if (value < this.lowest) this.lowest = value;
    if (value > this.highest) this.highest = value;
    if (this.count === CHUNK_RECORDS) this.flush();
    else if (this.count === this.values.length) this.grow();
  }

  flush(): void {
    if (this.count === 0) return;
    const values = this.values.subarray(0, this.count);
    const content = values instanceof Float64Array ? writeNumbers(values) : writeOrdinals(values);
    this.writer.addArtifact(chunkName(this.name, this.bounds.length), content);
    this.bounds.push(this.lowest <= this.highest ? [this.lowest, this.highest] : null);
    [this.count, this.lowest, this.highest] = [0, Infinity, -Infinity];
  }

  private grow(): void {
    const { values } = this;
    const grown = values instanceof Float64Array ? new Float64Array(2 * this.count) : new Uint32Array(2 * this.count);
    grown.set(values);
    this.values = grown;
  }
}
