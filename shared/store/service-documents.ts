// The documents of the service itself: access keys and their use, held submissions, and the data of self-service keys.
// Both stores keep them as small JSON documents by kind and id. This file defines the meaning of each kind.

import { isDeepStrictEqual } from 'node:util';
import { compareUtf8 } from '../values/compare-utf8';
import {
  addUse,
  type HeldDataSet,
  type KeyRecord,
  type KeyUse,
  type NotReadEntry,
  type SelfServiceKind,
  type SelfServiceRecord,
} from './catalog-types';

/** The document of each kind. There is only one `held`, so that a health probe reads one document (D64, D75). */
export type ServiceDocuments = {
  readonly key: KeyRecord;
  readonly use: KeyUse;
  readonly held: { readonly held: readonly HeldDataSet[]; readonly notRead?: readonly NotReadEntry[] };
} & { readonly [Kind in SelfServiceKind]: SelfServiceRecord<Kind> };

export type DocumentKind = keyof ServiceDocuments;

/** Computes the next document from the stored document. Undefined means that no document exists. */
export type UpdateDocument<Kind extends DocumentKind> = (
  stored: ServiceDocuments[Kind] | undefined,
  id: string,
) => ServiceDocuments[Kind] | undefined;

/** The operations of a store on these documents. */
export interface DocumentStore {
  find<Kind extends DocumentKind>(kind: Kind, id: string): Promise<ServiceDocuments[Kind] | undefined>;
  /** Ordered by id. */
  list<Kind extends DocumentKind>(kind: Kind): Promise<readonly ServiceDocuments[Kind][]>;
  /**
   * Replaces each document by the result of `update`, atomically even when several processes do so at the same time.
   * Deletes the document when the result is undefined, and writes nothing when it is the same object. Resolves to the
   * next documents, in the order of the ids.
   */
  change<Kind extends DocumentKind>(
    kind: Kind,
    ids: readonly string[],
    update: UpdateDocument<Kind>,
  ): Promise<readonly (ServiceDocuments[Kind] | undefined)[]>;
  /** Overwrites deleted and replaced content, such as people's names, where the store still has it. */
  wipe(): Promise<void>;
}

/** Defaults for members that are missing in keys of older program versions. */
const DEFAULT_MEMBERS = {
  requestsPerMinute: null,
  recordsPerMinute: null,
  replaces: null,
  replacedBy: null,
  mayReadMetrics: false,
  email: null,
};

/** A key as it may be stored. */
type StoredKey = Omit<KeyRecord, 'chainId'> & Partial<Pick<KeyRecord, 'chainId'>>;

function completeKey(stored: StoredKey): KeyRecord {
  const key = { ...DEFAULT_MEMBERS, ...stored };
  return { ...key, chainId: key.chainId ?? key.replaces ?? key.id };
}

export class KeyStore {
  constructor(private readonly documents: DocumentStore) {}

  /** Rejects when there is another key with this id. */
  async add(key: KeyRecord): Promise<void> {
    await this.documents.change('key', [key.id], (stored) => {
      // A store that got no answer to a write retries it, and finds the key already stored.
      if (stored !== undefined && !isDeepStrictEqual(stored, key)) throw new Error(`the key ${key.id} already exists`);
      return stored ?? key;
    });
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const stored = await this.documents.find('key', id);
    return stored && completeKey(stored);
  }

  /** Lists the keys in the order in which they were issued. */
  async list(): Promise<readonly KeyRecord[]> {
    const keys = (await this.documents.list('key')).map(completeKey);
    return keys.sort((a, b) => compareUtf8(a.issuedAt, b.issuedAt) || compareUtf8(a.id, b.id));
  }

  /** Reads the key from the store, bypassing the cache of this process. */
  async findCurrent(id: string): Promise<KeyRecord | undefined> {
    const [stored] = await this.documents.change('key', [id], (key) => key);
    return stored && completeKey(stored);
  }

