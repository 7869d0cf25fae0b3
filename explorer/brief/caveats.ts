// Sentences about the limits of a brief's figures.

import type { Brief, RightsBrief } from '../requests/brief';
import { getFacetValues } from '../requests/facets';
import { toNumber, toText } from '../requests/totals';
import { foldCountyName } from '../state/county-names';
import { SEVERAL_VALUES } from '../state/palette';
import { getStateName } from '../state/state-names';
import { formatCount, formatQuantity } from '../views/parts/texts';
import { callArea, nameArea } from './area-texts';
import { describeShownUnits } from './unit-figures';

export function listCaveats(brief: Brief): readonly string[] {
  return [
    ...describeMatching(brief),
    ...describeMissing(brief),
    ...(brief.rights === undefined ? [] : describeRights(brief.rights)),
    ...describeAmounts(brief),
    ...describeOutline(brief),
    ...describeSamples(brief),
  ];
}

/** How records are matched to the area (D78). */
function describeMatching({ area, outline, rights }: Brief): readonly string[] {
  if (area.type === 'huc8') {
    return [
      'Records are assigned to the watershed that they state. Records that state no watershed (HUC8) are not included ' +
        'in these figures, even if they lie in this watershed.',
    ];
  }
  const name = nameArea({ area, outline });
  const rule =
    outline.shapes.length > 0
      ? 'Records that state another county are not included in these figures, regardless of where they lie. Records that ' +
        'state no county are included if they touch the outline of the county (Census, 1:10,000,000), so near its ' +
        'border some may be missing or wrongly included.'
      : 'Records that state no county are not included in these figures, because no outline of this county is available.';
  return rights === undefined ? [rule] : [describeStatedCounty(rights, name, area.name), rule];
}

/**
 * Says how many rights state the county, how many were matched by its outline, and how many are also in other counties.
 */
function describeStatedCounty({ facets }: RightsBrief, name: string, county: string): string {
  const counties = getFacetValues(facets, 'County');
  const wanted = foldCountyName(county);
  const stated = counties.find(({ Value }) => foldCountyName(Value) === wanted)?.Count ?? 0;
  const byOutline = facets.TotalCount - stated;
  const found =
    byOutline === 0
      ? `All ${formatQuantity(stated, 'water right')} state ${name}.`
      : `${formatQuantity(stated, 'water right')} ${stated === 1 ? 'states' : 'state'} ${name}; ` +
        `${formatCount(byOutline)} ${byOutline === 1 ? 'states' : 'state'} no county and ` +
        `${byOutline === 1 ? 'was' : 'were'} matched by its outline.`;
  const isElsewhereToo = counties.some(({ Value }) => foldCountyName(Value) !== wanted);
  const elsewhere = isElsewhereToo
    ? ' Some have points in other counties as well. Each such right is in the brief of each of its counties with its ' +
      'full flow and volume, so do not add the figures of several briefs.'
    : '';
  return found + elsewhere;
}

function describeMissing({ area, rights, sites, units }: Brief): readonly string[] {
  const missing = [
    rights === undefined && 'water rights',
    sites === undefined && 'amounts at sites',
    units === undefined && 'totals by reporting unit',
  ].filter((text) => text !== false);
  if (missing.length === 0) return [];
  const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(missing);
  return [
    `No ${list} for ${callArea(area)} are published here. That does not mean that there are none: not every state publishes everything.`,
  ];
}

function describeRights({ all, byDecade, byUse }: RightsBrief): readonly string[] {
  const total = toNumber(all['RecordsCount']);
  const withoutDate = byDecade.Totals.find((row) => row['PriorityDecade'] === null);
  const withoutUse = byUse.Totals.find((row) => row['UseCategoryCV'] === null);
  const hasSeveral = byUse.Totals.some((row) => toText(row['UseCategoryCV']) === SEVERAL_VALUES);
  const lacks = (count: number, what: string): string | false =>
    count > 0 && `${formatCount(count)} ${count === 1 ? 'states' : 'state'} no ${what}`;
  const lacking = [
    lacks(toNumber(withoutDate?.['RecordsCount']), 'priority date'),
    lacks(toNumber(withoutUse?.['RecordsCount']), 'use'),
    lacks(total - toNumber(all['FlowCount']), 'flow'),
    lacks(total - toNumber(all['VolumeCount']), 'volume'),
  ].filter((text) => text !== false);
  return [
    'Flows and volumes are what the rights allow, not what is used. A right may have both, so they are never added to each other.',
    lacking.length > 0 && `Of ${formatQuantity(total, 'right')}, ${lacking.join(', ')}.`,
    'Use categories are assigned by this service to compare states; the uses as recorded are listed below the categories.',
    hasSeveral && 'A right with several uses is counted once, under its primary use if one is recorded.',
  ].filter((text) => text !== false);
}

function describeAmounts({ area, sites, units }: Brief): readonly string[] {
  const shown = units && describeShownUnits(area, units);
  const others = shown?.otherTypes.map(({ name }) => name || 'without a type') ?? [];
  return [
    (sites !== undefined || units !== undefined) &&
      'Amounts with different organizations, variables, statistics or units are never added up. The number of places with an amount differs from year to year.',
    shown?.isAreaItself === false &&
      `The reporting units shown are whole areas that touch ${callArea(area)}, so their water may be used outside it.`,
    others.length > 0 &&
      `Reporting units of other types (${others.join(', ')}) overlap those shown and are not added to them.`,
    sites !== undefined &&
      sites.sites.places.length < sites.sites.total &&
      `The list shows the first ${formatCount(sites.sites.places.length)} of ${formatQuantity(sites.sites.total, 'site')}.`,
  ].filter((text) => text !== false);
}

function describeOutline({ area, outline }: Brief): readonly string[] {
  if (outline.shapes.length > 0) return [];
  return area.type === 'huc8'
    ? ['No outline of this watershed is published, so the map shows only points.']
    : [`No outline of this county is available in ${getStateName(area.state)}, so the map shows only points.`];
}

function describeSamples({ inventory }: Brief): readonly string[] {
  const isSample = inventory.Organizations.some(({ DataSets }) => DataSets.some((one) => one.IsSample));
  return isSample ? ['The service contains made-up sample data, which these figures may include.'] : [];
}
