// The maximum length of a text. Loading cuts longer cells, so a longer filter value would match nothing.

/** In UTF-16 code units. Real descriptions of methods have a few hundred characters. */
export const MAX_TEXT_LENGTH = 10_000;

export const TEXT_TOO_LONG = `must have at most ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters`;

/** Returns the beginning of a text, without half a surrogate pair at the end. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
