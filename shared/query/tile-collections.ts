// The collections that are available as vector tiles (D50), with their members and parameters.

import type { DataSetKind } from '../records/data-sets';
import { SEVERAL_VALUES } from './groupings';
import { type Operation, type OperationParameter, reportingUnits, siteAllocationAmounts, sites } from './operations';
import { listTextFilters, orderFirst, type TextFilter } from './text-filters';

export interface TileCollection {
  /** The id in paths, which is also the name of the layer. */
  readonly id: 'sites' | 'reporting-units' | 'allocations';
  /** The name of the HTTP function. */
  readonly name: string;
  readonly title: string;
  /** 0 for points, 2 for areas. */
  readonly dimension: 0 | 2;
  /** The operation that lists the features. */
  readonly operation: Operation;
  /** The members of features, with their meanings. */
  readonly members: Readonly<Record<string, string>>;
  readonly parameters: readonly OperationParameter[];
}

const COMMON_MEMBERS = {
  id: 'The identifier of the feature; only for a single point in a tile of at most 1,000 points.',
  name: 'A display name, if there is an id.',
  count: 'Number of points in the feature; 0 in the buffer around the tile.',
  outside: 'Number of points in a feature in the buffer, which the neighboring tile counts.',
  organization: 'OrganizationUUID. Like all members below, the value that most of the points have.',
};

/** Members that come first, in this order. */
const FIRST_MEMBERS = ['type', 'podOrPou', 'use', 'category', 'source', 'status'];

/** The filters whose values become members of features. */
const tileFiltersOfSites = tileFilters('WaterAllocations', ({ scope: of }) => of === 'place');
const tileFiltersOfUnits = tileFilters('AggregatedAmounts', ({ scope: of }) => of === 'place');
export const tileFiltersOfPlaces = [...tileFiltersOfSites, ...tileFiltersOfUnits];
export const tileFiltersOfRights = tileFilters('WaterAllocations', ({ scope: of }) => of !== 'place');

export interface TileFilter extends TextFilter {
  readonly tile: NonNullable<TextFilter['tile']>;
}

function tileFilters(dataSet: DataSetKind, isShown: (filter: TextFilter) => boolean): readonly TileFilter[] {
  const shown = listTextFilters(dataSet).flatMap((filter) =>
    filter.tile !== undefined && isShown(filter) ? [{ ...filter, tile: filter.tile }] : [],
  );
  return orderFirst(shown, FIRST_MEMBERS, ({ tile }) => tile.name);
}

function listMembers(filters: readonly TileFilter[]): Readonly<Record<string, string>> {
  return Object.fromEntries(filters.map(({ tile }) => [tile.name, tile.meaning]));
}

const siteTiles: TileCollection = {
  id: 'sites',
  name: 'SiteTiles',
  title: 'Sites that an amount or an allocation refers to',
  dimension: 0,
  operation: sites,
  members: {
    ...COMMON_MEMBERS,
    ...listMembers(tileFiltersOfSites),
    variable: 'VariableCV of the amounts at the site; several are separated by semicolons.',
  },
  parameters: listParameters(sites),
};

const unitTiles: TileCollection = {
  id: 'reporting-units',
  name: 'ReportingUnitTiles',
  title: 'Reporting units that an amount refers to',
  dimension: 2,
  operation: reportingUnits,
  members: {
    ...COMMON_MEMBERS,
    count: 'Number of units in the feature; 0 for an area whose center is in another tile.',
    ...listMembers(tileFiltersOfUnits),
  },
  parameters: listParameters(reportingUnits),
};

const allocationTiles: TileCollection = {
  id: 'allocations',
  name: 'AllocationTiles',
  title: 'Water rights, shown once at each of their points',
  dimension: 0,
  operation: siteAllocationAmounts,
  members: {
    ...COMMON_MEMBERS,
    ...listMembers(tileFiltersOfRights),
    mainCategory: `The UseCategoryCV under which the right is counted: that of its only use or its primary use, otherwise ${SEVERAL_VALUES}.`,
    decade: 'The first year of the decade that the priority date is in, as a number.',
    flow: 'AllocationFlow_CFS, if there is an id.',
    volume: 'AllocationVolume_AF, if there is an id.',
    priority: 'AllocationPriorityDate, if there is an id.',
  },
  parameters: listParameters(siteAllocationAmounts),
};

export const tileCollections: readonly TileCollection[] = [siteTiles, unitTiles, allocationTiles];

/** Lists the parameters of an operation, except those of pages and formats. */
function listParameters({ parameters }: Operation): readonly OperationParameter[] {
  const isOfPages = ({ kind }: OperationParameter): boolean =>
    ['startIndex', 'recordCount', 'order', 'format'].includes(kind);
  return parameters.filter((parameter) => !isOfPages(parameter));
}
