// The store on Azure Cosmos DB: one container that any number of instances and loaders share
// (docs/release-layout.md). Catalog states never change, and a pointer says which of them is current. It is replaced
// only over the version that was read, in one transaction with its new state; reading it at each request costs one
// request unit.

import { randomUUID } from 'node:crypto';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { type CatalogState, EMPTY_STATE } from '../catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../port';
import { RememberedStates } from '../remembered-states';
import { DocumentViews } from '../service-documents';
import {
  buildConditionalWrite,
  CosmosCalls,
  debugRequestLog,
  type RequestLog,
  STATEMENTS,
  type StoredDocument,
} from './calls';
import { connect, type Connection, type CosmosLocation } from './connect';
import type { CosmosDocument } from './documents';
import { CosmosReleaseReader, type DocumentCache } from './release-reader';
import { ReleaseRegistry } from './release-registry';
import { CosmosReleaseWriter } from './release-writer';
import { CosmosDocuments } from './service-documents';

/** For directories and lookups; the search caches posting lists, columns and found sets (SEARCH_CACHE_MB). */
const CACHE_BYTES = 64 * 1024 * 1024;

/** For some 1,000 readers. The release document of one that is dropped is read again. */
const READERS_BYTES = 16 * 1024 * 1024;
const READER_BYTES = 16 * 1024;

const CATALOG = 'catalog';
const POINTER = 'pointer';

/** A reader tries again when the state that it was to read was superseded long ago and has just been forgotten. */
const READ_TRIES = 5;

/** How long a history is kept before all states are listed again. */
const HISTORY_MS = 10 * 60 * 1000;

/** When more states were added than this, listing all of them takes fewer requests. */
const MAX_ADDED_STATES = 20;

/** The states that were listed last, newest first. */
interface ReadHistory {
  /** That of the newest state. */
  readonly sequence: number;
  /** In milliseconds. */
  readonly readAt: number;
  readonly states: readonly CatalogState[];
}

interface PointerDocument extends CosmosDocument {
  readonly kind: 'pointer';
  /** The current state has this sequence. */
  readonly sequence: number;
  readonly version: string;
  /** Tells a publisher whose answer was lost that the pointer is its own. */
  readonly publication: string;
}

interface StateDocument extends CosmosDocument, CatalogState {
  readonly kind: 'state';
  /** From 1, in the order in which they became current. */
  readonly sequence: number;
}

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

class CosmosStore extends DocumentViews implements Store {
  private readonly calls: CosmosCalls;
  private readonly registry: ReleaseRegistry;
  private readonly states = new RememberedStates();
  private lastHistory: ReadHistory | undefined;
  private readonly cache: DocumentCache = new LeastRecentlyUsedCache(CACHE_BYTES);
  private readonly readers = new LeastRecentlyUsedCache<CosmosReleaseReader>(READERS_BYTES);

  constructor(
    location: CosmosLocation,
    private readonly options: CosmosStoreOptions,
  ) {
    const { now, requestLog = debugRequestLog() } = options;
    const calls = new CosmosCalls(options.connect ?? (() => connect(location)), requestLog);
    super(new CosmosDocuments(calls, now));
    this.calls = calls;
    this.registry = new ReleaseRegistry(calls, now);
  }

  async currentState(): Promise<CatalogState> {
    for (let attempt = 0; attempt < READ_TRIES; attempt++) {
      const pointer = await this.readPointer();
      if (pointer === undefined) return EMPTY_STATE;
      const { sequence } = pointer.document;
      const state = await this.readState(sequence);
      if (state !== undefined) return state;
      // The state was superseded and forgotten between the two reads.
    }
    throw new Error(`the catalog state that ${CATALOG}/${POINTER} names is not there`);
  }

  async findState(version: string): Promise<CatalogState | undefined> {
    if (version === EMPTY_STATE.version) return EMPTY_STATE;
    const current = await this.currentState();
    if (version === current.version) return current;
    const text = STATEMENTS.statesOfVersion;
    const states = await this.calls.query<StateDocument>({ partition: CATALOG, text, parameters: { version } });
    const newest = newestFirst(states)[0];
    return newest && (this.states.get(newest.sequence) ?? this.states.add(newest.sequence, toState(newest)));
  }

