// Access keys, their use, and what keys by oneself need. A key is looked up at every request, so the result is cached
// for half a minute: a revocation takes effect within 60 seconds on every instance (D30), and at once on the one that
// revokes.

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import { compareUtf8 } from '../../values/text';
import { addedUse, type KeyRecord, type KeyUse, type SelfServiceKind, type SelfServiceRecord } from '../catalog-types';
import type { KeyStore, SelfServiceStore, UsageStore } from '../port';
import { STATEMENTS, type CosmosCalls } from './calls';
import type { CosmosDocument } from './documents';

/** The partitions of these documents. */
const KEYS = 'keys';
const USAGE = 'usage';
const SELF_SERVICE = 'self-service';

/** Documents of older programs lack these members. */
const LATER_MEMBERS = {
  ...{ requestsPerMinute: null, recordsPerMinute: null, replaces: null, replacedBy: null },
  ...{ mayReadMetrics: false, email: null },
};

type KeyDocument = CosmosDocument & KeyRecord & { readonly kind: 'key' };

type UseDocument = CosmosDocument & KeyUse & { readonly kind: 'use' };

const CACHED_MS = 30_000;

/** Room for some 10,000 keys. Unknown ids are cached too, so that guesses cost no reads. */
const CACHE_BYTES = 5 * 1024 * 1024;
const ENTRY_BYTES = 400;

interface CachedKey {
  /** Undefined for an id that no key has. */
  readonly key: KeyRecord | undefined;
  readonly readAt: number;
}

export class CosmosKeys implements KeyStore {
  private readonly cache = new LeastRecentlyUsedCache<CachedKey>(CACHE_BYTES);

  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
  ) {}

  async add(key: KeyRecord): Promise<void> {
    const document = documentOf(key);
    this.cache.delete(key.id);
    if ((await this.calls.write(KEYS, [{ operationType: 'Create', resourceBody: document }])) === 'written') return;
    // A write whose answer was lost is refused when it is sent again.
    const stored = await this.calls.read<KeyDocument>(KEYS, key.id);
    if (stored === undefined || JSON.stringify(keyOf(stored.document)) !== JSON.stringify(keyOf(document))) {
      throw new Error(`there is a key ${key.id} already`);
    }
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const now = this.now().getTime();
    const known = this.cache.get(id);
    if (known !== undefined && now - known.readAt < CACHED_MS) return known.key;
    const stored = await this.calls.read<KeyDocument>(KEYS, id);
    const key = stored === undefined ? undefined : keyOf(stored.document);
    this.cache.set(id, { key, readAt: now }, ENTRY_BYTES);
    return key;
  }

  async list(): Promise<readonly KeyRecord[]> {
    const found = await this.calls.query<KeyDocument>({ partition: KEYS, text: STATEMENTS.keys });
    return found.map(keyOf).sort((a, b) => compareUtf8(a.issuedAt, b.issuedAt) || compareUtf8(a.id, b.id));
  }

  async change(id: string, alter: (key: KeyRecord) => KeyRecord): Promise<boolean> {
    const exists = await this.calls.change<KeyDocument>(KEYS, id, (key) => key && documentOf(alter(keyOf(key))));
    this.cache.delete(id);
    return exists;
  }
}

function documentOf(key: KeyRecord): KeyDocument {
  return { ...key, partition: KEYS, kind: 'key' };
}

/** Leaves out the members that the service adds. */
function keyOf(document: KeyDocument): KeyRecord {
  const { id, hash, owner, issuedAt, expiresAt, revokedAt } = document;
  const later = { ...LATER_MEMBERS, ...document };
  const { requestsPerMinute, recordsPerMinute, replaces, replacedBy, mayReadMetrics, email } = later;
  const members = { requestsPerMinute, recordsPerMinute, replaces, replacedBy, mayReadMetrics, email };
  return { id, hash, owner, issuedAt, expiresAt, revokedAt, ...members };
}

/** A document for each key and day, to which each instance adds. An addition whose answer was lost may count twice. */
export class CosmosUsage implements UsageStore {
  constructor(private readonly calls: CosmosCalls) {}

