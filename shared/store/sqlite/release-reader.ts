// Reads the two files of one release. They may be closed between calls and are reopened by the next call, so that a
// service with many releases can limit its open files.

import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import type { ArtifactName } from '../artifacts';
import {
  type BlobFamily,
  FRAGMENT_FAMILIES,
  type FragmentFamily,
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
import { toBytes, toObject } from './database';
import {
  getDirectoryName,
  getReleasePath,
  type OpenReleaseFiles,
  openReleaseFiles,
  readArtifact,
} from './release-files';

/** Read in steps, because the file may be closed between them. */
const NEXT_POSTINGS = 'SELECT term, content FROM postings WHERE term > ? ORDER BY term LIMIT 500';

export class SqliteReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;
  private files: OpenReleaseFiles | undefined;
  private readonly directories = new Map<FragmentFamily, BlockDirectory>();

  /** `onReopen` is called when closed files are opened again, so that the owner can count open files. */
  constructor(
    private readonly path: string,
    private readonly onReopen: () => void = () => undefined,
  ) {
    this.files = openReleaseFiles(path);
    const facts = readArtifact(this.files.artifact, 'facts');
    if (facts === undefined) throw new Error('a release file without facts');
    this.facts = JSON.parse(Buffer.from(facts).toString()) as ReleaseFacts; // Written by SqliteReleaseWriter.finish.
  }

  artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    return Promise.resolve(readArtifact(this.openFiles().artifact, name));
  }

  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const { posting } = this.openFiles();
    const contents = terms.map((term) => {
      const row = posting.get(term);
      return row === undefined ? undefined : toBytes(row['content']);
    });
    return Promise.resolve(contents);
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
    for (let lastTerm = ''; ;) {
      const rows = this.openFiles().database.prepare(NEXT_POSTINGS).all(lastTerm);
      if (rows.length === 0) return;
      for (const { term, content } of rows.map(toObject) as { term: string; content: Uint8Array }[]) {
        lastTerm = term;
        yield { kind: 'posting', term, content };
      }
      await setImmediate();
    }
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const names = this.openFiles().database.prepare('SELECT DISTINCT file FROM sources ORDER BY file').all();
    for (const { file: name } of names.map(toObject) as { file: string }[]) {
      yield await Promise.resolve({ name, pieces: () => this.sourcePieces(name) });
    }
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  findFault(): Promise<string | undefined> {
    return Promise.resolve(this.checkNow());
  }

  /** Checks synchronously. Before a fault is reported, files are reopened, because they may have been replaced. */
  checkNow(): string | undefined {
    try {
      if (this.checkFiles() === undefined) return undefined;
    } catch {
      // Checked again below.
    }
    this.forgetFiles();
    return this.checkFiles();
  }

  close(): void {
    const { files: open } = this;
    open?.database.close();
    if (open?.blocks !== undefined) closeSync(open.blocks);
    this.files = undefined;
  }

  private forgetFiles(): void {
    this.close();
    this.directories.clear();
  }

  private checkFiles(): string | undefined {
    if (this.files === undefined && !this.exists()) return 'its file is missing';
    const isOlderFormat = readArtifact(this.openFiles().artifact, getDirectoryName('records')) === undefined;
    const expectedBytes = Math.max(...FRAGMENT_FAMILIES.map((family) => findDirectoryEnd(this.getDirectory(family))));
    const { blocks } = this.openFiles();
    const bytes = blocks === undefined ? undefined : fstatSync(blocks).size;
    if (isOlderFormat || bytes === expectedBytes) return undefined;
    if (bytes === undefined) return 'the file of its records is missing';
    return `the file of its records has ${bytes} bytes instead of ${expectedBytes}`;
  }

  private async *sourcePieces(file: string): AsyncIterable<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const select = this.openFiles().database.prepare('SELECT content FROM sources WHERE file = ? AND piece = ?');
      const row = select.get(file, piece);
      if (row === undefined) return;
      yield await Promise.resolve(toBytes(row['content']));
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
    try {
      if (this.openFiles().blocks === undefined) this.forgetFiles();
      const { blocks } = this.openFiles();
      if (blocks === undefined) throw new ReleaseGoneError();
      const read = readSync(blocks, target, targetOffset, bytes, fileOffset);
      if (read < bytes) throw new Error('a release ends before its last block');
    } catch (error) {
      // A load or an operator may replace damaged files. The next call opens the new ones.
      this.forgetFiles();
      throw error;
    }
  };

  /**
   * Calls `visit` for each block that has some of the ascending `numbers`, with the block's offset and their indexes.
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
      const content = readArtifact(this.openFiles().artifact, getDirectoryName(family));
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

/** Completes a sentence about a release whose files are damaged. Undefined when they are complete. */
export function checkReleaseFiles(dataDirectory: string, releaseId: string): string | undefined {
  const path = getReleasePath(dataDirectory, releaseId);
  if (!existsSync(path)) return 'is not there';
  try {
    const reader = new SqliteReleaseReader(path);
    const fault = reader.checkNow();
    reader.close();
    if (reader.facts.releaseId !== releaseId) return 'is damaged: its file holds another release than its name says';
    return fault === undefined ? undefined : `is damaged: ${fault}`;
  } catch (error) {
    return `is damaged: its file cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
