// A stretch of a file as the body of an answer: a stream like any other, and for a connection of this process something
// better. Pieces that lie in the same memory again and again cost no pages of the system, which takes a third of the
// processor time, and the time by the clock is nginx's (docs/performance.md).

import { open, type FileHandle } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';

/** Pieces of 256 KB or 1 MB take a tenth more time. */
const PIECE_BYTES = 512 * 1024;

export class FileSlice extends Readable {
  private file: Promise<FileHandle> | undefined;

  /** From `at` up to and with `end`. The file is opened when it is read. */
  constructor(
    private readonly path: string,
    private at: number,
    private readonly end: number,
  ) {
    super({ highWaterMark: PIECE_BYTES });
  }

  /** Sends all of it, by way of two pieces of memory. A client who goes, or a file that cannot be read, ends both. */
  async sendTo(target: Writable): Promise<void> {
    target.once('close', () => this.destroy());
    const memory = [this.newPiece(), this.newPiece()] as const;
    try {
      let written = Promise.resolve();
      for (let turn = 0; ; turn++) {
        // While one piece is on its way the next one is read.
        const [piece] = await Promise.all([this.readInto(memory[turn % 2 === 0 ? 0 : 1]), written]);
        if (piece === null) break;
        written = writeTo(target, piece);
      }
      target.end();
      this.destroy();
    } catch {
      target.destroy();
    }
  }

  override _read(): void {
    this.readInto(this.newPiece()).then(
      (piece) => this.push(piece),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const closed = this.file?.then((file) => file.close());
    Promise.resolve(closed).then(
      () => {
        callback(error);
      },
      () => {
        callback(error);
      },
    );
  }

  private newPiece(): Buffer {
    return Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.end + 1 - this.at));
  }

  /** Resolves with null at the end. */
  private async readInto(memory: Buffer): Promise<Buffer | null> {
    const bytes = Math.min(memory.length, this.end + 1 - this.at);
    if (bytes === 0) return null;
    this.file ??= open(this.path);
    const { bytesRead } = await (await this.file).read(memory, 0, bytes, this.at);
    if (bytesRead === 0) throw new Error(`${this.path} ends before byte ${this.end}`);
    this.at += bytesRead;
    return memory.subarray(0, bytesRead);
  }
}

function writeTo(target: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
