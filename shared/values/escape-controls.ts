// Makes text safe for logs and terminals. Names from outside may contain line breaks, which can fake log lines, and
// escape codes, which change what a terminal shows.

import { inspect } from 'node:util';

/** Control and format characters, and the line breaks of Unicode. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const UNSAFE_EXCEPT_LINE_FEED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text as one line, with control characters escaped as in JSON. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNSAFE, escapeCharacter);
}

/** Keeps line feeds, for texts with several lines. JSON remains valid JSON. */
export function escapeControlsInLines(text: string): string {
  return text.replaceAll(UNSAFE_EXCEPT_LINE_FEED, escapeCharacter);
}

/**
 * Formats an error for the log. All lines but the first are indented, so that no error text can look like a new entry.
 */
export function formatFailure(message: string, error: unknown): string {
  return `${escapeControls(message)} ${escapeControlsInLines(inspect(error)).replaceAll('\n', '\n    ')}`;
}

/** Escapes a character as JSON does: a character beyond the basic plane becomes two escapes. */
export function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
