// The store on Azure Cosmos DB: one container that any number of instances and loaders share
// (docs/release-layout.md).

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { CatalogState } from '../catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../port';
import { HeldStore, KeyStore, SelfServiceStore, UsageStore } from '../service-documents';
import { CosmosCalls, debugRequestLog, type RequestLog } from './calls';
import { CosmosCatalog } from './catalog';
import { connect, type Connection, type CosmosLocation } from './connect';
import { ReleaseRegistry } from './release-registry';
import { CosmosReleaseReader, type DocumentCache } from './release-reader';
import { CosmosReleaseWriter } from './release-writer';
import { CosmosDocuments } from './service-documents';

/** For directories and lookups; the search caches posting lists, columns and found sets (SEARCH_CACHE_MB). */
const CACHE_BYTES = 64 * 1024 * 1024;

/** For some 1,000 readers. The release document of one that is dropped is read again. */
const READERS_BYTES = 16 * 1024 * 1024;
const READER_BYTES = 16 * 1024;

interface CosmosStoreOptions {
  /** Where releases wait while they are written. */
  readonly stagingDirectory: string;
  readonly now: () => Date;
  /** Called with every request; by default NODE_DEBUG=cosmos prints them. */
  readonly requestLog?: RequestLog;
  /** Hears of what failed without harm; console.error by default. */
  readonly logError?: (message: string, error: unknown) => void;
  /** Replaces the account, by the container of the cost model for instance. */
  readonly connect?: () => Promise<Connection>;
}

class CosmosStore implements Store {
  private readonly calls: CosmosCalls;
  private readonly catalog: CosmosCatalog;
  private readonly registry: ReleaseRegistry;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly held: HeldStore;
  readonly selfService: SelfServiceStore;
  private readonly cache: DocumentCache = new LeastRecentlyUsedCache(CACHE_BYTES);
  private readonly readers = new LeastRecentlyUsedCache<CosmosReleaseReader>(READERS_BYTES);

  constructor(
    location: CosmosLocation,
    private readonly options: CosmosStoreOptions,
  ) {
    this.calls = new CosmosCalls(options.connect ?? (() => connect(location)), options.requestLog ?? debugRequestLog());
    this.catalog = new CosmosCatalog(this.calls);
    this.registry = new ReleaseRegistry(this.calls, options.now);
    const documents = new CosmosDocuments(this.calls, options.now);
    this.keys = new KeyStore(documents);
    this.usage = new UsageStore(documents);
    this.held = new HeldStore(documents);
    this.selfService = new SelfServiceStore(documents);
  }

  currentState(): Promise<CatalogState> {
    return this.catalog.currentState();
  }

  stateOf(version: string): Promise<CatalogState | undefined> {
    return this.catalog.stateOf(version);
  }

  history(): Promise<readonly CatalogState[]> {
    return this.catalog.history();
  }

  /** Releases that the state adds are leased meanwhile, so that no janitor deletes them before the write. */
  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const known = new Set((await this.catalog.stateOf(expected))?.entries.map(({ releaseId }) => releaseId));
    const named = next.entries.map(({ releaseId }) => releaseId);
    for (const releaseId of named) if (!known.has(releaseId)) await this.registry.takeLease(releaseId);
    const outcome = await this.catalog.publish(expected, next);
    if (outcome === 'published') await this.endLeases(named);
    return outcome;
  }

  /** A failure here does not undo the publish: leases end by themselves. */
  private async endLeases(releaseIds: readonly string[]): Promise<void> {
    const { logError = console.error } = this.options;
    for (const releaseId of releaseIds) {
      await this.registry.endLease(releaseId).catch((error: unknown) => {
        logError(`the lease on release ${releaseId} was not released and ends by itself`, error);
      });
    }
  }

  async openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const known = this.readers.get(releaseId);
    if (known !== undefined && !known.lacksDocuments) return known;
    this.readers.delete(releaseId);
    const release = await this.registry.find(releaseId);
    if (release === undefined) return undefined;
    // A release that lacks documents, and is neither deleted nor made anew, is damaged: its reader says so.
    const reader = known?.isOf(release) === true ? known : new CosmosReleaseReader(release, this.calls, this.cache);
    this.readers.set(releaseId, reader, READER_BYTES);
    return reader;
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new CosmosReleaseWriter(this.calls, this.registry, this.options.stagingDirectory));
  }

  forgetStates(supersededBefore: string): Promise<void> {
    return this.catalog.forgetStates(supersededBefore);
  }

  listReleases(): Promise<readonly string[]> {
    return this.registry.list();
  }

  async deleteRelease(releaseId: string): Promise<'deleted' | 'kept'> {
    const outcome = await this.registry.delete(releaseId, () => this.catalog.names(releaseId));
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
}

/** The container is opened by the first call. */
export function openCosmosStore(location: CosmosLocation, options: CosmosStoreOptions): Store {
  return new CosmosStore(location, options);
}
