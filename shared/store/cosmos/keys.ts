// Access keys. A key is asked for at every request, so what was found is kept for half a minute: a revocation works within 60
// seconds on every instance (D30), at once on the one that revokes.

import type { KeyLimits, KeyRecord } from '../catalog-types';
import type { KeyStore } from '../port';
import { changeDocument } from './change-document';
import type { CosmosCalls } from './cosmos-calls';
import type { Held } from './counted-container';
import type { CosmosDocument } from './documents';
import { STATEMENTS } from './statements';

const KEYS = 'keys';

/** Documents of older programs have none of these. */
const NO_LIMITS = { requestsPerMinute: null, recordsPerMinute: null, replaces: null };

type KeyDocument = CosmosDocument & KeyRecord & { readonly kind: 'key' };

const KEPT_MS = 30_000;

/** Unknown ids are kept too, so that guesses cost no reads; the oldest go first. */
const MOST_KEPT = 10_000;

export class CosmosKeys implements KeyStore {
  private readonly kept = new Map<string, { readonly key: KeyRecord | undefined; readonly readAt: number }>();

  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
  ) {}

  async add(key: KeyRecord): Promise<void> {
    const document: KeyDocument = { ...key, partition: KEYS, kind: 'key' };
    this.kept.delete(key.id);
    if ((await this.calls.write(KEYS, { operation: 'create', document })) === 'written') return;
    // A write whose answer was lost is refused when it is tried again.
    const held = await this.read(key.id);
    if (held === undefined || JSON.stringify(keyOf(held.document)) !== JSON.stringify(keyOf(document))) {
      throw new Error(`there is a key ${key.id} already`);
    }
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const now = this.now().getTime();
    const known = this.kept.get(id);
    if (known !== undefined && now - known.readAt < KEPT_MS) return known.key;
    const held = await this.read(id);
    const key = held === undefined ? undefined : keyOf(held.document);
    this.kept.delete(id);
    this.kept.set(id, { key, readAt: now });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(oldest);
    }
    return key;
  }

  async list(): Promise<readonly KeyRecord[]> {
    const found = await this.calls.query<KeyDocument>({ partition: KEYS, text: STATEMENTS.keys });
    return found.map(keyOf).sort((a, b) => compare(a.issuedAt, b.issuedAt) || compare(a.id, b.id));
  }

  revoke(id: string, at: string): Promise<boolean> {
    return this.change(id, (key) => ({ ...key, revokedAt: key.revokedAt ?? at }));
  }

  expire(id: string, at: string): Promise<boolean> {
    return this.change(id, (key) => ({
      ...key,
      expiresAt: key.expiresAt !== null && key.expiresAt < at ? key.expiresAt : at,
    }));
  }

  limit(id: string, { requestsPerMinute, recordsPerMinute }: KeyLimits): Promise<boolean> {
    return this.change(id, (key) => ({ ...key, requestsPerMinute, recordsPerMinute }));
  }

  /** False when there is no such key. */
  private async change(id: string, alter: (key: KeyDocument) => KeyDocument): Promise<boolean> {
    const isThere = await changeDocument<KeyDocument>(this.calls, KEYS, id, (held) => held && alter(held));
    this.kept.delete(id);
    return isThere;
  }

  private read(id: string): Promise<Held<KeyDocument> | undefined> {
    return this.calls.read<KeyDocument>(KEYS, id);
  }
}

/** Without what the service adds. */
function keyOf(document: KeyDocument): KeyRecord {
  const { id, hash, owner, issuedAt, expiresAt, revokedAt, requestsPerMinute, recordsPerMinute, replaces } = {
    ...NO_LIMITS,
    ...document,
  };
  return { id, hash, owner, issuedAt, expiresAt, revokedAt, requestsPerMinute, recordsPerMinute, replaces };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
