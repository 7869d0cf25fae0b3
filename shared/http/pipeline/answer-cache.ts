// Caches answers by digest, within a bound of bytes (ADR 0047).

import { ownBytes } from '../../values/bytes/own-bytes';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HeaderFields } from './outcome';

/** A larger answer would evict too many others. */
const MAX_SHARE = 1 / 2;

/** Digests of answers that were offered once: about a megabyte. */
const MAX_DIGESTS = 10_000;

/** The memory of an entry without its body: digest and headers. */
const ENTRY_BYTES = 1024;

export interface CachedAnswer {
  readonly body: Buffer;
  readonly contentType: string;
  /** Headers that do not follow from the request alone. */
  readonly headers: HeaderFields;
  /** Records of all pages. */
  readonly total: number;
  /** Records of this page. */
  readonly records: number;
}

export class AnswerCache {
  private readonly answers: LeastRecentlyUsedCache<CachedAnswer>;
  /** Digests of answers that were offered once, the oldest first. */
  private readonly offeredOnce = new Set<string>();

  constructor(private readonly maxBytes: number) {
    this.answers = new LeastRecentlyUsedCache(maxBytes);
  }

  find(digest: string): CachedAnswer | undefined {
    return this.answers.get(digest);
  }

  /** Keeps the answer at once, or when its digest is offered the second time. Nobody may change the body afterwards. */
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
