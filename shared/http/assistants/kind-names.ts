// Names that people and models use for kinds of records and kinds of named things (D72). Letter case, spaces, hyphens
// and underscores are ignored.

import type { Operation } from '../../query/operations';
import { NAMED_KINDS, type NamedKind } from '../../records/find-results';

/** Other names, keyed by operation name, as `simplify` writes them. */
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

/** Returns the kind that a name stands for, or the value as sent if the name is unknown. */
export function readNamedKind(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  const wanted = simplify(name);
  return (
    NAMED_KINDS.find((kind) => simplify(kind) === wanted || NAMED_KIND_NAMES[kind]?.includes(wanted) === true) ?? name
  );
}

/** Reduces a name to its letters and digits, without a plural s. */
function simplify(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
}
