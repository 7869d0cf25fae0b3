// The embedded store: a catalog database and one immutable file per release in one data directory on a local disk, which
// several processes may share (design.md, section 7).

import { existsSync } from 'node:fs';
import type { CatalogState } from '../catalog-types';
import {
  ReleaseGoneError,
  type KeyStore,
  type PublishOutcome,
  type ReleaseReader,
  type ReleaseWriter,
  type Store,
} from '../port';
import { SqliteCatalog } from './catalog';
import { releasePath } from './release-file';
import { SqliteReleaseReader } from './release-reader';
import { SqliteReleaseWriter } from './release-writer';

/** Beyond this many, the release that was not asked for longest gives its file handle back. */
const MAX_OPEN_RELEASES = 200;

class EmbeddedStore implements Store {
  private readonly catalog: SqliteCatalog;
  private readonly readers = new Map<string, SqliteReleaseReader>();

  constructor(private readonly dataDirectory: string) {
    this.catalog = new SqliteCatalog(dataDirectory);
  }

  get keys(): KeyStore {
    return this.catalog;
  }

  currentState(): Promise<CatalogState> {
    return Promise.resolve(this.catalog.currentState());
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
      return Promise.resolve(known);
    }
    const path = releasePath(this.dataDirectory, releaseId);
    if (!existsSync(path)) return Promise.resolve(undefined);
    try {
      const reader = new SqliteReleaseReader(path);
      this.readers.set(releaseId, reader);
      this.closeOldest();
      return Promise.resolve(reader);
    } catch (error) {
      // Deleted between the two looks: the same as never found.
      if (error instanceof ReleaseGoneError) return Promise.resolve(undefined);
      throw error;
    }
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new SqliteReleaseWriter(this.dataDirectory));
  }

  close(): Promise<void> {
    for (const reader of this.readers.values()) reader.close();
    this.readers.clear();
    this.catalog.close();
    return Promise.resolve();
  }

  private closeOldest(): void {
    for (const [releaseId, reader] of this.readers) {
      if (this.readers.size <= MAX_OPEN_RELEASES) break;
      reader.close();
      this.readers.delete(releaseId);
    }
  }
}

export function openEmbeddedStore(dataDirectory: string): Store {
  return new EmbeddedStore(dataDirectory);
}
