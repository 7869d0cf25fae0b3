// Values of submissions in the header Query-Hint.

/** A header has room for several values of this many characters. */
const MAX_LENGTH = 100;

/** Header lines are ASCII: other characters are percent-encoded. */
export function encodeForHeader(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).trimEnd()}...` : text;
  return short.toWellFormed().replaceAll(/[^ -~]|%/gu, encodeURIComponent);
}
