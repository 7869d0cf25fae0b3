// The answers that are remembered by their digest, within a bound of bytes (ADR 0047).

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HeaderFields } from './outcome';

/** A larger answer would drive out too many others. */
const LARGEST_SHARE = 1 / 2;

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

  constructor(private readonly mostBytes: number) {
    this.answers = new LeastRecentlyUsedCache(mostBytes);
  }

  find(digest: string): CachedAnswer | undefined {
    return this.answers.get(digest);
  }

  /** Nobody writes to the body any more. */
  keep(digest: string, answer: CachedAnswer): void {
    const { body } = answer;
    const bytes = body.length + ENTRY_BYTES;
    if (bytes > this.mostBytes * LARGEST_SHARE) return;
    // A body may be a part of larger memory, such as Node's pool of small buffers, and would keep all of that.
    const isWhole = body.buffer.byteLength === body.length;
    this.answers.set(digest, isWhole ? answer : { ...answer, body: Buffer.from(new Uint8Array(body).buffer) }, bytes);
  }
}
