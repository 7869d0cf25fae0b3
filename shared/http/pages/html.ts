// HTML that is safe by construction: a template escapes every part that is not HTML already.

import type { Item } from '../../records/record-references';

export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | readonly HtmlPart[];

/** Escapes the parts of a template, unless they are HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(escapePart)));
}

function escapePart(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(escapePart).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** For text that people wrote: a web address becomes a link, everything else stays text. Null for null. */
export function linkAddress(text: string | null | undefined, relation = 'noopener'): Html | string | null {
  if (text == null) return null;
  const isAddress = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  return isAddress ? html`<a href="${text}" rel="${relation}">${text}</a>` : text;
}

/** A member as text, null when it is missing or not a simple value. */
export function readText(item: Item, member: string): string | null {
  const value = item[member];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
