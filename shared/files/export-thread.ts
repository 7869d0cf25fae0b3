// The program of the thread that ThreadedExport starts. It opens the store itself, so that the process that answers
// requests only forwards bytes.

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../open-store';
import type { Sink } from './sinks';
import type { ExportMessage, ThreadedExportInput } from './threaded-export';
import { writeExport } from './write-export';

const { job, settings } = workerData as ThreadedExportInput; // Only ThreadedExport starts this program.

/** Each message to this thread requests more bytes. Nothing is written before the first one. */
class PortSink implements Sink {
  private pendingRequests = 0;

  constructor(private readonly port: NonNullable<typeof parentPort>) {
    port.on('message', () => {
      this.pendingRequests++;
    });
  }

  readonly write = (bytes: Uint8Array): void => {
    this.pendingRequests--;
    // Copied, because transferring moves the memory to the other thread, and the writers still use theirs.
    const copy = new Uint8Array(bytes);
    this.send({ kind: 'bytes', bytes: copy }, [copy.buffer]);
  };

  async drained(): Promise<void> {
    while (this.pendingRequests <= 0) await once(this.port, 'message');
  }

  end(): void {
    this.send({ kind: 'end' }, []);
    this.port.close();
  }

  private send(message: ExportMessage, transfer: readonly ArrayBuffer[]): void {
    this.port.postMessage(message, transfer);
  }
}

async function run(port: NonNullable<typeof parentPort>): Promise<void> {
  const store = openStore(settings);
  const sink = new PortSink(port);
  await sink.drained();
  await writeExport(job, store, sink);
  await store.close();
  sink.end();
}

// A failure becomes an error event of the thread.
if (parentPort !== null) void run(parentPort);
