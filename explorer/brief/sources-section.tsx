// The data sets that the brief shows, with license and citation, and how to cite the brief itself.

import type { VNode } from 'preact';
import type { Brief } from '../requests/brief';
import { findVersionTime, formatDay } from '../views/parts/texts';
import { formatArea } from './area-texts';
import { listBriefSources } from './brief-sources';

interface SourcesSectionProps {
  readonly brief: Brief;
  /** The full address of this brief with its data version. */
  readonly address: string;
}

export function SourcesSection({ brief, address }: SourcesSectionProps): VNode {
  const { inventory, version, area, outline } = brief;
  const moment = findVersionTime(inventory, version);
  const updated = moment === undefined ? '' : `, updated ${formatDay(moment)}`;
  return (
    <section aria-labelledby="sources" class="sources">
      <h2 id="sources">Sources</h2>
      <ul>
        {listBriefSources(brief).map(({ citation, terms, contact }) => (
          <li key={citation}>
            {citation} {terms} {contact !== null && `Contact: ${contact}.`}
          </li>
        ))}
        {area.type === 'county' && outline.shapes.length > 0 && (
          <li>Outlines of counties: U.S. Census Bureau, 1:10,000,000, public domain.</li>
        )}
      </ul>
      <h3>How to cite this page</h3>
      <p class="citation">
        Water Data Query Service. Brief of {formatArea(area, outline.name)}. Data version {version}
        {updated}. {address}
      </p>
    </section>
  );
}
