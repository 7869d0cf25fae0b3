// Answers that were asked for at least twice, by digest, within a bound of bytes (ADR 0047).

import { pooledSize, type BufferPool } from '../../answer/buffer-pool';
import type { HeaderFields } from '../outcome/outcome';

/** A larger answer would drive out too many others. */
const LARGEST_SHARE = 1 / 2;

/** How many digests of answers that were asked for once are remembered: about a megabyte. */
const MOST_DIGESTS = 10_000;

/** The memory of a small entry beside its body: digest, headers, a slot of the map. */
const ENTRY_BYTES = 1024;

export interface CachedAnswer {
  readonly body: Buffer;
  /** Those that do not follow from the request. */
  readonly headers: HeaderFields;
  /** Records on all pages. */
  readonly total: number;
  /** Records on this page. */
  readonly records: number;
}

/** Holds one reference to the body of each answer in it. */
export class AnswerCache {
  /** The least recently used entry first. */
  private readonly entries = new Map<string, { readonly answer: CachedAnswer; readonly bytes: number }>();
  /** Digests of answers that were asked for once, the oldest first. */
  private readonly askedOnce = new Set<string>();
  private bytes = 0;

  /** `mostBytes` bounds the answers together with the free memory of the pool. */
  constructor(
    private readonly mostBytes: number,
    private readonly pool: BufferPool,
  ) {
    pool.limitFree(mostBytes);
  }

  /** An answer that is about to be sent again: its body has a reference more, for the caller to release. */
  find(digest: string): CachedAnswer | undefined {
    const entry = this.entries.get(digest);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: the most recently used entry goes to its end.
    this.entries.delete(digest);
    this.entries.set(digest, entry);
    this.pool.retain(entry.answer.body);
    return entry.answer;
  }

  /** Keeps the answer when its digest is offered for the second time. Nobody writes to the body any more. */
  offer(digest: string, answer: CachedAnswer): void {
    if (!this.entries.has(digest) && !this.isFirstOffer(digest)) this.keep(digest, answer);
  }

  /** Keeps an answer that is soon asked for again, such as a tile of a map: as `offer`, from the first time on. */
  keep(digest: string, answer: CachedAnswer): void {
    if (this.entries.has(digest)) return;
    const pooledBytes = this.pool.memoryOf(answer.body);
    const bytes = pooledBytes ?? answer.body.length + ENTRY_BYTES;
    if (!this.isKeepable(bytes)) return;
    while (this.bytes + bytes > this.mostBytes && this.evictOldest());
    this.pool.retain(answer.body);
    // A small body lies in Node's pool with others, and would keep all of that in memory.
    const isPooled = pooledBytes !== undefined;
    const cached = isPooled ? answer : { ...answer, body: Buffer.from(new Uint8Array(answer.body).buffer) };
    this.entries.set(digest, { answer: cached, bytes });
    this.addBytes(bytes);
  }

  /** A buffer of the pool. Where no free one fits, other free memory goes, then the least recently used answers. */
  allocate(bytes: number): Buffer {
    const size = pooledSize(bytes);
    const isTooMuch = (): boolean => this.bytes + this.pool.freeBytes + size > this.mostBytes;
    if (size > 0 && this.isKeepable(size)) {
      while (!this.pool.hasFree(bytes) && isTooMuch() && (this.pool.dropFree() || this.evictOldest()));
    }
    return this.pool.allocate(bytes);
  }

  private isFirstOffer(digest: string): boolean {
    if (this.askedOnce.delete(digest)) return false;
    this.askedOnce.add(digest);
    const [oldest] = this.askedOnce;
    if (this.askedOnce.size > MOST_DIGESTS && oldest !== undefined) this.askedOnce.delete(oldest);
    return true;
  }

  private isKeepable(bytes: number): boolean {
    return bytes <= this.mostBytes * LARGEST_SHARE;
  }

  /** Evicts the least recently used answer; false when there is none. */
  private evictOldest(): boolean {
    for (const [digest, { answer, bytes }] of this.entries) {
      this.entries.delete(digest);
      this.addBytes(-bytes);
      this.pool.release(answer.body);
      return true;
    }
    return false;
  }

  private addBytes(bytes: number): void {
    this.bytes += bytes;
    this.pool.limitFree(this.mostBytes - this.bytes);
  }
}
