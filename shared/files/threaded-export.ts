// An export (D46): all records that a query finds, in one file, made with bounded memory. The query was searched for
// before; what was found is read, ordered and written here, mostly in a thread of its own (ADR 0082). The stream that
// its answer is sent from makes the thread go on when more is read, so a slow reader costs no memory, and ends it, so a
// client who goes leaves nothing behind. And how many exports are made at once.

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ExportFormat } from '../query/format-parameters';
import type { Order } from '../query/order-parameter';
import type { DataSetKind } from '../records/data-sets';
import { openEntry } from '../search/index/open-release';
import { AllRecords, ListedRecords } from '../search/index/record-set';
import { createSearchCaches } from '../search/index/search-caches';
import { orderRecords } from '../search/order-records';
import type { Settings } from '../settings';
import { withPatience } from '../store/deadline';
import type { ReleaseReader, Store } from '../store/port';
import { readRecordChunks } from './read-records';
import { type FileMetadata, recordsFiles, type Sink } from './records-files';

/** Plain data, which can go to a thread. */
export interface ExportJob {
  readonly format: ExportFormat;
  readonly dataSet: DataSetKind;
  /** Undefined for the order of D17. */
  readonly order: Order | undefined;
  /** In the order of D17. */
  readonly releases: readonly ExportedRelease[];
  readonly metadata: FileMetadata;
}

export interface ExportedRelease {
  readonly releaseId: string;
  /** Ascending; undefined for all records. */
  readonly numbers: Uint32Array | undefined;
}

/** A column that records are ordered by is read once, and is in memory only while one release is ordered. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Resolves when the file is whole. Throws as reading the releases does. */
export async function writeExport(job: ExportJob, store: Store, sink: Sink): Promise<void> {
  const { format, dataSet, order, releases, metadata } = job;
  const file = recordsFiles[format](dataSet, metadata, sink);
  // Most of it is sent already, so rather waits for a store in trouble than breaks off.
  await withPatience(async () => {
    for (const { releaseId, numbers } of releases) {
      const reader = await openEntry(store, { releaseId });
      const ordered = order === undefined ? numbers : await sortRecords(reader, numbers, order);
      for await (const chunk of readRecordChunks(reader, ordered)) await file.add(chunk);
    }
  });
  await file.finish();
}

function sortRecords(reader: ReleaseReader, numbers: Uint32Array | undefined, order: Order): Promise<Uint32Array> {
  const matches = numbers === undefined ? new AllRecords(reader.facts.records) : new ListedRecords(numbers);
  const release = { reader, caches: createSearchCaches(CACHE_BYTES) };
  return orderRecords(release, matches, order, { from: 0, to: matches.size });
}

/** What the thread opens the store with. */
export type StoreSettings = Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory'>;

export interface ThreadedExportInput {
  readonly job: ExportJob;
  readonly settings: StoreSettings;
}

export type ExportMessage = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'end' };

/** Making an export failed, so what was sent of it is no whole file. */
export class ExportFailedError extends Error {
  constructor(cause: unknown) {
    super(`making it failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Makes the stream of an export; nothing is made before it is read. It fails with an ExportFailedError. */
export type StartExport = (job: ExportJob) => Readable;

/** How many exports are made at once (D46): each takes a thread and its memory. */
export class ExportSlots {
  private used = 0;

  constructor(private readonly max: number) {}

  /** False when all are taken. */
  acquire(): boolean {
    if (this.used >= this.max) return false;
    this.used++;
    return true;
  }

  release(): void {
    this.used--;
  }
}

const THREAD_PROGRAM = join(__dirname, 'export-thread.js');

/** Three semi-spaces of 16 MB: records die young. A thread that needs more than the rest ends, and not the service. */
const MEMORY_LIMITS = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 192 };

/** So many bytes wait for a client before the thread waits. */
const BUFFER_BYTES = 1024 * 1024;

export class ThreadedExport extends Readable {
  private thread: Worker | undefined;

  constructor(private readonly input: ThreadedExportInput) {
    super({ highWaterMark: BUFFER_BYTES });
  }

  override _read(): void {
    this.thread ??= this.start();
    this.thread.postMessage('more');
  }

  /** The stream is closed when the thread has ended. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const ended = this.thread?.terminate() ?? Promise.resolve(0);
    void ended
      .catch(() => undefined)
      .then(() => {
        callback(error);
      });
  }

  private start(): Worker {
    const { store, dataDirectory, stagingDirectory } = this.input.settings;
    // Other settings are none of the thread's business.
    const workerData = { ...this.input, settings: { store, dataDirectory, stagingDirectory } };
    const thread = new Worker(THREAD_PROGRAM, { workerData, resourceLimits: MEMORY_LIMITS });
    thread.on('message', (message: ExportMessage) => {
      if (message.kind === 'bytes') this.push(message.bytes);
      else this.push(null);
    });
    const fail = (cause: unknown): void => {
      this.destroy(new ExportFailedError(cause));
    };
    thread.once('error', fail);
    thread.once('messageerror', fail);
    thread.once('exit', (code) => {
      if (!this.readableEnded && !this.destroyed && code !== 0) fail(`its thread ended with code ${code}`);
    });
    return thread;
  }
}
