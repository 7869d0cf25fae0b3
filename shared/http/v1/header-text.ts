// Values of submissions in the header Query-Hint.

/** A header has room for several values of this many characters, counted as they are encoded. */
const MAX_LENGTH = 100;

/** Header lines are ASCII: other characters are percent-encoded, and what does not fit is cut off. */
export function encodeForHeader(text: string): string {
  const pieces: string[] = [];
  let length = 0;
  for (const character of text.slice(0, MAX_LENGTH + 1).toWellFormed()) {
    const piece = /^[^ -~]|%$/u.test(character) ? encodeURIComponent(character) : character;
    length += piece.length;
    if (length > MAX_LENGTH) return `${pieces.join('').trimEnd()}...`;
    pieces.push(piece);
  }
  return pieces.join('');
}
