// HTML for values of records. Documents outside of HTTP use the same template function.

import { type Html, html } from '../../documents/html';
import type { Item } from '../../records/record-references';

export { Html, html, type HtmlPart } from '../../documents/html';

/** Turns a web address into a link. Returns any other text as it is, and null for null. */
export function linkAddress(text: string | null | undefined, relation = 'noopener'): Html | string | null {
  if (text == null) return null;
  const isAddress = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  return isAddress ? html`<a href="${text}" rel="${relation}">${text}</a>` : text;
}

/** Returns a member as text; null if it is missing or not a simple value. */
export function readText(item: Item, member: string): string | null {
  const value = item[member];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
