// Everything that a release holds, piece by piece, from the reader of one store to the writer of another, and a
// digest of it all, so that a copy can be compared with its original (ADR 0042).

import { hash } from 'node:crypto';
import { artifactNames, type WrittenArtifact } from '../../shared/store/artifacts';
import type { ReleaseFacts, ReleasePart, ReleaseReader, ReleaseWriter } from '../../shared/store/port';
import { LookupDigests, ReleaseDigest } from '../build/release-digests';

type Piece =
  | ReleasePart
  | { readonly kind: 'artifact'; readonly name: WrittenArtifact; readonly content: Uint8Array }
  | { readonly kind: 'source'; readonly file: string; readonly content: Uint8Array };

export async function* piecesOf(reader: ReleaseReader): AsyncIterable<Piece> {
  yield* reader.parts();
  for (const name of artifactNames(reader.facts.dataSet, reader.facts.records)) {
    const content = await reader.artifact(name);
    if (content !== undefined) yield { kind: 'artifact', name, content };
  }
  for await (const { name: file, pieces } of reader.sourceFiles()) {
    for await (const content of pieces()) yield { kind: 'source', file, content };
  }
}

export function writePiece(writer: ReleaseWriter, piece: Piece): void {
  switch (piece.kind) {
    case 'record':
      writer.addRecord(piece.json, piece.references);
      return;
    case 'lookups':
    case 'geometries':
    case 'places':
      writer.addFragment(piece.kind, piece.content);
      return;
    case 'posting':
      writer.addPosting(piece.term, piece.content);
      return;
    case 'artifact':
      writer.addArtifact(piece.name, piece.content);
      return;
    case 'source':
      writer.addSourcePiece(piece.file, piece.content);
  }
}

/** `releaseId` is the name that the content gives the release; `whole` covers everything. */
export interface Digests {
  readonly releaseId: string;
  readonly whole: string;
}

const DIGEST_BYTES = 32;

export class WholeReleaseDigest {
  private readonly content: ReleaseDigest;
  private readonly lookups = new LookupDigests();
  /** The XOR of the digests of all pieces, whatever their order: each store gives posting lists in its own. */
  private readonly sum = Buffer.alloc(DIGEST_BYTES);
  /** How many pieces of each series there were. */
  private readonly counts = new Map<string, number>();

  constructor(facts: ReleaseFacts) {
    this.content = new ReleaseDigest(facts);
  }

  add(piece: Piece): void {
    if (piece.kind === 'lookups') this.lookups.add(piece.content);
    if (piece.kind === 'record') {
      this.content.addRecord(piece.json);
      this.lookups.addReferences(piece.references);
    }
    const series = piece.kind === 'source' ? piece.file : piece.kind;
    const number = this.counts.get(series) ?? 0;
    this.counts.set(series, number + 1);
    const name = nameOf(piece, series, number);
    const bytes = piece.kind === 'record' ? piece.json : piece.content;
    const digest = hash('sha256', `${name}\n${hash('sha256', bytes)}`, 'buffer');
    for (let at = 0; at < DIGEST_BYTES; at += 4) {
      this.sum.writeInt32LE(this.sum.readInt32LE(at) ^ digest.readInt32LE(at), at);
    }
  }

  finish(): Digests {
    const releaseId = this.content.finish(this.lookups.ofReferenced());
    return { releaseId, whole: `${[...this.counts.values()].join()} ${this.sum.toString('hex')}` };
  }
}

/** Tells a piece from all others of the release. */
function nameOf(piece: Piece, series: string, number: number): string {
  switch (piece.kind) {
    case 'posting':
      return `posting ${piece.term}`;
    case 'artifact':
      return `artifact ${piece.name}`;
    case 'record':
      return `record ${number} ${piece.references.join()}`;
    case 'lookups':
    case 'geometries':
    case 'places':
    case 'source':
      return `${piece.kind} ${series} ${number}`;
  }
}
