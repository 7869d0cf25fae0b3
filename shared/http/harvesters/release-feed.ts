// GET /releases.atom (D59): an Atom feed (RFC 4287) with an entry for each publish whose release is still kept. It
// tells people and programs what is new, and how much.

import { downloads as downloadsOperation, inventory, operations } from '../../query/operations';
import { KIND_NAMES } from '../../records/data-set-names';
import { openPreviousEntry, PreviousVersionGoneError } from '../../search/open-releases';
import { findChanges } from '../../search/release-changes';
import { type CatalogEntry, type CatalogState, findEntry, subtractEntries } from '../../store/catalog-types';
import { DOWNLOAD_MEDIA_TYPES } from '../../store/download-files';
import type { ReleaseReader } from '../../store/port';
import { digestContent } from '../../values/digest';
import { FEED } from '../../values/media-types';
import { formatNumber } from '../pages/format-number';
import { Html, html } from '../pages/html';
import { SERVICE_TITLE } from '../pages/page';
import { answerFile, createContent, getOrRender } from '../pages/page-answers';
import type { Outcome } from '../pipeline/outcome';
import { answerFromState } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { digestState, identifyHistory } from '../pipeline/state-digests';

/** A feed lists what is new. Older publishes are in the list of data versions. */
const MAX_ENTRIES = 50;

/** The maximum number of publishes to check. Checking whether a release was deleted takes a read of the store. */
const MAX_LOOKED_FOR = 2 * MAX_ENTRIES;

export function answerReleaseFeed(request: HttpRequest, service: Service): Promise<Outcome> {
  return answerFromState(undefined, service, async (state) => {
    const history = await service.store.history();
    const position = history.findIndex(({ version }) => version === state.version);
    const states = position === -1 ? [state] : history.slice(position);
    // Files are written after the publish, so an entry may gain its files later.
    const files = state.entries.map(({ releaseId }) => service.downloads.findCurrent(releaseId));
    const withoutFiles = (await Promise.all(files)).flatMap((listed, index) => (listed === undefined ? index : []));
    const { caches } = service;
    const digest = identifyHistory(history, caches);
    const parts = [service.publicUrl, digestState(state, caches), position, digest, withoutFiles];
    const key = `feed ${digestContent(JSON.stringify(parts))}`;
    const content = await getOrRender(key, service.pages, async () =>
      createContent(await renderFeed(states, service), `${FEED.type}; charset=utf-8`),
    );
    return answerFile(request, content, service.pages);
  });
}

/** A publish: a release that is current in a state but was not current in the preceding state. */
interface Publish {
  readonly entry: CatalogEntry;
  readonly state: CatalogState;
  /** The preceding state; undefined if it is no longer kept. */
  readonly previousState: CatalogState | undefined;
}

/** Lists the newest publish first. A rollback to a previous release is not a publish. */
function listPublishes(states: readonly CatalogState[]): readonly Publish[] {
  const seenIds = new Set<string>();
  const publishes: Publish[] = [];
  let previousState: CatalogState | undefined;
  for (const state of states.toReversed()) {
    for (const entry of subtractEntries(state.entries, previousState?.entries ?? [])) {
      const id = getPublishId(entry);
      if (!seenIds.has(id)) publishes.push({ entry, state, previousState });
      seenIds.add(id);
    }
    previousState = state;
  }
  return publishes.reverse();
}

/** The same release may be published again after a different one, so the id includes the time. */
function getPublishId({ organizationUuid, dataSet, releaseId, publishedAt }: CatalogEntry): string {
  const name = digestContent(JSON.stringify([organizationUuid, dataSet, releaseId, publishedAt]));
  return `urn:water-data-query-service:publish:${name}`;
}

async function renderFeed(states: readonly CatalogState[], service: Service): Promise<Html> {
  const { publicUrl } = service;
  const entries: Html[] = [];
  for (const publish of listPublishes(states).slice(0, MAX_LOOKED_FOR)) {
    if (entries.length === MAX_ENTRIES) break;
    const reader = await openReader(publish.entry, service);
    if (reader !== undefined) entries.push(await renderEntry(publish, reader, { current: states[0], service }));
  }
  const self = `${publicUrl}/${FEED.path}`;
  // Unlike a link, an id is never relative.
  const id = publicUrl === '' ? 'urn:water-data-query-service:releases' : self;
  return html`${new Html('<?xml version="1.0" encoding="utf-8"?>')}
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>${id}</id>
      <title>${SERVICE_TITLE}: ${FEED.title}</title>
      <updated>${states[0]?.since ?? new Date(0).toISOString()}</updated>
      <author><name>${SERVICE_TITLE}</name></author>
      <link rel="self" type="${FEED.type}" href="${self}" />
      <link rel="alternate" type="text/html" href="${publicUrl}/" />
      ${entries}
    </feed> `;
}

