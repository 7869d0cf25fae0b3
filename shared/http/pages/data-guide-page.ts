// The page at /docs/data: what the records mean, the terms of the field, what each organization says about its data,
// and the limits of the data.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import { KIND_NAMES } from '../../records/data-set-names';
import { KNOWN_LIMITS } from '../../records/known-limits';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { type Html, html, linkAddress } from './html';
import { renderPage } from './page';
import { answerPage, createContent } from './page-answers';
import { getPageAddresses, GLOSSARY_FILE } from './page-files';
import { type Fact, factList, hero, section } from './page-parts';
import { getReleasesContent, listReleaseFacts, type PublishedRelease, SAMPLES_NOTICE } from './published-releases';

export async function answerDataGuidePage(request: HttpRequest, service: Service): Promise<Outcome> {
  const page = await getReleasesContent('data guide', service, (releases) =>
    createContent(renderDataGuidePage(releases, service)),
  );
  return answerPage(request, page, service.pages);
}

function renderDataGuidePage(releases: readonly PublishedRelease[], service: Service): Html {
  const { base } = getPageAddresses(service);
  const organizations = Map.groupBy(releases, ({ facts }) => facts.organization.OrganizationUUID);
  const organizationParts = html`${releases.length === 0 ? html`<p class="notice">Nothing is published yet.</p>` : ''}
  ${[...organizations.values()].map(organizationPart)}`;
  const content = html`${hero(
    'About the data',
    html`<p>
      This page explains what the records mean, the terms of water data, what each organization says about its data, and
      the limits that you should know. For programs, see the <a href="${base}/docs">API reference</a>.
    </p>`,
  )}
  ${releases.some(({ entry }) => entry.isSample) ? SAMPLES_NOTICE : ''}
  ${section('meaning', 'Three kinds of records', factList(MEANINGS, 'boxes'))}
  ${section('limits', 'Known limits', factList(Object.entries(KNOWN_LIMITS), 'boxes'))}
  ${section('organizations', 'What the organizations say', organizationParts)}
  ${section('glossary', 'Glossary', factList(listFieldTerms(), 'boxes'))}`;
  const styles = ['pages.css', 'landing.css', 'data-guide.css'];
  const description = 'What water rights, time series and amounts by area mean, and what their limits are.';
  return renderPage({ title: 'About the data', description, content, styles }, service);
}

const MEANINGS: readonly Fact[] = [
  [
    'Water rights',
    'A water right allows certain uses of water at certain places. It has an owner, a priority date that decides who comes ' +
      'first when water is short, and a flow or a volume that may be taken. It does not say how much was taken.',
  ],
  [
    'Time series',
    'Amounts at a site over time: the flow at a gage, the storage of a reservoir, what a well withdrew or a system ' +
      'delivered. Each amount covers the days of its timeframe. Its variable says what was measured, in which ' +
      'unit, and whether it is a sum, a mean or another statistic.',
  ],
  [
    'Amounts by area',
    'Amounts that an organization totaled or estimated for a county, a watershed or another area, usually one ' +
      'per year.',
  ],
];

function organizationPart(releases: readonly PublishedRelease[]): Html {
  const [first] = releases;
  if (first === undefined) return html``;
  const { OrganizationUUID: id, OrganizationName: name, OrganizationPurview: purview } = first.facts.organization;
  return html`<article aria-labelledby="o-${id}">
    <h3 id="o-${id}">${name}</h3>
    ${purview == null ? '' : html`<p>${purview}</p>`} ${releases.map(dataSetPart)}
  </article>`;
}

function dataSetPart(release: PublishedRelease): Html {
  const notes = linkAddress(release.entry.submission?.note) ?? 'None provided';
  return html`<h4>${KIND_NAMES[release.facts.dataSet]}</h4>
    ${factList([['Notes', notes], ...listReleaseFacts(release)], 'boxes')}`;
}

/** Returns the terms of water data with their meanings, from the first table of the glossary. */
export function listFieldTerms(): readonly (readonly [word: string, meaning: string])[] {
  const glossary = readFileSync(join(findProjectDirectory(), GLOSSARY_FILE), 'utf8');
  const [, field = ''] = glossary.split(/^## .*$/m);
  const rows = field.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const [, word = '', meaning = ''] = row.replaceAll('`', '').split('|');
    return [word.trim(), meaning.trim()];
  });
}
