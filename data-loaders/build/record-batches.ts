// Sends staged rows to the record builder in batches and hands on what it built in the order of the rows. The loader
// goes on with the next rows meanwhile, but stays at most some batches ahead (ADR 0046).

import { valuesOfRow, type RowValues, type ValuesOfRow } from './index/row-values';
import { joinRows } from './joined-rows';
import { BATCH_BYTES, PendingBatches, type AsyncRecordBuilder } from './pending-batches';
import type { BuiltBatch, FinishedRecords, RowBatch } from './record-builder';
import type { RecordLookups } from './records/record-json';

export interface BuiltRecord {
  /** In UTF-8; overwritten after the next record. */
  readonly json: Uint8Array;
  /** contentFingerprint of `json`. */
  readonly fingerprint: number;
  /** hashOfDigest of the digest of its key; undefined of a right. */
  readonly keyHash: number | undefined;
  readonly values: ValuesOfRow;
}

/** A staged row with what the builder needs besides. Its bytes must stay what they are until `send`. */
interface RowToBuild {
  readonly row: Uint8Array;
  readonly lookups: RecordLookups;
  /** Ranks. */
  readonly places: readonly number[];
}

/** A quarter of a megabyte of usual texts. What waits for a larger batch would outlive collections of young memory. */
const BATCH_ROWS = 250;

class OpenBatch<Indexed> {
  readonly indexed: Indexed[] = [];
  bytes = 0;
  private readonly rows: Uint8Array[] = [];
  private readonly lookups: RecordLookups[] = [];
  private readonly lookupsOfRows: number[] = [];
  private readonly places: number[] = [];
  private readonly placeEnds: number[] = [];

  add({ row, lookups, places }: RowToBuild, indexed: Indexed): void {
    this.rows.push(row);
    // Rows that follow each other mostly share one object, which is then sent once.
    if (this.lookups.at(-1) !== lookups) this.lookups.push(lookups);
    this.lookupsOfRows.push(this.lookups.length - 1);
    for (const place of places) this.places.push(place);
    this.placeEnds.push(this.places.length);
    this.indexed.push(indexed);
    this.bytes += row.length;
  }

  close(memory: ReturnType<PendingBatches<BuiltBatch>['freeMemory']>): RowBatch {
    const { rows, lookups, lookupsOfRows, places, placeEnds } = this;
    return {
      ...joinRows(rows, memory.input),
      ...{ lookups, lookupsOfRows: Uint32Array.from(lookupsOfRows), memory: memory.texts },
      ...{ places: Uint32Array.from(places), placeEnds: Uint32Array.from(placeEnds) },
    };
  }
}

export class RecordBatches<Indexed> {
  private open = new OpenBatch<Indexed>();
  private readonly pending = new PendingBatches<BuiltBatch>();

  constructor(
    private readonly builder: AsyncRecordBuilder,
    private readonly listener: {
      /** `indexed` is what was added with the row. */
      readonly record: (built: BuiltRecord, indexed: Indexed) => void;
      /** Combinations of values that the next records refer to. */
      readonly combinations: (added: Pick<RowValues, 'newUses' | 'newOwn'>) => void;
    },
  ) {}

  add(row: RowToBuild, indexed: Indexed): void {
    this.open.add(row, indexed);
  }

  /** When true, `send` is to be called before the next row. */
  get isBatchFull(): boolean {
    return this.open.indexed.length >= BATCH_ROWS || this.open.bytes >= BATCH_BYTES;
  }

  /** Sends the rows added since the last call, and waits while too many batches are pending. */
  async send(): Promise<void> {
    const { bytes } = this.open;
    this.sendOpen();
    await this.pending.settle(bytes);
  }

  /** Builds what is left; the digests are asked for once all records were handed on. */
  async finish(lookupDigests: () => Uint8Array): Promise<FinishedRecords> {
    if (this.open.indexed.length > 0) this.sendOpen();
    await this.pending.finish();
    return this.builder.finish(lookupDigests());
  }

  private sendOpen(): void {
    const { indexed } = this.open;
    this.pending.add(this.builder.build(this.open.close(this.pending.freeMemory())), (built) => {
      this.handOn(built, indexed);
    });
    this.open = new OpenBatch();
  }

  private handOn(built: BuiltBatch, batch: readonly Indexed[]): void {
    const { texts, ends, fingerprints, keyHashes, values } = built;
    this.listener.combinations(values);
    let start = 0;
    batch.forEach((indexed, index) => {
      const end = ends[index];
      const fingerprint = fingerprints[index];
      if (end === undefined || fingerprint === undefined) throw new Error('a batch came back with too few records');
      const record = { json: texts.subarray(start, end), fingerprint, keyHash: keyHashes[index] };
      this.listener.record({ ...record, values: valuesOfRow(values, index) }, indexed);
      start = end + 1;
    });
  }
}
