// The embedded store: a catalog database and two immutable files per release in one data directory on a local disk,
// which several processes may share (docs/release-layout.md).

import type { CatalogState } from '../catalog-types';
import { ReleaseGoneError, type PublishOutcome, type ReleaseReader, type ReleaseWriter, type Store } from '../port';
import { HeldStore, KeyStore, SelfServiceStore, UsageStore } from '../service-documents';
import { SqliteCatalog } from './catalog';
import {
  orphanedBlocksIn,
  releaseIdsIn,
  releasePath,
  removeReleaseFiles,
  removeUnfinishedReleases,
} from './release-files';
import { SqliteReleaseReader } from './release-reader';
import { SqliteReleaseWriter } from './release-writer';

/** Beyond this many, the least recently used release closes its files, of which it has two. */
const MOST_OPEN_RELEASES = 200;

class EmbeddedStore implements Store {
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly held: HeldStore;
  readonly selfService: SelfServiceStore;
  private readonly catalog: SqliteCatalog;
  /** The readers whose files are open, by release, the least recently used first. */
  private readonly readers = new Map<string, SqliteReleaseReader>();
  private lastState: CatalogState | undefined;

  constructor(
    private readonly dataDirectory: string,
    private readonly mostOpenReleases: number,
  ) {
    this.catalog = new SqliteCatalog(dataDirectory);
    const { documents } = this.catalog;
    this.keys = new KeyStore(documents);
    this.usage = new UsageStore(documents);
    this.held = new HeldStore(documents);
    this.selfService = new SelfServiceStore(documents);
  }

  currentState(): Promise<CatalogState> {
    const state = this.catalog.currentState();
    if (state !== this.lastState) this.closeDeleted();
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
      this.addOpen(releaseId, known);
      return Promise.resolve(known);
    }
    try {
      const path = releasePath(this.dataDirectory, releaseId);
      const reader = new SqliteReleaseReader(path, () => {
        this.addOpen(releaseId, reader);
      });
      this.addOpen(releaseId, reader);
      return Promise.resolve(reader);
    } catch (error) {
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
      removeReleaseFiles(releasePath(this.dataDirectory, releaseId));
    });
    if (outcome === 'deleted') this.closeDeleted();
    return Promise.resolve(outcome);
  }

  async removeUnfinished(): Promise<void> {
    removeUnfinishedReleases(this.dataDirectory);
    for (const releaseId of orphanedBlocksIn(this.dataDirectory)) await this.deleteRelease(releaseId);
  }

  close(): Promise<void> {
    for (const reader of this.readers.values()) reader.close();
    this.readers.clear();
    this.catalog.close();
    return Promise.resolve();
  }

  /**
   * Counts a reader that has its files open as the most recently used one. A reader that was closed to make room opens
   * them again when a request that still has it reads on, and takes the place of a reader that was made meanwhile.
   */
  private addOpen(releaseId: string, reader: SqliteReleaseReader): void {
    const other = this.readers.get(releaseId);
    if (other !== reader) other?.close();
    this.readers.delete(releaseId);
    this.readers.set(releaseId, reader);
    for (const [leastRecentlyUsed, open] of this.readers) {
      if (this.readers.size <= this.mostOpenReleases) break;
      open.close();
      this.readers.delete(leastRecentlyUsed);
    }
  }

  /** The space of a deleted file is freed once no process has it open any more. */
  private closeDeleted(): void {
    for (const [releaseId, reader] of this.readers) {
      if (reader.exists()) continue;
      reader.close();
      this.readers.delete(releaseId);
    }
  }
}

export function openEmbeddedStore(dataDirectory: string, mostOpenReleases = MOST_OPEN_RELEASES): Store {
  return new EmbeddedStore(dataDirectory, mostOpenReleases);
}
