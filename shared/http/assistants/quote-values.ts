// Values in the text of answers to assistants (D72). Values come from submissions: one with a line break or a column
// separator must not read as a line or a column of the answer.

import { escapeCharacter } from '../../values/escape-controls';

/** Control and invisible characters, line and paragraph separators, and the separator of columns. */
const UNSAFE_IN_CELL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}|]/gu;

/** Writes a value as JSON with characters that break a line or a column escaped. The result is still valid JSON. */
export function quoteValue(value: unknown): string {
  return JSON.stringify(value ?? null).replace(UNSAFE_IN_CELL, escapeCharacter);
}
