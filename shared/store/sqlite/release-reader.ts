// Reads the two files of one release. They can be closed at any time between two calls and are opened again by the next, so
// that a service with many releases bounds its open files.

import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  ReleaseGoneError,
  type ArtifactName,
  type JoinedFragments,
  type RecordSlices,
  type ReleasePart,
  type ReleaseFacts,
  type ReleaseReader,
  type SourceFile,
} from '../port';
import { selectRuns } from '../fragments';
import { openBlockFile, readDirectory, type BlockFile, type BlockDirectory } from './block-file';
import { fragmentStart, readBlockHeader, type BlockHeader } from './fragment-block';
import { FragmentSelection, type Stretch } from './fragment-selection';
import { ReferenceCollector } from './reference-collector';
import {
  ARTIFACT_PIECE_BYTES,
  artifactPieceName,
  blocksPath,
  directoryName,
  openReleaseFile,
  type BlockFamily,
} from './release-file';
import { blockParts } from './release-parts';
import { asBytes, asText } from './database';

/** The file can be closed between two readings. */
const NEXT_POSTINGS = 'SELECT term, content FROM postings WHERE term > ? ORDER BY term LIMIT 500';

interface OpenFiles {
  readonly database: DatabaseSync;
  readonly artifact: StatementSync;
  readonly posting: StatementSync;
  /** Undefined for a release of a former format, and for one that is just being deleted. */
  readonly blocks: BlockFile | undefined;
}

export class SqliteReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;
  private open: OpenFiles | undefined;
  private readonly directories = new Map<BlockFamily, BlockDirectory>();

  /** Throws ReleaseGoneError when there is no such file. */
  constructor(private readonly path: string) {
    const facts = this.readArtifact('facts');
    if (facts === undefined) throw new Error('a release file without facts');
    this.facts = JSON.parse(Buffer.from(facts).toString()) as ReleaseFacts; // Written by SqliteReleaseWriter.finish.
  }

  artifact(name: ArtifactName): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.readArtifact(name));
  }

  postings(terms: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const { posting } = this.files();
    const contents = terms.map((term) => {
      const row = posting.get(term);
      return row === undefined ? undefined : asBytes(row['content']);
    });
    return Promise.resolve(contents);
  }

  geometries(numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = [];
    this.eachBlock('geometries', numbers, (position, header, indexes) => {
      for (const index of indexes) {
        const start = fragmentStart(header, index);
        const content = new Uint8Array((header.ends[index] ?? 0) - start);
        this.read(content, 0, content.length, position + start);
        found.push(content);
      }
    });
    return Promise.resolve(found);
  }

  lookups(numbers: Uint32Array): Promise<JoinedFragments> {
    const selection = new FragmentSelection();
    this.eachBlock('lookups', numbers, (position, header, indexes) => {
      selection.add(stretchesOf(position, header, indexes));
    });
    return Promise.resolve(this.joined(selection));
  }

  records(numbers: Uint32Array): Promise<RecordSlices> {
    const selection = new FragmentSelection();
    const references = new ReferenceCollector(this.facts.lookups.reduce((sum, { count }) => sum + count, 0));
    this.eachBlock('records', numbers, (position, header, indexes) => {
      references.addLists(header, indexes);
      selection.add(stretchesOf(position, header, indexes));
    });
    return Promise.resolve({ ...this.joined(selection), references: references.ascending() });
  }

  async *parts(): AsyncIterable<ReleasePart> {
    for (const family of ['lookups', 'records', 'geometries'] as const) {
      yield* blockParts(family, this.directoryOf(family), this.read);
    }
    for (let last = ''; ;) {
      const rows = this.files().database.prepare(NEXT_POSTINGS).all(last);
      if (rows.length === 0) return;
      for (const { term, content } of rows) {
        last = asText(term);
        yield { kind: 'posting', term: last, content: asBytes(content) };
      }
      await setImmediate();
    }
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const names = this.files().database.prepare('SELECT DISTINCT file FROM sources ORDER BY file').all();
    for (const row of names) {
      const name = asText(row['file']);
      yield await Promise.resolve({ name, pieces: () => this.sourcePieces(name) });
    }
  }

  close(): void {
    this.open?.database.close();
    this.open?.blocks?.close();
    this.open = undefined;
  }

  private async *sourcePieces(file: string): AsyncIterable<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const select = this.files().database.prepare('SELECT content FROM sources WHERE file = ? AND piece = ?');
      const row = select.get(file, piece);
      if (row === undefined) return;
      yield await Promise.resolve(asBytes(row['content']));
    }
  }

  private joined(selection: FragmentSelection): JoinedFragments {
    return {
      byteLength: selection.byteLength,
      copyTo: (target, offset) => {
        selection.copyTo(target, offset, this.read);
      },
    };
  }

  /** Of the blocks. */
  private readonly read = (target: Uint8Array, offset: number, bytes: number, position: number): void => {
    const { blocks } = this.files();
    if (blocks === undefined) throw new ReleaseGoneError();
    blocks.read(target, offset, bytes, position);
  };

  /** Calls `visit` for each block that holds some of the ascending `numbers`, with its place and their indexes in it. */
  private eachBlock(
    family: BlockFamily,
    numbers: Uint32Array,
    visit: (position: number, header: BlockHeader, indexes: Uint32Array) => void,
  ): void {
    const { firsts, positions, contentBytes, headerBytes } = this.directoryOf(family);
    for (const { ordinal: block, indexes } of selectRuns(firsts, numbers)) {
      const position = positions[block];
      if (position === undefined) throw new Error(`a release has no ${family}`);
      const words = new Uint8Array(headerBytes[block] ?? 0);
      this.read(words, 0, words.length, position + (contentBytes[block] ?? 0));
      visit(position, readBlockHeader(words), indexes);
    }
  }

  private directoryOf(family: BlockFamily): BlockDirectory {
    const known = this.directories.get(family);
    if (known !== undefined) return known;
    const directory = readDirectory(this.readArtifact(directoryName(family)) ?? new Uint8Array());
    this.directories.set(family, directory);
    return directory;
  }

  private readArtifact(name: string): Uint8Array | undefined {
    const { artifact } = this.files();
    const pieces: Uint8Array[] = [];
    let last: Uint8Array | undefined;
    do {
      const row = artifact.get(artifactPieceName(name, pieces.length));
      last = row === undefined ? undefined : asBytes(row['content']);
      if (last !== undefined) pieces.push(last);
    } while (last?.length === ARTIFACT_PIECE_BYTES);
    return pieces.length < 2 ? pieces[0] : Buffer.concat(pieces);
  }

  private files(): OpenFiles {
    if (this.open === undefined) {
      if (!existsSync(this.path)) throw new ReleaseGoneError();
      const database = openReleaseFile(this.path);
      this.open = {
        database,
        artifact: database.prepare('SELECT content FROM artifacts WHERE name = ?'),
        posting: database.prepare('SELECT content FROM postings WHERE term = ?'),
        blocks: openBlockFile(blocksPath(this.path)),
      };
    }
    return this.open;
  }
}

/** The stretches of neighbouring ones among some fragments of a block. */
function stretchesOf(position: number, header: BlockHeader, indexes: Uint32Array): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at < indexes.length;) {
    const first = indexes[at] ?? 0;
    let last = first;
    while (++at < indexes.length && indexes[at] === last + 1) last++;
    const start = fragmentStart(header, first);
    stretches.push({ position: position + start, bytes: (header.ends[last] ?? 0) - start });
  }
  return stretches;
}
