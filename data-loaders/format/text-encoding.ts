// The encodings of submitted text (D73).

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

const windows1252 = new TextDecoder('windows-1252');

/** Decodes bytes as Windows-1252; undefined if they are valid UTF-8. */
export function decodeWindows1252(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? undefined : windows1252.decode(bytes);
}
