// Checksums (CRC-32) of a release's content, which detect damage before it is served (ADR 0050). Each row of the SQLite
// file has a checksum. The block file ends with the checksums of its pages and the checksum of the whole SQLite file.

import { crc32 } from 'node:zlib';
import { numberAt } from '../../values/number-arrays';
import { DamagedReleaseError } from '../damaged-release';
import { readWhole } from './read-bytes';

/** The number of bytes of the block file that share a checksum. They are checked before any of them is used. */
export const CHECKED_PAGE_BYTES = 4096;

/** The checksum of a row covers its name, so that a row with a damaged name is not mistaken for another row. */
export function checksumRow(name: string, content: Uint8Array): number {
  return crc32(content, crc32(name));
}

/** Computes the checksums of the pages of a file while it is written. */
export class PageChecksums {
  private readonly checksums: number[] = [];
  private current = 0;
  private bytesInPage = 0;

  add(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length;) {
      const end = Math.min(bytes.length, start + CHECKED_PAGE_BYTES - this.bytesInPage);
      this.current = crc32(bytes.subarray(start, end), this.current);
      this.bytesInPage += end - start;
      if (this.bytesInPage === CHECKED_PAGE_BYTES) this.endPage();
      start = end;
    }
  }

  finish(): Uint32Array {
    if (this.bytesInPage > 0) this.endPage();
    return Uint32Array.from(this.checksums);
  }

  private endPage(): void {
    this.checksums.push(this.current);
    this.current = 0;
    this.bytesInPage = 0;
  }
}

/** The end of the block file, after its pages. */
export interface Trailer {
  /** The length of the pages. */
  readonly pageBytes: number;
  readonly pageChecksums: Uint32Array;
  /** The length and the checksum of the SQLite file. */
  readonly indexBytes: number;
  readonly indexChecksum: number;
}

/** Two numbers of 8 bytes and three of 4. */
const FOOTER_BYTES = 28;

export function encodeTrailer({ pageBytes, pageChecksums, indexBytes, indexChecksum }: Trailer): Uint8Array {
  const checksums = new Uint8Array(pageChecksums.buffer, pageChecksums.byteOffset, pageChecksums.byteLength);
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.writeDoubleLE(pageBytes, 0);
  footer.writeDoubleLE(indexBytes, 8);
  footer.writeUInt32LE(indexChecksum, 16);
  footer.writeUInt32LE(crc32(checksums), 20);
  footer.writeUInt32LE(crc32(footer.subarray(0, 24)), 24);
  return Buffer.concat([checksums, footer]);
}

/** `fileBytes` is the length of the open block file. Throws DamagedReleaseError. */
export function readTrailer(descriptor: number, fileBytes: number): Trailer {
  const damage = new DamagedReleaseError('the file of its records is truncated, or was changed at its end');
  if (fileBytes < FOOTER_BYTES) throw damage;
  const footer = readWhole(descriptor, FOOTER_BYTES, fileBytes - FOOTER_BYTES);
  if (crc32(footer.subarray(0, 24)) !== footer.readUInt32LE(24)) throw damage;
  const pageBytes = footer.readDoubleLE(0);
  const checksumBytes = 4 * Math.ceil(pageBytes / CHECKED_PAGE_BYTES);
  if (fileBytes !== pageBytes + checksumBytes + FOOTER_BYTES) throw damage;
  const checksums = readWhole(descriptor, checksumBytes, pageBytes);
  if (crc32(checksums) !== footer.readUInt32LE(20)) throw damage;
  return {
    pageBytes,
    pageChecksums: new Uint32Array(new Uint8Array(checksums).buffer),
    indexBytes: footer.readDoubleLE(8),
    indexChecksum: footer.readUInt32LE(16),
  };
}

/** Throws DamagedReleaseError if a page of `bytes` is damaged. `first` is the number of the first page in `bytes`. */
export function checkPages(bytes: Uint8Array, first: number, { pageChecksums }: Trailer): void {
  for (let start = 0, page = first; start < bytes.length; start += CHECKED_PAGE_BYTES, page++) {
    const checksum = crc32(bytes.subarray(start, start + CHECKED_PAGE_BYTES));
    if (checksum !== numberAt(pageChecksums, page)) throw new DamagedReleaseError();
  }
}
