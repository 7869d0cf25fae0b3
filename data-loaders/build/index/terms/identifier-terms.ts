// The terms of what stands in the row of each right: its identifiers and its owner. They are nearly as many as the
// rights, so the record builder collects them on disk and sorts them when the last right is there. It makes their
// posting lists piece by piece, while the loader writes the pieces before.

import { presenceTerm, type FilterField } from '../../../../shared/query/text-filters';
import { OwnerIndexBuilder } from '../../../../shared/search/index/owner-index';
import { writeRuns } from '../../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../../shared/store/port';
import { ByteWriter } from '../../../../shared/values/bytes/byte-writer';
import { foldText } from '../../../../shared/values/text';
import type { AllocationRow } from '../../../format/amount-definitions';
import { StagedTerms } from '../../../stage/staged-terms';
import { PendingResults } from '../../../threads/pending-results';
import { RunList } from './run-list';
import { identifiersOf } from './term-sources';

/** Begins the texts of owners among the terms; no filter field has this name. */
const OWNER = 'owner:';

/** A piece ends behind the posting list with which it has so many bytes. */
const PIECE_BYTES = 512 * 1024;

/** Some of the posting lists, in memory that can be transferred to another thread. */
export interface PostingPiece {
  /** The term of a posting list in UTF-8, its content, the next term and so on. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the first term ends, where its content ends, and so on. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** The index of owners (D35), with the last piece. */
  readonly owners: Uint8Array | undefined;
}

export class PostingPieceWriter {
  private readonly bytes = new ByteWriter(2 * PIECE_BYTES);
  private ends: number[] = [];

  get isFull(): boolean {
    return this.bytes.length >= PIECE_BYTES;
  }

  add(term: string, content: Uint8Array): void {
    this.bytes.text(term);
    this.ends.push(this.bytes.length);
    this.bytes.copyAll(content);
    this.ends.push(this.bytes.length);
  }

  /** What was added since the last piece. */
  take(owners?: Uint8Array): PostingPiece {
    const piece = { bytes: new Uint8Array(this.bytes.bytes()), ends: Uint32Array.from(this.ends), owners };
    this.bytes.endAt(0);
    this.ends = [];
    return piece;
  }
}

export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();
  private readonly piece = new PostingPieceWriter();
  private pieces: Iterator<PostingPiece> | undefined;

  constructor(folder: string) {
    this.staged = new StagedTerms(folder, 'record_terms');
  }

  add(record: number, row: AllocationRow): void {
    for (const { field, text } of identifiersOf(row)) {
      this.staged.add(text, record);
      const present = this.present.get(field) ?? new RunList();
      this.present.set(field, present);
      present.add(record);
    }
    if (row.AllocationOwner !== null) this.staged.add(OWNER + foldText(row.AllocationOwner), record);
  }

  /** Makes the next piece of the posting lists, once all rights are there; undefined behind the last. */
  nextPiece(): PostingPiece | undefined {
    this.pieces ??= this.makePieces();
    const next = this.pieces.next();
    return next.done === true ? undefined : next.value;
  }

  close(): void {
    this.staged.close();
  }

  private *makePieces(): Iterator<PostingPiece> {
    const owners = new OwnerIndexBuilder();
    for (const { term, numbers } of this.staged.all()) {
      const pairs = pairsOf(numbers);
      if (term.startsWith(OWNER)) owners.add(term.slice(OWNER.length), pairs);
      else this.piece.add(term, writeRuns(pairs));
      if (this.piece.isFull) yield this.piece.take();
    }
    for (const [field, records] of this.present) this.piece.add(presenceTerm(field), writeRuns(records.pairs()));
    yield this.piece.take(owners.build());
  }
}

/** Most identifiers are those of one right. */
function pairsOf(numbers: readonly number[]): Uint32Array {
  const [first] = numbers;
  if (first !== undefined && numbers.length === 1) return Uint32Array.of(first, first);
  const records = new RunList();
  for (const number of numbers) records.add(number);
  return records.pairs();
}

/** The builder makes so many pieces ahead, 16 MB. */
const PIECES_AHEAD = 32;

/** Asks the record builder for the posting lists of the identifiers, and writes them. */
export class IdentifierPostings {
  private readonly asked = new PendingResults<PostingPiece | undefined>();

  /** `nextPiece` is called at once: pieces are made while the loader writes what comes before them. */
  constructor(private readonly nextPiece: () => Promise<PostingPiece | undefined>) {
    for (let piece = 0; piece < PIECES_AHEAD; piece++) this.ask();
  }

  async writeTo(writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact' | 'drain'>): Promise<void> {
    for (;;) {
      const piece = await this.asked.next();
      if (piece === undefined) return;
      this.ask();
      for (const { term, content } of postingsOf(piece)) writer.addPosting(term, content);
      if (piece.owners !== undefined) writer.addArtifact('owners', piece.owners);
      await writer.drain();
    }
  }

  private ask(): void {
    this.asked.add(this.nextPiece());
  }
}

function* postingsOf({ bytes, ends }: PostingPiece): Iterable<{ term: string; content: Uint8Array }> {
  const terms = Buffer.from(bytes.buffer);
  let start = 0;
  for (let at = 0; at < ends.length; at += 2) {
    const [termEnd = 0, end = 0] = [ends[at], ends[at + 1]];
    yield { term: terms.toString('utf8', start, termEnd), content: bytes.subarray(termEnd, end) };
    start = end;
  }
}
