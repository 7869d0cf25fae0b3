// The catalog states. They never change, and a pointer identifies the current state. The pointer and the new state are
// written in one transaction, and only if the pointer is still the version that was read. Reading the pointer with each
// request costs one request unit.
//
// Each state has its own document with all its entries. The changes of a state are also in a list of changes, from
// which an instance derives the history of the catalog with a few reads, regardless of the number of states.

import { randomUUID } from 'node:crypto';
import { type CatalogEntry, type CatalogState, compareDataSets, type DataSetName, EMPTY_STATE } from '../catalog-types';
import { awaitWithTimeout, getCurrentDeadline, withoutDeadline } from '../deadline';
import { type PublishOutcome, StoreUnavailableError } from '../port';
import { buildConditionalWrite, type CosmosCalls, type StoredDocument } from './calls';
import { CatalogStatements, listUsedLists, type StoredEntry } from './catalog-statements';
import { toCallFailure } from './connect';
import { type CosmosDocument, countJsonBytes, type Partition } from './document-names';

const CATALOG: Partition = { container: 'catalog', partition: 'catalog' };
const POINTER = 'pointer';

/**
 * A reader tries again if the state that the pointer identified was superseded and deleted before it could be read.
 */
const READ_TRIES = 5;

/** A publisher tries again when the pointer was replaced although the same state is current. */
const PUBLISH_TRIES = 20;

/**
 * A change is listed in the current segment until the segment has this size. Reading a segment costs 20 request units.
 */
const SEGMENT_BYTES = 262_144;

/**
 * A larger change, such as a rebuild of a thousand data sets, is not listed. The document of its state contains all
 * entries.
 */
const MAX_CHANGE_BYTES = 131_072;

/** How long a read of the pointer may take. After that, the last known state is used. */
const POINTER_WAIT_MS = 1000;

/** How long the last known state may be used after the last successful read. */
const KNOWN_POINTER_MS = 60_000;

interface PointerDocument extends CosmosDocument {
  readonly kind: 'pointer';
  /** The sequence number of the current state. */
  readonly sequence: number;
  readonly version: string;
  /** Identifies the publication, so that a publisher that got no answer recognizes its own pointer. */
  readonly publication: string;
  /** The sequence number of the oldest state that is kept. */
  readonly oldest: number;
  /** The numbers of the first and of the current segment of changes. */
  readonly firstSegment: number;
  readonly segment: number;
  /** The list to which texts of submissions are added. */
  readonly statements: string;
}

/** A state with references to the texts of submissions. */
interface StoredState extends Omit<CatalogState, 'entries'> {
  readonly entries: readonly StoredEntry[];
}

interface StateDocument extends CosmosDocument, StoredState {
  readonly kind: 'state';
  /** From 1, in the order in which they became current. */
  readonly sequence: number;
}

/** The difference between a state and the previous state. */
interface StateChange extends Pick<CatalogState, 'version' | 'since' | 'cause'> {
  readonly sequence: number;
  /** Undefined for a large change. */
  readonly entries: { readonly removed: readonly StoredEntry[]; readonly added: readonly StoredEntry[] } | null;
}

interface SegmentDocument extends CosmosDocument {
  readonly kind: 'changes';
  readonly changes: readonly StateChange[];
}

interface KnownPointer {
  readonly pointer: PointerDocument | undefined;
  /** In milliseconds. */
  readonly readAt: number;
}

