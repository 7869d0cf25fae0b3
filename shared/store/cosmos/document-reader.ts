// Reads documents of one release by number. What is missing means that the release was deleted, never a shorter answer.

import { zstdDecompressSync } from 'node:zlib';
import { ReleaseGoneError } from '../port';
import type { CosmosCalls } from './cosmos-calls';
import {
  BATCH_READS,
  partitionOf,
  PIECE_BYTES,
  type ContentReference,
  type CosmosDocument,
  type Family,
} from './documents';
import type { PieceContent } from './spool';

export class DocumentReader {
  constructor(
    private readonly calls: CosmosCalls,
    readonly prefix: string,
    /** Hears that the release's documents are not all there. */
    private readonly onGone: () => void,
  ) {}

  /** In the order of the numbers, which are ascending. */
  async read<Content>(family: Family, numbers: readonly number[]): Promise<readonly Content[]> {
    const byPartition = new Map<string, string[]>();
    for (const number of numbers) {
      const partition = partitionOf(this.prefix, family, number);
      const ids = byPartition.get(partition) ?? [];
      byPartition.set(partition, ids);
      ids.push(String(number));
    }
    const found = await Promise.all(
      [...byPartition].map(([partition, ids]) =>
        this.calls.readAll<CosmosDocument & Content>(partition, ids, BATCH_READS[family]),
      ),
    );
    return found.flatMap((documents) => {
      if (documents !== undefined) return documents;
      this.onGone();
      throw new ReleaseGoneError();
    });
  }

  async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.read<PieceContent>('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw new Error('pieces of a release have another length than they were written with');
    const { buffer, byteOffset, length } = isCompressed === 1 ? zstdDecompressSync(stored) : stored;
    // Not a Buffer, whose slice is no copy.
    return new Uint8Array(buffer, byteOffset, length);
  }
}