/** Undefined if the release is no longer kept, or if only another version of the program can read it. */
async function openReader(entry: CatalogEntry, { store }: Service): Promise<ReleaseReader | undefined> {
  try {
    return await openPreviousEntry(store, entry);
  } catch (error) {
    if (error instanceof PreviousVersionGoneError) return undefined;
    throw error;
  }
}

async function renderEntry(
  publish: Publish,
  reader: ReleaseReader,
  { current, service }: { readonly current: CatalogState | undefined; readonly service: Service },
): Promise<Html> {
  const { entry, state, previousState } = publish;
  const { publicUrl } = service;
  const { OrganizationUUID: uuid, OrganizationName: name } = reader.facts.organization;
  const title = `${name}: ${KIND_NAMES[entry.dataSet]}${entry.isSample ? ' (samples)' : ''}`;
  const files = (await service.downloads.findCurrent(entry.releaseId)) ?? [];
  const changesQuery = new URLSearchParams({ OrganizationUUID: uuid, ChangedSince: previousState?.version ?? '' });
  if (state.version !== current?.version) changesQuery.set('DataVersion', state.version);
  const operation = operations.find(({ dataSet }) => dataSet === entry.dataSet);
  const hasChanges = previousState !== undefined && previousState.entries.length > 0;
  return html`<entry>
    <id>${getPublishId(entry)}</id>
    <title>${removeControlCharacters(title)}</title>
    <updated>${entry.publishedAt}</updated>
    <published>${entry.publishedAt}</published>
    <author><name>${removeControlCharacters(name)}</name></author>
    <summary>${removeControlCharacters(await describeChanges(publish, reader, service))}</summary>
    <link rel="alternate" type="text/html" href="${publicUrl}/downloads#d-${entry.releaseId}" />
    <link
      rel="related"
      title="Inventory"
      href="${publicUrl}/${inventory.route}?${new URLSearchParams({ OrganizationUUID: uuid }).toString()}"
    />
    ${hasChanges ? html`<link rel="related" title="What changed" href="${publicUrl}/${operation?.route ?? ''}?${changesQuery.toString()}" />` : ''}
    ${files.map((file) => html`<link rel="enclosure" title="${file.name}" type="${DOWNLOAD_MEDIA_TYPES[file.name]}" length="${file.bytes}" href="${publicUrl}/${downloadsOperation.route}/${entry.releaseId}/${file.name}" /> `)}
  </entry> `;
}

/** Says how many records were added, removed and changed, if the previous release is still available. */
async function describeChanges(
  { entry, previousState }: Publish,
  later: ReleaseReader,
  service: Service,
): Promise<string> {
  const count = later.facts.records;
  const records = count === 1 ? '1 record' : `${formatNumber(count)} records`;
  const previous = previousState && findEntry(previousState, entry);
  if (previousState !== undefined && previous === undefined)
    return `${records}: ${formatNumber(count)} added, 0 removed, 0 changed.`;
  const reader = previous && (await openReader(previous, service));
  if (reader === undefined) return `${records}. No earlier release is available to compare it with.`;
  const { changed, removed } = await findChanges(reader, later, service.caches);
  const added = count - (reader.facts.records - removed.size);
  const counts = [`${formatNumber(added)} added`, `${formatNumber(removed.size)} removed`];
  return `${records}: ${counts.join(', ')}, ${formatNumber(changed.size - added)} changed.`;
}

/**
 * Matches characters that XML cannot represent. Of the control characters, XML allows only tab, line feed, carriage
 * return, and those from U+007F.
 */
const NOT_IN_XML = /(?![\t\n\r\u007F-\u009F])\p{Cc}|[\uFFFE\uFFFF]/gu;

function removeControlCharacters(text: string): string {
  return text.replaceAll(NOT_IN_XML, '');
}
