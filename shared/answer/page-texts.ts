// The stored JSON texts of a page's records and lookups, and the pieces that a body is joined from.

import type { LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { PageSlice } from '../search/plan-page';
import { listText, wordAt } from '../store/fragments';
import type { JoinedFragments, ReleaseReader } from '../store/port';

/** The texts of a page's records in one release, and of the lookups that they refer to. */
export interface SliceTexts {
  readonly records: JoinedFragments;
  readonly lookups: ReadonlyMap<LookupKind, JoinedFragments>;
}

/** A part of a body: its bytes are copied once, when it is known how many the whole has. */
export type Piece = string | JoinedFragments;

export async function readSlice({ reader, numbers }: PageSlice): Promise<SliceTexts> {
  const records = await reader.records(numbers);
  return { records, lookups: await lookupsByKind(reader, records.references) };
}

/** An empty list where the release has none of the kind. */
export function parseItems(texts: JoinedFragments | undefined): readonly Item[] {
  return texts === undefined ? [] : (JSON.parse(listText(texts)) as readonly Item[]); // The loader wrote objects.
}

/** Reads the lookups of each kind at once: they are numbered kind by kind, so each is a stretch of the references. */
async function lookupsByKind(reader: ReleaseReader, references: Uint32Array): Promise<SliceTexts['lookups']> {
  let end = 0;
  let position = 0;
  const reading = reader.facts.lookups.map(async ({ kind, count }) => {
    end += count;
    const start = position;
    while (position < references.length && wordAt(references, position) < end) position++;
    return [kind, await reader.lookups(references.subarray(start, position))] as const;
  });
  return new Map(await Promise.all(reading));
}

export function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
}

export function pieceBytes(piece: Piece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength;
}

/** `allocate` gives the buffer that the pieces are copied into. */
export function joinPieces(pieces: readonly Piece[], allocate: (bytes: number) => Buffer): Buffer {
  const body = allocate(bytesOf(pieces));
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
