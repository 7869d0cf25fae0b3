// Bytes that are joined once, when all of them are there.

export type Piece = string | Uint8Array;

export function joinPieces(pieces: readonly Piece[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
  const body = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      offset += body.write(piece, offset);
    } else {
      body.set(piece, offset);
      offset += piece.length;
    }
  }
  return body;
}

export function pieceBytes(piece: Piece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
}
