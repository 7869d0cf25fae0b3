// The store on Azure Cosmos DB: one container that any number of instances and loaders share (design.md, section 7).

import { ByteBoundedCache } from '../../values/byte-bounded-cache';
import type { CatalogState } from '../catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../port';
import { debugLedger, type CallLedger } from './call-ledger';
import { CosmosCatalog } from './catalog';
import { connect, type Connection, type CosmosLocation } from './connect';
import { CosmosCalls } from './cosmos-calls';
import type { DocumentCache } from './kept-documents';
import { CosmosKeys } from './keys';
import { ReleaseRegistry } from './release-registry';
import { CosmosReleaseReader } from './release-reader';
import { CosmosReleaseWriter } from './release-writer';
import { CosmosUsage } from './usage';

/** Directories and lookups; posting lists, columns and found sets are kept by the search (SEARCH_CACHE_MB). */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Beyond this many, the release that was not asked for longest is read anew. */
const MOST_READERS = 1000;

export interface CosmosStoreOptions {
  /** Where releases wait while they are written. */
  readonly stagingDirectory: string;
  readonly now: () => Date;
  /** Hears of every call; without one, NODE_DEBUG=cosmos prints them. */
  readonly ledger?: CallLedger;
  /** Instead of the account: the container of a model of its costs. */
  readonly connect?: () => Promise<Connection>;
}

class CosmosStore implements Store {
  private readonly calls: CosmosCalls;
  private readonly catalog: CosmosCatalog;
  private readonly registry: ReleaseRegistry;
  readonly keys: CosmosKeys;
  readonly usage: CosmosUsage;
  private readonly cache: DocumentCache = new ByteBoundedCache(CACHE_BYTES);
  private readonly readers = new Map<string, CosmosReleaseReader>();

  constructor(
    location: CosmosLocation,
    private readonly options: CosmosStoreOptions,
  ) {
    this.calls = new CosmosCalls(options.connect ?? (() => connect(location)), options.ledger ?? debugLedger());
    this.catalog = new CosmosCatalog(this.calls);
    this.registry = new ReleaseRegistry(this.calls, options.now);
    this.keys = new CosmosKeys(this.calls, options.now);
    this.usage = new CosmosUsage(this.calls);
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

  /** Releases that the state brings in are held over the step, so that no janitor deletes them between look and write. */
  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const known = new Set((await this.catalog.stateOf(expected))?.entries.map(({ releaseId }) => releaseId));
    const named = next.entries.map(({ releaseId }) => releaseId);
    for (const releaseId of named) if (!known.has(releaseId)) await this.registry.hold(releaseId);
    const outcome = await this.catalog.publish(expected, next);
    if (outcome === 'published') await this.letGo(named);
    return outcome;
  }

  /** What is published stays so, also when this fails: leases end by themselves. */
  private async letGo(releaseIds: readonly string[]): Promise<void> {
    try {
      for (const releaseId of releaseIds) await this.registry.letGo(releaseId);
    } catch {
      return;
    }
  }

  async openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const known = this.readers.get(releaseId);
    if (known !== undefined) {
      this.readers.delete(releaseId);
      this.readers.set(releaseId, known);
      return known;
    }
    const release = await this.registry.find(releaseId);
    if (release === undefined) return undefined;
    const reader = new CosmosReleaseReader(this.calls, this.cache, release, () => this.readers.delete(releaseId));
    this.readers.set(releaseId, reader);
    for (const oldest of this.readers.keys()) {
      if (this.readers.size <= MOST_READERS) break;
      this.readers.delete(oldest);
    }
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
    this.readers.clear();
    this.calls.close();
    return Promise.resolve();
  }
}

/** The container is opened by the first call. */
export function openCosmosStore(location: CosmosLocation, options: CosmosStoreOptions): Store {
  return new CosmosStore(location, options);
}
