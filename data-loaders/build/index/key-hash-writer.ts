// Collects the hashes of the digests by which features of amounts are addressed (D48), in a file (ADR 0060), and writes
// them sorted, as searches read them.

import { join } from 'node:path';
import { writeKeyHashes } from '../../../shared/search/index/hashes';
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
    const length = this.file.byteLength / Uint32Array.BYTES_PER_ELEMENT;
    writeKeyHashes({ length, pieces: () => numbersIn(this.file) }, (chunk, content) => {
      writer.addArtifact(chunkName('keyHashes', chunk), content);
    });
  }
}

function* numbersIn(file: ColumnFile): Iterable<Uint32Array> {
  for (const { buffer, byteOffset, byteLength } of file.pieces()) {
    yield new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  }
}
