// HTML pages of the OGC API: their common layout, lists of items, and single amounts.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { joinChunks, joinTexts, type TextSteps } from '../../render/join-texts';
import type { GeoJsonFeature } from '../../render/json-ld';
import { giveWayIfSliceOver } from '../../store/deadline';
import { parseItemGroups } from '../../store/joined-fragments';
import type { JoinedFragments } from '../../store/port';
import { drawPlaceMap } from '../pages/features/feature-maps';
import { formatNumber } from '../pages/format-number';
import { formatProperty, framePage, headline, type PageBody, type WrittenDocument } from '../pages/framed-page';
import { Html, html, type HtmlPart } from '../pages/html';
import { getPageAddresses } from '../pages/page-files';
import { cell, factList, row, scrolledTable } from '../pages/page-parts';
import type { Service } from '../pipeline/service';
import { getCollectionAddress, type OgcLink } from './addresses';

interface OgcPage {
  /** Shown above the title. */
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly links: readonly OgcLink[];
  readonly content: HtmlPart;
}

export function renderOgcPage({ kind, title, description, links, content }: OgcPage): PageBody {
  return { title, content: html`${headline(kind, title, description)} ${renderLinkButtons(links)} ${content}` };
}

/** Renders a button for each link, except the link to the page itself. */
function renderLinkButtons(links: readonly OgcLink[]): Html {
  const otherLinks = new Map(links.filter(({ rel }) => rel !== 'self').map((link) => [link.href, link]));
  return html`<p class="actions">
    ${[...otherLinks.values()].map(
      ({ href, rel, title }) => html`<a class="button plain" rel="${rel}" href="${href}">${title ?? rel}</a> `,
    )}
  </p>`;
}

/** A page of features, before it is written as JSON or HTML. */
export interface ItemsPage {
  /** Chunks of bytes that contain JSON features separated by commas. */
  readonly features: readonly Buffer[];
  readonly count: number;
  readonly total: number;
  readonly links: readonly OgcLink[];
}

/** A placeholder for the rows. No text can contain it, because the `<` in texts is escaped. */
const ROWS = '<!--rows-->';

/** A list of items, written as bytes because it can be several megabytes. */
interface WrittenItems extends Omit<WrittenDocument, 'body'> {
  readonly body: Buffer;
}

/**
 * Renders a page of items. Writes the rows one by one and lets other requests run in between, because a page may have
 * 10,000 features with 60 properties each. Throws DeadlinePassedError.
 */
export async function renderItemsPage(
  collection: FeatureCollection,
  page: ItemsPage,
  service: Service,
): Promise<WrittenItems> {
  const features = await parseFeatures(page.features);
  const names = Object.keys(features[0]?.properties ?? {});
  // Columns without any value on this page are omitted.
  const filledNames: string[] = [];
  for (const name of names) {
    await giveWayIfSliceOver();
    if (features.some(({ properties }) => formatProperty(properties[name]) !== '')) filledNames.push(name);
  }
  const { body: frame, ...document } = frameItems(collection, page, filledNames, service);
  const [before = '', after = ''] = frame.split(ROWS);
  const address = `${getPageAddresses(service).base}/ogc/collections/${collection.id}`;
  const rows = await joinTexts(writeRows(features, filledNames, address), { separator: '', maxBytes: Infinity });
  return { ...document, body: await joinChunks([Buffer.from(before), ...rows.chunks, Buffer.from(after)]) };
}

function* writeRows(features: readonly GeoJsonFeature[], names: readonly string[], address: string): TextSteps {
  for (const { id, properties } of features) {
    const link = html`<a href="${address}/items/${encodeURIComponent(id)}?f=html">${id}</a>`;
    const cells = names.map((name) => cell(formatProperty(properties[name])));
    yield row(link, cells).text;
  }
}

/** Renders the page with the placeholder ROWS in place of its rows. */
function frameItems(
  collection: FeatureCollection,
  page: ItemsPage,
  names: readonly string[],
  service: Service,
): WrittenDocument {
  const rows = page.count === 0 ? [] : [new Html(ROWS)];
  const content = html`${headline('Features', collection.title, collection.description)}
    <p>${formatNumber(page.total)} features match; ${formatNumber(page.count)} are on this page.</p>
    ${renderLinkButtons(page.links.flatMap(labelLink))}
    ${scrolledTable(['id', ...names], rows, { label: collection.title })}`;
  return framePage({ title: collection.title, content }, service);
}

async function parseFeatures(features: readonly Buffer[]): Promise<readonly GeoJsonFeature[]> {
  const parsed: GeoJsonFeature[] = [];
  for (const group of parseItemGroups(toFragments(features))) {
    await giveWayIfSliceOver();
    // The texts are features that this program has just written.
    parsed.push(...(group as readonly unknown[] as readonly GeoJsonFeature[]));
  }
  return parsed;
}

function toFragments(chunks: readonly Buffer[]): JoinedFragments {
  return {
    byteLength: chunks.reduce((sum, { length }) => sum + length, 0),
    copyTo: (target, offset) => {
      let position = offset;
      for (const chunk of chunks) {
        target.set(chunk, position);
        position += chunk.length;
      }
    },
  };
}

/** Labels of buttons, keyed by link relation. Other links get no button. */
const LABELS: Readonly<Record<string, string>> = {
  prev: 'Previous page',
  next: 'Next page',
  alternate: 'GeoJSON',
  collection: 'The collection',
};

function labelLink(link: OgcLink): readonly OgcLink[] {
  const title = LABELS[link.rel];
  return title === undefined ? [] : [{ ...link, title }];
}

/** Renders the page of an amount, which consists of its properties and a map. */
export function renderAmountPage(
  { title }: FeatureCollection,
  { id, geometry, properties }: GeoJsonFeature,
  address: string,
  service: Service,
): WrittenDocument {
  const facts = factList(Object.entries(properties).map(([name, value]) => [name, formatProperty(value)]));
  const map = geometry === null ? '' : html`<div>${drawPlaceMap(geometry, `Where ${id} lies`)}</div>`;
  const links = [
    { rel: 'collection', href: getCollectionAddress(address), title },
    { rel: 'alternate', href: `${address}?f=json`, title: 'GeoJSON' },
  ];
  const content = html`${headline(title, id, '')} ${renderLinkButtons(links)}
    <div class="overview">${facts} ${map}</div>`;
  return framePage({ title: id, content }, service);
}

/** Renders a table row that explains a parameter or a property. */
export function renderMemberRow(name: string, cells: readonly string[]): Html {
  return row(
    html`<code>${name}</code>`,
    cells.map((cell) => html`<td class="text">${cell}</td>`),
  );
}
