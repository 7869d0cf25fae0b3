// The sample of water rights: the ditches, wells and reservoirs that they name, and the fields that some of them water.

import { dayNumber, isoDay, slashDay } from '../generate/calendar-days';
import { realColumns } from '../generate/columns';
import {
  beneficialUseTable,
  methodTable,
  organizationTable,
  relationTable,
  variableTable,
  waterSourceTable,
} from '../generate/lookups';
import { polygonAround } from '../generate/polygons';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { countiesOf } from './counties';
import { RiverValleys, type Rivers } from './rivers';
import { createSite, placeNear, sampleOrganization, type Sample, type SampleSite } from './sample';

const organization = sampleOrganization('CO', 'Colorado');

/** South Platte, Arkansas, Colorado, Rio Grande, Gunnison, Yampa and Animas. */
const rivers: Rivers = [
  {
    huc8: '10199001',
    through: [
      ...([
        [-106, 39.22],
        [-105.8, 39.02],
        [-105.23, 39.25],
        [-104.99, 39.74],
        [-104.82, 39.98],
      ] as const),
      ...([
        [-104.7, 40.4],
        [-103.8, 40.26],
        [-103.21, 40.62],
        [-102.4, 40.93],
      ] as const),
    ],
  },
  {
    huc8: '11029001',
    through: [
      ...([
        [-106.29, 39.24],
        [-106.13, 38.84],
        [-105.99, 38.53],
        [-105.24, 38.44],
      ] as const),
      ...([
        [-104.61, 38.26],
        [-103.54, 37.99],
        [-102.62, 38.09],
        [-102.15, 38.05],
      ] as const),
    ],
  },
  {
    huc8: '14019001',
    through: [
      [-105.94, 40.09],
      [-106.39, 40.06],
      [-107.32, 39.55],
      [-107.78, 39.53],
      [-108.57, 39.06],
    ],
  },
  {
    huc8: '13019001',
    through: [
      [-106.93, 37.85],
      [-106.35, 37.68],
      [-105.87, 37.47],
      [-105.76, 37.15],
    ],
  },
  {
    huc8: '14029001',
    through: [
      [-106.93, 38.54],
      [-107.3, 38.47],
      [-108.07, 38.74],
      [-108.5, 38.98],
    ],
  },
  {
    huc8: '14059001',
    through: [
      [-106.91, 40.15],
      [-106.83, 40.48],
      [-107.55, 40.51],
      [-108.7, 40.52],
    ],
  },
  {
    huc8: '14089001',
    through: [
      [-107.66, 37.81],
      [-107.88, 37.27],
      [-107.9, 37.08],
    ],
  },
];

const SITES = 200;
/** Every twentieth site is a place of use, near the site before it. */
const PLACE_OF_USE_EVERY = 20;

/** Names that ditches and reservoirs of the West have; each comes again with another number. */
const siteNames =
  'Cottonwood,Greenhorn,Badger Creek,Willow Bend,Highline,Meadow,Larimer Draw,Box Elder,Union,Sand Creek,Excelsior'.split(
    ',',
  );

const RIGHTS = 240;
/** A system of reservoirs and ditches under one right. */
const [RIGHT_WITH_MANY_SITES, MANY_SITES] = [5, 64];
const FIRST_PRIORITY = dayNumber(1869, 5, 1);
const LAST_PRIORITY = dayNumber(2019, 12, 31);

const diversions = [
  { type: 'Ditch', source: 'WS1' },
  { type: 'Ditch', source: 'WS2' },
  { type: 'Well', source: 'WS3' },
  { type: 'Reservoir', source: 'WS1,SAMPLE_CO_WS2' },
] as const;

const uses = [
  { name: 'Irrigation', primaryUse: 'Irrigation', usgsCategory: 'Irrigation', naicsCode: 'Crop Production' },
  { name: 'Domestic', primaryUse: 'Domestic', usgsCategory: 'Domestic' },
  { name: 'Stock', primaryUse: 'Livestock', usgsCategory: 'Livestock', naicsCode: 'Animal Production' },
  {
    name: 'Municipal',
    primaryUse: 'Public Supply',
    usgsCategory: 'Public Supply',
    naicsCode: 'Water Supply and Irrigation Systems',
  },
  { name: 'Industrial', primaryUse: 'Industrial', usgsCategory: 'Industrial' },
  { name: 'Recreation', primaryUse: 'Recreation', usgsCategory: '' },
  { name: 'Fishery', primaryUse: 'Aquaculture', usgsCategory: 'Aquaculture', naicsCode: 'Animal Aquaculture' },
];

/** How the uses of a right are written: one term, or a list. */
const useLists = [
  ...['Irrigation', 'Irrigation', 'Irrigation', 'Irrigation,Stock', 'Irrigation,Domestic,Stock', 'Domestic'],
  ...['Municipal', 'Municipal,Industrial,Recreation', 'Fishery, Recreation', 'Industrial'],
];

