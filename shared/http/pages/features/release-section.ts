// The section of a feature's page about its release: the license, the terms, and when the feature last changed.

import { type Html, html, linkAddress } from '../html';
import { factList, section } from '../page-parts';
import type { FeaturePageContext } from './feature-page-context';
import type { LastChange } from './last-change';

/** The length of the date part of an ISO 8601 time. */
export const DAY = 'YYYY-MM-DD'.length;

export function releaseSection(change: LastChange, { statement, version, base }: FeaturePageContext): Html {
  const { release, publishedAt, license, termsOfUse, contact } = statement;
  return section(
    'release',
    'License and release',
    factList([
      ['License', linkAddress(license, 'license') ?? 'not stated'],
      ['Terms of use', linkAddress(termsOfUse)],
      ['Contact for the data', contact],
      ['Published', publishedAt.slice(0, DAY)],
      ['Last change', describeChange(change)],
      ['Release', html`<a href="${base}/downloads#d-${release}">${release}</a>`],
      ['Data version', version],
    ]),
  );
}

function describeChange(change: LastChange): string {
  switch (change.kind) {
    case 'changed':
      return `Published on ${change.publishedAt.slice(0, DAY)}`;
    case 'unchanged':
      return `On or before ${change.publishedAt.slice(0, DAY)}, when the oldest release compared was published`;
    case 'nothing older':
      return 'Unknown: no earlier release is available';
  }
}
