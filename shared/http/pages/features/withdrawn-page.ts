// The page of a withdrawn feature.

import { type GeoJsonFeature, getThingName, type ReleaseStatement } from '../../../render/json-ld';
import { FEED } from '../../../values/media-types';
import type { Service } from '../../pipeline/service';
import { framePage, headline, type WrittenDocument } from '../framed-page';
import { html } from '../html';
import { getPageAddresses } from '../page-files';
import { DAY } from './release-section';

/** Renders a page that says what the feature was, and links to its last release as long as that release is kept. */
export function renderWithdrawnPage(
  feature: GeoJsonFeature,
  lastRelease: Pick<ReleaseStatement, 'organization' | 'release' | 'publishedAt'> & { readonly address: string },
  service: Service,
): WrittenDocument {
  const { base } = getPageAddresses(service);
  const { organization, release, publishedAt, address } = lastRelease;
  const name = getThingName(feature);
  const summary = `${name} was withdrawn and is no longer published.`;
  const content = html`${headline('Withdrawn', name, organization.OrganizationName)}
    <p class="summary">${summary}</p>
    <p>
      The last release to contain it is <code>${release}</code>, published on ${publishedAt.slice(0, DAY)}.
      <a href="${address}">See it as it was</a> while that release is available.
      <a href="${base}/${FEED.path}">The feed</a> lists what has been published since.
    </p>`;
  return framePage({ title: `Withdrawn: ${name}`, content, summary }, service);
}