  async add(uses: readonly KeyUse[]): Promise<void> {
    for (const use of uses) {
      const id = `${use.day}-${use.keyId}`;
      await this.calls.change<UseDocument>(USAGE, id, (stored) => ({
        ...addedUse(stored && useOf(stored), use),
        ...{ id, partition: USAGE, kind: 'use' },
      }));
    }
  }

  async list(): Promise<readonly KeyUse[]> {
    const found = await this.calls.query<UseDocument>({ partition: USAGE, text: STATEMENTS.usage });
    return found.map(useOf).sort((a, b) => compareUtf8(a.day, b.day) || compareUtf8(a.keyId, b.keyId));
  }

  /** A request unit for each day, while a query would read the use of all keys. */
  async ofKey(keyId: string, days: readonly string[]): Promise<readonly KeyUse[]> {
    const found = await Promise.all(days.map((day) => this.calls.read<UseDocument>(USAGE, `${day}-${keyId}`)));
    return found.flatMap((stored) => (stored === undefined ? [] : [useOf(stored.document)]));
  }
}

/** Leaves out the members that the service adds. */
function useOf({ day, keyId, requests, records, refused, lastUsedAt }: KeyUse): KeyUse {
  return { day, keyId, requests, records, refused, lastUsedAt };
}

interface SelfServiceDocument<Kind extends SelfServiceKind> extends CosmosDocument {
  readonly kind: Kind;
  readonly record: SelfServiceRecord<Kind>;
}

/** A document for each record. */
export class CosmosSelfService implements SelfServiceStore {
  /** The last change of each document that this instance is at: they take turns, so that only instances compete. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly calls: CosmosCalls) {}

  change<Kind extends SelfServiceKind>(
    kind: Kind,
    id: string,
    alter: (stored: SelfServiceRecord<Kind> | undefined) => SelfServiceRecord<Kind> | undefined,
  ): Promise<SelfServiceRecord<Kind> | undefined> {
    const name = `${kind} ${id}`;
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.changeNow(kind, id, alter));
    this.turns.set(name, turn);
    return turn.finally(() => {
      if (this.turns.get(name) === turn) this.turns.delete(name);
    });
  }

  private async changeNow<Kind extends SelfServiceKind>(
    kind: Kind,
    id: string,
    alter: (stored: SelfServiceRecord<Kind> | undefined) => SelfServiceRecord<Kind> | undefined,
  ): Promise<SelfServiceRecord<Kind> | undefined> {
    let changed: SelfServiceRecord<Kind> | undefined;
    const name = `${kind} ${id}`;
    await this.calls.change<SelfServiceDocument<Kind>>(SELF_SERVICE, name, (document) => {
      changed = alter(document?.record);
      if (changed === document?.record) return undefined;
      return changed === undefined ? 'delete' : { id: name, partition: SELF_SERVICE, kind, record: changed };
    });
    return changed;
  }

  async list<Kind extends SelfServiceKind>(kind: Kind): Promise<readonly SelfServiceRecord<Kind>[]> {
    const [text, parameters] = [STATEMENTS.selfServiceOfKind, { kind }];
    const found = await this.calls.query<SelfServiceDocument<Kind>>({ partition: SELF_SERVICE, text, parameters });
    return found.map(({ record }) => record).sort((a, b) => compareUtf8(a.id, b.id));
  }

  async removeExpired(now: string): Promise<void> {
    const text = STATEMENTS.selfService;
    const found = await this.calls.query<SelfServiceDocument<SelfServiceKind>>({ partition: SELF_SERVICE, text });
    for (const { kind, record } of found) {
      if (record.expiresAt > now) continue;
      // It may have been renewed since it was read.
      await this.change(kind, record.id, (stored) => (stored && stored.expiresAt > now ? stored : undefined));
    }
  }

  /** The service keeps nothing of a deleted document but its own backups (docs/operating.md). */
  wipe(): Promise<void> {
    return Promise.resolve();
  }
}
