// The answers that are remembered by their digest, within a bound of bytes (ADR 0047).

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HeaderFields } from './outcome';

/** A larger answer would drive out too many others. */
const LARGEST_SHARE = 1 / 2;

/** How many digests of answers that were asked for once are remembered: about a megabyte. */
const MOST_DIGESTS = 10_000;

/** The memory of an entry beside its body: digest and headers. */
const ENTRY_BYTES = 1024;

export interface CachedAnswer {
  readonly body: Buffer;
  readonly contentType: string;
  /** Those that do not follow from the request. */
  readonly headers: HeaderFields;
  /** Records on all pages. */
  readonly total: number;
  /** Records on this page. */
  readonly records: number;
}

export class AnswerCache {
  private readonly answers: LeastRecentlyUsedCache<CachedAnswer>;
  /** Digests of answers that were asked for once, the oldest first. */
  private readonly askedOnce = new Set<string>();

  constructor(private readonly mostBytes: number) {
    this.answers = new LeastRecentlyUsedCache(mostBytes);
  }

  find(digest: string): CachedAnswer | undefined {
    return this.answers.get(digest);
  }

  /** Keeps the answer, or does so when its digest is offered for the second time. Nobody writes to it any more. */
  offer(digest: string, answer: CachedAnswer, when: 'at once' | 'the second time'): void {
    if (when === 'the second time' && this.isFirstOffer(digest)) return;
    const { body } = answer;
    const bytes = body.length + ENTRY_BYTES;
    if (bytes > this.mostBytes * LARGEST_SHARE) return;
    // A body may be a part of larger memory, such as Node's pool of small buffers, and would keep all of that.
    const isWhole = body.buffer.byteLength === body.length;
    this.answers.set(digest, isWhole ? answer : { ...answer, body: Buffer.from(new Uint8Array(body).buffer) }, bytes);
  }

  private isFirstOffer(digest: string): boolean {
    if (this.askedOnce.delete(digest)) return false;
    this.askedOnce.add(digest);
    const [oldest] = this.askedOnce;
    if (this.askedOnce.size > MOST_DIGESTS && oldest !== undefined) this.askedOnce.delete(oldest);
    return true;
  }
}
