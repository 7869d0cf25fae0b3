// Values in the text of answers to assistants (D72). Values come from submissions: one with a line break or a column
// separator must not read as a line or a column of the answer.

/** Control and invisible characters, and line and paragraph separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** As `UNSAFE`, with the separator of columns. */
const UNSAFE_IN_CELL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}|]/gu;

/** Writes a value as JSON without characters that break a line or a column. It remains valid JSON. */
export function quoteValue(value: unknown): string {
  return JSON.stringify(value ?? null).replace(UNSAFE_IN_CELL, escapeCharacter);
}

/** Escapes what would begin a new line in a sentence or change how it is shown. */
export function escapeControls(sentence: string): string {
  return sentence.replace(UNSAFE, escapeCharacter);
}

/** As in JSON: a character beyond the basic plane becomes two escapes. */
function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
