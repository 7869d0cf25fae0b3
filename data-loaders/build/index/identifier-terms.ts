// The terms of what stands in the row of each right: its identifiers and its owner. They are nearly as many as the
// rights, so the record builder collects them on disk, sorts them when the last right is there, and makes their posting
// lists while the loader writes those of the places.

import { join } from 'node:path';
import { presenceTerm, type FilterField } from '../../../shared/query/filter-terms';
import { OwnerIndexBuilder } from '../../../shared/search/index/owner-index';
import { writeRuns } from '../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import { foldText } from '../../../shared/values/text';
import type { AllocationRow } from '../../format/amount-definitions';
import { StagedTerms } from '../../stage/staged-terms';
import { PostingFileReader, PostingFileWriter } from './posting-file';
import { RunList } from './run-list';
import { identifiersOf } from './term-sources';

/** Begins the texts of owners among the terms; no filter field has this name. */
const OWNER = 'owner:';

const POSTING_FILE = 'record_postings';

/** A piece of the posting lists, which ends at this byte of their file. */
export interface PostingPiece {
  readonly end: number;
  /** The index of owners (D35), with the last piece. */
  readonly owners: Uint8Array | undefined;
}

export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();
  private readonly file: PostingFileWriter;
  private pieces: Iterator<PostingPiece> | undefined;

  constructor(folder: string) {
    this.staged = new StagedTerms(folder, 'record_terms');
    this.file = new PostingFileWriter(join(folder, POSTING_FILE));
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

  /** Writes the next piece of the posting lists, once all rights are there; undefined behind the last. */
  nextPiece(): PostingPiece | undefined {
    this.pieces ??= this.writePieces();
    const next = this.pieces.next();
    return next.done === true ? undefined : next.value;
  }

  close(): void {
    this.staged.close();
    this.file.close();
  }

  private *writePieces(): Iterator<PostingPiece> {
    const owners = new OwnerIndexBuilder();
    for (const { term, numbers } of this.staged.all()) {
      const pairs = pairsOf(numbers);
      if (term.startsWith(OWNER)) owners.add(term.slice(OWNER.length), pairs);
      else this.file.add(term, writeRuns(pairs));
      if (this.file.isPieceFull) yield { end: this.file.endPiece(), owners: undefined };
    }
    for (const [field, records] of this.present) this.file.add(presenceTerm(field), writeRuns(records.pairs()));
    yield { end: this.file.endPiece(), owners: owners.build() };
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

/** Pieces that the builder may make ahead: 64 MB of its file. */
const PIECES_AHEAD = 128;

/** Asks the record builder for the posting lists of the identifiers, ahead of their writing. */
export class IdentifierPostings {
  private readonly asked: Promise<PostingPiece | undefined>[] = [];

  constructor(
    private readonly folder: string,
    private readonly nextPiece: () => Promise<PostingPiece | undefined>,
  ) {}

  async writeTo(writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact' | 'drain'>): Promise<void> {
    for (let piece = 0; piece < PIECES_AHEAD; piece++) this.ask();
    const file = new PostingFileReader(join(this.folder, POSTING_FILE));
    try {
      for (;;) {
        const piece = await this.asked.shift();
        if (piece === undefined) return;
        this.ask();
        for (const { term, content } of file.piece(piece.end)) writer.addPosting(term, content);
        if (piece.owners !== undefined) writer.addArtifact('owners', piece.owners);
        await writer.drain();
      }
    } finally {
      file.close();
    }
  }

  private ask(): void {
    const piece = this.nextPiece();
    // When an earlier piece fails, nobody waits for this one: its own failure must not count as unhandled.
    piece.catch(() => undefined);
    this.asked.push(piece);
  }
}