  /** Replaces a key atomically. Resolves to the changed key, or to undefined when there is no such key. */
  async change(id: string, update: (key: KeyRecord) => KeyRecord): Promise<KeyRecord | undefined> {
    const [changed] = await this.documents.change('key', [id], (stored) => stored && update(completeKey(stored)));
    return changed;
  }

  /**
   * Adds `next` and updates the key that it replaces, as returned by `claim`. If `claim` returns undefined, nothing
   * changes and the result is false. `next` is added first, so that a process that sees the replaced key can always
   * find the new key.
   */
  async replace(
    previousId: string,
    next: KeyRecord,
    claim: (previous: KeyRecord) => KeyRecord | undefined,
  ): Promise<boolean> {
    let claimed: KeyRecord | undefined;
    await this.documents.change('key', [next.id, previousId], (stored, id) => {
      if (id === next.id) return stored ?? next;
      claimed = stored && claim(completeKey(stored));
      return claimed ?? stored;
    });
    if (claimed !== undefined) return true;
    await this.documents.change('key', [next.id], () => undefined);
    await this.documents.wipe();
    return false;
  }
}

/** One document for each day and key. On Cosmos DB, an addition whose answer was lost may count twice. */
class UsageStore {
  constructor(private readonly documents: DocumentStore) {}

  /** Adds to the stored use of each key and day. Any number of processes may do so at the same time. */
  async add(uses: readonly KeyUse[]): Promise<void> {
    const sums = new Map<string, KeyUse>();
    for (const use of uses) sums.set(buildUseId(use), addUse(sums.get(buildUseId(use)), use));
    await this.documents.change('use', [...sums.keys()], (stored, id) => {
      const use = sums.get(id);
      return use && addUse(stored, use);
    });
  }

  /** Returns the use of a key on these days, in the same order, omitting days on which it was not used. */
  async listForKey(keyId: string, days: readonly string[]): Promise<readonly KeyUse[]> {
    const uses = await Promise.all(days.map((day) => this.documents.find('use', buildUseId({ day, keyId }))));
    return uses.filter((use) => use !== undefined);
  }
}

export function buildUseId({ day, keyId }: Pick<KeyUse, 'day' | 'keyId'>): string {
  return `${day}-${keyId}`;
}

export const HELD_ID = 'held';

/**
 * Held submissions, in the order in which they were held: at most one for each data set (D64). Also the entries of the
 * inbox that are not processed (D75).
 */
class HeldStore {
  constructor(private readonly documents: DocumentStore) {}

  async list(): Promise<readonly HeldDataSet[]> {
    return (await this.readAll()).held;
  }

  /** Replaces the list atomically. Writes nothing when `update` returns the same list. */
  async change(update: (held: readonly HeldDataSet[]) => readonly HeldDataSet[]): Promise<void> {
    await this.documents.change('held', [HELD_ID], (stored) => {
      const held = stored?.held ?? [];
      const altered = update(held);
      return altered === held ? stored : { ...stored, held: altered };
    });
  }

  async listNotRead(): Promise<readonly NotReadEntry[]> {
    return (await this.readAll()).notRead;
  }

  /** Reads both lists at once. */
  async readAll(): Promise<{ readonly held: readonly HeldDataSet[]; readonly notRead: readonly NotReadEntry[] }> {
    const stored = await this.documents.find('held', HELD_ID);
    return { held: stored?.held ?? [], notRead: stored?.notRead ?? [] };
  }

  /** Replaces the list of unprocessed inbox entries. Writes nothing if it is unchanged. */
  async replaceNotRead(update: (stored: readonly NotReadEntry[]) => readonly NotReadEntry[]): Promise<void> {
    const { notRead } = await this.readAll();
    if (isDeepStrictEqual(update(notRead), notRead)) return;
    await this.documents.change('held', [HELD_ID], (stored) => {
      return { held: stored?.held ?? [], notRead: update(stored?.notRead ?? []) };
    });
  }
}

/** Access to the documents of a store by topic. The code of self-service keys uses `documents` directly (D56). */
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
