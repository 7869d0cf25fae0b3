// The gages and other sites of the area that have amounts, each with its series and their periods of record.

import type { VNode } from 'preact';
import type { AreaPlace, AreaPlaces, PlaceSeries } from '../requests/area-places';
import type { ServiceClient } from '../requests/client';
import { buildPageUrl } from '../requests/map-features';
import { formatQuantity } from '../views/parts/texts';

interface SitesTableProps {
  readonly client: ServiceClient;
  readonly sites: AreaPlaces;
}

export function SitesTable({ client, sites }: SitesTableProps): VNode {
  return (
    <table class="sites">
      <caption class="unseen">Sites with amounts, their series and periods of record</caption>
      <thead>
        <tr>
          <th scope="col">Site</th>
          <th scope="col">Type</th>
          <th scope="col">Series and period of record</th>
        </tr>
      </thead>
      <tbody>
        {sortSites(sites.places).map((site) => (
          <tr key={`${site.organization}~${site.id}`}>
            <th scope="row">
              <a href={buildPageUrl(client, 'series', `${site.organization}~${site.id}`)}>
                {site.name || site.nativeId || site.id}
              </a>
            </th>
            <td>{site.type || '–'}</td>
            <td>
              <ul>
                {site.series.map((series, index) => (
                  <SeriesItem key={index} {...series} />
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Gages first, then by type and name. */
function sortSites(sites: readonly AreaPlace[]): readonly AreaPlace[] {
  const rank = ({ type }: AreaPlace): number => (/gage|gauge/i.test(type) ? 0 : 1);
  return sites.toSorted(
    (a, b) => rank(a) - rank(b) || a.type.localeCompare(b.type, 'en') || a.name.localeCompare(b.name, 'en'),
  );
}

function SeriesItem({ name, unit, statistic, first, last, records, years }: PlaceSeries): VNode {
  const measured = [unit, statistic].filter((text) => text !== '').join(', ');
  const days = [...new Set([first, last])].filter((day) => day !== '');
  return (
    <li>
      {name.replaceAll('_', ', ')}
      {measured === '' ? '' : ` (${measured})`}:{' '}
      {days.length === 0
        ? 'without dates'
        : days.map((day, index) => (
            <span key={day} class="day">
              {index === 0 ? day : ` to ${day}`}
            </span>
          ))}
      , {formatQuantity(records, 'record')} in {formatQuantity(years, 'year')}
    </li>
  );
}
