// What the record builder reads from rows for the index: numbers, and each combination of texts once.

import { RowValuesReader, valuesOfRow } from '../../data-loaders/build/index/row-values';
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

test('rights that differ in one vocabulary column are different combinations, each told once', () => {
  const reader = new RowValuesReader('WaterAllocations');
  const first = reader.read(rights({ AllocationTypeCV: 'Permit' }, { AllocationTypeCV: 'Permit' }, {}));
  const second = reader.read(rights({}, { AllocationTypeCV: 'Decree' }));
  expect([...first.own, ...second.own]).toEqual([0, 0, 1, 1, 2]);
  const terms = [...first.newOwn, ...second.newOwn].map((own) => own.terms.map(({ text }) => text));
  expect(terms).toEqual([
    ['legalStatus:active', 'allocationType:permit'],
    ['legalStatus:active'],
    ['legalStatus:active', 'allocationType:decree'],
  ]);
});

test('combinations of uses have the primary use, and their order and commas tell them apart', () => {
  const reader = new RowValuesReader('WaterAllocations');
  const { uses, newUses } = reader.read(
    rights(
      ...[{}, { PrimaryUseCategory: 'Mining' }, { BeneficialUseCategory: [] }, { PrimaryUseCategory: 'Power' }],
      ...[{ BeneficialUseCategory: ['Power', 'Mining'] }, { BeneficialUseCategory: [], PrimaryUseCategory: 'a,b' }],
      ...[{ BeneficialUseCategory: ['a', 'b'] }, { BeneficialUseCategory: [], PrimaryUseCategory: '["a","b"]' }],
    ),
  );
  expect([...uses]).toEqual([0, 0, 1, 2, 3, 4, 5, 6]);
  expect(newUses).toEqual([
    ...[['Mining'], [], ['Mining', 'Power'], ['Power', 'Mining']],
    ...[['a,b'], ['a', 'b'], ['["a","b"]']],
  ]);
});

test('measures, days and timeframes come back as they were, or as missing', () => {
  const dated = { TimeframeStart: '1970-01-02', TimeframeEnd: '1970-01-01', DataPublicationDate: '1969-12-31' };
  const ofAmounts = new RowValuesReader('SiteVariableAmounts').read([amount({ ...dated, Amount: 3 }), amount({})]);
  expect([0, 1].map((index) => valuesOfRow(ofAmounts, index))).toEqual([
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
  expect([0, 1].map((index) => valuesOfRow(ofRights, index).measures)).toEqual([
    [null, 2.5],
    [1, 2.5],
  ]);
});

test('years of amounts are numbered as they come first, no year among them', () => {
  const reader = new RowValuesReader('AggregatedAmounts');
  const rows = [{ ReportYearCV: '2001' }, {}, { ReportYearCV: 'null' }, { ReportYearCV: '2001' }].map(amount);
  const { own, newOwn } = reader.read(rows);
  expect([...own]).toEqual([0, 1, 2, 0]);
  expect(newOwn.map(({ reportYear }) => reportYear)).toEqual(['2001', null, 'null']);
});
