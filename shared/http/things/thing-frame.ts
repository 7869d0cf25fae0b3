// The upper part of the page of a thing (D49): its name, its other forms, and its facts beside a small map.

import { JSON_LD_TYPE, scriptText, type ReleaseStatement, type ShownFeature } from '../../answer/features/json-ld';
import type { ThingCollection } from '../../things/thing-ids';
import type { PageAddresses } from '../pages/page-files';
import { html, Html, pageFrame } from '../pages/page-frame';
import { placeMap, stateMap } from './place-map';
import type { StateOutline } from './state-outlines';

/** A feature as its page shows it. */
export interface ShownThing {
  readonly feature: ShownFeature;
  /** The address of the feature, without a form. */
  readonly address: string;
  readonly statement: ReleaseStatement;
  /** The data version. */
  readonly version: string;
  /** In front of the paths of the service. */
  readonly base: string;
  /** Those that its map can show. */
  readonly states: readonly StateOutline[];
}

export interface ThingPage {
  readonly title: string;
  readonly content: Html;
}

export function thingAddress(base: string, collection: ThingCollection, id: string): string {
  return `${base}/ogc/collections/${collection}/items/${encodeURIComponent(id)}`;
}

export function headline(kind: string, name: string, where: string): Html {
  return html`<p class="kind">${kind}</p>
    <h1>${name}</h1>
    <p class="where">${where}</p>`;
}

/** The other forms of the page, then what else can be asked: a label and an address each. */
export function actions(address: string, others: readonly (readonly [label: string, address: string])[]): Html {
  const forms = [
    ['GeoJSON', `${address}?f=json`],
    ['JSON-LD', `${address}?f=jsonld`],
  ] as const;
  return html`<p class="actions">
    ${[...others, ...forms].map(([label, target]) => html`<a class="button plain" href="${target}">${label}</a> `)}
  </p>`;
}

export function factsAndMap(facts: Html, title: string, { feature, states }: ShownThing): Html {
  const geometries = feature.geometry === null ? [] : [feature.geometry];
  const maps = html`<div>${placeMap(geometries, title)} ${stateMap(geometries, states)}</div>`;
  return html`<div class="overview">
    ${facts} ${geometries.length === 0 ? html`<p class="small">Its place is not known.</p>` : maps}
  </div>`;
}

/** The whole page, with its JSON-LD in it for search engines. */
export function framedThing(
  { title, content }: ThingPage,
  { address, jsonLd }: ShownThing & { readonly jsonLd: object },
  addresses: PageAddresses,
): Html {
  const script = html`<script type="${JSON_LD_TYPE}">
    ${new Html(scriptText(jsonLd))}
  </script>`;
  return pageFrame({
    title: `${title} – Water Data Query Service`,
    addresses,
    content: html`${content} ${script}`,
    styles: ['pages.css', 'features.css', 'things.css'],
    links: [
      { rel: 'canonical', href: address, type: 'text/html' },
      { rel: 'alternate', href: `${address}?f=json`, type: 'application/geo+json' },
      { rel: 'alternate', href: `${address}?f=jsonld`, type: JSON_LD_TYPE },
    ],
  });
}