const flaws: readonly PlannedFlaw[] = [
  ['warned', 10, { SiteUUID: 'SAMPLE_CO_S11,SAMPLE_CO_S777' }, 'one of its sites is not held'],
  ['warned', 25, { SiteUUID: '' }, 'a right without a site'],
  ['warned', 41, { AllocationPriorityDate: '1902-02-30' }, 'a date that cannot be read'],
  ['warned', 55, { BeneficialUseCategory: 'irrigation' }, 'a use in other letter case: irrigation'],
  ['warned', 70, { AllocationFlow_CFS: '2.5 cfs' }, 'a number that cannot be read'],
  ['rejected', 150, { AllocationOwner: 'Sample Ranch 999' }, 'a second row of the same AllocationNativeID'],
  ['rejected', 120, { AllocationNativeID: '' }, 'no identifier of the right'],
  [
    'rejected',
    90,
    { AllocationNativeID: 'CO-0999', VariableSpecificUUID: 'SAMPLE_CO_V9' },
    'a variable that is not held',
  ],
];

export function coloradoAllocations(seed: number): Sample {
  const random = new SeededRandom(seed);
  const sites = sitesOf(random);
  const rights = Array.from({ length: RIGHTS }, (_, index) => rightCells(sites, index, random));
  const method = {
    ApplicableResourceTypeCV: 'Surface Ground Water',
    MethodDescription: 'Decrees, as they stand in the sample register.',
    MethodName: 'Water rights register',
    MethodTypeCV: 'Legal Process',
  };
  return {
    folder: 'colorado-allocations',
    description:
      'Water rights with priorities from 1869 to 2019, with flow, volume or both, of one or several uses. One ' +
      'right has 64 sites. beneficialuses.csv gives the categories of the uses.',
    tables: [
      organizationTable(organization),
      variableTable(organization.uuid, [
        {
          ...{ variable: 'Allocation', specific: 'Allocation', interval: 'Year', statistic: 'Average' },
          ...{ unit: 'CFS', maximumUnit: 'AF', yearBegins: 10 },
        },
      ]),
      methodTable(organization.uuid, [method]),
      waterSourceTable(organization.uuid, [
        { name: 'Whitepeak River', type: 'Surface Water' },
        { name: 'Columbine Creek', type: 'Surface Water' },
        { name: 'Sandreed Aquifer', type: 'Groundwater' },
      ]),
      { file: 'sites.csv', columns: realColumns.sites, rows: sites.map((site) => site.cells) },
      relationTable({ rows: relationsOf(sites) }),
      beneficialUseTable(uses),
      { file: 'waterallocations.csv', columns: realColumns.allocations, ...flawed(rights, flaws) },
    ],
  };
}

function sitesOf(random: SeededRandom): SampleSite[] {
  const valleys = new RiverValleys(rivers, countiesOf('08'), random);
  const sites: SampleSite[] = [];
  for (let number = 1; number <= SITES; number += 1) {
    const previous = sites.at(-1);
    const { type, source } = random.pick(diversions);
    if (number % PLACE_OF_USE_EVERY === 0 && previous !== undefined) {
      const place = placeNear(random, previous.place, 0.03);
      const geometry = polygonAround(random, place.position, 0.02, random.integer(5, 14));
      const field = { name: `Sample Field ${number}`, type: 'Unspecified', use: 'POU', waterSources: '' } as const;
      sites.push(createSite({ organization, number, place, geometry, ...field }));
    } else {
      const place = valleys.placeAt(...placeOnRiver(number, random));
      const waterSources = `${organization.uuid}_${source}`;
      const name = `${random.pick(siteNames)} ${type} ${number} (sample)`;
      sites.push(createSite({ organization, number, place, name, type, use: 'POD', waterSources }));
    }
  }
  return sites;
}

/** Ten sites that follow each other lie on one stretch, so that the sites of a right are neighbours. */
function placeOnRiver(number: number, random: SeededRandom): Parameters<RiverValleys['placeAt']> {
  const stretch = Math.floor((number - 1) / 10);
  // Half of the sites are on the two long rivers of the plains.
  const river = stretch % 2 === 0 ? Math.floor(stretch / 2) % 2 : 2 + (Math.floor(stretch / 2) % (rivers.length - 2));
  const share = ((stretch * 0.618) % 1) * 0.7 + 0.3 * random.next();
  return [river, { share, away: 0.13 }];
}

/** The three diversions before a field serve it, without a first or last day. */
function relationsOf(sites: readonly SampleSite[]): Cells[] {
  return sites.flatMap((site, index) =>
    site.cells['PODorPOUSite'] === 'POU'
      ? sites.slice(index - 3, index).map((diversion) => ({ PODSiteUUID: diversion.uuid, POUSiteUUID: site.uuid }))
      : [],
  );
}

function rightCells(sites: readonly SampleSite[], index: number, random: SeededRandom): Cells {
  const priority = priorityOf(index, random);
  const useList = random.pick(useLists);
  const isIrrigation = useList.startsWith('Irrigation');
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
    BeneficialUseCategory: useList,
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
