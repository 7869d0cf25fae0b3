// Counts the records that match a county only by its outline, because they state no county (D78).

import { type Condition } from '../../query/condition';
import type { FindResult } from '../../records/find-results';
import { giveWayIfSliceOver } from '../../store/deadline';
import { type CountyOutline, type CountyOutlines, findCountyOutline } from '../../values/county-outlines';
import { boundingBox, type Box } from '../../values/geometry';
import { getOrAdd } from '../../values/maps';
import { numberAt } from '../../values/number-arrays';
import { evaluate } from '../evaluate';
import { loadPlaceChunkBoxes } from '../index/release-index';
import type { CatalogRelease } from '../open-releases';
import { buildOutlineCondition, STATES_NO_COUNTY } from '../resolve-boundary';

export interface LocatedRecords {
  /** `STATE/NAME`. */
  readonly identifier: string;
  readonly release: CatalogRelease;
  readonly count: number;
}

/** `items` may include counties that records state. All returned counts are above 0. */
export async function countLocatedRecords(
  releases: readonly CatalogRelease[],
  outlines: CountyOutlines,
  items: readonly FindResult[],
): Promise<readonly LocatedRecords[]> {
  const counties = listIdentifiers(outlines, items);
  const located: LocatedRecords[] = [];
  for (const release of releases) {
    if ((await evaluate(STATES_NO_COUNTY, release)).size === 0) continue;
    const boxes = await loadPlaceChunkBoxes(release);
    for (const { identifiers, outline, box } of counties) {
      await giveWayIfSliceOver();
      if (!meetsAny(boxes, box)) continue;
      const condition: Condition = buildOutlineCondition(release.caches, outline);
      const { size } = await evaluate(condition, release);
      if (size > 0) located.push(...identifiers.map((identifier) => ({ identifier, release, count: size })));
    }
  }
  return located;
}

interface IdentifiedCounty {
  /**
   * The county in each spelling that records state and that has its own item, or else in the spelling of the outline.
   */
  readonly identifiers: readonly string[];
  readonly outline: CountyOutline;
  readonly box: Box;
}

function listIdentifiers(outlines: CountyOutlines, items: readonly FindResult[]): readonly IdentifiedCounty[] {
  const stated = items.flatMap(({ Kind, Identifier }) =>
    Kind === 'County' && Identifier !== null ? [Identifier] : [],
  );
  const builtIn = outlines.states.flatMap((state) =>
    outlines.listCounties(state).map(({ name }) => `${state}/${name}`),
  );
  const byOutline = new Map<string, { outline: CountyOutline; identifiers: string[] }>();
  for (const [index, identifier] of [...stated, ...builtIn].entries()) {
    const outline = findCountyOutline(outlines, identifier);
    if (outline === undefined) continue;
    const county = getOrAdd(byOutline, `${outline.state}/${outline.name}`, () => ({
      outline,
      identifiers: [] as string[],
    }));
    if (index < stated.length || county.identifiers.length === 0) county.identifiers.push(identifier);
  }
  return [...byOutline.values()].map((county) => ({ ...county, box: boundingBox(county.outline.geometry) }));
}

/** Whether the box intersects one of `boxes`, which has four numbers per box. */
function meetsAny(boxes: Float64Array, [west, south, east, north]: Box): boolean {
  for (let offset = 0; offset < boxes.length; offset += 4) {
    const meets =
      numberAt(boxes, offset) <= east &&
      numberAt(boxes, offset + 1) <= north &&
      numberAt(boxes, offset + 2) >= west &&
      numberAt(boxes, offset + 3) >= south;
    if (meets) return true;
  }
  return false;
}