export class CosmosCatalog {
  /** Cached states by sequence number: the states of the last history that was read, and the current state. */
  private states = new Map<number, CatalogState>();
  private readonly statements: CatalogStatements;
  private history: { readonly pointer: PointerDocument; readonly states: readonly CatalogState[] } | undefined;
  /** Full segments, which no longer change. */
  private readonly closedSegments = new Map<number, readonly StateChange[]>();
  private known: KnownPointer | undefined;
  /** A slow read of the pointer. Requests use the known pointer until it completes. */
  private slowRead: Promise<unknown> | undefined;

  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
  ) {
    this.statements = new CatalogStatements(calls, CATALOG, now);
  }

  async readCurrent(): Promise<CatalogState> {
    for (let attempt = 0; attempt < READ_TRIES; attempt++) {
      const pointer = await this.readPointerInTime();
      if (pointer === undefined) return EMPTY_STATE;
      const state = await this.readState(pointer.sequence);
      if (state !== undefined) return state;
      // Here the state was superseded and deleted between the two reads.
    }
    throw new Error(`the catalog state that ${CATALOG.partition}/${POINTER} names is missing`);
  }

  /** Returns the states newest first; the same array until a state is added or forgotten. */
  async readHistory(): Promise<readonly CatalogState[]> {
    const pointer = await this.readPointerInTime();
    return pointer === undefined ? [] : this.deriveHistory(pointer);
  }

  /**
   * Whether any kept state contains a release. Reads the pointer from the database instead of using the last known
   * pointer.
   */
  async isNamed(releaseId: string): Promise<boolean> {
    const pointer = (await this.readPointer())?.document;
    const states = pointer === undefined ? [] : await this.deriveHistory(pointer);
    return states.some(({ entries }) => entries.some((entry) => entry.releaseId === releaseId));
  }

  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    for (let attempt = 0; attempt < PUBLISH_TRIES; attempt++) {
      const outcome = await this.tryPublish(expected, next);
      if (outcome !== 'again') return outcome;
    }
    return 'conflict';
  }

  /** Deletes the states that were superseded before a point in time, oldest first, but never the current one. */
  async forget(supersededBefore: string): Promise<void> {
    const pointer = (await this.readPointer())?.document;
    if (pointer === undefined) return;
    // Lists used only by states that are forgotten now are deleted the next time, because other instances may be
    // reading them.
    const usedLists = await this.findUsedLists(pointer);
    if (usedLists !== undefined) await this.statements.deleteUnused(usedLists);
    const oldestFirst = (await this.deriveHistory(pointer)).toReversed();
    const kept = oldestFirst.findIndex((_, index) => {
      const since = oldestFirst[index + 1]?.since ?? null;
      return since === null || since >= supersededBefore;
    });
    if (kept <= 0) return;
    const oldest = pointer.sequence - oldestFirst.length + 1 + kept;
    for (let sequence = pointer.oldest; sequence < oldest; sequence++) {
      // Refused if an earlier attempt was interrupted after this deletion, which is harmless.
      await this.calls.write(CATALOG, [{ operationType: 'Delete', id: getStateId(sequence) }]);
    }
    const firstSegment = await this.deleteSegments(pointer, oldest);
    await this.calls.change<PointerDocument>(CATALOG, POINTER, (stored) => {
      return stored && { ...stored, oldest: Math.max(stored.oldest, oldest), firstSegment };
    });
    this.history = undefined;
  }

  /**
   * Returns the names of the lists of texts that the states refer to, and of the current list. Undefined if documents
   * are missing, because another janitor is forgetting states at the same time.
   */
  private async findUsedLists(pointer: PointerDocument): Promise<ReadonlySet<string> | undefined> {
    const changes = await this.readChanges(pointer);
    if (changes.length !== pointer.sequence - pointer.oldest + 1) return undefined;
    const used = new Set([pointer.statements]);
    for (const { sequence, entries } of changes) {
      const isWhole = sequence === pointer.oldest || entries === null;
      const stored = isWhole ? (await this.readDocument(sequence))?.entries : [...entries.removed, ...entries.added];
      if (stored === undefined) return undefined;
      for (const list of listUsedLists(stored)) used.add(list);
    }
    return used;
  }

  /** Deletes the segments without changes, starting at `oldest`. Returns the number of the first remaining segment. */
  private async deleteSegments({ firstSegment, segment }: PointerDocument, oldest: number): Promise<number> {
    for (let number = firstSegment; number < segment; number++) {
      const changes = await this.readSegment(number, segment);
      if (changes.some(({ sequence }) => sequence >= oldest)) return number;
      await this.calls.write(CATALOG, [{ operationType: 'Delete', id: getSegmentId(number) }]);
      this.closedSegments.delete(number);
    }
    return segment;
  }

  private async tryPublish(expected: string, next: CatalogState): Promise<PublishOutcome | 'again'> {
    const stored = await this.readPointer();
    const { partition } = CATALOG;
    const previous = stored?.document;
    if ((previous?.version ?? EMPTY_STATE.version) !== expected) return 'conflict';
    const sequence = (previous?.sequence ?? 0) + 1;
    const previousEntries = previous === undefined ? [] : (await this.readDocument(previous.sequence))?.entries;
    if (previousEntries === undefined) return 'again';
    const { entries, list } = await this.statements.prepare(next.entries, previousEntries, previous?.statements);
    const storedNext: StoredState = { ...next, entries };
    const { segment, changes } = await this.addChange(previous, describeChange(previousEntries, storedNext, sequence));
    const { version } = next;
    const pointer: PointerDocument = {
      id: POINTER,
      partition,
      kind: 'pointer',
      sequence,
      version,
      publication: randomUUID(),
      oldest: previous?.oldest ?? sequence,
      firstSegment: previous?.firstSegment ?? segment,
      segment,
      statements: list.name,
    };
    const state: StateDocument = { id: getStateId(sequence), partition, kind: 'state', sequence, ...storedNext };
    const listed: SegmentDocument = { id: getSegmentId(segment), partition, kind: 'changes', changes };
    const outcome = await this.writeState(stored, pointer, state, [listed, this.statements.buildDocument(list)]);
    const isOurs = outcome === 'written' || (await this.readPointer())?.document.publication === pointer.publication;
    if (!isOurs) return 'again';
    this.known = { pointer, readAt: this.now().getTime() };
    return 'published';
  }

  private async writeState(
    stored: StoredDocument<PointerDocument> | undefined,
    pointer: PointerDocument,
    state: StateDocument,
    others: readonly CosmosDocument[],
  ): Promise<'written' | 'refused'> {
    try {
      return await this.calls.write(CATALOG, [
        buildConditionalWrite(stored, pointer),
        { operationType: 'Create', resourceBody: state },
        ...others.map((resourceBody) => ({ operationType: 'Upsert', resourceBody }) as const),
      ]);
    } catch (error) {
      if (toCallFailure(error)?.status !== 413) throw error;
      const kilobytes = Math.ceil(countJsonBytes(state) / 1024);
      throw new Error(
        `Nothing was published: the list of ${state.entries.length} data sets has ${kilobytes} KB, which is more than ` +
          'Cosmos DB stores in one document (2 MB). Serve some of the ' +
          'organizations from another database (COSMOS_DATABASE).',
        { cause: error },
      );
    }
  }

  /** Returns the segment that will list a change, with the change added. */
  private async addChange(
    pointer: PointerDocument | undefined,
    change: StateChange,
  ): Promise<{ readonly segment: number; readonly changes: readonly StateChange[] }> {
    if (pointer === undefined) return { segment: 1, changes: [change] };
    const { segment } = pointer;
    const listed = await this.readSegment(segment, segment);
    // Ignores changes left by a writer that failed before it replaced the pointer.
    const changes = [...listed.filter(({ sequence }) => sequence < change.sequence), change];
    return countJsonBytes(changes) <= SEGMENT_BYTES
      ? { segment, changes }
      : { segment: segment + 1, changes: [change] };
  }

  private async deriveHistory(pointer: PointerDocument): Promise<readonly CatalogState[]> {
    const last = this.history;
    if (last?.pointer.sequence === pointer.sequence && last.pointer.oldest === pointer.oldest) return last.states;
    const states = new Map<number, CatalogState>();
    let entries = (await this.readState(pointer.sequence))?.entries;
    for (const change of (await this.readChanges(pointer)).toReversed()) {
      // Another process has just deleted the earlier states.
      if (entries === undefined) break;
      const { sequence, version, since, cause } = change;
      const state: CatalogState = this.states.get(sequence) ?? { version, entries, since, cause };
      states.set(sequence, state);
      if (sequence === pointer.oldest) break;
      entries = this.states.get(sequence - 1)?.entries ?? (await this.readEntriesBefore(change, state.entries));
    }
    this.states = states;
    this.history = { pointer, states: [...states.values()] };
    return this.history.states;
  }

  /** Reads the changes of the states that are kept, oldest first. */
  private async readChanges(pointer: PointerDocument): Promise<readonly StateChange[]> {
    const { firstSegment, segment, oldest, sequence: newest } = pointer;
    const numbers = Array.from({ length: segment - firstSegment + 1 }, (_, index) => firstSegment + index);
    const segments = await Promise.all(numbers.map((number) => this.readSegment(number, segment)));
    return segments.flat().filter(({ sequence }) => sequence >= oldest && sequence <= newest);
  }

  /** Derives the entries of the state before a change from the entries after it. */
  private async readEntriesBefore(
    { sequence, entries: change }: StateChange,
    entries: readonly CatalogEntry[],
  ): Promise<readonly CatalogEntry[] | undefined> {
    if (change === null) return (await this.readState(sequence - 1))?.entries;
    const removed = await this.statements.complete(change.removed);
    return undoChange(entries, change.added, removed);
  }

  private async readSegment(number: number, current: number): Promise<readonly StateChange[]> {
    const closed = this.closedSegments.get(number);
    if (closed !== undefined) return closed;
    const stored = await this.calls.read<SegmentDocument>(CATALOG, getSegmentId(number));
    const changes = stored?.document.changes ?? [];
    if (number < current) this.closedSegments.set(number, changes);
    return changes;
  }

  /** Returns the same object for the same state. */
  private async readState(sequence: number): Promise<CatalogState | undefined> {
    const known = this.states.get(sequence);
    if (known !== undefined) return known;
    const stored = await this.readDocument(sequence);
    if (stored === undefined) return undefined;
    const { version, since, cause } = stored;
    const state: CatalogState = { version, entries: await this.statements.complete(stored.entries), since, cause };
    this.states.set(sequence, this.states.get(sequence) ?? state);
    return this.states.get(sequence);
  }

  private async readDocument(sequence: number): Promise<StateDocument | undefined> {
    return (await this.calls.read<StateDocument>(CATALOG, getStateId(sequence)))?.document;
  }

  private async readPointer(): Promise<StoredDocument<PointerDocument> | undefined> {
    const stored = await this.calls.read<PointerDocument>(CATALOG, POINTER);
    this.known = { pointer: stored?.document, readAt: this.now().getTime() };
    return stored;
  }

  /** While the service is short of capacity, a request uses the last known pointer. A load waits instead. */
  private async readPointerInTime(): Promise<PointerDocument | undefined> {
    const { known } = this;
    const isRecent = known !== undefined && this.now().getTime() - known.readAt < KNOWN_POINTER_MS;
    if (!isRecent || getCurrentDeadline().isPatient) return (await this.readPointer())?.document;
    if (this.slowRead !== undefined) return known.pointer;
    const reading = withoutDeadline(() => this.readPointer());
    try {
      const stored = await awaitWithTimeout(reading, POINTER_WAIT_MS, () => new StoreUnavailableError('no answer yet'));
      return stored?.document;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.slowRead = reading
        .catch(() => undefined)
        .finally(() => {
          this.slowRead = undefined;
        });
      return known.pointer;
    }
  }
}

