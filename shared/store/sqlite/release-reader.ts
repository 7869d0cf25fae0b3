// Reads the two files of one release. The files may be closed between calls and are reopened by the next call, so that
// a service with many releases can limit its open files. Content is checked when it is read, and damage is remembered
// (ADR 0050).

import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import type { ArtifactName } from '../artifacts';
import { DamagedReleaseError } from '../damaged-release';
import { giveWayIfSliceOver } from '../deadline';
import {
  type BlobFamily,
  FRAGMENT_FAMILIES,
  type FragmentFamily,
  type IntegrityCheck,
  type JoinedTexts,
  type MeasuredText,
  type ReleaseFacts,
  ReleaseGoneError,
  type ReleasePart,
  type ReleaseReader,
  type ReserveBytes,
  type SourceFile,
  type TextFamily,
} from '../port';
import { selectChunks } from '../select-chunks';
import {
  type BlockDirectory,
  type BlockHeader,
  findDirectoryEnd,
  getFragmentStart,
  measureFragment,
  readBlockHeader,
  type ReadBlocks,
  readReferences,
  TextSelection,
  viewDirectory,
} from './blocks';
import {
  hasTermChecksum,
  identifyFiles,
  type OpenReleaseFiles,
  openReleaseFiles,
  readArtifact,
} from './open-release-files';
import { checkReleaseContent } from './release-check';
import { getDirectoryName, getReleasePath, getSourcePieceName } from './release-files';

/** The number of steps, of 256 KB each, by which a quick check continues the check of both files. */
const STEPS_PER_QUICK_CHECK = 4;

/** The position of a check. */
interface CheckProgress {
  readonly isOver: boolean;
  readonly fault?: string;
}

/** Damage that was detected, and the identity of the damaged files. */
interface Damage {
  readonly problem: string;
  readonly identity: string;
}

