// The recipes of all kinds, in the order in which their files are read.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { aggregatedAmountRecipe } from './aggregated-amount';
import { anyRecipe, type AmountRecipe } from './recipe';
import { siteVariableAmountRecipe } from './site-variable-amount';
import { waterAllocationRecipe } from './water-allocation';

export const recipes: Readonly<Record<DataSetKind, AmountRecipe>> = {
  SiteVariableAmounts: anyRecipe(siteVariableAmountRecipe),
  AggregatedAmounts: anyRecipe(aggregatedAmountRecipe),
  WaterAllocations: anyRecipe(waterAllocationRecipe),
};
