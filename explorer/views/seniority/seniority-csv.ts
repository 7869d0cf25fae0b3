// The list of rights as rows for a CSV file.

import { formatBasis, type ListedRight, type Seniority } from '../../requests/seniority';
import type { SeniorityList } from '../../state/seniority';
import type { FigureTable } from '../chart/chart';

const HEAD = [
  'Position',
  'Relation',
  'AllocationPriorityDate',
  'AllocationNativeID',
  'Identifier',
  'OrganizationUUID',
  'OrganizationName',
  'AllocationOwner',
  'BeneficialUses',
  'AllocationLegalStatusCodeCV',
  'AllocationFlow_CFS',
  'RunningFlow_CFS',
  'AllocationVolume_AF',
  'RunningVolume_AF',
  'SharedBy',
  'DataVersion',
] as const;

/** The head, then one row for each right. Empty cells are missing values. */
export function buildSeniorityTable(
  { basis }: Seniority,
  list: SeniorityList<ListedRight>,
  version: string,
): FigureTable {
  const sharedBy = basis === undefined ? '' : formatBasis(basis);
  const rows = list.rows.map(({ right, position, relation, flowSum, volumeSum }) => [
    String(position ?? ''),
    relation,
    right.date,
    right.number,
    right.identifier,
    right.organization,
    right.organizationName,
    right.owner,
    right.uses,
    right.status,
    right.flow,
    flowSum,
    right.volume,
    volumeSum,
    sharedBy,
    version,
  ]);
  return [HEAD, ...rows];
}