export class SqliteReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;
  private files: OpenReleaseFiles | undefined;
  private readonly directories = new Map<FragmentFamily, BlockDirectory>();
  private damage: Damage | undefined;
  /** The check of both files, which quick checks continue step by step. */
  private slowCheck: Iterator<undefined> | undefined;
  /** Whether the SQLite file was checked as a whole since it was opened. */
  private isIndexChecked = false;

  /** `onReopen` is called when closed files are opened again, so that the owner can count open files. */
  constructor(
    private readonly path: string,
    private readonly onReopen: () => void = () => undefined,
  ) {
    this.files = openReleaseFiles(path);
    this.facts = this.files.facts;
  }

  artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.readChecked((files) => readArtifact(files, name)));
  }

  async postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const contents = terms.map((term) => this.readChecked(({ rows }) => rows.posting(term)));
    for (const [index, term] of terms.entries()) if (contents[index] === undefined) await this.checkMissingTerm(term);
    return contents;
  }

  blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const blobs: Uint8Array[] = [];
    this.visitBlocks(family, numbers, (blockOffset, header, indexes) => {
      for (const index of indexes) {
        const content = new Uint8Array(measureFragment(header, index).bytes);
        this.read(content, 0, content.length, blockOffset + getFragmentStart(header, index));
        blobs.push(content);
      }
    });
    return Promise.resolve(blobs);
  }

  texts(family: TextFamily, numbers: Uint32Array, admit?: ReserveBytes): Promise<JoinedTexts> {
    const lookups = this.facts.lookups.reduce((sum, { count }) => sum + count, 0);
    const selection = new TextSelection(this.read, lookups);
    this.visitBlocks(family, numbers, (blockOffset, header, indexes) => {
      selection.add(blockOffset, header, indexes);
    });
    admit?.(selection.byteLength);
    return Promise.resolve(selection);
  }

  measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const measured: MeasuredText[] = [];
    this.visitBlocks(family, numbers, (_, header, indexes) => {
      for (const index of indexes) measured.push(measureFragment(header, index));
    });
    return Promise.resolve(measured);
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for (const family of ['lookups', 'records', 'geometries', 'places', 'names'] as const)
      yield* this.fragmentParts(family);
    let count = 0;
    for (let lastTerm = ''; ;) {
      const postings = this.readChecked(({ rows }) => rows.postingsAfter(lastTerm));
      if (postings.length === 0) break;
      for (const { term, content } of postings) {
        lastTerm = term;
        yield { kind: 'posting', term, content };
      }
      count += postings.length;
      await setImmediate();
    }
    this.readChecked(({ contents }) => {
      if (contents !== undefined && contents.postings !== count) throw new DamagedReleaseError();
    });
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const names = this.readChecked(({ rows, contents }) =>
      contents === undefined ? rows.listSourceFiles() : Object.keys(contents.sources).sort(),
    );
    for (const name of names) yield await Promise.resolve({ name, pieces: () => this.sourcePieces(name) });
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  async findFault(check: IntegrityCheck = 'quick'): Promise<string | undefined> {
    if (check === 'quick') return this.findFaultQuickly();
    this.reopenIfReplaced();
    const steps = this.checkAll();
    let progress = this.carryOn(steps);
    while (!progress.isOver) {
      await giveWayIfSliceOver();
      progress = this.carryOn(steps);
    }
    return progress.fault;
  }

  /** Like `findFault` with a full check, but synchronous. */
  findFaultNow(): string | undefined {
    const steps = this.checkAll();
    let progress = this.carryOn(steps);
    while (!progress.isOver) progress = this.carryOn(steps);
    return progress.fault;
  }

  close(): void {
    const { files: open } = this;
    open?.database.close();
    open?.blocks?.close();
    this.files = undefined;
    this.isIndexChecked = false;
  }

  private forgetFiles(): void {
    this.close();
    this.directories.clear();
  }

  /** Reopens files that were replaced by a load or an operator, or changed in any other way. */
  private reopenIfReplaced(): void {
    const identity = identifyFiles(this.path);
    if (this.damage?.identity !== identity) this.damage = undefined;
    if (this.files?.identity === identity) return;
    this.forgetFiles();
    this.slowCheck = undefined;
  }

  /** Damage is reported until a complete check finds no damage. */
  private findFaultQuickly(): string | undefined {
    this.reopenIfReplaced();
    this.slowCheck ??= this.checkAll();
    for (let step = 0; step < STEPS_PER_QUICK_CHECK; step++) {
      const { isOver, fault } = this.carryOn(this.slowCheck);
      if (!isOver) continue;
      this.slowCheck = undefined;
      if (fault !== undefined) return fault;
      break;
    }
    return this.damage?.problem;
  }

  private carryOn(steps: Iterator<undefined>): CheckProgress {
    try {
      const isOver = steps.next().done === true;
      if (isOver) this.damage = undefined;
      return { isOver };
    } catch (error) {
      if (!(error instanceof DamagedReleaseError)) throw error;
      this.noteDamage(error);
      return { isOver: true, fault: error.problem };
    }
  }

  /** Throws DamagedReleaseError. */
  private *checkAll(): Generator<undefined> {
    this.checkSizes();
    if (this.openFiles().contents !== undefined) yield* checkReleaseContent(this.path);
  }

  private checkSizes(): void {
    if (this.files === undefined && !this.exists()) throw new DamagedReleaseError('its file is missing');
    const { blocks, contents } = this.openFiles();
    const hasBlocks = this.readChecked((files) => readArtifact(files, getDirectoryName('records'))) !== undefined;
    if (!hasBlocks) return; // The release has a format without a block file.
    if (blocks === undefined) throw new DamagedReleaseError('the file of its records is missing');
    const end = Math.max(...FRAGMENT_FAMILIES.map((family) => findDirectoryEnd(this.getDirectory(family))));
    const bytes = contents === undefined ? blocks.bytes : blocks.trailer.pageBytes;
    if (bytes === end) return;
    throw new DamagedReleaseError(`the file of its records has ${bytes} bytes instead of ${end}`);
  }

  private async *sourcePieces(file: string): AsyncIterable<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const content = this.readChecked(({ rows, contents }) => {
        const count = contents?.sources[file];
        if (piece === count) return undefined;
        const row = rows.sourcePiece(file, piece, getSourcePieceName(file, piece));
        if (row === undefined && count !== undefined) throw new DamagedReleaseError();
        return row;
      });
      if (content === undefined) return;
      yield await Promise.resolve(content);
    }
  }

  private *fragmentParts(family: FragmentFamily): Iterable<ReleasePart> {
    const { offsets: positions, contentBytes, headerBytes } = this.getDirectory(family);
    for (const [block, fileOffset] of positions.entries()) {
      const bytes = numberAt(contentBytes, block);
      const storedBlock = new Uint8Array(bytes + numberAt(headerBytes, block));
      this.read(storedBlock, 0, storedBlock.length, fileOffset);
      const content = Buffer.from(storedBlock.buffer, 0, bytes);
      const header = readBlockHeader(storedBlock.subarray(bytes));
      for (let index = 0; index < header.count; index++) {
        const fragment = content.subarray(getFragmentStart(header, index), header.ends[index]);
        if (family === 'lookups') yield { kind: family, content: fragment.toString() };
        else if (family !== 'records') yield { kind: family, content: fragment };
        else yield { kind: 'record', json: fragment.toString(), references: [...readReferences(header, index)] };
      }
    }
  }

  private readonly read: ReadBlocks = (target, targetOffset, bytes, fileOffset) => {
    if (this.openFiles().blocks === undefined) this.forgetFiles();
    this.readChecked(({ blocks }) => {
      if (blocks === undefined) throw new ReleaseGoneError();
      blocks.read(target, targetOffset, bytes, fileOffset);
    });
  };

  /** Remembers damage that the read detects. */
  private readChecked<Value>(read: (files: OpenReleaseFiles) => Value): Value {
    try {
      return read(this.openFiles());
    } catch (error) {
      const isDamaged = error instanceof DamagedReleaseError;
      if (isDamaged) this.noteDamage(error);
      // A load or an operator may replace damaged files. The next call opens the new ones.
      this.forgetFiles();
      throw isDamaged
        ? new DamagedReleaseError(error.problem, { releaseId: this.facts.releaseId, cause: error })
        : error;
    }
  }

  private noteDamage({ problem }: DamagedReleaseError): void {
    this.damage = { problem, identity: this.files?.identity ?? identifyFiles(this.path) };
  }

  /** Throws DamagedReleaseError if a term without a posting list had one when the release was written. */
  private async checkMissingTerm(term: string): Promise<void> {
    const { contents } = this.openFiles();
    if (contents === undefined || this.isIndexChecked) return;
    const mayExist = this.readChecked((files) => hasTermChecksum(files, crc32(term)));
    if (!mayExist) return;
    // Another term may have the same checksum.
    const fault = await this.findFault('full');
    if (fault !== undefined) throw new DamagedReleaseError(fault, { releaseId: this.facts.releaseId });
    this.isIndexChecked = true;
  }

  /**
   * Calls `visit` for each block that contains some of the ascending `numbers`, with the block's offset and the indexes
   * of these numbers in the block.
   */
  private visitBlocks(
    family: FragmentFamily,
    numbers: Uint32Array,
    visit: (position: number, header: BlockHeader, indexes: Uint32Array) => void,
  ): void {
    const { firsts, offsets: positions, contentBytes, headerBytes } = this.getDirectory(family);
    for (const { ordinal: block, indexes } of selectChunks(firsts, numbers)) {
      const blockOffset = numberAt(positions, block);
      const words = new Uint8Array(numberAt(headerBytes, block));
      this.read(words, 0, words.length, blockOffset + numberAt(contentBytes, block));
      visit(blockOffset, readBlockHeader(words), indexes);
    }
  }

  private getDirectory(family: FragmentFamily): BlockDirectory {
    return getOrAdd(this.directories, family, () => {
      const content = this.readChecked((files) => readArtifact(files, getDirectoryName(family)));
      return viewDirectory((content ?? new Uint8Array()).slice().buffer);
    });
  }

  private openFiles(): OpenReleaseFiles {
    if (this.files === undefined) {
      if (!this.exists()) throw new ReleaseGoneError();
      this.files = openReleaseFiles(this.path);
      this.onReopen();
    }
    return this.files;
  }
}

/** Returns the end of a sentence about a release whose files are damaged; undefined if they are intact. */
export function checkReleaseFiles(dataDirectory: string, releaseId: string): string | undefined {
  const path = getReleasePath(dataDirectory, releaseId);
  if (!existsSync(path)) return 'is missing';
  try {
    const reader = new SqliteReleaseReader(path);
    const fault = reader.findFaultNow();
    reader.close();
    if (reader.facts.releaseId !== releaseId)
      return 'is damaged: its file contains a different release than its name says';
    return fault === undefined ? undefined : `is damaged: ${fault}`;
  } catch (error) {
    if (error instanceof DamagedReleaseError) return `is damaged: ${error.problem}`;
    return `is damaged: its file cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
