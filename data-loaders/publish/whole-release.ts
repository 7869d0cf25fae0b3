// All that a release holds, piece by piece, from the reader of one store to the writer of another; and a digest of it, so that a
// copy can be compared with what it was made from.

import { hash } from 'node:crypto';
import {
  ARTIFACTS,
  type ReleaseFacts,
  type ReleasePart,
  type ReleaseReader,
  type ReleaseWriter,
} from '../../shared/store/port';
import { ContentDigest, LookupDigests } from '../build/content-digest';

type Piece =
  | ReleasePart
  | { readonly kind: 'artifact'; readonly name: (typeof ARTIFACTS)[number]; readonly content: Uint8Array }
  | { readonly kind: 'source'; readonly file: string; readonly content: Uint8Array };

export async function* piecesOf(reader: ReleaseReader): AsyncIterable<Piece> {
  yield* reader.parts();
  for (const name of ARTIFACTS) {
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

const DIGEST_BYTES = 32;

export class WholeReleaseDigest {
  private readonly content: ContentDigest;
  private readonly lookups = new LookupDigests();
  /** Of all pieces, whatever their order: posting lists come in another one from each store. */
  private readonly sum = Buffer.alloc(DIGEST_BYTES);
  private readonly counts = new Map<string, number>();

  constructor({ dataSet, organization }: ReleaseFacts) {
    this.content = new ContentDigest(dataSet, organization);
  }

  add(piece: Piece): void {
    if (piece.kind === 'lookups') this.lookups.add(piece.content);
    if (piece.kind === 'record') {
      this.content.addRecord(piece.json);
      this.lookups.refer(piece.references);
    }
    const series = piece.kind === 'source' ? piece.file : piece.kind;
    const number = this.counts.get(series) ?? 0;
    this.counts.set(series, number + 1);
    const name = nameOf(piece, series, number);
    const bytes = piece.kind === 'record' ? piece.json : piece.content;
    const digest = hash('sha256', `${name}\n${hash('sha256', bytes)}`, 'buffer');
    for (let at = 0; at < DIGEST_BYTES; at++) this.sum[at] = (this.sum[at] ?? 0) ^ (digest[at] ?? 0);
  }

  /** `releaseId` is the name that its content gives a release; ends the digest. */
  finish(): { readonly releaseId: string; readonly whole: string } {
    const releaseId = this.content.name(this.lookups.ofReferred());
    return { releaseId, whole: `${[...this.counts.values()].join()} ${this.sum.toString('hex')}` };
  }
}

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
    case 'source':
      return `${piece.kind} ${series} ${number}`;
  }
}
