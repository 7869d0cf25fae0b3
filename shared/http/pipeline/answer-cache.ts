// Caches answers by digest, up to a maximum number of bytes (ADR 0047).

import { ownBytes } from '../../values/bytes/own-bytes';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HeaderFields } from './outcome';

/** An answer that takes a larger share of the cache would evict too many others. */
const MAX_SHARE = 1 / 2;

/** The number of digests to remember of answers that were offered once: about a megabyte. */
const MAX_DIGESTS = 10_000;

/** The memory of an entry besides its body: digest and headers. */
const ENTRY_BYTES = 1024;

export interface CachedAnswer {
  readonly body: Buffer;
  readonly contentType: string;
  /** Headers that the request alone does not determine. */
  readonly headers: HeaderFields;
  /** The number of records on all pages. */
  readonly total: number;
  /** The number of records on this page. */
  readonly records: number;
}

export class AnswerCache {
  private readonly answers: LeastRecentlyUsedCache<CachedAnswer>;
  /** Digests of answers that have been offered once, oldest first. */
  private readonly offeredOnce = new Set<string>();

  constructor(private readonly maxBytes: number) {
    this.answers = new LeastRecentlyUsedCache(maxBytes);
  }

  find(digest: string): CachedAnswer | undefined {
    return this.answers.get(digest);
  }

  /**
   * Caches the answer immediately, or when its digest is offered for the second time. The body must not be changed
   * afterwards.
   */
  offer(digest: string, answer: CachedAnswer, when: 'at once' | 'the second time'): void {
    if (when === 'the second time' && this.isFirstOffer(digest)) return;
    const { body } = answer;
    const bytes = body.length + ENTRY_BYTES;
    if (bytes > this.maxBytes * MAX_SHARE) return;
    this.answers.set(digest, { ...answer, body: ownBytes(body) }, bytes);
  }

  private isFirstOffer(digest: string): boolean {
    if (this.offeredOnce.delete(digest)) return false;
    this.offeredOnce.add(digest);
    const [oldest] = this.offeredOnce;
    if (this.offeredOnce.size > MAX_DIGESTS && oldest !== undefined) this.offeredOnce.delete(oldest);
    return true;
  }
}
