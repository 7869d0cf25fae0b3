// Catalog states, and the pointer that says which of them is current. States never change. The pointer is replaced only
// over the version that was read, in one transaction with its new state; reading it at each request costs one request
// unit.

import { randomUUID } from 'node:crypto';
import { EMPTY_STATE, type CatalogState } from '../catalog-types';
import type { PublishOutcome } from '../port';
import { STATEMENTS, writeOver, type CosmosCalls, type StoredDocument } from './calls';
import type { CosmosDocument } from './documents';

const CATALOG = 'catalog';
const POINTER = 'pointer';

/** A reader tries again when the state that it was to read was superseded long ago and has just been forgotten. */
const READ_TRIES = 5;

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

export class CosmosCatalog {
  private cached: { readonly sequence: number; readonly state: CatalogState } | undefined;

  constructor(private readonly calls: CosmosCalls) {}

  async currentState(): Promise<CatalogState> {
    for (let attempt = 0; attempt < READ_TRIES; attempt++) {
      const pointer = await this.pointer();
      if (pointer === undefined) return EMPTY_STATE;
      const { sequence } = pointer.document;
      if (this.cached?.sequence === sequence) return this.cached.state;
      const stored = await this.calls.read<StateDocument>(CATALOG, stateId(sequence));
      // The state was superseded and forgotten between the two reads.
      if (stored === undefined) continue;
      this.cached = { sequence, state: stateOf(stored.document) };
      return this.cached.state;
    }
    throw new Error(`the catalog state that ${CATALOG}/${POINTER} names is not there`);
  }

  async stateOf(version: string): Promise<CatalogState | undefined> {
    if (version === EMPTY_STATE.version) return EMPTY_STATE;
    const current = await this.currentState();
    if (version === current.version) return current;
    const text = STATEMENTS.statesOfVersion;
    const found = await this.calls.query<StateDocument>({ partition: CATALOG, text, parameters: { version } });
    const newest = newestFirst(found)[0];
    return newest === undefined ? undefined : stateOf(newest);
  }

  async history(): Promise<readonly CatalogState[]> {
    return newestFirst(await this.states()).map(stateOf);
  }

  async publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const pointer = await this.pointer();
    const current = pointer?.document ?? { version: EMPTY_STATE.version, sequence: 0 };
    if (current.version !== expected) return 'conflict';
    const sequence = current.sequence + 1;
    const publication = randomUUID();
    const { version } = next;
    const inCatalog = { partition: CATALOG, sequence };
    const document: PointerDocument = { ...inCatalog, id: POINTER, kind: 'pointer', version, publication };
    const state: StateDocument = { ...inCatalog, id: stateId(sequence), kind: 'state', ...next };
    const outcome = await this.calls.write(CATALOG, [
      writeOver(pointer, document),
      { operationType: 'Create', resourceBody: state },
    ]);
    if (outcome === 'written') return 'published';
    return (await this.pointer())?.document.publication === publication ? 'published' : 'conflict';
  }

  async forgetStates(supersededBefore: string): Promise<void> {
    const states = newestFirst(await this.states());
    for (const [index, { id }] of states.entries()) {
      const since = states[index - 1]?.since ?? null;
      if (since === null || since >= supersededBefore) continue;
      await this.calls.write(CATALOG, [{ operationType: 'Delete', id }]);
    }
  }

  /** Whether any state that is not forgotten names a release. */
  async names(releaseId: string): Promise<boolean> {
    const text = STATEMENTS.statesNaming;
    const parameters = { release: releaseId };
    return (await this.calls.query<CosmosDocument>({ partition: CATALOG, text, parameters })).length > 0;
  }

  private pointer(): Promise<StoredDocument<PointerDocument> | undefined> {
    return this.calls.read<PointerDocument>(CATALOG, POINTER);
  }

  private states(): Promise<readonly StateDocument[]> {
    return this.calls.query<StateDocument>({ partition: CATALOG, text: STATEMENTS.states });
  }
}

function stateId(sequence: number): string {
  return `state-${sequence}`;
}

function newestFirst(states: readonly StateDocument[]): readonly StateDocument[] {
  return [...states].sort((a, b) => b.sequence - a.sequence);
}

/** Leaves out the members that the service adds. */
function stateOf({ version, entries, since, cause }: StateDocument): CatalogState {
  return { version, entries, since, cause };
}
