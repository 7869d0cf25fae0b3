// Laws of vector tiles (D50): at every zoom, each point is counted once, whatever the filters; and no request fails.

import fc from 'fast-check';
import { readGeometry } from '../../shared/values/boundary';
import { boundingBox } from '../../shared/values/geometry';
import { writePath } from '../fixtures/plain-search';
import { drawQuery, randomSubmission } from '../fixtures/random-submission';
import { readTileFeatures, readTilesOfZoom, sumTileCounts, type Tile, writeTilePath } from '../fixtures/read-tiles';
import { chooseSeed, countCases } from '../fixtures/soak';
import { createServiceForEachTest } from '../fixtures/test-service';

const SEED = chooseSeed(20_261_122);
const ZOOMS = [0, 1, 2, 5, 8, 11, 13, 14, 18];
const CLUSTERS = [1, 64, 16, 2];

type Position = readonly [longitude: number, latitude: number];
type PlaceItem = Readonly<Record<string, string | null>>;

const serviceOfTest = createServiceForEachTest();

/** The position of a place: its coordinates, or else the middle of its geometry's box. */
function getPosition(place: PlaceItem): Position | undefined {
  const { Longitude, Latitude, SiteGeometry } = place;
  if (Longitude != null && Latitude != null) return [Number(Longitude), Number(Latitude)];
  const read = readGeometry(SiteGeometry ?? '');
  if (!read.ok) return undefined;
  const [west, south, east, north] = boundingBox(read.value);
  return [(west + east) / 2, (south + north) / 2];
}

interface RightIdentifiers {
  readonly AllocationUUID: string | null;
  readonly AllocationNativeID: string | null;
}

interface AnsweredOrganization {
  readonly OrganizationUUID: string;
  readonly WaterAllocations: readonly (RightIdentifiers & { readonly Sites: readonly PlaceItem[] })[];
  readonly Sites: readonly PlaceItem[];
}

function rightKey(organization: string, { AllocationUUID, AllocationNativeID }: RightIdentifiers): string {
  return JSON.stringify([organization, AllocationUUID, AllocationNativeID]);
}

/** The distinct points of each right in the answer of the operation. */
async function pointsByRight(query: string): Promise<ReadonlyMap<string, readonly Position[]>> {
  const { status, json } = await serviceOfTest().get(`/v1/SiteAllocationAmounts?RecordCount=10000&${query}`);
  expect(status).toBe(200);
  const organizations = json.Organizations as readonly AnsweredOrganization[];
  const rights = organizations.flatMap(({ OrganizationUUID, WaterAllocations, Sites }) => {
    const places = new Map(Sites.map((site) => [site['SiteUUID'], site]));
    return WaterAllocations.map((right) => {
      const positions = right.Sites.map(({ SiteUUID }) => getPosition(places.get(SiteUUID) ?? {}));
      const distinct = new Map(positions.map((position) => [position?.join(), position]));
      const points = [...distinct.values()].filter((position) => position !== undefined);
      return [rightKey(OrganizationUUID, right), points] as const;
    });
  });
  return new Map(rights);
}

/** The tile of a position, by the textbook formula. */
function tileAt([longitude, latitude]: Position, zoom: number): Omit<Tile, 'features'> {
  const angle = (latitude * Math.PI) / 180;
  return {
    zoom,
    column: Math.floor(((longitude + 180) / 360) * 2 ** zoom),
    row: Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** zoom),
  };
}

async function countsOfTiles(points: readonly Position[], zoom: number, query: string): Promise<number> {
  const tiles = new Map(points.map((point) => [JSON.stringify(tileAt(point, zoom)), tileAt(point, zoom)]));
  let sum = 0;
  for (const tile of tiles.values()) {
    const answer = await serviceOfTest().get(writeTilePath('allocations', tile, `?${query}`));
    expect(answer.status).toBe(200);
    const count = sumTileCounts([{ ...tile, features: readTileFeatures(answer, 'allocations') }]);
    expect(answer.headers['X-Total-Count']).toBe(String(count));
    sum += count;
  }
  return sum;
}

test('at every zoom, the counts of the tiles add up to the points of the matching rights', async () => {
  const service = serviceOfTest();
  let most = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: countCases(20, 0.05) })) {
    await service.load(submission);
    const queries = fc.sample(drawQuery('WaterAllocations'), { seed: SEED, numRuns: 3 });
    for (const asked of [{}, ...queries]) {
      const [, query = ''] = writePath('WaterAllocations', asked, '').split('?');
      const points = [...(await pointsByRight(query)).values()].flat();
      most = Math.max(most, points.length);
      for (const [index, zoom] of ZOOMS.entries()) {
        const apart = CLUSTERS[(index + 1) % CLUSTERS.length] ?? 1;
        const drawn = `${query}&cluster=${CLUSTERS[index % CLUSTERS.length] ?? 1}&spacing=${apart}`;
        expect([drawn, zoom, await countsOfTiles(points, zoom, drawn)]).toEqual([drawn, zoom, points.length]);
      }
    }
  }
  expect(most).toBeGreaterThan(5);
});

