// The frame around the content of every page: the head, the navigation and the main part.

import { FEED } from '../../values/media-types';
import type { Service } from '../pipeline/service';
import { type Html, html } from './html';
import { getPageAddresses, type PageAddresses } from './page-files';

export const SERVICE_TITLE = 'Water Data Query Service';

interface Page {
  /** The title, to which the name of the service is added. */
  readonly title: string;
  /** One or two sentences, for search results. */
  readonly description?: string | undefined;
  /** Comes before all files of the page. */
  readonly head?: Html | undefined;
  readonly content: Html;
  /** Names of page files. */
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  /** Names of scripts that are ES modules. */
  readonly modules?: readonly string[];
  /** The attributes of link elements, such as the canonical URL, other formats, and preloads. */
  readonly links?: readonly (Readonly<Record<string, string>> & { readonly rel: string; readonly href: string })[];
}

/** `fileAddress` returns the URL of a page file. Defaults to the files of the service. */
export function renderPage(
  { title, description, head, content, styles, scripts = [], modules = [], links = [] }: Page,
  service: Service,
  { base, fileAddress }: PageAddresses = getPageAddresses(service),
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title === SERVICE_TITLE ? title : `${title} – ${SERVICE_TITLE}`}</title>
        ${description === undefined ? '' : html`<meta name="description" content="${description}" />`} ${head ?? ''}
        <link rel="alternate" type="${FEED.type}" title="${FEED.title}" href="${base}/${FEED.path}" />
        <link rel="icon" type="image/svg+xml" href="${fileAddress('icon.svg')}" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${fileAddress(name)}" />`)}
        ${scripts.map((name) => html`<script src="${fileAddress(name)}" defer></script>`)}
        ${modules.map((name) => html`<script src="${fileAddress(name)}" type="module"></script>`)}
        ${links.map((link) => html`<link${Object.entries(link).map(([name, text]) => html` ${name}="${text}"`)} />`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <nav aria-label="Pages">
            <a class="name" href="${base}/"
              ><img src="${fileAddress('icon.svg')}" alt="" width="24" height="24" /> Water data</a
            >
            <a href="${base}/explore">Explore</a> <a href="${base}/downloads">Downloads</a>
            <a href="${base}/docs/data">About the data</a> <a href="${base}/submit">Submit</a>
            <a href="${base}/docs">Documentation</a>
            <a href="${base}/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main id="content">${content}</main>
      </body>
    </html> `;
}
