// What all pages have around their content.

import { html, type Html } from './html';
import { addressOf } from './page-files';

interface Page {
  readonly title: string;
  /** The path of the service, without a slash at the end. */
  readonly base: string;
  readonly content: Html;
  /** Names of page files. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

export function pageFrame({ title, base, content, styles, scripts }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" type="image/svg+xml" href="${addressOf(base, 'icon.svg')}" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${addressOf(base, name)}" />`)}
        ${scripts.map((name) => html`<script src="${addressOf(base, name)}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <nav aria-label="Pages">
            <a class="name" href="${base}/"
              ><img src="${addressOf(base, 'icon.svg')}" alt="" width="24" height="24" /> Water data</a
            >
            <a href="${base}/docs">Documentation</a> <a href="${base}/openapi.json">OpenAPI</a>
          </nav>
        </header>
        <main id="content">${content}</main>
      </body>
    </html> `;
}

/** Stands in front of all addresses: behind a proxy the service may have a path of its own. */
export function basePath(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
