// Bytes that are joined once, when it is known how many they are.

import type { JoinedFragments } from '../store/port';
import type { AnswerMemory } from './answer-memory';

export type Piece = string | JoinedFragments;

export function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
}

export function joinPieces(pieces: readonly Piece[], memory: AnswerMemory): Buffer {
  const body = memory.take(bytesOf(pieces));
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
