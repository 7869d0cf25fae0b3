// Fetches all data of the brief of a county or watershed, in one data version. Skips requests about rights, sites or
// reporting units if the area has none.

import { type BriefArea, toAreaFilters } from '../state/brief-area';
import { getKind, type Kind, USE_COLOR } from '../state/kinds';
import type { Selection } from '../state/state';
import { type AreaOutline, fetchOutline } from './area-outline';
import { type AreaPlaces, fetchAreaSites, fetchAreaUnits } from './area-places';
import type { ServiceClient } from './client';
import type { CountyOutlines } from './county-outlines';
import { type Facets, fetchFacets } from './facets';
import { fetchInventory, type Inventory } from './inventory';
import { combineReplies, mapReply, type Reply } from './reply';
import { fetchRightPoints, type RightPoint } from './right-points';
import { fetchTotals, type TotalsAnswer, type TotalsAnswerRow } from './totals';
import { chooseUnitType, isCountyType, listUnitTypes, UNIT_TYPE, type UnitTotals, withUnitType } from './unit-types';

/** Totals of the rights of an area. Each total counts every right once (D78). */
export interface RightsBrief {
  readonly facets: Facets;
  readonly all: TotalsAnswerRow;
  readonly byUse: TotalsAnswer;
  readonly byDecade: TotalsAnswer;
  readonly byDecadeAndUse: TotalsAnswer;
  readonly points: readonly RightPoint[];
}

/**
 * Amounts of the sites of an area, separate for each organization, because two organizations may publish the same
 * water.
 */
export interface SitesBrief {
  readonly byYear: TotalsAnswer;
  readonly sites: AreaPlaces;
}

/**
 * Amounts of the reporting units of an area, separate for each organization and type of unit, because types overlap
 * (D78).
 */
export interface UnitsBrief {
  readonly units: AreaPlaces;
  readonly byYear: TotalsAnswer;
  /** The type of units that is shown; undefined if there are no amounts. */
  readonly type: string | undefined;
  /** The totals of this type, broken down by use category. Each record counts in exactly one category (D78). */
  readonly byYearAndUse: TotalsAnswer;
}

export interface Brief {
  readonly area: BriefArea;
  /** The data version of all figures. */
  readonly version: string;
  readonly inventory: Inventory;
  readonly outline: AreaOutline;
  /** Undefined if the area has no rights. The same applies to sites and units. */
  readonly rights: RightsBrief | undefined;
  readonly sites: SitesBrief | undefined;
  readonly units: UnitsBrief | undefined;
}

/** The facets of rights: sources, uses, statuses, and where the rights are. */
const RIGHT_FACETS = ['OrganizationUUID', 'BeneficialUseCV', 'AllocationLegalStatusCV', 'WaterSourceTypeCV', 'County'];

/** The answers about an area that further requests depend on. */
interface AreaQuestion {
  readonly client: ServiceClient;
  readonly area: BriefArea;
  readonly version: string;
}

/** An empty `version` means the current one. If requests fail, returns the first failure. */
export async function fetchBrief(
  client: ServiceClient,
  area: BriefArea,
  { version: pinned, outlines }: { readonly version: string; readonly outlines: CountyOutlines },
): Promise<Reply<Brief>> {
  const inventory = await fetchInventory(client, pinned);
  if (inventory.kind !== 'answer') return inventory;
  const { version } = inventory;
  const question = { client, area, version };
  const places = await fetchAreaUnits(client, select(question, 'aggregates').filters);
  if (places.kind !== 'answer') return places;
  const outline = await fetchOutline(client, area, { version, outlines, units: places.value.places });
  if (outline.kind !== 'answer') return outline;
  const [rights, sites, units] = await Promise.all([
    fetchRights(question, outline.value),
    fetchSites(question),
    fetchUnits(question, places.value),
  ]);
  if (rights.kind !== 'answer') return rights;
  if (sites.kind !== 'answer') return sites;
  if (units.kind !== 'answer') return units;
  const value = { area, version, inventory: inventory.value, outline: outline.value };
  return { ...inventory, value: { ...value, rights: rights.value, sites: sites.value, units: units.value } };
}

