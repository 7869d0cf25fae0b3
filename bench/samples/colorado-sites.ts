// The ditches, wells and reservoirs that Colorado's sample rights name, and the fields that some of them water.

import type { Cells } from '../generate/csv-lines';
import { polygonAround } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import type { SampleOrganization } from './sample-lookups';
import { areasOf, positionNear, positionWithin } from './sample-places';
import { createSite, type SampleSite } from './sample-sites';

const SITES = 200;

/** Every twentieth site is a place of use, near the site before it. */
const PLACE_OF_USE_EVERY = 20;

const sources = [
  { type: 'Ditch', source: 'WS1' },
  { type: 'Ditch', source: 'WS2' },
  { type: 'Well', source: 'WS3' },
  { type: 'Reservoir', source: 'WS1,SAMPLE_CO_WS2' },
] as const;

export function coloradoSites(organization: SampleOrganization, random: SeededRandom): SampleSite[] {
  const areas = areasOf({
    box: { west: -108.6, south: 37.3, east: -102.6, north: 40.7 },
    columns: 3,
    names: ['Silverleaf', 'Bristlecone Rim', 'Elk Terrace', 'Sandreed', 'Whitepeak', 'Columbine Flat'],
    firstHuc8: 10199001,
  });
  const sites: SampleSite[] = [];
  for (let number = 1; number <= SITES; number += 1) {
    const previous = sites.at(-1);
    const isPlaceOfUse = number % PLACE_OF_USE_EVERY === 0 && previous !== undefined;
    const area = areas[Math.floor((number - 1) / PLACE_OF_USE_EVERY) % areas.length] ?? areas[0];
    const position = isPlaceOfUse ? positionNear(random, previous.position, 0.03) : positionWithin(random, area);
    const { type, source } = random.pick(sources);
    const common = { organization, number, area, position };
    sites.push(
      isPlaceOfUse
        ? createSite({
            ...common,
            name: `Field ${number}`,
            type: 'Unspecified',
            use: 'POU',
            waterSources: '',
            geometry: polygonAround(random, position, 0.02, random.integer(5, 14)),
          })
        : createSite({
            ...common,
            name: `Sample ${type} ${number}`,
            type,
            use: 'POD',
            waterSources: `${organization.uuid}_${source}`,
          }),
    );
  }
  return sites;
}

/** The three diversions before a field serve it, since any time. */
export function relationsOf(sites: readonly SampleSite[]): Cells[] {
  return sites.flatMap((site, index) =>
    site.cells['PODorPOUSite'] === 'POU'
      ? sites.slice(index - 3, index).map((diversion) => ({ PODSiteUUID: diversion.uuid, POUSiteUUID: site.uuid }))
      : [],
  );
}
