// Recognizes text that was damaged before it was submitted (D73): UTF-8 read as Windows-1252 once or twice, characters
// that were lost, and invisible characters within text.

import { TextDecoder } from 'node:util';
import { formatCodePoint } from './code-points';

/** Only cells with one of these characters are examined. Nearly all cells have none. */
const SUSPICIOUS = /[\p{Cc}\P{ASCII}]/u;
const LOST = /\ufffd|ï¿½/u;
const INVISIBLE = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/u;
const NOT_ASCII = /\P{ASCII}+/gu;

/** Text that was misread as Windows-1252 twice needs two repairs. */
const MAX_REPAIRS = 2;

/** Explains what a garbled text probably was, or what is wrong with it; undefined for normal text. */
export function explainGarbledText(text: string): string | undefined {
  if (!SUSPICIOUS.test(text)) return undefined;
  if (LOST.test(text)) return 'a character was lost';
  const repaired = repair(text);
  if (repaired !== text) return `probably ${repaired}`;
  const [invisible] = INVISIBLE.exec(text) ?? [];
  return invisible === undefined ? undefined : `${formatCodePoint(invisible)} inside`;
}

function repair(text: string): string {
  let repaired = text;
  for (let times = 0; times < MAX_REPAIRS; times++) {
    repaired = repaired.replace(NOT_ASCII, (run) => decodeAgain(run) ?? run);
  }
  return repaired;
}

const windows1252 = new TextDecoder('windows-1252');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The byte of each character in Windows-1252, keyed by character. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, index) => [windows1252.decode(Uint8Array.of(128 + index)), 128 + index] as const),
);

/** The original text if UTF-8 was misread as Windows-1252; undefined if the characters are not misread UTF-8. */
function decodeAgain(run: string): string | undefined {
  const bytes: number[] = [];
  for (const character of run) {
    const byte = BYTES.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
