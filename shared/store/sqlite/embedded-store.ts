// The embedded store: a catalog database and two immutable files per release in one data directory on a local disk,
// which several processes may share (architecture.md, "How a release is laid out").

import { existsSync } from 'node:fs';
import type { CatalogState } from '../catalog-types';
import {
  ReleaseGoneError,
  type KeyStore,
  type PublishOutcome,
  type ReleaseReader,
  type ReleaseWriter,
  type Store,
  type UsageStore,
} from '../port';
import { SqliteCatalog } from './catalog';
import { orphanedBlocksIn, releaseIdsIn, releasePath, removeRelease, removeUnfinishedReleases } from './release-files';
import { SqliteReleaseReader } from './release-reader';
import { SqliteReleaseWriter } from './release-writer';

/** Beyond this many, the least recently used release closes its files, of which it has two. */
const MAX_OPEN_RELEASES = 200;

/**
 * The readers whose files are open, the least recently used first. A reader that was closed to make room opens its
 * files again when a request that still has it reads on; it counts again then, so that the bound holds whatever is
 * asked.
 */
class OpenReaders {
  private readonly readers = new Set<SqliteReleaseReader>();

  readonly add = (reader: SqliteReleaseReader): void => {
    this.readers.delete(reader);
    this.readers.add(reader);
    for (const leastRecentlyUsed of this.readers) {
      if (this.readers.size <= MAX_OPEN_RELEASES) break;
      this.close(leastRecentlyUsed);
    }
  };

  /** A reader whose files are open becomes the most recently used one. */
  touch(reader: SqliteReleaseReader): void {
    if (this.readers.delete(reader)) this.readers.add(reader);
  }

  /** The space of a deleted file is freed once no process has it open any more. */
  closeDeleted(): void {
    for (const reader of this.readers) if (!reader.exists()) this.close(reader);
  }

  closeAll(): void {
    for (const reader of this.readers) this.close(reader);
  }

  private close(reader: SqliteReleaseReader): void {
    reader.close();
    this.readers.delete(reader);
  }
}

class EmbeddedStore implements Store {
  private readonly catalog: SqliteCatalog;
  /** By release, the least recently used first. */
  private readonly readers = new Map<string, SqliteReleaseReader>();
  private readonly openReaders = new OpenReaders();
  private lastState: CatalogState | undefined;

  constructor(private readonly dataDirectory: string) {
    this.catalog = new SqliteCatalog(dataDirectory);
  }

  get keys(): KeyStore {
    return this.catalog.keys;
  }

  get usage(): UsageStore {
    return this.catalog.usage;
  }

  currentState(): Promise<CatalogState> {
    const state = this.catalog.currentState();
    if (state !== this.lastState) this.forgetDeleted();
    this.lastState = state;
    return Promise.resolve(state);
  }

  stateOf(version: string): Promise<CatalogState | undefined> {
    return Promise.resolve(this.catalog.stateOf(version));
  }

  history(): Promise<readonly CatalogState[]> {
    return Promise.resolve(this.catalog.history());
  }

  publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    return Promise.resolve(this.catalog.publish(expected, next));
  }

  openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const known = this.readers.get(releaseId);
    if (known !== undefined) {
      this.readers.delete(releaseId);
      this.readers.set(releaseId, known);
      this.openReaders.touch(known);
      return Promise.resolve(known);
    }
    const path = releasePath(this.dataDirectory, releaseId);
    if (!existsSync(path)) return Promise.resolve(undefined);
    try {
      const reader = new SqliteReleaseReader(path, this.openReaders.add);
      this.readers.set(releaseId, reader);
      for (const leastRecentlyUsed of this.readers.keys()) {
        if (this.readers.size <= MAX_OPEN_RELEASES) break;
        this.readers.delete(leastRecentlyUsed);
      }
      return Promise.resolve(reader);
    } catch (error) {
      // The release was deleted between the two looks, which is as if it had never been found.
      if (error instanceof ReleaseGoneError) return Promise.resolve(undefined);
      throw error;
    }
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new SqliteReleaseWriter(this.dataDirectory, this.catalog));
  }

  forgetStates(supersededBefore: string): Promise<void> {
    this.catalog.forgetStates(supersededBefore);
    return Promise.resolve();
  }

  listReleases(): Promise<readonly string[]> {
    return Promise.resolve(releaseIdsIn(this.dataDirectory));
  }

  deleteRelease(releaseId: string): Promise<'deleted' | 'kept'> {
    const outcome = this.catalog.deleteUnneeded(releaseId, () => {
      removeRelease(this.dataDirectory, releaseId);
    });
    if (outcome === 'deleted') this.forgetDeleted();
    return Promise.resolve(outcome);
  }

  async removeUnfinished(): Promise<void> {
    removeUnfinishedReleases(this.dataDirectory);
    for (const releaseId of orphanedBlocksIn(this.dataDirectory)) await this.deleteRelease(releaseId);
  }

  close(): Promise<void> {
    this.openReaders.closeAll();
    this.readers.clear();
    this.catalog.close();
    return Promise.resolve();
  }

  private forgetDeleted(): void {
    this.openReaders.closeDeleted();
    for (const [releaseId, reader] of this.readers) if (!reader.exists()) this.readers.delete(releaseId);
  }
}

export function openEmbeddedStore(dataDirectory: string): Store {
  return new EmbeddedStore(dataDirectory);
}
