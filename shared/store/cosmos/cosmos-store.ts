// The store on Azure Cosmos DB: three containers that any number of instances and loaders share (docs/cosmos.md).

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { type CatalogState, EMPTY_STATE } from '../catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../port';
import { DocumentViews } from '../service-documents';
import { CosmosCalls, debugRequestLog, type RequestLog } from './calls';
import { CosmosCatalog } from './catalog';
import { connect, type Connection, type CosmosLocation } from './connect';
import type { ReleaseDocument } from './registry-documents';
import type { DocumentCaches } from './release-documents';
import { CosmosReleaseReader } from './release-reader';
import { ReleaseRegistry } from './release-registry';
import { CosmosReleaseWriter } from './release-writer';
import { CosmosDocuments } from './service-documents';

/** For directories and lookups. Searches cache posting lists, columns and matches themselves (SEARCH_CACHE_MB). */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Room for a page of 500 scattered records. */
const RECORDS_CACHE_BYTES = 24 * 1024 * 1024;

/** Room for about 1,000 readers. The release document of an evicted reader is read again. */
const READERS_BYTES = 16 * 1024 * 1024;
const READER_BYTES = 16 * 1024;

interface CosmosStoreOptions {
  /** Where releases are stored while they are written. */
  readonly stagingDirectory: string;
  readonly now: () => Date;
  /** Called with every request; by default NODE_DEBUG=cosmos prints them. */
  readonly requestLog?: RequestLog;
  /** Called with harmless failures; console.error by default. */
  readonly logError?: (message: string, error: unknown) => void;
  /** Replaces the account, for example with the containers of the cost model. */
  readonly connect?: () => Promise<Connection>;
}

class CosmosStore extends DocumentViews implements Store {
  private readonly calls: CosmosCalls;
  private readonly catalog: CosmosCatalog;
  private readonly registry: ReleaseRegistry;
  private readonly caches: DocumentCaches = {
    lasting: new LeastRecentlyUsedCache(CACHE_BYTES),
    records: new LeastRecentlyUsedCache(RECORDS_CACHE_BYTES),
  };
  private readonly readers = new LeastRecentlyUsedCache<CosmosReleaseReader>(READERS_BYTES);

  constructor(
    location: CosmosLocation,
    private readonly options: CosmosStoreOptions,
  ) {
    const { now, requestLog = debugRequestLog() } = options;
    const calls = new CosmosCalls(options.connect ?? (() => connect(location)), requestLog);
    super(new CosmosDocuments(calls, now));
    this.calls = calls;
    this.catalog = new CosmosCatalog(calls, now);
    this.registry = new ReleaseRegistry(calls, now, (release) => this.createReader(release).findFault('full'));
  }

  currentState(): Promise<CatalogState> {
    return this.catalog.readCurrent();
  }

  async findState(version: string): Promise<CatalogState | undefined> {
    if (version === EMPTY_STATE.version) return EMPTY_STATE;
    const current = await this.currentState();
    if (version === current.version) return current;
    return (await this.history()).find((state) => state.version === version);
  }

  history(): Promise<readonly CatalogState[]> {
    return this.catalog.readHistory();
  }

  /** Leases the added releases, so that no janitor deletes them before the state is written. */
  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const knownReleases = new Set((await this.findState(expected))?.entries.map(({ releaseId }) => releaseId));
    const releaseIds = next.entries.map(({ releaseId }) => releaseId);
    for (const releaseId of releaseIds) if (!knownReleases.has(releaseId)) await this.registry.takeLease(releaseId);
    const outcome = await this.catalog.publish(expected, next);
    if (outcome === 'published') await this.endLeases(releaseIds);
    return outcome;
  }

  async openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const cachedReader = this.readers.get(releaseId);
    if (cachedReader?.hasFault === false) return cachedReader;
    this.readers.delete(releaseId);
    const release = await this.registry.find(releaseId);
    if (release === undefined) return undefined;
    // A release with a fault that was neither deleted nor written again is damaged. Its reader reports that.
    const reader = cachedReader?.reads(release) === true ? cachedReader : this.createReader(release);
    this.readers.set(releaseId, reader, READER_BYTES);
    return reader;
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new CosmosReleaseWriter(this.calls, this.registry, this.options.stagingDirectory));
  }

  forgetStates(supersededBefore: string): Promise<void> {
    return this.catalog.forget(supersededBefore);
  }

  listReleases(): Promise<readonly string[]> {
    return this.registry.list();
  }

  async deleteRelease(releaseId: string): Promise<'deleted' | 'kept'> {
    const outcome = await this.registry.delete(releaseId, () => this.catalog.isNamed(releaseId));
    if (outcome === 'deleted') this.readers.delete(releaseId);
    return outcome;
  }

  removeUnfinished(): Promise<void> {
    return this.registry.removeUnfinished();
  }

  close(): Promise<void> {
    this.calls.close();
    return Promise.resolve();
  }

  private createReader(release: ReleaseDocument): CosmosReleaseReader {
    return new CosmosReleaseReader(release, this.calls, this.caches);
  }

  /** A failure here does not undo the publish: leases expire. */
  private async endLeases(releaseIds: readonly string[]): Promise<void> {
    const { logError = console.error } = this.options;
    for (const releaseId of releaseIds) {
      await this.registry.endLease(releaseId).catch((error: unknown) => {
        logError(`the lease on release ${releaseId} was not released and expires automatically`, error);
      });
    }
  }
}

/** The containers are opened by the first call. */
export function openCosmosStore(location: CosmosLocation, options: CosmosStoreOptions): Store {
  return new CosmosStore(location, options);
}
