// Reads one release file. The database handle can be closed at any time between two calls and is opened again by the
// next, so that a service with many releases bounds its open files.

import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  ReleaseGoneError,
  type ArtifactName,
  type FragmentFamily,
  type RecordSlices,
  type ReleaseFacts,
  type ReleaseReader,
  type SourceFile,
} from '../port';
import { fragmentStart, readBlockHeader, type BlockHeader } from './fragment-block';
import { openReleaseFile, type BlockTable } from './release-file';
import { ReferenceCollector } from './reference-collector';
import { asBytes, asText } from './sqlite-module';

interface OpenFile {
  readonly database: DatabaseSync;
  readonly artifact: StatementSync;
  readonly posting: StatementSync;
  readonly block: Readonly<Record<BlockTable, StatementSync>>;
}

export class SqliteReleaseReader implements ReleaseReader {
  readonly facts: ReleaseFacts;
  private open: OpenFile | undefined;
  private readonly firsts = new Map<BlockTable, Uint32Array>();

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
    const { posting } = this.file();
    const contents = terms.map((term) => {
      const row = posting.get(term);
      return row === undefined ? undefined : asBytes(row['content']);
    });
    return Promise.resolve(contents);
  }

  fragments(family: FragmentFamily, numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = [];
    this.eachBlock(family, numbers, (content, header, indexes) => {
      for (const index of indexes) found.push(content.subarray(fragmentStart(header, index), header.ends[index]));
    });
    return Promise.resolve(found);
  }

  records(numbers: Uint32Array): Promise<RecordSlices> {
    const parts: Uint8Array[] = [];
    const references = new ReferenceCollector(this.facts.lookups.reduce((sum, { count }) => sum + count, 0));
    this.eachBlock('records', numbers, (content, header, indexes) => {
      references.addLists(header, indexes);
      eachRun(indexes, (first, last) => {
        parts.push(content.subarray(fragmentStart(header, first), header.ends[last]));
      });
    });
    return Promise.resolve({ parts, references: references.ascending() });
  }

  async *sourceFiles(): AsyncIterable<SourceFile> {
    const names = this.file().database.prepare('SELECT DISTINCT file FROM sources ORDER BY file').all();
    for (const row of names) {
      const name = asText(row['file']);
      yield await Promise.resolve({ name, pieces: () => this.sourcePieces(name) });
    }
  }

  close(): void {
    this.open?.database.close();
    this.open = undefined;
  }

  private async *sourcePieces(file: string): AsyncIterable<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const select = this.file().database.prepare('SELECT content FROM sources WHERE file = ? AND piece = ?');
      const row = select.get(file, piece);
      if (row === undefined) return;
      yield await Promise.resolve(asBytes(row['content']));
    }
  }

  /** Calls `visit` for each block that holds some of the ascending `numbers`, with their indexes in the block. */
  private eachBlock(
    table: BlockTable,
    numbers: Uint32Array,
    visit: (content: Uint8Array, header: BlockHeader, indexes: Uint32Array) => void,
  ): void {
    const firsts = this.firstsOf(table);
    const { block } = this.file();
    let position = 0;
    while (position < numbers.length) {
      const at = blockOf(firsts, numbers[position] ?? 0);
      const first = firsts[at] ?? 0;
      const row = block[table].get(first);
      if (row === undefined) throw new Error(`${table} ${first} is missing from a release`);
      const header = readBlockHeader(asBytes(row['header']));
      let end = position + 1;
      while (end < numbers.length && (numbers[end] ?? 0) < first + header.count) end++;
      visit(
        asBytes(row['content']),
        header,
        numbers.subarray(position, end).map((number) => number - first),
      );
      position = end;
    }
  }

  private firstsOf(table: BlockTable): Uint32Array {
    const known = this.firsts.get(table);
    if (known !== undefined) return known;
    const content = this.readArtifact(`${table}.firsts`);
    const firsts = content === undefined ? new Uint32Array(0) : new Uint32Array(content.slice().buffer);
    this.firsts.set(table, firsts);
    return firsts;
  }

  private readArtifact(name: string): Uint8Array | undefined {
    const row = this.file().artifact.get(name);
    return row === undefined ? undefined : asBytes(row['content']);
  }

  private file(): OpenFile {
    if (this.open === undefined) {
      if (!existsSync(this.path)) throw new ReleaseGoneError();
      const database = openReleaseFile(this.path);
      const blockOfTable = (table: BlockTable): StatementSync =>
        database.prepare(`SELECT content, header FROM ${table} WHERE first = ?`);
      this.open = {
        database,
        artifact: database.prepare('SELECT content FROM artifacts WHERE name = ?'),
        posting: database.prepare('SELECT content FROM postings WHERE term = ?'),
        block: {
          records: blockOfTable('records'),
          lookups: blockOfTable('lookups'),
          geometries: blockOfTable('geometries'),
        },
      };
    }
    return this.open;
  }
}

/** The index of the last block that starts at or before `number`. */
function blockOf(firsts: Uint32Array, number: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((firsts[middle] ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Calls `visit` with the first and last of each stretch of neighbouring indexes. */
function eachRun(indexes: Uint32Array, visit: (first: number, last: number) => void): void {
  let first = indexes[0] ?? 0;
  let last = first;
  for (let position = 1; position < indexes.length; position++) {
    const index = indexes[position] ?? 0;
    if (index !== last + 1) {
      visit(first, last);
      first = index;
    }
    last = index;
  }
  visit(first, last);
}
