// Writes the two files of a release in the folder of the releases. `finish` makes them durable and gives them their
// names.

import { appendFileSync, closeSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../../values/bytes/byte-writer';
import { buildByName } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import { makeFolder } from '../make-folder';
import { FRAGMENT_FAMILIES, type FragmentFamily, type ReleaseFacts, type ReleaseWriter } from '../port';
import { createProcessName } from '../process-names';
import { type Block, BlockBuilder, type BlockLocation } from './blocks';
import { checksumRow, encodeTrailer, PageChecksums } from './checksums';
import { explainFullDisk } from './database';
import { measureIndex } from './release-check';
import {
  ARTIFACT_PIECE_BYTES,
  CONTENTS,
  createReleaseFile,
  getArtifactPieceName,
  getBlocksPath,
  getDirectoryName,
  getReleaseFolder,
  getReleasePath,
  getSourcePieceName,
  getTermChecksumsName,
  type ReleaseContents,
  removeReleaseFiles,
  removeUnfinishedReleases,
  synchronize,
  TERM_CHECKSUMS_PER_ARTIFACT,
} from './release-files';
import { checkReleaseFiles } from './release-reader';

/** A lease keeps a finished release from being deleted before a state refers to it. */
interface ReleaseLeases {
  takeLease(releaseId: string): void;
  endLease(releaseId: string): void;
}

/** Inserting posting lists one at a time takes twice as long. */
const POSTINGS_PER_INSERT = 16;

/** Most artifacts are shorter than this, and much shorter than a piece. */
const INITIAL_BUFFER_BYTES = 64 * 1024;

export class SqliteReleaseWriter implements ReleaseWriter {
  private readonly folder: string;
  /** The path of the SQLite file until the release is finished. */
  private readonly path: string;
  private readonly database: DatabaseSync;
  /** The descriptor of the block file. */
  private readonly blocks: number;
  private areBlocksOpen = true;
  private blockBytes = 0;
  private readonly pageChecksums = new PageChecksums();
  private readonly termChecksums: number[] = [];
  private readonly families: Readonly<Record<FragmentFamily, BlockBuilder>>;
  private readonly insertPostings: StatementSync;
  /** The term, checksum and content of each posting list that has not been inserted yet. */
  private pendingPostings: (string | number | Uint8Array)[] = [];
  private readonly insertArtifact: StatementSync;
  private readonly insertSource: StatementSync;
  /** The number of rows of each source file. */
  private readonly sourcePieces = new Map<string, number>();
  /** The number of rows of each artifact. */
  private readonly artifactPieces = new Map<string, number>();
  /** The id of the release after `finish`. */
  private finishedId: string | undefined;

  constructor(
    private readonly dataDirectory: string,
    private readonly leases: ReleaseLeases,
  ) {
    this.folder = getReleaseFolder(dataDirectory);
    this.path = join(this.folder, `${createProcessName()}.unfinished`);
    this.database = explainFullDisk(this.path, () => {
      makeFolder(this.folder);
      removeUnfinishedReleases(dataDirectory);
      return createReleaseFile(this.path);
    });
    this.blocks = openSync(getBlocksPath(this.path), 'wx');
    this.families = buildByName(FRAGMENT_FAMILIES, () => new BlockBuilder((block) => this.append(block)));
    this.insertPostings = this.preparePostings(POSTINGS_PER_INSERT);
    this.insertArtifact = this.database.prepare('INSERT INTO artifacts (name, checksum, content) VALUES (?, ?, ?)');
    this.insertSource = this.database.prepare(
      'INSERT INTO sources (file, piece, checksum, content) VALUES (?, ?, ?, ?)',
    );
    this.database.exec('BEGIN');
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array, references?: readonly number[]): void {
    this.families[family].add(content, references);
  }

  addPosting(term: string, content: Uint8Array): void {
    this.termChecksums.push(crc32(term));
    this.pendingPostings.push(term, checksumRow(term, content), content);
    if (this.pendingPostings.length < 3 * POSTINGS_PER_INSERT) return;
    this.insert(this.insertPostings, ...this.pendingPostings);
    this.pendingPostings = [];
  }

  addArtifact(name: string, pieces: Iterable<Uint8Array>): void {
    this.flushPostings();
    let number = 0;
    for (const piece of splitIntoPieces(pieces, ARTIFACT_PIECE_BYTES)) {
      const pieceName = getArtifactPieceName(name, number);
      this.insert(this.insertArtifact, pieceName, checksumRow(pieceName, piece), piece);
      number++;
    }
    this.artifactPieces.set(name, number);
  }

  addSourcePiece(file: string, piece: Uint8Array): void {
    const number = this.sourcePieces.get(file) ?? 0;
    const checksum = checksumRow(getSourcePieceName(file, number), piece);
    this.insert(this.insertSource, file, number, checksum, piece);
    this.sourcePieces.set(file, number + 1);
  }

  /** Writes are synchronous. This only lets timers and other requests run. */
  drain(): Promise<void> {
    return setImmediate();
  }

  finish(facts: ReleaseFacts): Promise<void> {
    explainFullDisk(this.path, () => {
      this.finishFiles(facts);
    });
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    this.closeFiles();
    removeReleaseFiles(this.path);
    if (this.finishedId !== undefined) this.leases.endLease(this.finishedId);
    return Promise.resolve();
  }

  private finishFiles(facts: ReleaseFacts): void {
    for (const family of FRAGMENT_FAMILIES)
      this.addArtifact(getDirectoryName(family), [this.families[family].finish()]);
    this.addArtifact('facts', [Buffer.from(JSON.stringify(facts))]);
    this.addContents();
    this.database.exec('COMMIT');
    this.database.close();
    this.appendTrailer();
    this.closeFiles();
    const target = getReleasePath(this.dataDirectory, facts.releaseId);
    this.leases.takeLease(facts.releaseId);
    this.finishedId = facts.releaseId;
    // The name of a release follows from its content, so an existing release is identical. Other processes may have it
    // open.
    if (checkReleaseFiles(this.dataDirectory, facts.releaseId) === undefined) removeReleaseFiles(this.path);
    else this.moveFiles(target);
  }

  private insert(statement: StatementSync, ...values: readonly SQLInputValue[]): void {
    explainFullDisk(this.path, () => statement.run(...values));
  }

  /** Called before anything else is inserted, so that the file's bytes do not depend on POSTINGS_PER_INSERT. */
  private flushPostings(): void {
    if (this.pendingPostings.length === 0) return;
    this.insert(this.preparePostings(this.pendingPostings.length / 3), ...this.pendingPostings);
    this.pendingPostings = [];
  }

  private preparePostings(count: number): StatementSync {
    const rows = Array.from({ length: count }, () => '(?, ?, ?)');
    return this.database.prepare(`INSERT INTO postings (term, checksum, content) VALUES ${rows.join()}`);
  }

  private addContents(): void {
    const checksums = Uint32Array.from(this.termChecksums).sort();
    const firsts: number[] = [];
    for (let start = 0; start < checksums.length; start += TERM_CHECKSUMS_PER_ARTIFACT) {
      const part = checksums.slice(start, start + TERM_CHECKSUMS_PER_ARTIFACT);
      this.addArtifact(getTermChecksumsName(firsts.length), [new Uint8Array(part.buffer)]);
      firsts.push(numberAt(part, 0));
    }
    const contents: ReleaseContents = {
      artifacts: Object.fromEntries(this.artifactPieces),
      sources: Object.fromEntries(this.sourcePieces),
      postings: checksums.length,
      termChecksums: firsts,
    };
    this.addArtifact(CONTENTS, [Buffer.from(JSON.stringify(contents))]);
  }

  /** Ends the block file. Closes the SQLite file first, so that its checksum can be computed. */
  private appendTrailer(): void {
    const pageChecksums = this.pageChecksums.finish();
    const index = measureIndex(this.path);
    const trailer = encodeTrailer({ pageBytes: this.blockBytes, pageChecksums, ...index });
    appendFileSync(this.blocks, trailer);
  }

  /** Moves the SQLite file last, because a release exists as soon as that file does. */
  private moveFiles(target: string): void {
    const move = (from: string, to: string): void => {
      synchronize(from);
      renameSync(from, to);
    };
    move(getBlocksPath(this.path), getBlocksPath(target));
    move(this.path, target);
    synchronize(this.folder);
  }

  private append({ first, content, header }: Block): BlockLocation {
    const offset = this.blockBytes;
    this.appendBytes(content);
    this.appendBytes(header);
    return { first, offset: offset, contentBytes: content.length, headerBytes: header.length };
  }

  private appendBytes(bytes: Uint8Array): void {
    explainFullDisk(getBlocksPath(this.path), () => {
      appendFileSync(this.blocks, bytes);
    });
    this.pageChecksums.add(bytes);
    this.blockBytes += bytes.length;
  }

  private closeFiles(): void {
    if (this.database.isOpen) this.database.close();
    if (this.areBlocksOpen) closeSync(this.blocks);
    this.areBlocksOpen = false;
  }
}

/**
 * Yields the same bytes in pieces of `length` bytes; the last piece may be shorter. A piece is valid until the next
 * piece is requested.
 */
function* splitIntoPieces(pieces: Iterable<Uint8Array>, length: number): Iterable<Uint8Array> {
  const buffer = new ByteWriter(INITIAL_BUFFER_BYTES);
  let isFirst = true;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length;) {
      if (buffer.length === length) {
        yield buffer.bytes();
        buffer.truncate(0);
        isFirst = false;
      }
      const end = Math.min(piece.length, start + length - buffer.length);
      buffer.copy(piece.subarray(start, end));
      start = end;
    }
  }
  if (buffer.length > 0 || isFirst) yield buffer.bytes();
}
