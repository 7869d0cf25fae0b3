// Runs an export in its own thread (ADR 0082) and returns it as the stream from which the response is sent. The thread
// continues only when the stream is read, so a slow client costs no memory. Destroying the stream ends the thread, so a
// client that disconnects costs nothing.

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../settings';
import type { ExportJob } from './write-export';

/** The settings with which the thread opens the store. */
export type StoreSettings = Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory'>;

export interface ThreadedExportInput {
  readonly job: ExportJob;
  readonly settings: StoreSettings;
}

export type ExportMessage = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'end' };

/** Writing an export failed, so the bytes that were sent are not a complete file. */
export class ExportFailedError extends Error {
  constructor(cause: unknown) {
    super(`the export failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Creates the stream of an export. Nothing is written before the stream is read. If the export fails, the stream fails
 * with an ExportFailedError.
 */
export type StartExport = (job: ExportJob) => Readable;

const THREAD_PROGRAM = join(__dirname, 'export-thread.js');

/**
 * Three semi-spaces of 16 MB, because records are short-lived. A thread that exceeds the limits ends, but the service
 * continues.
 */
const MEMORY_LIMITS = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 192 };

/** The thread pauses when this many bytes wait for the client. */
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

  /** The stream closes after the thread has ended. */
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
    // The thread gets only these settings, and so no secrets that it does not need.
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
