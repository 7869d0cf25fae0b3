// How the record of each kind is written, from its row and what it repeats of its lookups.

import type { DataSetKind } from '../../../shared/records/data-sets';
import type { CommonAmountRow } from '../../format/amount-definitions';
import { writeAggregatedAmount } from './aggregated-amount';
import type { RepeatedLookups } from './repeated-lookups';
import { writeSiteVariableAmount } from './site-variable-amount';
import { writeWaterAllocation } from './water-allocation';

interface RecordWriter {
  /** The record's JSON text; a method, so that one table can hold the writers of all kinds, each for rows of its own file. */
  write(row: CommonAmountRow, lookups: RepeatedLookups): string;
}

export const recordWriters: Readonly<Record<DataSetKind, RecordWriter>> = {
  SiteVariableAmounts: { write: writeSiteVariableAmount },
  AggregatedAmounts: { write: writeAggregatedAmount },
  WaterAllocations: { write: writeWaterAllocation },
};
