// HTML that is safe by construction: a template escapes every part that is not HTML already.

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