function describeChange(previous: readonly StoredEntry[], next: StoredState, sequence: number): StateChange {
  const { version, since, cause } = next;
  const entries = {
    removed: subtract(previous, next.entries),
    added: subtract(next.entries, previous),
  };
  const isLarge = countJsonBytes(entries) > MAX_CHANGE_BYTES;
  return { sequence, version, since, cause, entries: isLarge ? null : entries };
}

/** Returns the entries that are not in `others`. */
function subtract(entries: readonly StoredEntry[], others: readonly StoredEntry[]): readonly StoredEntry[] {
  const texts = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !texts.has(JSON.stringify(entry)));
}

function undoChange(
  entries: readonly CatalogEntry[],
  added: readonly DataSetName[],
  removed: readonly CatalogEntry[],
): readonly CatalogEntry[] {
  const result = [...entries];
  for (const name of added) result.splice(findPosition(result, name), 1);
  for (const entry of removed) result.splice(findPosition(result, entry), 0, entry);
  return result;
}

/** Finds the index of an entry in a state, or the index at which it would be inserted. */
function findPosition(entries: readonly CatalogEntry[], name: DataSetName): number {
  let from = 0;
  let to = entries.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && compareDataSets(entry, name) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function getStateId(sequence: number): string {
  return `state-${sequence}`;
}

function getSegmentId(number: number): string {
  return `changes-${number}`;
}
