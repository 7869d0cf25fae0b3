// Collects the hashes of the digests by which features of amounts are addressed (D48), in a file (ADR 0060), and writes
// them sorted, as searches read them.

import { join } from 'node:path';
import { writeKeyHashes } from '../../../shared/search/index/key-hashes';
import { chunkName } from '../../../shared/store/artifacts';
import type { ReleaseWriter } from '../../../shared/store/port';
import { ColumnFile } from './column-file';

export class KeyHashWriter {
  private readonly file: ColumnFile;

  constructor(folder: string) {
    this.file = new ColumnFile(join(folder, 'key-hashes'), Uint32Array);
  }

  /** Records come in the order of their numbers; undefined for a right, which has identifiers of its own. */
  add(hash: number | undefined): void {
    if (hash !== undefined) this.file.add(hash);
  }

  finish(writer: Pick<ReleaseWriter, 'addArtifact'>): void {
    const bytes = Buffer.alloc(this.file.byteLength);
    let length = 0;
    for (const piece of this.file.pieces()) length += Buffer.from(piece).copy(bytes, length);
    const hashes = new Uint32Array(bytes.buffer, bytes.byteOffset, length / Uint32Array.BYTES_PER_ELEMENT);
    writeKeyHashes(hashes, (chunk, content) => {
      writer.addArtifact(chunkName('keyHashes', chunk), content);
    });
  }
}
