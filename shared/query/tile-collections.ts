// The collections that have vector tiles (D50), and what can be asked of each.

import type { DataSetKind } from '../records/data-sets';
import { requestParameters, siteAllocationAmounts } from './operations';
import type { OperationParameter, RequestParameters } from './operations';
import { reportingUnits, sites } from './place-operations';

export interface TileCollection extends RequestParameters {
  /** As the path has it, and the name of the layer. */
  readonly id: 'sites' | 'reporting-units' | 'allocations';
  /** The name of the function that answers. */
  readonly name: string;
  readonly title: string;
  /** 0 where features are points, 2 where they are areas. */
  readonly dimension: 0 | 2;
  /** The kinds of data sets whose releases are drawn, in the order in which one of them is the first to have a site. */
  readonly dataSets: readonly DataSetKind[];
  /** The members of features, with what they mean. */
  readonly members: Readonly<Record<string, string>>;
}

const COMMON_MEMBERS = {
  id: 'The identifier of the feature; only of a point that stands alone in a tile of at most 1,000 points.',
  name: 'A name for people, where there is an id.',
  count: 'For how many points the feature stands; 0 in the buffer around the tile.',
  outside: 'For how many points a feature in the buffer stands, which the tile beside counts.',
  organization: 'OrganizationUUID; as all that follow, what most of the points have.',
};

const siteTiles: TileCollection = {
  id: 'sites',
  name: 'SiteTiles',
  title: 'Sites to which an amount or an allocation refers',
  dimension: 0,
  dataSets: ['SiteVariableAmounts', 'WaterAllocations'],
  members: { ...COMMON_MEMBERS, type: 'SiteTypeCV.', podOrPou: 'PODorPOUSite.' },
  ...requestParameters(filtersOf(sites)),
};

const unitTiles: TileCollection = {
  id: 'reporting-units',
  name: 'ReportingUnitTiles',
  title: 'Reporting units to which an amount refers',
  dimension: 2,
  dataSets: ['AggregatedAmounts'],
  members: {
    ...COMMON_MEMBERS,
    count: 'For how many units the feature stands; 0 of an area whose middle lies in another tile.',
    type: 'ReportingUnitTypeCV.',
  },
  ...requestParameters(filtersOf(reportingUnits)),
};

const allocationTiles: TileCollection = {
  id: 'allocations',
  name: 'AllocationTiles',
  title: 'Water rights, each once at every point of its sites',
  dimension: 0,
  dataSets: ['WaterAllocations'],
  members: {
    ...COMMON_MEMBERS,
    type: 'AllocationTypeCV.',
    use: 'BeneficialUseCategoryCV; of a right with several, all of them with semicolons between.',
    source: 'WaterSourceTypeCV.',
    status: 'AllocationLegalStatusCodeCV.',
    decade: 'The first year of the decade of the priority date, as a number.',
    flow: 'AllocationFlow_CFS, where there is an id.',
    volume: 'AllocationVolume_AF, where there is an id.',
  },
  ...requestParameters(filtersOf(siteAllocationAmounts)),
};

export const tileCollections: readonly TileCollection[] = [siteTiles, unitTiles, allocationTiles];

/** What an operation takes that is not about a page or its form. */
function filtersOf({ parameters }: RequestParameters): readonly OperationParameter[] {
  const isOfPages = ({ kind }: OperationParameter): boolean =>
    ['startIndex', 'recordCount', 'order', 'format'].includes(kind);
  return parameters.filter((parameter) => !isOfPages(parameter));
}
