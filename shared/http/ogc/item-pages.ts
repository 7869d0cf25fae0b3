// Items, and amounts among them, as pages for people, in the frame of all pages.

import { featureText, type FeatureText } from '../../answer/features/feature-texts';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { ShownFeature } from '../../answer/features/json-ld';
import { pageAddresses } from '../pages/page-files';
import { html } from '../pages/page-frame';
import { formatCount } from '../pages/year-chart';
import type { Service } from '../service';
import { placeMap } from '../things/place-map';
import { headline } from '../things/thing-frame';
import { factList } from '../things/thing-sections';
import { collectionOf, type OgcLink } from './addresses';
import { buttons, framed, scrolledTable, type WrittenForm } from './doors-frame';

interface ShownItem {
  readonly id: string;
  readonly properties: Readonly<Record<string, Json>>;
}

interface ShownPage {
  readonly features: readonly FeatureText[];
  readonly total: number;
  readonly links: readonly OgcLink[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export function itemsPage(collection: FeatureCollection, page: ShownPage, service: Service): WrittenForm {
  const shown = page.features.map((feature) => JSON.parse(featureText(feature)) as ShownItem);
  const names = Object.keys(shown[0]?.properties ?? {});
  // A column without a value on the whole page is left out.
  const filled = names.filter((name) => shown.some(({ properties }) => cellOf(properties[name] ?? null) !== ''));
  const address = `${pageAddresses(service).base}/ogc/collections/${collection.id}`;
  const rows = shown.map(
    ({ id, properties }) =>
      html`<tr>
        <th scope="row"><a href="${address}/items/${encodeURIComponent(id)}?f=html">${id}</a></th>
        ${filled.map((name) => html`<td>${cellOf(properties[name] ?? null)}</td>`)}
      </tr> `,
  );
  const content = html`${headline('Features', collection.title, collection.description)}
    <p>${formatCount(page.total)} features match; ${formatCount(shown.length)} are on this page.</p>
    ${buttons(page.links.flatMap(namedLink))} ${scrolledTable(['id', ...filled], rows)}`;
  return framed({ title: collection.title, content }, service);
}

/** What the buttons of a page of items lead to; undefined for links that are no buttons. */
const LABELS: Readonly<Record<string, string>> = {
  prev: 'Previous page',
  next: 'Next page',
  alternate: 'GeoJSON',
  collection: 'The collection',
};

function namedLink(link: OgcLink): readonly OgcLink[] {
  const title = LABELS[link.rel];
  return title === undefined ? [] : [{ ...link, title }];
}

/** An amount: it has no page of its own beyond its members and where it lies. */
export function amountPage(
  { title }: FeatureCollection,
  { id, geometry, properties }: ShownFeature,
  address: string,
  service: Service,
): WrittenForm {
  const facts = factList(Object.entries(properties).map(([name, value]) => [name, cellOf(value as Json)]));
  const map = geometry === null ? '' : html`<div>${placeMap([geometry], `Where ${id} lies`)}</div>`;
  const links = [
    { rel: 'collection', href: collectionOf(address), title },
    { rel: 'alternate', href: `${address}?f=json`, title: 'GeoJSON' },
  ];
  const content = html`${headline(title, id, '')} ${buttons(links)}
    <div class="overview">${facts} ${map}</div>`;
  return framed({ title: id, content }, service);
}

function cellOf(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
