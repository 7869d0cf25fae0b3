// Reads documents of one release by number. A missing document means that the release was deleted; an answer is never
// shorter instead.

import { zstdDecompressSync } from 'node:zlib';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { untilDeadline, withoutDeadline } from '../deadline';
import { selectRuns, wordAt, type SelectedRun } from '../fragments';
import { ReleaseGoneError, type FragmentFamily } from '../port';
import type { CosmosCalls } from './calls';
import {
  batchReads,
  directoryOf,
  documentBytes,
  lengthsOf,
  partitionOf,
  PIECE_BYTES,
  type ContentReference,
  type CosmosDocument,
  type Family,
  type MeasuredFamily,
  type PieceContent,
  type ReleaseDocument,
} from './documents';
import type { FragmentRun } from './runs';

/** For reading from end to end: half a megabyte to 3 MB in memory. */
const DOCUMENTS_AT_ONCE = 160;

export class DocumentReader {
  /** Whether documents of the release were found missing: it was deleted, or is damaged. */
  lacksDocuments = false;

  constructor(
    private readonly calls: CosmosCalls,
    readonly prefix: string,
  ) {}

  /** In the order of the numbers, which are ascending. */
  async read<Content>(family: Family, numbers: readonly number[]): Promise<readonly Content[]> {
    const byPartition = new Map<string, string[]>();
    for (const number of numbers) {
      const partition = partitionOf(this.prefix, family, number);
      const ids = byPartition.get(partition) ?? [];
      byPartition.set(partition, ids);
      ids.push(String(number));
    }
    const found = await Promise.all(
      [...byPartition].map(([partition, ids]) =>
        this.calls.readAll<CosmosDocument & Content>(partition, ids, batchReads(family)),
      ),
    );
    return found.flatMap((documents) => {
      if (documents !== undefined) return documents;
      this.lacksDocuments = true;
      throw new ReleaseGoneError();
    });
  }

  /** The first `count` documents of a family, a few requests of neighbouring ones at a time. */
  async *readAll<Content>(family: Family, count: number): AsyncIterable<Content> {
    for (let from = 0; from < count; from += DOCUMENTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, count - from) }, (_, index) => from + index);
      yield* await this.read<Content>(family, numbers);
    }
  }

  /** Content that stands in pieces. */
  async content([piece, bytes, isCompressed]: ContentReference): Promise<Uint8Array> {
    const numbers = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, index) => piece + index);
    const pieces = await this.read<PieceContent>('pieces', numbers);
    const stored = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
    if (stored.length !== bytes) throw new Error('pieces of a release have another length than they were written with');
    const { buffer, byteOffset, length } = isCompressed === 1 ? zstdDecompressSync(stored) : stored;
    // Not a Buffer, whose slice is no copy.
    return new Uint8Array(buffer, byteOffset, length);
  }
}

type Cached = Uint32Array | Uint8Array | FragmentRun;

export type DocumentCache = LeastRecentlyUsedCache<Cached>;

/** For a page with very scattered records; bounds the memory that their documents take before they are bytes. */
const RUNS_AT_ONCE = 400;

/** Parsed JSON takes about this many times its text in memory. */
const PARSED_FACTOR = 3;

/**
 * What a walk needs on each of its pages is read once and cached, bounded by bytes over all releases: directories, runs
 * of lookups and geometries, and large ones of these. Requests that need the same document at once read it once.
 */
export class CachedDocuments {
  private readonly underWay = new Map<string, Promise<Cached>>();

  constructor(
    private readonly reader: DocumentReader,
    private readonly cache: DocumentCache,
    private readonly contents: ReleaseDocument['contents'],
  ) {}

  /** The first number of each run. */
  directory(family: Family): Promise<Uint32Array> {
    return this.numbers(directoryOf(family));
  }

  /** The bytes of texts by their numbers. */
  async lengths(family: MeasuredFamily, numbers: Uint32Array): Promise<Uint32Array> {
    const lengths = await this.numbers(lengthsOf(family));
    return numbers.map((number) => wordAt(lengths, number));
  }

  /** The runs with some of the ascending `numbers`, in batches that `read` reads. */
  async *select<Run>(
    family: 'records' | FragmentFamily,
    numbers: Uint32Array,
    read: (ordinals: readonly number[]) => Promise<readonly Run[]>,
  ): AsyncIterable<SelectedRun & { readonly run: Run }> {
    if (numbers.length === 0) return;
    const selected = selectRuns(await this.directory(family), numbers);
    for (let from = 0; from < selected.length; from += RUNS_AT_ONCE) {
      const some = selected.slice(from, from + RUNS_AT_ONCE);
      const documents = await read(some.map(({ ordinal }) => ordinal));
      for (const [index, selection] of some.entries()) {
        const run = documents[index];
        if (run === undefined) throw new Error(`a run of ${family} was not read`);
        yield { ...selection, run };
      }
    }
  }

  /** A geometry or lookup that stands in pieces. */
  largeFragment(reference: ContentReference): Promise<Uint8Array> {
    const read = (): Promise<Uint8Array> => this.reader.content(reference);
    return this.cached(`pieces/${reference[0]}`, ({ byteLength }) => byteLength, read);
  }

  /** `ordinals` are ascending. Runs that are neither cached nor under way are read together. */
  runs(family: FragmentFamily, ordinals: readonly number[]): Promise<readonly FragmentRun[]> {
    const missing = ordinals.filter((ordinal) => this.known(`${family}/${ordinal}`) === undefined);
    const indexOf = new Map(missing.map((ordinal, index) => [ordinal, index]));
    const reading = withoutDeadline(() => this.reader.read<FragmentRun>(family, missing));
    const readOne = async (ordinal: number): Promise<FragmentRun> => {
      const index = indexOf.get(ordinal);
      const run = index === undefined ? undefined : (await reading)[index];
      if (run === undefined) throw new Error(`a run of ${family} was not read`);
      return run;
    };
    const bytesOf = (run: FragmentRun): number => PARSED_FACTOR * documentBytes(run);
    return Promise.all(ordinals.map((ordinal) => this.cached(`${family}/${ordinal}`, bytesOf, () => readOne(ordinal))));
  }

  private numbers(name: string): Promise<Uint32Array> {
    const read = async (): Promise<Uint32Array> => {
      const reference = this.contents[name];
      if (reference === undefined) throw new Error(`a release without ${name}`);
      // A copy is aligned, as an array of numbers must be.
      return new Uint32Array(new Uint8Array(await this.reader.content(reference)).buffer);
    };
    return this.cached(name, ({ byteLength }) => byteLength, read);
  }

  private async cached<Value extends Cached>(
    name: string,
    bytesOf: (value: Value) => number,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.known(name);
    // Below, values of this type are cached under this name.
    if (known !== undefined) return (known instanceof Promise ? await untilDeadline(known) : known) as Value;
    const reading = withoutDeadline(async () => {
      try {
        const value = await read();
        this.cache.set(this.keyOf(name), value, bytesOf(value));
        return value;
      } finally {
        this.underWay.delete(name);
      }
    });
    this.underWay.set(name, reading);
    return untilDeadline(reading);
  }

  private known(name: string): Cached | Promise<Cached> | undefined {
    return this.cache.get(this.keyOf(name)) ?? this.underWay.get(name);
  }

  private keyOf(name: string): string {
    return `${this.reader.prefix}/${name}`;
  }
}
