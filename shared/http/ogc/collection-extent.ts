// Determines the extent of a collection in space and time.

import { EVERYTHING } from '../../query/condition';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { openListedReleases } from '../../search/places/open-place-releases';
import type { CatalogState } from '../../store/catalog-types';
import { CRS84 } from '../../values/coordinate-systems';
import type { Box } from '../../values/geometry';
import { readReleasesBox } from '../pages/published-releases';
import type { Service } from '../pipeline/service';

/** A member is undefined if it is unknown, so the JSON omits it. */
export interface CollectionExtent {
  /** West, south, east and north in degrees. */
  readonly spatial: { readonly bbox: readonly (readonly number[])[]; readonly crs: string } | undefined;
  readonly temporal: { readonly interval: readonly (readonly (string | null)[])[]; readonly trs: string } | undefined;
}

const GREGORIAN_CALENDAR = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';

/** Reads the extent. Days count as complete: the interval ends in the last second of the last day. */
export async function readExtent(
  { operation }: FeatureCollection,
  state: CatalogState,
  service: Service,
): Promise<CollectionExtent> {
  const releases = await openListedReleases(operation, state, EVERYTHING, service);
  const box = await readReleasesBox(releases);
  // The priority dates of rights are not dates of their sites.
  const datedReleases = releases.filter(({ entry }) => entry.dataSet === operation.dataSet);
  const [firstDay] = datedReleases.flatMap(({ reader: { facts } }) => facts.firstDay ?? []).sort();
  const lastDay = datedReleases
    .flatMap(({ reader: { facts } }) => facts.lastDay ?? [])
    .sort()
    .at(-1);
  const toTimestamp = (day: string | undefined, time: string): string | null =>
    day === undefined ? null : `${day}T${time}Z`;
  const interval = [toTimestamp(firstDay, '00:00:00'), toTimestamp(lastDay, '23:59:59')];
  return {
    spatial: box && { bbox: [roundOutward(box)], crs: CRS84.uri },
    temporal:
      firstDay === undefined && lastDay === undefined ? undefined : { interval: [interval], trs: GREGORIAN_CALENDAR },
  };
}

/**
 * A step is about a centimeter. A client that queries with the box of an extent may write fewer digits than a
 * coordinate has (ADR 0077).
 */
const EXTENT_STEPS_PER_DEGREE = 1e7;

/** Rounds outward, so that the box still contains all places. */
function roundOutward(box: Box): readonly number[] {
  return box.map((edge, side) => {
    const nearest = Math.round(edge * EXTENT_STEPS_PER_DEGREE);
    const rounded = nearest / EXTENT_STEPS_PER_DEGREE;
    if (side < 2) return rounded <= edge ? rounded : (nearest - 1) / EXTENT_STEPS_PER_DEGREE;
    return rounded >= edge ? rounded : (nearest + 1) / EXTENT_STEPS_PER_DEGREE;
  });
}
