// What a walk needs page by page is read once and kept, bounded by bytes over all releases: directories, runs of lookups and
// geometries, large ones of these. Two requests, or two lists of a page, that need the same at once read it once.

import type { ByteBoundedCache } from '../../values/byte-bounded-cache';
import type { FragmentFamily } from '../port';
import { untilDeadline, withoutDeadline } from '../deadline';
import type { DocumentReader } from './document-reader';
import { documentBytes, type ContentReference, type Family } from './documents';
import type { FragmentRun } from './fragment-runs';
import { directoryOf, type ReleaseDocument } from './release-documents';

type Kept = Uint32Array | Uint8Array | FragmentRun;

export type DocumentCache = ByteBoundedCache<Kept>;

/** What parsed JSON takes in memory, as a multiple of its text, about. */
const PARSED = 3;

export class KeptDocuments {
  private readonly underWay = new Map<string, Promise<Kept>>();

  constructor(
    private readonly reader: DocumentReader,
    private readonly cache: DocumentCache,
    private readonly contents: ReleaseDocument['contents'],
  ) {}

  /** The first number of each run. */
  directory(family: Family): Promise<Uint32Array> {
    const name = directoryOf(family);
    const read = async (): Promise<Uint32Array> => {
      const reference = this.contents[name];
      if (reference === undefined) throw new Error(`a release without ${name}`);
      // A copy, aligned as numbers must be.
      return new Uint32Array(new Uint8Array(await this.reader.content(reference)).buffer);
    };
    return this.kept(name, ({ byteLength }) => byteLength, read);
  }

  /** A geometry or lookup that has pieces of its own. */
  largeFragment(reference: ContentReference): Promise<Uint8Array> {
    const read = (): Promise<Uint8Array> => this.reader.content(reference);
    return this.kept(`pieces/${reference[0]}`, ({ byteLength }) => byteLength, read);
  }

  /** In the order of the ordinals, which are ascending. */
  runs(family: FragmentFamily, ordinals: readonly number[]): Promise<readonly FragmentRun[]> {
    const missing = ordinals.filter((ordinal) => this.known(`${family}/${ordinal}`) === undefined);
    const places = new Map(missing.map((ordinal, place) => [ordinal, place]));
    const read = withoutDeadline(() => this.reader.read<FragmentRun>(family, missing));
    const readOne = async (ordinal: number): Promise<FragmentRun> => {
      const run = (await read)[places.get(ordinal) ?? 0];
      if (run === undefined) throw new Error(`a run of ${family} was not read`);
      return run;
    };
    return Promise.all(
      ordinals.map((ordinal) =>
        this.kept(
          `${family}/${ordinal}`,
          (run) => PARSED * documentBytes(run),
          () => readOne(ordinal),
        ),
      ),
    );
  }

  private async kept<Value extends Kept>(
    name: string,
    bytesOf: (value: Value) => number,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.known(name);
    // Kept under this name below.
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

  private known(name: string): Kept | Promise<Kept> | undefined {
    return this.cache.get(this.keyOf(name)) ?? this.underWay.get(name);
  }

  private keyOf(name: string): string {
    return `${this.reader.prefix}/${name}`;
  }
}