test('at every zoom, the counts of the tiles of units add up to the units with an area', async () => {
  const service = serviceOfTest();
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: countCases(20, 0.05) })) {
    await service.load(submission);
    const { json } = await service.get('/v1/AggregatedAmounts?RecordCount=10000');
    const organizations = json.Organizations as readonly { readonly ReportingUnits: readonly PlaceItem[] }[];
    const units = organizations.flatMap(({ ReportingUnits }) => ReportingUnits).filter(({ Geometry }) => Geometry);
    for (const zoom of [0, 3, 6])
      expect(sumTileCounts(await readTilesOfZoom(service, 'reporting-units', zoom))).toBe(units.length);
  }
});

const comparison = fc.constantFrom(
  "State = 'UT'",
  "CASEI(BeneficialUseCV) LIKE 'irr%'",
  'AllocationFlow_CFS > 1',
  "SiteTypeCV <> 'Well'",
  'AllocationVolume_AF BETWEEN 0 AND 10',
  "AllocationPriorityDate < DATE('2000-01-01')",
  'County IS NULL',
  "PODorPOUSite IN ('POD')",
  'S_INTERSECTS(geometry, BBOX(-113, 38, -110, 41))',
  'TRUE',
);

/** Only the filters of the standard apply, as for items. */
const standardQuery = fc.oneof(
  fc.tuple(comparison, comparison).map(([a, b]) => `filter=${encodeURIComponent(`NOT (${a}) OR ${b}`)}`),
  fc.tuple(comparison, comparison).map(([a, b]) => `filter=${encodeURIComponent(`${a} AND NOT ${b}`)}`),
  fc.constantFrom(
    'bbox=-112,38,-110,40',
    'datetime=../2000-06-30',
    'bbox=179,-90,-110,39&filter=State%20IS%20NOT%20NULL',
  ),
);

interface RightItem {
  readonly properties: RightIdentifiers & { readonly OrganizationUUID: string };
}

/** The points of the rights in the answer of items. */
async function pointsOfItems(query: string): Promise<readonly Position[]> {
  const { status, json } = await serviceOfTest().get(`/ogc/collections/allocations/items?limit=10000&${query}`);
  expect([status, query]).toEqual([200, query]);
  const points = await pointsByRight('');
  return (json.features as readonly RightItem[]).flatMap(
    ({ properties }) => points.get(rightKey(properties.OrganizationUUID, properties)) ?? [],
  );
}

test('at every zoom, the counts add up to the points of the items that a standard filter matches', async () => {
  const service = serviceOfTest();
  const found: number[] = [];
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: countCases(20, 0.05) })) {
    await service.load(submission);
    for (const query of fc.sample(standardQuery, { seed: SEED, numRuns: 6 })) {
      const points = await pointsOfItems(query);
      found.push(points.length);
      for (const zoom of [0, 4, 9, 14, 18])
        expect([query, zoom, await countsOfTiles(points, zoom, query)]).toEqual([query, zoom, points.length]);
    }
  }
  // The random filters match all, some and no features.
  expect(new Set(found).size).toBeGreaterThan(3);
});

test('a standard filter matches the same number of sites and units in tiles as items with a position', async () => {
  const service = serviceOfTest();
  const filters = {
    sites: ["SiteTypeCV LIKE '%e%' OR County IS NULL", "NOT CASEI(VariableCV) = casei('withdrawal')", "State <> 'UT'"],
    'reporting-units': ["ReportingUnitTypeCV = 'County' OR VariableCV IS NOT NULL", "NOT State = 'CO'"],
  };
  for (const submission of fc.sample(randomSubmission, { seed: SEED + 2, numRuns: countCases(20, 0.05) })) {
    await service.load(submission);
    for (const [id, texts] of Object.entries(filters)) {
      for (const filter of [...texts, 'S_INTERSECTS(geometry, BBOX(-112, 38, -110, 41))']) {
        const query = `filter=${encodeURIComponent(filter)}`;
        const { json } = await service.get(`/ogc/collections/${id}/items?limit=10000&${query}`);
        const lying = (json.features as readonly { geometry: unknown }[]).filter(({ geometry }) => geometry !== null);
        for (const zoom of [0, 4]) {
          const counted = sumTileCounts(await readTilesOfZoom(service, id, zoom, `?${query}`));
          expect([id, filter, zoom, counted]).toEqual([id, filter, zoom, lying.length]);
        }
      }
    }
  }
  // The soak requests tens of thousands of tiles.
}, 600_000);
