// The small documents of the service (../service-documents.ts) as documents of the container. A key is looked up at
// every request, so the result is cached for half a minute: a revocation takes effect within 60 seconds on every
// instance (D30), and immediately on the instance that revokes the key.

import { compareUtf8 } from '../../values/compare-utf8';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { DocumentKind, DocumentStore, ServiceDocuments, UpdateDocument } from '../service-documents';
import type { CosmosCalls } from './calls';
import type { CosmosDocument, Partition } from './document-names';
import { QUERIES } from './queries';

/**
 * These kinds have their own partitions and use their ids unchanged. The other kinds share one partition, so their ids
 * start with the kind.
 */
const PARTITIONS: Readonly<Partial<Record<DocumentKind, string>>> = { key: 'keys', use: 'usage', held: 'catalog' };
const SELF_SERVICE = 'self-service';

const CACHED_MS = 30_000;

/** Room for about 10,000 keys. Unknown ids are cached too, so that guessing keys costs no reads. */
const CACHE_BYTES = 5 * 1024 * 1024;
const ENTRY_BYTES = 400;

/** How long the use of a key is kept after its last change. */
const USE_SECONDS = 400 * 86_400;

/** The maximum that the service accepts. */
const MAX_TTL_SECONDS = 2_000_000_000;

/** The program deletes expired documents. The service deletes those that remain after this time. */
const MARGIN_SECONDS = 86_400;

interface ServiceDocument<Kind extends DocumentKind> extends CosmosDocument {
  readonly kind: Kind;
  readonly ttl?: number;
  /** Older programs stored the members of keys, usage and held submissions next to `id`. */
  readonly record?: ServiceDocuments[Kind];
}

export class CosmosDocuments implements DocumentStore {
  /** `document` is undefined for an id that belongs to no key. */
  private readonly cache = new LeastRecentlyUsedCache<{ readonly document: unknown; readonly readAt: number }>(
    CACHE_BYTES,
  );
  /**
   * The last change of each document in this instance. Changes of one document run one after the other, so only
   * different instances compete.
   */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly calls: CosmosCalls,
    private readonly now: () => Date,
  ) {}

  async find<Kind extends DocumentKind>(kind: Kind, id: string): Promise<ServiceDocuments[Kind] | undefined> {
    if (kind !== 'key') return this.read(kind, id);
    const now = this.now().getTime();
    const cached = this.cache.get(id);
    if (cached !== undefined && now - cached.readAt < CACHED_MS) {
      return cached.document as ServiceDocuments[Kind] | undefined; // The code below stored it.
    }
    const document = await this.read(kind, id);
    this.cache.set(id, { document, readAt: now }, ENTRY_BYTES);
    return document;
  }

  async list<Kind extends DocumentKind>(kind: Kind): Promise<readonly ServiceDocuments[Kind][]> {
    const query = { text: QUERIES.serviceDocuments, parameters: { kind } };
    const documents = await this.calls.query<ServiceDocument<Kind>>(getPartition(kind), query);
    return [...documents].sort((a, b) => compareUtf8(a.id, b.id)).map(readContent);
  }

  async change<Kind extends DocumentKind>(
    kind: Kind,
    ids: readonly string[],
    update: UpdateDocument<Kind>,
  ): Promise<readonly (ServiceDocuments[Kind] | undefined)[]> {
    const changed: (ServiceDocuments[Kind] | undefined)[] = [];
    for (const id of ids) changed.push(await this.runInTurn(`${kind} ${id}`, () => this.changeOne(kind, id, update)));
    return changed;
  }

  /** Nothing to do: only Cosmos DB's own backups keep a deleted document (docs/operating/self-service-keys.md). */
  wipe(): Promise<void> {
    return Promise.resolve();
  }

  private async read<Kind extends DocumentKind>(kind: Kind, id: string): Promise<ServiceDocuments[Kind] | undefined> {
    const stored = await this.calls.read<ServiceDocument<Kind>>(getPartition(kind), getDocumentId(kind, id));
    return stored === undefined ? undefined : readContent(stored.document);
  }

  private async changeOne<Kind extends DocumentKind>(
    kind: Kind,
    id: string,
    update: UpdateDocument<Kind>,
  ): Promise<ServiceDocuments[Kind] | undefined> {
    const place = getPartition(kind);
    const location = { id: getDocumentId(kind, id), partition: place.partition };
    let next: ServiceDocuments[Kind] | undefined;
    await this.calls.change<ServiceDocument<Kind>>(place, location.id, (document) => {
      const stored = document && readContent(document);
      next = update(stored, id);
      if (next === stored) return undefined;
      return next === undefined ? 'delete' : { ...location, kind, record: next, ...this.getLifetime(kind, next) };
    });
    if (kind === 'key') this.cache.delete(id);
    return next;
  }

  /**
   * Documents that would accumulate are deleted by the service: `ttl` is the number of seconds after the last write.
   * Keys and held submissions are kept.
   */
  private getLifetime<Kind extends DocumentKind>(
    kind: Kind,
    content: ServiceDocuments[Kind],
  ): { readonly ttl?: number } {
    if (kind === 'use') return { ttl: USE_SECONDS };
    if (!('expiresAt' in content) || kind === 'key') return {};
    const seconds = Math.ceil((Date.parse(String(content.expiresAt)) - this.now().getTime()) / 1000);
    return seconds > MAX_TTL_SECONDS || Number.isNaN(seconds) ? {} : { ttl: Math.max(0, seconds) + MARGIN_SECONDS };
  }

  private runInTurn<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
    const previous = this.turns.get(name) ?? Promise.resolve();
    const turn = previous.catch(() => undefined).then(act);
    this.turns.set(name, turn);
    return turn.finally(() => {
      if (this.turns.get(name) === turn) this.turns.delete(name);
    });
  }
}

function getPartition(kind: DocumentKind): Partition {
  return { container: 'catalog', partition: PARTITIONS[kind] ?? SELF_SERVICE };
}

function getDocumentId(kind: DocumentKind, id: string): string {
  return kind in PARTITIONS ? id : `${kind} ${id}`;
}

function readContent<Kind extends DocumentKind>(document: ServiceDocument<Kind>): ServiceDocuments[Kind] {
  if (document.record !== undefined) return document.record;
  // The id belongs to the content only for keys. Members whose names begin with an underscore were added by Cosmos DB.
  const others = document.kind === 'key' ? ['partition', 'kind'] : ['id', 'partition', 'kind'];
  const own = Object.entries(document).filter(([name]) => !name.startsWith('_') && !others.includes(name));
  return Object.fromEntries(own) as unknown as ServiceDocuments[Kind]; // The format that older program versions wrote.
}
