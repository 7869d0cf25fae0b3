// Colorado's sample rights, and the categories of their uses.

import { dayNumber, isoDay, slashDay } from '../generate/calendar-days';
import type { Cells } from '../generate/csv-lines';
import type { SeededRandom } from '../generate/seeded-random';
import type { SampleSite } from './sample-sites';

const RIGHTS = 240;

/** A system of reservoirs and ditches under one right. */
const RIGHT_WITH_MANY_SITES = 5;
const MANY_SITES = 64;

const FIRST_PRIORITY = dayNumber(1869, 5, 1);
const LAST_PRIORITY = dayNumber(2019, 12, 31);

export const coloradoUses: readonly Cells[] = [
  use('Irrigation', 'Irrigation', 'Irrigation', 'Crop Production'),
  use('Domestic', 'Domestic', 'Domestic', ''),
  use('Stock', 'Livestock', 'Livestock', 'Animal Production'),
  use('Municipal', 'Public Supply', 'Public Supply', 'Water Supply and Irrigation Systems'),
  use('Industrial', 'Industrial', 'Industrial', ''),
  use('Recreation', 'Recreation', '', ''),
  use('Fishery', 'Aquaculture', 'Aquaculture', 'Animal Aquaculture'),
];

/** How the uses of a right are written: one term, or a list. */
const useLists = [
  'Irrigation',
  'Irrigation',
  'Irrigation',
  'Irrigation,Stock',
  'Irrigation,Domestic,Stock',
  'Domestic',
  'Municipal',
  'Municipal,Industrial,Recreation',
  'Fishery, Recreation',
  'Industrial',
] as const;

export function coloradoRights(sites: readonly SampleSite[], random: SeededRandom): Cells[] {
  return Array.from({ length: RIGHTS }, (_, index) => rightCells(sites, index, random));
}

function rightCells(sites: readonly SampleSite[], index: number, random: SeededRandom): Cells {
  const priority = priorityOf(index, random);
  const uses = random.pick(useLists);
  const isIrrigation = uses.startsWith('Irrigation');
  const hasFlow = random.chance(0.8);
  return {
    AllocationNativeID: `CO-${String(index + 1).padStart(4, '0')}`,
    MethodUUID: 'SAMPLE_CO_M1',
    OrganizationUUID: 'SAMPLE_CO',
    SiteUUID: siteListOf(sites, index, random),
    VariableSpecificUUID: 'SAMPLE_CO_V1',
    AllocationApplicationDate: random.chance(0.5) ? isoDay(priority - random.integer(0, 400)) : '',
    AllocationBasisCV: 'Unspecified',
    AllocationCropDutyAmount: isIrrigation && random.chance(0.3) ? 3.5 : '',
    AllocationExpirationDate: random.chance(0.03) ? slashDay(LAST_PRIORITY + 3650) : '',
    AllocationFlow_CFS: hasFlow ? Math.round(random.next() ** 3 * 6000 + 1) / 100 : '',
    AllocationLegalStatusCV: random.chance(0.85) ? 'Absolute' : 'Conditional',
    AllocationOwner: `Sample Ranch ${random.integer(1, 90)}`,
    AllocationPriorityDate: isoDay(priority),
    AllocationTimeframeEnd: isIrrigation ? '10/31' : '12/31',
    AllocationTimeframeStart: isIrrigation ? '05/01' : '01/01',
    AllocationTypeCV: 'Decreed',
    AllocationVolume_AF: !hasFlow || random.chance(0.4) ? Math.round(random.next() ** 3 * 20_000 + 1) / 10 : '',
    BeneficialUseCategory: uses,
    DataPublicationDate: '04/07/2023',
    ExemptOfVolumeFlowPriority: index % 60 === 59 ? 1 : 0,
    IrrigatedAcreage: isIrrigation ? Math.round(random.next() ** 2 * 4000) / 10 : '',
    IrrigationMethodCV: isIrrigation && random.chance(0.2) ? 'Sprinkler' : '',
    LegacyAllocationIDs: random.chance(0.1) ? `OLD-${random.integer(100, 999)}` : '',
    OwnerClassificationCV: 'Private',
    PrimaryUseCategory: 'Unspecified',
    WaterAllocationNativeURL: `https://example.org/rights/${index + 1}`,
  };
}

/** The first right is the oldest and the last one the youngest. */
function priorityOf(index: number, random: SeededRandom): number {
  if (index === 0) return FIRST_PRIORITY;
  if (index === RIGHTS - 1) return LAST_PRIORITY;
  return random.integer(FIRST_PRIORITY, LAST_PRIORITY);
}

function siteListOf(sites: readonly SampleSite[], index: number, random: SeededRandom): string {
  const count = index === RIGHT_WITH_MANY_SITES ? MANY_SITES : random.pick([1, 1, 1, 1, 2, 2, 3, 6]);
  const first = random.integer(0, sites.length - count);
  const list = sites.slice(first, first + count).map((site) => site.uuid);
  return list.join(random.chance(0.2) ? ', ' : ',');
}

function use(name: string, primaryUse: string, usgsCategory: string, naicsCode: string): Cells {
  return {
    BeneficialUseCategory: name,
    PrimaryUseCategory: primaryUse,
    USGSCategoryNameCV: usgsCategory,
    NAICSCodeNameCV: naicsCode,
  };
}