function select({ area, version }: AreaQuestion, kind: Kind): Selection {
  return { kind, filters: toAreaFilters(area, getKind(kind).boundary, version) };
}

async function fetchRights(question: AreaQuestion, outline: AreaOutline): Promise<Reply<RightsBrief | undefined>> {
  const { client } = question;
  const selection = select(question, 'rights');
  const facets = await fetchFacets(client, selection, RIGHT_FACETS);
  if (facets.kind !== 'answer' || facets.value.TotalCount === 0) return mapReply(facets, () => undefined);
  const groups = [[], ['UseCategoryCV'], ['PriorityDecade'], ['PriorityDecade', 'UseCategoryCV']];
  const [totals, points] = await Promise.all([
    Promise.all(groups.map((names) => fetchTotals(client, selection, names))),
    fetchPoints(question, outline, facets.value.TotalCount),
  ]);
  if (points.kind !== 'answer') return points;
  return mapReply(combineReplies(totals), ([all, byUse, byDecade, byDecadeAndUse]) => {
    const [row = {}] = all?.Totals ?? [];
    const [use, decade, decadeAndUse] = [byUse, byDecade, byDecadeAndUse].map((answer) => answer ?? NO_TOTALS);
    return {
      facets: facets.value,
      all: row,
      byUse: use ?? NO_TOTALS,
      byDecade: decade ?? NO_TOTALS,
      byDecadeAndUse: decadeAndUse ?? NO_TOTALS,
      points: points.value,
    };
  });
}

function fetchPoints(
  question: AreaQuestion,
  { extent }: AreaOutline,
  rights: number,
): Promise<Reply<readonly RightPoint[]>> {
  const { client, version } = question;
  if (extent === undefined) return Promise.resolve({ kind: 'answer', value: [], version });
  return fetchRightPoints(client, select(question, 'rights'), { extent, rights });
}

const NO_TOTALS: TotalsAnswer = { TotalGroupsCount: 0, Totals: [] };

async function fetchSites(question: AreaQuestion): Promise<Reply<SitesBrief | undefined>> {
  const { client } = question;
  const selection = select(question, 'series');
  const byYear = await fetchTotals(client, selection, ['OrganizationUUID', 'Year']);
  if (byYear.kind !== 'answer' || byYear.value.Totals.length === 0) return mapReply(byYear, () => undefined);
  const sites = await fetchAreaSites(client, selection.filters);
  return mapReply(sites, (value) => ({ byYear: byYear.value, sites: value }));
}

async function fetchUnits(question: AreaQuestion, units: AreaPlaces): Promise<Reply<UnitsBrief | undefined>> {
  const { client, version } = question;
  if (units.total === 0) return { kind: 'answer', value: undefined, version };
  const selection = select(question, 'aggregates');
  const byYear = await fetchTotals(client, selection, ['OrganizationUUID', UNIT_TYPE, 'Year']);
  if (byYear.kind !== 'answer') return byYear;
  const totals = { all: byYear.value.Totals, withShape: byYear.value.Totals };
  const type = chooseAreaType(question.area, totals);
  // A filter cannot select units without a type.
  const ofType = withUnitType(selection, totals, type);
  const isFilter = type !== undefined && (type !== '' || ofType === selection);
  const pieces = isFilter ? await fetchTotals(client, ofType, ['OrganizationUUID', 'Year', USE_COLOR]) : byYear;
  return mapReply(pieces, (byYearAndUse) => {
    return { units, type, byYear: byYear.value, byYearAndUse: isFilter ? byYearAndUse : NO_TOTALS };
  });
}

/** The type of the area itself if such a unit is published, else the type that the explorer shows by default. */
function chooseAreaType(area: BriefArea, totals: UnitTotals): string | undefined {
  return listUnitTypes(totals).find(({ name }) => isAreaType(area, name))?.name ?? chooseUnitType(totals, '');
}

/** Whether units of this type in the area are the area itself, not other units that touch it. */
export function isAreaType(area: BriefArea, unitType: string): boolean {
  return area.type === 'county' ? isCountyType(unitType) : /^huc/i.test(unitType);
}
