// Encodes values from submissions for the header Query-Hint.

/** Maximum number of characters of a value after encoding. A header has room for several values of this length. */
const MAX_LENGTH = 100;

/** Percent-encodes characters outside ASCII, because header lines must be ASCII. Cuts off what does not fit. */
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