  /**
   * The same array until a state is added. States that another instance forgets may be listed for `HISTORY_MS`: like any
   * reader that is too late, whoever asks for one learns that it is gone.
   */
  async history(): Promise<readonly CatalogState[]> {
    const sequence = (await this.readPointer())?.document.sequence ?? 0;
    const now = this.options.now().getTime();
    const last = this.lastHistory;
    if (last === undefined || now - last.readAt >= HISTORY_MS || sequence - last.sequence > MAX_ADDED_STATES) {
      const documents = await this.readStates();
      const states = documents.map((document) => {
        return this.states.get(document.sequence) ?? this.states.add(document.sequence, toState(document));
      });
      this.lastHistory = { sequence: documents[0]?.sequence ?? 0, readAt: now, states };
      return states;
    }
    if (sequence <= last.sequence) return last.states;
    const added: CatalogState[] = [];
    for (let next = sequence; next > last.sequence; next--) {
      const state = await this.readState(next);
      if (state !== undefined) added.push(state);
    }
    this.lastHistory = { sequence, readAt: last.readAt, states: [...added, ...last.states] };
    return this.lastHistory.states;
  }

  /** Releases that the state adds are leased meanwhile, so that no janitor deletes them before the write. */
  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const knownReleases = new Set((await this.findState(expected))?.entries.map(({ releaseId }) => releaseId));
    const releaseIds = next.entries.map(({ releaseId }) => releaseId);
    for (const releaseId of releaseIds) if (!knownReleases.has(releaseId)) await this.registry.takeLease(releaseId);
    const outcome = await this.makeCurrent(expected, next);
    if (outcome === 'published') await this.endLeases(releaseIds);
    return outcome;
  }

  async openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const cachedReader = this.readers.get(releaseId);
    if (cachedReader !== undefined && !cachedReader.lacksDocuments) return cachedReader;
    this.readers.delete(releaseId);
    const release = await this.registry.find(releaseId);
    if (release === undefined) return undefined;
    // A release that lacks documents, and is neither deleted nor made anew, is damaged: its reader says so.
    const reader =
      cachedReader?.reads(release) === true ? cachedReader : new CosmosReleaseReader(release, this.calls, this.cache);
    this.readers.set(releaseId, reader, READER_BYTES);
    return reader;
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new CosmosReleaseWriter(this.calls, this.registry, this.options.stagingDirectory));
  }

  async forgetStates(supersededBefore: string): Promise<void> {
    const states = await this.readStates();
    for (const [index, { id }] of states.entries()) {
      const since = states[index - 1]?.since ?? null;
      if (since === null || since >= supersededBefore) continue;
      await this.calls.write(CATALOG, [{ operationType: 'Delete', id }]);
    }
    this.lastHistory = undefined;
  }

  listReleases(): Promise<readonly string[]> {
    return this.registry.list();
  }

  async deleteRelease(releaseId: string): Promise<'deleted' | 'kept'> {
    const outcome = await this.registry.delete(releaseId, () => this.isNamed(releaseId));
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

  private async makeCurrent(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const pointer = await this.readPointer();
    const current = pointer?.document ?? { version: EMPTY_STATE.version, sequence: 0 };
    if (current.version !== expected) return 'conflict';
    const sequence = current.sequence + 1;
    const publication = randomUUID();
    const { version } = next;
    const common = { partition: CATALOG, sequence };
    const document: PointerDocument = { ...common, id: POINTER, kind: 'pointer', version, publication };
    const state: StateDocument = { ...common, id: stateId(sequence), kind: 'state', ...next };
    const outcome = await this.calls.write(CATALOG, [
      buildConditionalWrite(pointer, document),
      { operationType: 'Create', resourceBody: state },
    ]);
    if (outcome === 'written') return 'published';
    return (await this.readPointer())?.document.publication === publication ? 'published' : 'conflict';
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

  /** Whether any state that is not forgotten names a release. */
  private async isNamed(release: string): Promise<boolean> {
    const text = STATEMENTS.statesNaming;
    const namingStates = await this.calls.query<CosmosDocument>({ partition: CATALOG, text, parameters: { release } });
    return namingStates.length > 0;
  }

  private async readState(sequence: number): Promise<CatalogState | undefined> {
    const remembered = this.states.get(sequence);
    if (remembered !== undefined) return remembered;
    const stored = await this.calls.read<StateDocument>(CATALOG, stateId(sequence));
    return stored && this.states.add(sequence, toState(stored.document));
  }

  private readPointer(): Promise<StoredDocument<PointerDocument> | undefined> {
    return this.calls.read<PointerDocument>(CATALOG, POINTER);
  }

  private async readStates(): Promise<readonly StateDocument[]> {
    return newestFirst(await this.calls.query<StateDocument>({ partition: CATALOG, text: STATEMENTS.states }));
  }
}

/** The container is opened by the first call. */
export function openCosmosStore(location: CosmosLocation, options: CosmosStoreOptions): Store {
  return new CosmosStore(location, options);
}

function stateId(sequence: number): string {
  return `state-${sequence}`;
}

function newestFirst(states: readonly StateDocument[]): readonly StateDocument[] {
  return states.toSorted((a, b) => b.sequence - a.sequence);
}

/** Leaves out the members that the service adds. */
function toState({ version, entries, since, cause }: StateDocument): CatalogState {
  return { version, entries, since, cause };
}
