// What an answer may repeat of what was asked.

import { KEY_TRACE } from './paging-and-access';

/** A key that stands under another name, or as a name, is blotted out (D30). Cut to `most` characters. */
export function shownText(text: string, most: number): string {
  const cut = withoutKeys(text).slice(0, most);
  // A character of two units is shown whole or not at all.
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** With every key, or what may be a part of one, blotted out (D30). */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEY_TRACE, '[key]');
}
