// The block file of a release, open for reading. A page of the file is checked when it is first read after the file was
// opened (ADR 0050).

import { closeSync, fstatSync, openSync } from 'node:fs';
import { BitSet } from '../../values/bytes/bit-set';
import { readIfExists } from '../../values/result';
import { CHECKED_PAGE_BYTES, checkPages, readTrailer, type Trailer } from './checksums';
import { readInto, readWhole } from './read-bytes';

export class BlockFile {
  private lastTrailer: Trailer | undefined;
  private checkedPages = new BitSet(0);

  private constructor(private readonly descriptor: number) {}

  /** Undefined when there is no such file. */
  static open(path: string): BlockFile | undefined {
    const descriptor = readIfExists(() => openSync(path, 'r'));
    return descriptor === undefined ? undefined : new BlockFile(descriptor);
  }

  /** Throws DamagedReleaseError, including for a release whose format has no trailer. */
  get trailer(): Trailer {
    if (this.lastTrailer === undefined) {
      this.lastTrailer = readTrailer(this.descriptor, this.bytes);
      this.checkedPages = new BitSet(this.lastTrailer.pageChecksums.length);
    }
    return this.lastTrailer;
  }

  get bytes(): number {
    return fstatSync(this.descriptor).size;
  }

  /** Reads `bytes` bytes at `fileOffset` into `target` at `targetOffset`. Throws DamagedReleaseError. */
  read(target: Uint8Array, targetOffset: number, bytes: number, fileOffset: number): void {
    if (bytes === 0) return;
    const { trailer } = this;
    const first = Math.floor(fileOffset / CHECKED_PAGE_BYTES);
    const last = Math.floor((fileOffset + bytes - 1) / CHECKED_PAGE_BYTES);
    if (this.areChecked(first, last)) {
      readInto(this.descriptor, target.subarray(targetOffset, targetOffset + bytes), fileOffset);
      return;
    }
    const start = first * CHECKED_PAGE_BYTES;
    const pages = readWhole(this.descriptor, this.endOfPage(last) - start, start);
    checkPages(pages, first, trailer);
    this.checkedPages.addRange(first, last);
    target.set(pages.subarray(fileOffset - start, fileOffset - start + bytes), targetOffset);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private endOfPage(page: number): number {
    return Math.min((page + 1) * CHECKED_PAGE_BYTES, this.trailer.pageBytes);
  }

  private areChecked(first: number, last: number): boolean {
    for (let page = first; page <= last; page++) if (!this.checkedPages.has(page)) return false;
    return true;
  }
}
