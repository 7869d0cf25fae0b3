// Water rights in realistic proportions: half of them refer to one or two sites, a few to over a hundred, and some have
// several uses. As in submissions of states, there are 1.5 sites per right, and the files of rights and of sites are in
// unrelated orders: the sites of a right are near each other on the map but far apart in the file.

import { allocationVariable, benchmarkVocabulary, organizations, uses } from './benchmark-vocabulary';
import { formatDay, toDayNumber } from './calendar-days';
import { MAX_OWNERS, MAX_WATER_SOURCES, nameOwner } from './realistic-names';
import { createItemRandom, type SeededRandom } from './seeded-random';
import type { SitePlan } from './sites';
import type { Cells } from './tables';

export interface AllocationsPlan {
  readonly rights: number;
  readonly sites: SitePlan;
  /** The sites in the order of their file. */
  readonly siteOrder: readonly number[];
  readonly seed: number;
}

/** The maximum number of sites of any right in a real submission. */
const MAX_SITES = 215;
/** The right that refers to this maximum number of sites, whatever the size of the submission. */
const RIGHT_WITH_MAX_SITES = 7;

/**
 * The share of places of use that have a polygon. One real submission of rights (Oklahoma) has no polygons; others have
 * some.
 */
const DRAWN_SHARE = 0.3;

const FIRST_PRIORITY = toDayNumber(1860, 1, 1);
const LAST_PRIORITY = toDayNumber(2020, 12, 31);
const ROW_STREAM = 40;
const SITE_ORDER_STREAM = 41;

const BASINS = 80;
const SITES_PER_RIGHT = 1.5;
/** Applies until there are as many water sources as in a large state. */
const RIGHTS_PER_WATER_SOURCE = 10;
const MIN_WATER_SOURCES = 20;

export function planAllocations(records: number, seed: number): AllocationsPlan {
  const rights = Math.ceil((records * 28) / 100);
  const waterSources = Math.max(MIN_WATER_SOURCES, Math.ceil(rights / RIGHTS_PER_WATER_SOURCE));
  const siteOrder = Array.from({ length: Math.ceil(rights * SITES_PER_RIGHT) }, (_, site) => site);
  createItemRandom(seed, SITE_ORDER_STREAM, 0).shuffle(siteOrder);
  const rows = new Uint32Array(siteOrder.length);
  for (const [row, site] of siteOrder.entries()) rows[site] = row;
  return {
    rights,
    sites: {
      organization: organizations.allocations,
      uuid: (site) => benchmarkVocabulary.allocationSiteUuid(rows[site] ?? 0),
      kind: 'diversions and places of use',
      waterSources: Math.min(MAX_WATER_SOURCES, waterSources),
      drawnShare: DRAWN_SHARE,
      seed,
      stream: 30,
    },
    siteOrder,
    seed,
  };
}

export function* allocationRows(plan: AllocationsPlan): Generator<Cells> {
  for (let right = 0; right < plan.rights; right += 1) {
    yield allocationCells(plan, right, createItemRandom(plan.seed, ROW_STREAM, right));
  }
}

function allocationCells(plan: AllocationsPlan, right: number, random: SeededRandom): Cells {
  const rightUses = random.pickSome(uses, random.chance(0.25) ? random.integer(2, 4) : 1);
  const nativeId = formatNativeId(right);
  const priority = random.integer(FIRST_PRIORITY, LAST_PRIORITY);
  const isIrrigation = rightUses.some((use) => use.name === 'Irrigation');
  return {
    AllocationUUID: `${organizations.allocations}_WR${nativeId}`,
    AllocationNativeID: nativeId,
    MethodUUID: `${organizations.allocations}_M1`,
    OrganizationUUID: organizations.allocations,
    SiteUUID: listSites(plan, right, random),
    VariableSpecificUUID: allocationVariable.uuid,
    WaterSourceUUID: random.chance(0.5)
      ? `${organizations.allocations}_WS${random.integer(1, plan.sites.waterSources)}`
      : '',
    AllocationApplicationDate: random.chance(0.7) ? formatDay(priority - random.integer(0, 700)) : '',
    AllocationBasisCV: 'Unspecified',
    AllocationExpirationDate: random.chance(0.03) ? formatDay(LAST_PRIORITY + random.integer(100, 9000)) : '',
    AllocationFlow_CFS: random.chance(0.8) ? Math.round(random.next() ** 4 * 20_000) / 100 : '',
    AllocationLegalStatusCV: random.chance(0.9) ? 'Active' : 'Pending',
    AllocationOwner: random.chance(0.9) ? nameOwner(random.integer(0, MAX_OWNERS - 1)) : '',
    AllocationPriorityDate: random.chance(0.98) ? formatDay(priority) : '',
    AllocationTimeframeEnd: isIrrigation ? '10/31' : '12/31',
    AllocationTimeframeStart: isIrrigation ? '04/01' : '01/01',
    AllocationTypeCV: random.pick(['Regular', 'Prior Right', 'Temporary', 'Vested']),
    AllocationVolume_AF: random.chance(0.6) ? Math.round(random.next() ** 4 * 90_000) / 10 : '',
    BeneficialUseCategory: rightUses.map((use) => use.name).join(','),
    DataPublicationDate: '04/07/2024',
    ExemptOfVolumeFlowPriority: random.chance(0.02) ? 1 : 0,
    IrrigatedAcreage: isIrrigation ? Math.round(random.next() ** 3 * 6000) / 10 : '',
    OwnerClassificationCV: 'In Review',
    PrimaryUseCategory: rightUses[0]?.primaryUse ?? '',
    WaterAllocationNativeURL: `https://example.org/water-rights/search/detail?number=${nativeId}`,
  };
}

/** Formats a basin and a number within it, such as 07-0012345. */
function formatNativeId(right: number): string {
  const basin = String((right % BASINS) + 1).padStart(2, '0');
  return `${basin}-${String(right + 1).padStart(7, '0')}`;
}

/** Neighboring sites. They start at this right's share of all sites, so that every site belongs to some right. */
function listSites(plan: AllocationsPlan, right: number, random: SeededRandom): string {
  const siteCount = plan.siteOrder.length;
  const first = Math.floor((right / plan.rights) * siteCount);
  const count = right === RIGHT_WITH_MAX_SITES ? MAX_SITES : drawSiteCount(random);
  const sites = Array.from({ length: Math.min(count, siteCount) }, (_, offset) =>
    plan.sites.uuid((first + offset) % siteCount),
  );
  return sites.join(',');
}

/**
 * As in Oklahoma's submission: half of the rights refer to one or two sites, one in ten to 8 or more, and one in a
 * hundred to 20 or more; the mean is 3.7.
 */
function drawSiteCount(random: SeededRandom): number {
  return random.skewedInteger(2.2, 1, 1, MAX_SITES);
}
