// HTML that is safe by construction, and the frame that all pages have around their content.

import type { PageAddresses } from './page-files';

export class Html {
  constructor(readonly text: string) {}
}

type HtmlPart = Html | string | number | readonly HtmlPart[];

/** A template whose parts are escaped, unless they are HTML themselves. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(String.raw({ raw: texts }, ...parts.map(textOf)));
}

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What people wrote, which may be anything: only a web address becomes a link. Null for null. */
export function linkedText(text: string | null | undefined, relation = 'noopener'): Html | string | null {
  if (text == null) return null;
  const isAddress = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  return isAddress ? html`<a href="${text}" rel="${relation}">${text}</a>` : text;
}

interface Page {
  readonly title: string;
  readonly addresses: PageAddresses;
  readonly content: Html;
  /** Names of page files. */
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  /** Scripts that import others. */
  readonly modules?: readonly string[];
  /** Attributes of links: the address by which the page should be known, its other forms, files that it will load. */
  readonly links?: readonly (Readonly<Record<string, string>> & { readonly rel: string; readonly href: string })[];
}

export function pageFrame({
  title,
  addresses: { base, addressOf },
  content,
  styles,
  scripts = [],
  modules = [],
  links = [],
}: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" type="image/svg+xml" href="${addressOf('icon.svg')}" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${addressOf(name)}" />`)}
        ${scripts.map((name) => html`<script src="${addressOf(name)}" defer></script>`)}
        ${modules.map((name) => html`<script src="${addressOf(name)}" type="module"></script>`)}
        ${links.map((link) => html`<link${Object.entries(link).map(([name, text]) => html` ${name}="${text}"`)} />`)}
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <nav aria-label="Pages">
            <a class="name" href="${base}/"
              ><img src="${addressOf('icon.svg')}" alt="" width="24" height="24" /> Water data</a
            >
            <a href="${base}/explore">Explore</a> <a href="${base}/downloads">Downloads</a>
            <a href="${base}/docs">Documentation</a>
            <a href="${base}/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main id="content">${content}</main>
      </body>
    </html> `;
}
