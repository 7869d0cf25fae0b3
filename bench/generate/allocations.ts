// Water rights in the shape of the field: half name one or two sites, a few over a hundred; some are of several uses.

import { allocationVariable, benchmarkVocabulary, organizations, uses } from './benchmark-vocabulary';
import { formatDay, toDayNumber } from './calendar-days';
import { createItemRandom, type SeededRandom } from './seeded-random';
import type { SitePlan } from './sites';
import type { Cells } from './tables';

export interface AllocationsPlan {
  readonly rights: number;
  readonly sites: SitePlan;
  readonly siteCount: number;
  readonly seed: number;
}

/** The most sites that a right of the field was seen to name. */
const MAX_SITES = 215;
/** One right that names this many, at any size of the submission. */
const RIGHT_WITH_MAX_SITES = 7;

/** A real submission of rights (Oklahoma) draws none of its places of use, others draw some. */
const DRAWN_SHARE = 0.3;

const FIRST_PRIORITY = toDayNumber(1860, 1, 1);
const LAST_PRIORITY = toDayNumber(2020, 12, 31);
const ROW_STREAM = 40;

export function planAllocations(records: number, seed: number): AllocationsPlan {
  const rights = Math.ceil((records * 28) / 100);
  return {
    rights,
    sites: {
      organization: organizations.allocations,
      uuid: benchmarkVocabulary.allocationSiteUuid,
      kind: 'diversions and places of use',
      waterSources: Math.max(20, Math.ceil(records / 2000)),
      drawnShare: DRAWN_SHARE,
      seed,
      stream: 30,
    },
    siteCount: Math.ceil(records / 5),
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
  const priority = random.integer(FIRST_PRIORITY, LAST_PRIORITY);
  const isIrrigation = rightUses.some((use) => use.name === 'Irrigation');
  return {
    AllocationUUID: `${organizations.allocations}_WR${right + 1}`,
    AllocationNativeID: `WR${right + 1}`,
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
    AllocationOwner: random.chance(0.9) ? `Sample Ranch ${random.integer(1, 5000)}` : '',
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
    WaterAllocationNativeURL: `https://example.org/rights/${right + 1}`,
  };
}

/** Neighbouring sites from where this right's share of all sites begins, so that every site is named by some right. */
function listSites(plan: AllocationsPlan, right: number, random: SeededRandom): string {
  const first = Math.floor((right / plan.rights) * plan.siteCount);
  const count = right === RIGHT_WITH_MAX_SITES ? MAX_SITES : drawSiteCount(random);
  const sites = Array.from({ length: Math.min(count, plan.siteCount) }, (_, offset) =>
    plan.sites.uuid((first + offset) % plan.siteCount),
  );
  return sites.join(',');
}

/**
 * As in Oklahoma's submission: half name one or two, one in ten 8 or more, one in a hundred 20 or more; the mean is
 * 3.7.
 */
function drawSiteCount(random: SeededRandom): number {
  return random.skewedInteger(2.2, 1, 1, MAX_SITES);
}
