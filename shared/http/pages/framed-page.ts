// A page of the OGC API as a document: the frame, the headline, and the JSON-LD in the head of a feature's page.

import { JSON_LD_TYPE } from '../../render/json-ld';
import type { HeaderFields } from '../pipeline/outcome';
import type { Service } from '../pipeline/service';
import { Html, html } from './html';
import { renderPage } from './page';
import { formatPagePolicy } from './page-answers';

/** A document in one of the forms of the OGC API. */
export interface WrittenDocument {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

export interface PageBody {
  readonly title: string;
  readonly content: Html;
  /** In a sentence or two. */
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

/** The page of a site, a unit or a right, with its JSON-LD in its head, where harvesters look first (D58). */
export function framePageWithJsonLd(
  page: PageBody,
  address: string,
  jsonLd: object,
  service: Service,
): WrittenDocument {
  // No tag can begin in it (D53).
  const script = JSON.stringify(jsonLd).replaceAll('<', '\\u003c');
  const head = html`<script type="${JSON_LD_TYPE}">
    ${new Html(script)}
  </script>`;
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

/** The items of a list with commas between. */
export function formatProperty(value: unknown): string {
  return [value ?? ''].flat().map(String).join(', ');
}
