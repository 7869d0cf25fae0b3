// Files that are called CSV and are something else: told by how they start, before anything is made of them.

import { closeSync, openSync, readSync } from 'node:fs';

/** No header is longer before its first name ends. */
const LOOKED_AT_BYTES = 4096;

const ARCHIVE = 'a compressed archive';

const STARTS: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Excel workbook of an old kind'],
  [[0x1f, 0x8b], ARCHIVE],
  [[0x42, 0x5a, 0x68], ARCHIVE],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], ARCHIVE],
  [[0x28, 0xb5, 0x2f, 0xfd], ARCHIVE],
  [[0x37, 0x7a, 0xbc, 0xaf], ARCHIVE],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0xff, 0xfe], 'text in UTF-16'],
  [[0xfe, 0xff], 'text in UTF-16'],
];

/** What a file is that cannot be CSV; undefined for one that may be. A zero byte in a later line spoils that line alone. */
export function otherFormat(path: string): string | undefined {
  const start = Buffer.alloc(LOOKED_AT_BYTES);
  const file = openSync(path, 'r');
  const length = readSync(file, start, 0, LOOKED_AT_BYTES, 0);
  closeSync(file);
  const found = STARTS.find(([bytes]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  if (found !== undefined) return found[1];
  const [header = ''] = start.toString('latin1', 0, length).split('\n', 1);
  return header.includes('\0') ? 'not text' : undefined;
}
