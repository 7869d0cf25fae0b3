// Frames a page of the OGC API as a document: adds the headline, and the JSON-LD in the head of a feature's page.

import { JSON_LD_TYPE } from '../../render/json-ld';
import type { HeaderFields } from '../pipeline/outcome';
import type { Service } from '../pipeline/service';
import { Html, html } from './html';
import { renderPage } from './page';
import { formatPagePolicy } from './page-answers';

/** A document of the OGC API in one of its formats. */
export interface WrittenDocument {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

export interface PageBody {
  readonly title: string;
  readonly content: Html;
  /** One or two sentences. */
  readonly summary?: string;
}

type PageHead = Pick<Parameters<typeof renderPage>[0], 'links' | 'head'>;

export function framePage(
  { title, content, summary }: PageBody,
  service: Service,
  head: PageHead = {},
): WrittenDocument {
  const styles = ['pages.css', 'features.css'];
  const page = renderPage({ title, description: summary, content, styles, ...head }, service);
  return {
    body: page.text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': formatPagePolicy() },
  };
}

/**
 * Longer JSON-LD, such as that of an area with thousands of corners, is not embedded in the page; the page only links
 * to it.
 */
const MAX_EMBEDDED_LENGTH = 200_000;

/** Frames a page with JSON-LD in its head, which is where harvesters look for it first (D58). */
export function framePageWithJsonLd(
  page: PageBody,
  address: string,
  jsonLd: object,
  service: Service,
): WrittenDocument {
  // Escaped so that the text cannot start a tag (D53).
  const script = JSON.stringify(jsonLd).replaceAll('<', '\\u003c');
  const isShort = script.length <= MAX_EMBEDDED_LENGTH;
  const head = isShort
    ? html`<script type="${JSON_LD_TYPE}">
        ${new Html(script)}
      </script>`
    : undefined;
  const links = [
    { rel: 'canonical', href: address, type: 'text/html' },
    { rel: 'alternate', href: `${address}?f=json`, type: 'application/geo+json' },
    { rel: 'alternate', href: `${address}?f=jsonld`, type: JSON_LD_TYPE },
  ];
  return framePage(page, service, { links, head });
}

export function headline(kind: string, name: string, where: string): Html {
  return html`<p class="kind">${kind}</p>
    <h1>${name}</h1>
    <p class="where">${where}</p>`;
}

/** Formats a property. The items of a list are separated by commas. */
export function formatProperty(value: unknown): string {
  return [value ?? ''].flat().map(String).join(', ');
}
