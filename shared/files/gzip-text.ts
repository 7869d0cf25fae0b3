// Text as one gzip member.

import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';
import type { Sink } from './sinks';

/** Where the operating system stands in the header of gzip, and the value for an unknown one (RFC 1952). */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;
const GZIP = { chunkSize: 256 * 1024 };

/** A text as one gzip member, without the time and the system that made it (D53). */
export class GzipText {
  private readonly gzip: Gzip = createGzip(GZIP);
  private readonly forwarding: Promise<void>;
  private hasStarted = false;

  constructor(private readonly sink: Sink) {
    this.forwarding = this.forward();
    // `write` and `finish` tell of it.
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
