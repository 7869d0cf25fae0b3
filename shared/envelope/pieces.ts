// Bytes that are joined once, when it is known how many they are.

import type { JoinedFragments } from '../store/port';
import type { BodyMemory } from './body-memory';

export type Piece = string | JoinedFragments;

export function joinPieces(pieces: readonly Piece[], memory: BodyMemory): Buffer {
  const body = memory.take(pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0));
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      offset += body.write(piece, offset);
    } else {
      piece.copyTo(body, offset);
      offset += piece.byteLength;
    }
  }
  return body;
}

export function pieceBytes(piece: Piece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength;
}
