// Destinations for the bytes of a file that is being written.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';

/** A destination for the bytes of a file that is being written. */
export interface Sink {
  /** The caller must not change the bytes afterwards. */
  readonly write: (bytes: Uint8Array) => void;
  /** Resolves when more may be written. This bounds the memory when the receiver is slow. */
  drained(): Promise<void>;
}

/** A file on the local disk. */
export class FileSink implements Sink {
  private readonly stream: WriteStream;

  constructor(path: string) {
    this.stream = createWriteStream(path, { flags: 'wx' });
    // `drained` and `close` report the error.
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
