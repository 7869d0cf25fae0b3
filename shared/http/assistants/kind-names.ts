// What people and models call the kinds of records and of names (D72). Letter case, spaces, hyphens and underscores do
// not count.

import type { Operation } from '../../query/operations';
import { NAMED_KINDS, type NamedKind } from '../../records/find-results';

/** Other names by that of the operation, as `simplify` writes them. */
const OPERATION_NAMES: Readonly<Record<string, readonly string[]>> = {
  SiteVariableAmounts: [
    'siteamount',
    'sitevariable',
    'sitespecificamount',
    'amountatsite',
    'timeserie',
    'timesery',
    'gage',
    'sitedata',
  ],
  AggregatedAmounts: ['aggregated', 'aggregate', 'aggregatedata', 'countyamount', 'areaamount', 'reportingunitamount'],
  SiteAllocationAmounts: [
    'waterright',
    'right',
    'allocation',
    'waterallocation',
    'siteallocation',
    'allocationamount',
    'permit',
  ],
  Sites: ['site', 'place', 'location'],
  ReportingUnits: ['reportingunit', 'unit', 'area'],
};

const NAMED_KIND_NAMES: Readonly<Partial<Record<NamedKind, readonly string[]>>> = {
  Site: ['place', 'location', 'gage'],
  ReportingUnit: ['area', 'unit'],
  Right: ['waterright', 'allocation', 'permit'],
  HUC8: ['watershed'],
  Use: ['beneficialuse'],
  Organization: ['agency', 'state'],
};

export function findOperation(listed: readonly Operation[], name: unknown): Operation | undefined {
  const wanted = simplify(String(name));
  return listed.find((operation) => {
    const names = [simplify(operation.name), ...(OPERATION_NAMES[operation.name] ?? [])];
    return names.includes(wanted);
  });
}

/** The kind of names; what was sent where it is none. */
export function readNamedKind(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  const wanted = simplify(name);
  return (
    NAMED_KINDS.find((kind) => simplify(kind) === wanted || NAMED_KIND_NAMES[kind]?.includes(wanted) === true) ?? name
  );
}

/** Letters and digits of a name, without the s of a plural. */
function simplify(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
}
