// Compresses text into one gzip member.

import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';
import type { Sink } from './sinks';

/** The offset of the operating system in a gzip header, and its value for an unknown system (RFC 1952). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;
const GZIP = { chunkSize: 256 * 1024 };

/**
 * The header contains neither a time nor the operating system, so the same text gives the same bytes everywhere (D53).
 */
export class GzipText {
  private readonly gzip: Gzip = createGzip(GZIP);
  private readonly forwarding: Promise<void>;
  private hasStarted = false;

  constructor(private readonly sink: Sink) {
    this.forwarding = this.forward();
    // `write` and `finish` report the error.
    this.forwarding.catch(() => undefined);
  }

  async write(text: string): Promise<void> {
    if (!this.gzip.write(text)) await Promise.race([once(this.gzip, 'drain'), this.forwarding]);
  }

  async finish(): Promise<void> {
    this.gzip.end();
    await this.forwarding;
  }

  private async forward(): Promise<void> {
    for await (const bytes of this.gzip as AsyncIterable<Buffer>) {
      if (!this.hasStarted) bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      this.hasStarted = true;
      this.sink.write(bytes);
      await this.sink.drained();
    }
  }
}
