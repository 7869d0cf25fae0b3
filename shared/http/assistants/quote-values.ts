// Quotes values in the text of answers to assistants (D72). Values come from submissions, so a value with a line break
// or a column separator must not look like another line or column of the answer.

import { escapeCharacter } from '../../values/escape-controls';

/** Matches control and invisible characters, line and paragraph separators, and the column separator. */
const UNSAFE_IN_CELL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}|]/gu;

/**
 * Writes a value as JSON, in which characters that would start a new line or column are escaped. The result is still
 * valid JSON.
 */
export function quoteValue(value: unknown): string {
  return JSON.stringify(value ?? null).replace(UNSAFE_IN_CELL, escapeCharacter);
}
