// Reads the two files of one release. They can be closed at any time between two calls and are opened again by the
// next, so that a service with many releases bounds its open files.

import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/numbers';
import type { ArtifactName } from '../artifacts';
import {
  type Admit,
  type BlobFamily,
  FRAGMENT_FAMILIES,
  type FragmentFamily,
  type JoinedTexts,
  type MeasuredText,
  type ReleaseFacts,
  ReleaseGoneError,
  type ReleasePart,
  type ReleaseReader,
  selectRuns,
  type SourceFile,
  type TextFamily,
} from '../port';
import {
  type BlockDirectory,
  type BlockHeader,
  directoryEnd,
  fragmentStart,
  measureFragment,
  readBlockHeader,
  type ReadBlocks,
  referencesOf,
  TextSelection,
  viewDirectory,
} from './blocks';
import { asBytes, rowObject } from './database';
import { directoryName, type OpenReleaseFiles, openReleaseFiles, readArtifact, releasePath } from './release-files';

/** Read in steps, because the file may be closed between two of them. */
const NEXT_POSTINGS = 'SELECT term, content FROM postings WHERE term > ? ORDER BY term LIMIT 500';

export class SqliteReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;
  private open: OpenReleaseFiles | undefined;
  private readonly directories = new Map<FragmentFamily, BlockDirectory>();

  /** `onReopen` lets whoever bounds the open files count them. */
  constructor(
    private readonly path: string,
    private readonly onReopen: () => void = () => undefined,
  ) {
    this.open = openReleaseFiles(path);
    const facts = readArtifact(this.open.artifact, 'facts');
    if (facts === undefined) throw new Error('a release file without facts');
    this.facts = JSON.parse(Buffer.from(facts).toString()) as ReleaseFacts; // Written by SqliteReleaseWriter.finish.
  }

  artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    return Promise.resolve(readArtifact(this.files().artifact, name));
  }

  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const { posting } = this.files();
    const contents = terms.map((term) => {
      const row = posting.get(term);
      return row === undefined ? undefined : asBytes(row['content']);
    });
    return Promise.resolve(contents);
  }

  blobs(family: BlobFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = [];
    this.eachBlock(family, numbers, (position, header, indexes) => {
      for (const index of indexes) {
        const content = new Uint8Array(measureFragment(header, index).bytes);
        this.read(content, 0, content.length, position + fragmentStart(header, index));
        found.push(content);
      }
    });
    return Promise.resolve(found);
  }

  texts(family: TextFamily, numbers: Uint32Array, admit?: Admit): Promise<JoinedTexts> {
    const lookups = this.facts.lookups.reduce((sum, { count }) => sum + count, 0);
    const selection = new TextSelection(this.read, lookups);
    this.eachBlock(family, numbers, (position, header, indexes) => {
      selection.add(position, header, indexes);
    });
    admit?.(selection.byteLength);
    return Promise.resolve(selection);
  }

  measure(family: TextFamily, numbers: Uint32Array): Promise<readonly MeasuredText[]> {
    const measured: MeasuredText[] = [];
    this.eachBlock(family, numbers, (_, header, indexes) => {
      for (const index of indexes) measured.push(measureFragment(header, index));
    });
    return Promise.resolve(measured);
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for (const family of ['lookups', 'records', 'geometries', 'places', 'names'] as const)
      yield* this.fragmentParts(family);
    for (let last = ''; ;) {
      const rows = this.files().database.prepare(NEXT_POSTINGS).all(last);
      if (rows.length === 0) return;
      for (const { term, content } of rows.map(rowObject) as { term: string; content: Uint8Array }[]) {
        last = term;
        yield { kind: 'posting', term, content };
      }
      await setImmediate();
    }
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const names = this.files().database.prepare('SELECT DISTINCT file FROM sources ORDER BY file').all();
    for (const { file: name } of names.map(rowObject) as { file: string }[]) {
      yield await Promise.resolve({ name, pieces: () => this.sourcePieces(name) });
    }
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  findFault(): Promise<string | undefined> {
    return Promise.resolve(this.fault());
  }

  /** Finds a fault at once. Files that are open are looked at anew before one is told: others may be in their place. */
  fault(): string | undefined {
    try {
      if (this.faultOfFiles() === undefined) return undefined;
    } catch {
      // Told below, if it is still so.
    }
    this.forgetFiles();
    return this.faultOfFiles();
  }

  close(): void {
    const { open } = this;
    open?.database.close();
    if (open?.blocks !== undefined) closeSync(open.blocks);
    this.open = undefined;
  }

  private forgetFiles(): void {
    this.close();
    this.directories.clear();
  }

  private faultOfFiles(): string | undefined {
    if (this.open === undefined && !this.exists()) return 'its file is missing';
    const isFormer = readArtifact(this.files().artifact, directoryName('records')) === undefined;
    const wanted = Math.max(...FRAGMENT_FAMILIES.map((family) => directoryEnd(this.directoryOf(family))));
    const { blocks } = this.files();
    const bytes = blocks === undefined ? undefined : fstatSync(blocks).size;
    if (isFormer || bytes === wanted) return undefined;
    if (bytes === undefined) return 'the file of its records is missing';
    return `the file of its records has ${bytes} bytes instead of ${wanted}`;
  }

  private async *sourcePieces(file: string): AsyncIterable<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const select = this.files().database.prepare('SELECT content FROM sources WHERE file = ? AND piece = ?');
      const row = select.get(file, piece);
      if (row === undefined) return;
      yield await Promise.resolve(asBytes(row['content']));
    }
  }

  private *fragmentParts(family: FragmentFamily): Iterable<ReleasePart> {
    const { positions, contentBytes, headerBytes } = this.directoryOf(family);
    for (const [block, position] of positions.entries()) {
      const bytes = numberAt(contentBytes, block);
      const whole = new Uint8Array(bytes + numberAt(headerBytes, block));
      this.read(whole, 0, whole.length, position);
      const content = Buffer.from(whole.buffer, 0, bytes);
      const header = readBlockHeader(whole.subarray(bytes));
      for (let index = 0; index < header.count; index++) {
        const fragment = content.subarray(fragmentStart(header, index), header.ends[index]);
        if (family === 'lookups') yield { kind: family, content: fragment.toString() };
        else if (family !== 'records') yield { kind: family, content: fragment };
        else yield { kind: 'record', json: fragment.toString(), references: [...referencesOf(header, index)] };
      }
    }
  }

  private readonly read: ReadBlocks = (target, offset, bytes, position) => {
    try {
      if (this.files().blocks === undefined) this.forgetFiles();
      const { blocks } = this.files();
      if (blocks === undefined) throw new ReleaseGoneError();
      const read = readSync(blocks, target, offset, bytes, position);
      if (read < bytes) throw new Error('a release ends before its last block');
    } catch (error) {
      // A load or an operator may put whole files in the place of these: the next call finds them.
      this.forgetFiles();
      throw error;
    }
  };

  /** Calls `visit` for each block with some of the ascending `numbers`, with its position and their indexes in it. */
  private eachBlock(
    family: FragmentFamily,
    numbers: Uint32Array,
    visit: (position: number, header: BlockHeader, indexes: Uint32Array) => void,
  ): void {
    const { firsts, positions, contentBytes, headerBytes } = this.directoryOf(family);
    for (const { ordinal: block, indexes } of selectRuns(firsts, numbers)) {
      const position = numberAt(positions, block);
      const words = new Uint8Array(numberAt(headerBytes, block));
      this.read(words, 0, words.length, position + numberAt(contentBytes, block));
      visit(position, readBlockHeader(words), indexes);
    }
  }

  private directoryOf(family: FragmentFamily): BlockDirectory {
    return getOrAdd(this.directories, family, () => {
      const content = readArtifact(this.files().artifact, directoryName(family));
      return viewDirectory((content ?? new Uint8Array()).slice().buffer);
    });
  }

  private files(): OpenReleaseFiles {
    if (this.open === undefined) {
      if (!this.exists()) throw new ReleaseGoneError();
      this.open = openReleaseFiles(this.path);
      this.onReopen();
    }
    return this.open;
  }
}

/** Why the files of a release are not whole, as the end of a sentence about it; undefined when they are. */
export function faultOfRelease(dataDirectory: string, releaseId: string): string | undefined {
  const path = releasePath(dataDirectory, releaseId);
  if (!existsSync(path)) return 'is not there';
  try {
    const reader = new SqliteReleaseReader(path);
    const fault = reader.fault();
    reader.close();
    if (reader.facts.releaseId !== releaseId) return 'is damaged: its file holds another release than its name says';
    return fault === undefined ? undefined : `is damaged: ${fault}`;
  } catch (error) {
    return `is damaged: its file cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
