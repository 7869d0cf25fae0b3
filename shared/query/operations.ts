// All operations, in the order of the specification.

import { aggregatedAmounts } from './aggregated-amounts';
import type { Operation } from './operation';
import { siteAllocationAmounts } from './site-allocation-amounts';
import { siteVariableAmounts } from './site-variable-amounts';

export const operations: readonly Operation[] = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts];
