// Utah's public supply: towns that deliver water, the wells and springs that it comes from, and how much, year by year.

import { yearsOf } from '../generate/calendar-days';
import type { GeneratedOrganization } from '../generate/lookups';
import { polygonAround } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import type { Cells } from '../generate/tables';
import type { RiverValleys } from './rivers';
import { createSite, placeNear, type SamplePlace, type SampleSite } from './sample';

export interface PublicSupply {
  readonly sites: readonly SampleSite[];
  readonly relations: readonly Cells[];
  readonly amounts: readonly Cells[];
}

interface WaterSystem {
  readonly number: number;
  readonly name: string;
  readonly firstYear: number;
  readonly isCommercial: boolean;
  readonly town: SampleSite;
  readonly sources: readonly SampleSite[];
}

const towns =
  'Heron Bend,Copper Lantern,Juniper Stair,Amber Hollow,Thistle Ford,Moonrise Flat,Cricket Hill,Old Kiln'.split(',');

/** One system has reported since the first year that the samples cover. */
const FIRST_YEAR = 1975;
const LAST_YEAR = 2023;

/** Where relations reported year by year begin. */
const FIRST_RELATION_YEAR = 2019;

export function publicSupply(
  organization: GeneratedOrganization,
  valleys: RiverValleys,
  random: SeededRandom,
): PublicSupply {
  const systems: WaterSystem[] = [];
  let siteCount = 0;
  for (const [index, town] of towns.entries()) {
    const place = valleys.placeAt(index, { share: 0.3 + 0.05 * index, away: 0.03 });
    const system = createSystem(organization, { place, index, town, firstSite: siteCount + 1 }, random);
    siteCount += 1 + system.sources.length;
    systems.push(system);
  }
  return {
    sites: systems.flatMap((system) => [system.town, ...system.sources]),
    relations: systems.flatMap(relationsOf),
    amounts: [
      ...systems.flatMap((system) => deliveriesOf(organization, system, random)),
      ...systems.flatMap((system) => withdrawalsOf(organization, system, random)),
    ],
  };
}

interface PlannedSystem {
  readonly place: SamplePlace;
  readonly index: number;
  readonly town: string;
  /** The number of the system's first site. */
  readonly firstSite: number;
}

function createSystem(organization: GeneratedOrganization, plan: PlannedSystem, random: SeededRandom): WaterSystem {
  const { place, index, town, firstSite } = plan;
  const geometry = polygonAround(random, place.position, 0.03 + 0.03 * random.next(), random.integer(12, 40));
  const townSite = createSite({
    organization,
    place,
    number: firstSite,
    name: `${town} Town Water System`,
    type: 'Unspecified',
    use: 'POU',
    waterSources: `${organization.uuid}_WS1`,
    geometry,
  });
  const sources = Array.from({ length: random.integer(1, 3) }, (_, source) => {
    const type = random.pick(['Well', 'Well', 'Spring']);
    return createSite({
      organization,
      number: firstSite + source + 1,
      name: `${town} ${type} No. ${source + 1}`,
      type,
      use: 'POD',
      place: placeNear(random, place, 0.08),
      waterSources: `${organization.uuid}_${type === 'Well' ? 'WS3' : 'WS2'}`,
    });
  });
  return {
    number: index + 1,
    name: `${town} Town Water System`,
    firstYear: index === 0 ? FIRST_YEAR : random.integer(1978, 2002),
    isCommercial: index % 2 === 0,
    town: townSite,
    sources,
  };
}

function relationsOf({ town, sources }: WaterSystem): Cells[] {
  return sources.flatMap(({ uuid }) =>
    yearsOf(FIRST_RELATION_YEAR, LAST_YEAR).map(({ start, end }) => {
      return { PODSiteUUID: uuid, POUSiteUUID: town.uuid, StartDate: start, EndDate: end };
    }),
  );
}

function deliveriesOf(organization: GeneratedOrganization, system: WaterSystem, random: SeededRandom): Cells[] {
  const uses = system.isCommercial ? ['Domestic', 'Commercial'] : ['Domestic'];
  const connections = random.integer(150, 4000);
  return uses.flatMap((use) =>
    yearsOf(system.firstYear, LAST_YEAR).map(({ year, start, end }) => {
      const served = Math.round(connections * 3 * 1.015 ** (year - FIRST_YEAR));
      const gallons = served * (use === 'Domestic' ? 52_000 : 9_000) * (0.85 + 0.3 * random.next());
      return {
        ...amountOf(organization, system, system.town),
        VariableSpecificUUID: `${organization.uuid}_${use === 'Domestic' ? 'V1' : 'V2'}`,
        Amount: Math.round(gallons),
        BeneficialUseCategory: use,
        CustomerTypeCV: use === 'Domestic' ? 'Residential' : '',
        PopulationServed: use === 'Domestic' ? served : '',
        ReportYearCV: year,
        TimeframeEnd: end,
        TimeframeStart: start,
      };
    }),
  );
}

function withdrawalsOf(organization: GeneratedOrganization, system: WaterSystem, random: SeededRandom): Cells[] {
  return system.sources.flatMap((source) => {
    const usual = 1e7 + 3e8 * random.next();
    return yearsOf(random.integer(system.firstYear, 2005), LAST_YEAR).map(({ year, start, end }) => ({
      ...amountOf(organization, system, source),
      VariableSpecificUUID: `${organization.uuid}_V3`,
      // A source out of use for a year reports 0.
      Amount: random.chance(0.04) ? '0.0' : Math.round(usual * (60 + 80 * random.next())) / 100,
      BeneficialUseCategory: 'Public Supply',
      ReportYearCV: year,
      TimeframeEnd: end,
      TimeframeStart: start,
    }));
  });
}

function amountOf(organization: GeneratedOrganization, system: WaterSystem, site: SampleSite): Cells {
  return {
    MethodUUID: `${organization.uuid}_M1`,
    OrganizationUUID: organization.uuid,
    SiteUUID: site.uuid,
    WaterSourceUUID: site.waterSources,
    CommunityWaterSupplySystem: system.name,
    SDWISIdentifier: `SAMPLEUT${String(system.number).padStart(3, '0')}`,
  };
}
