// Items, a feature and the descriptions of both as pages for people, in the frame of all pages.

import { openText, type FeatureText } from '../../answer/features/feature-texts';
import type { FeatureCollection } from '../../ogc/collections';
import type { HeaderFields } from '../outcome/outcome';
import { pageAddresses } from '../pages/page-files';
import { html, pageFrame, type Html } from '../pages/page-frame';
import { pagePolicy } from '../pages/page-outcome';
import type { Service } from '../service';
import type { OgcLink } from './addresses';
import { TITLE } from './metadata';

export interface WrittenForm {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

interface ShownPage {
  readonly features: readonly FeatureText[];
  readonly total: number;
  readonly links: readonly OgcLink[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export function itemsPage(collection: FeatureCollection, page: ShownPage, service: Service): WrittenForm {
  const shown = page.features.map(
    (feature) => JSON.parse(`${openText(feature)}}`) as { id: string; properties: Record<string, Json> },
  );
  const names = Object.keys(shown[0]?.properties ?? {});
  const linkOf = (rel: string): Html | '' => {
    const link = page.links.find((one) => one.rel === rel);
    return link === undefined ? '' : html`<a class="button plain" rel="${rel}" href="${link.href}">${rel}</a>`;
  };
  const itemAddress = `/ogc/collections/${collection.id}/items`;
  const { base } = pageAddresses(service);
  const content = html`<h1>${collection.title}</h1>
    <p>${collection.description}</p>
    <p>${page.total} features match; ${shown.length} are on this page.</p>
    <p class="actions">${linkOf('prev')} ${linkOf('next')} ${linkOf('alternate')}</p>
    <div class="scrolled">
      <table>
        <thead>
          <tr>
            <th scope="col">id</th>
            ${names.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ id, properties }) =>
              html`<tr>
                <th scope="row"><a href="${base}${itemAddress}/${encodeURIComponent(id)}?f=html">${id}</a></th>
                ${names.map((name) => html`<td>${cellOf(properties[name] ?? null)}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
  return framed(collection.title, content, service);
}

/** A description or a feature, member by member; what is an address becomes a link. */
export function documentPage(title: string, document: object, service: Service): WrittenForm {
  return framed(
    title,
    html`<h1>${title}</h1>
      ${valueOf(document as Json)}`,
    service,
  );
}

function framed(title: string, content: Html, service: Service): WrittenForm {
  const page = pageFrame({
    title: `${title} – ${TITLE}`,
    addresses: pageAddresses(service),
    content,
    styles: ['pages.css', 'features.css'],
    scripts: [],
  });
  return {
    body: page.text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy() },
  };
}

function valueOf(value: Json): Html {
  if (isLink(value)) return html`<a href="${value.href}">${value.title ?? value.rel}</a>`;
  if (Array.isArray(value))
    return html`<ul>
      ${(value as readonly Json[]).map((item) => html`<li>${valueOf(item)}</li>`)}
    </ul>`;
  if (typeof value !== 'object' || value === null) return html`${cellOf(value)}`;
  return html`<dl>
    ${Object.entries(value).map(
      ([name, inner]) =>
        html`<dt>${name}</dt>
          <dd>${valueOf(inner)}</dd>`,
    )}
  </dl>`;
}

function isLink(value: Json): value is { readonly href: string; readonly rel: string; readonly title?: string } {
  return typeof value === 'object' && value !== null && 'href' in value && 'rel' in value;
}

function cellOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
