// Rows go to the maker in batches that neither many nor long rows make too large.

import { RecordLine } from '../../data-loaders/publish/record-line';
import type { RepeatedLookups } from '../../data-loaders/records/repeated-lookups';

const organization = {
  ...{ OrganizationUUID: 'O1', OrganizationName: 'Office', OrganizationPurview: null, OrganizationWebsite: null },
  ...{ OrganizationPhoneNumber: null, OrganizationContactName: null, OrganizationContactEmail: null },
  ...{ OrganizationState: 'UT', State: 'Utah', OrganizationDataMappingURL: null },
};
const variable = {
  ...{ VariableSpecificUUID: 'V1', VariableSpecificCV: 'Discharge', VariableCV: 'Discharge' },
  ...{ AggregationStatisticCV: null, AggregationInterval: null, AggregationIntervalUnitCV: null },
  ...{ ReportYearStartMonth: null, ReportYearTypeCV: null, AmountUnitCV: 'CFS', MaximumAmountUnitCV: null },
};
const lookups: RepeatedLookups = { places: [{ id: 'S1' }], variable, waterSource: undefined };
const row = JSON.stringify(['S1', 'O1', 'V1', null, 'M1', '2001-01-01', '2001-12-31', 1, '2001', []]);

/** How many rows, of so long sources, there are in a batch. */
function rowsInBatch(source: string): number {
  const line = RecordLine.start<number>({ kind: 'SiteVariableAmounts', organization }, 1_000, {
    record: () => undefined,
    sourcePiece: () => undefined,
  });
  let rows = 0;
  while (!line.isBatchFull) {
    line.add(row, source, lookups, rows);
    rows++;
  }
  return rows;
}

test('a batch of usual rows has 250', () => {
  expect(rowsInBatch('S1,V1,1')).toBe(250);
});

test('a batch of long rows has few: texts of some hundred megabytes cannot be joined', () => {
  expect(rowsInBatch('x'.repeat(300_000))).toBe(4);
  expect(rowsInBatch('x'.repeat(16_000_000))).toBe(1);
});

test('records of long rows come in their order, one batch after the other', async () => {
  const seen: string[] = [];
  const line = RecordLine.start<number>({ kind: 'SiteVariableAmounts', organization }, 1_000, {
    record: ({ json }, ahead) => seen.push(`${ahead} ${Buffer.from(json).toString().includes('"S1"')}`),
    sourcePiece: () => undefined,
  });
  for (let number = 0; number < 7; number++) {
    line.add(row, 'x'.repeat(number % 2 === 0 ? 5_000_000 : 10), lookups, number);
    if (line.isBatchFull) await line.pass();
  }
  await line.finish(() => new Uint8Array());
  await line.close();
  expect(seen).toEqual(Array.from({ length: 7 }, (_, number) => `${number} true`));
});
