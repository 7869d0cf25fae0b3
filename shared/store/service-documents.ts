// What the service itself remembers beside releases: access keys and their use, which submissions are held, and what
// keys by oneself need. Both stores keep all of it in one way, as small JSON documents by kind and id; what each kind
// means stands here.

import { isDeepStrictEqual } from 'node:util';
import { compareUtf8 } from '../values/compare-utf8';
import {
  addUse,
  type HeldDataSet,
  type KeyRecord,
  type KeyUse,
  type SelfServiceKind,
  type SelfServiceRecord,
} from './catalog-types';

/** The document of each kind. There is one `held`, so that a probe of health reads one document. */
export type ServiceDocuments = {
  readonly key: KeyRecord;
  readonly use: KeyUse;
  readonly held: { readonly held: readonly HeldDataSet[] };
} & { readonly [Kind in SelfServiceKind]: SelfServiceRecord<Kind> };

export type DocumentKind = keyof ServiceDocuments;

/** Makes the next document of a stored one; undefined stands for none. */
export type UpdateDocument<Kind extends DocumentKind> = (
  stored: ServiceDocuments[Kind] | undefined,
  id: string,
) => ServiceDocuments[Kind] | undefined;

/** What a store offers for it. */
export interface DocumentStore {
  find<Kind extends DocumentKind>(kind: Kind, id: string): Promise<ServiceDocuments[Kind] | undefined>;
  /** Ordered by id. */
  list<Kind extends DocumentKind>(kind: Kind): Promise<readonly ServiceDocuments[Kind][]>;
  /**
   * Replaces each document by what `alter` makes of it, as one step, however many processes do so at once. It deletes
   * where that is undefined, and does not write what stays the same. Resolves to the next documents, by id.
   */
  change<Kind extends DocumentKind>(
    kind: Kind,
    ids: readonly string[],
    update: UpdateDocument<Kind>,
  ): Promise<readonly (ServiceDocuments[Kind] | undefined)[]>;
  /** Overwrites what was deleted or replaced wherever the store itself still has it, names of people among it. */
  wipe(): Promise<void>;
}

/** Members that keys of older programs lack. */
const DEFAULT_MEMBERS = {
  requestsPerMinute: null,
  recordsPerMinute: null,
  replaces: null,
  replacedBy: null,
  mayReadMetrics: false,
  email: null,
};

function completeKey(stored: KeyRecord): KeyRecord {
  return { ...DEFAULT_MEMBERS, ...stored };
}

export class KeyStore {
  constructor(private readonly documents: DocumentStore) {}

  /** Rejects when there is another key of this id. */
  async add(key: KeyRecord): Promise<void> {
    await this.documents.change('key', [key.id], (stored) => {
      // A store that got no answer to its write asks again, and finds the key there.
      if (stored !== undefined && !isDeepStrictEqual(stored, key)) throw new Error(`there is a key ${key.id} already`);
      return stored ?? key;
    });
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const stored = await this.documents.find('key', id);
    return stored && completeKey(stored);
  }

  /** As they were issued. */
  async list(): Promise<readonly KeyRecord[]> {
    const keys = (await this.documents.list('key')).map(completeKey);
    return keys.sort((a, b) => compareUtf8(a.issuedAt, b.issuedAt) || compareUtf8(a.id, b.id));
  }

  /** Replaces a key by what `alter` makes of it, as one step. False when there is no such key. */
  async change(id: string, update: (key: KeyRecord) => KeyRecord): Promise<boolean> {
    const [changed] = await this.documents.change('key', [id], (stored) => stored && update(completeKey(stored)));
    return changed !== undefined;
  }
}

/** A document for each day and key. On Cosmos DB an addition whose answer was lost may count twice. */
class UsageStore {
  constructor(private readonly documents: DocumentStore) {}

  /** Adds to the stored use of each key and day; any number of processes may do so at once. */
  async add(uses: readonly KeyUse[]): Promise<void> {
    const sums = new Map<string, KeyUse>();
    for (const use of uses) sums.set(buildUseId(use), addUse(sums.get(buildUseId(use)), use));
    await this.documents.change('use', [...sums.keys()], (stored, id) => {
      const use = sums.get(id);
      return use && addUse(stored, use);
    });
  }

  /** The use of one key on some days, in their order; days without use are left out. */
  async listForKey(keyId: string, days: readonly string[]): Promise<readonly KeyUse[]> {
    const uses = await Promise.all(days.map((day) => this.documents.find('use', buildUseId({ day, keyId }))));
    return uses.filter((use) => use !== undefined);
  }
}

export function buildUseId({ day, keyId }: Pick<KeyUse, 'day' | 'keyId'>): string {
  return `${day}-${keyId}`;
}

export const HELD_ID = 'held';

/** What waits for a confirmation, in the order in which it was held: at most one submission of each data set (D64). */
class HeldStore {
  constructor(private readonly documents: DocumentStore) {}

  async list(): Promise<readonly HeldDataSet[]> {
    return (await this.documents.find('held', HELD_ID))?.held ?? [];
  }

  /** Replaces the list by what `alter` makes of it, as one step; the same list is not written. */
  async change(update: (held: readonly HeldDataSet[]) => readonly HeldDataSet[]): Promise<void> {
    await this.documents.change('held', [HELD_ID], (stored) => {
      const held = stored?.held ?? [];
      const altered = update(held);
      return altered === held ? stored : { held: altered };
    });
  }
}

/** The views of a store's documents, which every store offers; keys by oneself change theirs themselves (D56). */
export abstract class DocumentViews {
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly held: HeldStore;

  constructor(readonly documents: DocumentStore) {
    this.keys = new KeyStore(documents);
    this.usage = new UsageStore(documents);
    this.held = new HeldStore(documents);
  }
}
