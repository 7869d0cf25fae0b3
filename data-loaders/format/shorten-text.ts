// Shortens submitted values for a report, because a cell can be a polygon of megabytes, or a list of thousands of
// sites.

import { ownText } from '../../shared/values/bytes/own-bytes';

/** The part of a value that a report shows. */
export const MAX_SHOWN_CHARACTERS = 200;

/** The start of a long text. A list ends after a whole item, with an ellipsis; any other text is truncated. */
export function shortenText(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters - 1);
  const isWhole = /^[\s,;|]/.test(text.slice(start.length));
  const lastSeparator = isWhole ? start.length : start.search(/[\s,;|][^\s,;|]*$/);
  const isList = lastSeparator >= maxCharacters / 2;
  return ownText(isList ? `${start.slice(0, lastSeparator)}…` : text.slice(0, maxCharacters));
}
