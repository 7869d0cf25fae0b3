// What the record builder reads from rows for the index: numbers, and each combination of texts once.

import { RowValuesReader, valuesOfRow, type RowValues, type ValuesOfRow } from '../../data-loaders/build/row-values';
import type { AllocationRow, CommonAmountRow, SiteAmountRow } from '../../data-loaders/format/amount-definitions';

/** The columns that are read. */
const right = {
  ...{ AllocationLegalStatusCV: 'Active', AllocationTypeCV: null, OwnerClassificationCV: null },
  ...{ ExemptOfVolumeFlowPriority: null, AllocationFlow_CFS: null, AllocationVolume_AF: 2.5 },
  ...{ AllocationPriorityDate: '1970-01-03', DataPublicationDate: null },
  ...{ BeneficialUseCategory: ['Mining'], PrimaryUseCategory: null },
};

function rights(...rows: readonly Partial<AllocationRow>[]): readonly CommonAmountRow[] {
  return rows.map((row) => ({ ...right, ...row }) as unknown as AllocationRow);
}

function amount(row: Partial<SiteAmountRow>): CommonAmountRow {
  const columns = {
    Amount: 0,
    ReportYearCV: null,
    DataPublicationDate: null,
    TimeframeStart: null,
    TimeframeEnd: null,
  };
  return { ...columns, BeneficialUseCategory: [], PrimaryUseCategory: null, ...row } as unknown as SiteAmountRow;
}

function allValues(read: RowValues): readonly ValuesOfRow[] {
  return Array.from({ length: read.rows }, (_, index) => valuesOfRow(read, index));
}

/** The numbers of the combinations that stand in rows of the kind alone. */
function own(read: RowValues): readonly number[] {
  return allValues(read).map((values) => values.own);
}

test('rights that differ in one vocabulary column are different combinations, each told once', () => {
  const reader = new RowValuesReader('WaterAllocations');
  const first = reader.read(rights({ AllocationTypeCV: 'Permit' }, { AllocationTypeCV: 'Permit' }, {}));
  const second = reader.read(rights({}, { AllocationTypeCV: 'Decree' }));
  expect([...own(first), ...own(second)]).toEqual([0, 0, 1, 1, 2]);
  const terms = [...first.newOwn, ...second.newOwn].map(({ terms: found }) => found.map(({ text }) => text));
  expect(terms).toEqual([
    ['legalStatus:active', 'allocationType:permit'],
    ['legalStatus:active'],
    ['legalStatus:active', 'allocationType:decree'],
  ]);
});

test('combinations of uses have the primary use, and their order and commas tell them apart', () => {
  const reader = new RowValuesReader('WaterAllocations');
  const read = reader.read(
    rights(
      ...[{}, { PrimaryUseCategory: 'Mining' }, { BeneficialUseCategory: [] }, { PrimaryUseCategory: 'Power' }],
      ...[{ BeneficialUseCategory: ['Power', 'Mining'] }, { BeneficialUseCategory: [], PrimaryUseCategory: 'a,b' }],
      ...[{ BeneficialUseCategory: ['a', 'b'] }, { BeneficialUseCategory: [], PrimaryUseCategory: '["a","b"]' }],
    ),
  );
  expect(allValues(read).map(({ uses }) => uses)).toEqual([0, 0, 1, 2, 3, 4, 5, 6]);
  expect(read.newUses).toEqual([
    ...[['Mining'], [], ['Mining', 'Power'], ['Power', 'Mining']],
    ...[['a,b'], ['a', 'b'], ['["a","b"]']],
  ]);
});

test('measures, days and timeframes come back as they were, or as missing', () => {
  const dated = { TimeframeStart: '1970-01-02', TimeframeEnd: '1970-01-01', DataPublicationDate: '1969-12-31' };
  const ofAmounts = new RowValuesReader('SiteVariableAmounts').read([amount({ ...dated, Amount: 3 }), amount({})]);
  expect(allValues(ofAmounts)).toEqual([
    {
      ...{ measures: [3], period: { first: 0, last: 1 }, publication: { first: -1, last: -1 } },
      shownDates: { first: 1, last: 0 },
      ...{ uses: 0, own: 0, isReversed: true },
    },
    {
      ...{ measures: [0], period: undefined, publication: undefined, uses: 0, own: 0, isReversed: undefined },
      shownDates: { first: undefined, last: undefined },
    },
  ]);
  const ofRights = new RowValuesReader('WaterAllocations').read(rights({}, { AllocationFlow_CFS: 1 }));
  expect(allValues(ofRights).map(({ measures }) => measures)).toEqual([
    [null, 2.5],
    [1, 2.5],
  ]);
});

test('years of amounts are numbered as they come first, no year among them', () => {
  const reader = new RowValuesReader('AggregatedAmounts');
  const rows = [{ ReportYearCV: '2001' }, {}, { ReportYearCV: 'null' }, { ReportYearCV: '2001' }].map(amount);
  const read = reader.read(rows);
  expect(own(read)).toEqual([0, 1, 2, 0]);
  expect(read.newOwn.map(({ reportYear }) => reportYear)).toEqual(['2001', null, 'null']);
});
