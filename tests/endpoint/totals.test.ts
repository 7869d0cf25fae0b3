// GET <operation>/Totals (D38).

import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createLoadedService, createTestService } from '../fixtures/test-service';

const seriesService = createTestService();

const site = { SiteUUID: 'S1', County: 'Cache', HUC8: '16010202' };

const amounts: readonly Row[] = [
  // Periods of 366 days in a leap year, of 365 days across New Year, and of one day more than a year.
  { Amount: 10, TimeframeStart: '2000-01-01', TimeframeEnd: '2000-12-31', BeneficialUseCategory: 'Irrigation,Mining' },
  { Amount: 20, TimeframeStart: '2000-10-01', TimeframeEnd: '2001-09-30', BeneficialUseCategory: 'irrigation' },
  { Amount: 40, TimeframeStart: '2001-01-01', TimeframeEnd: '2002-01-02' },
  { Amount: 0.1, TimeframeStart: '2001-10-01', TimeframeEnd: '2001-10-31', SiteUUID: 'S2' },
  { Amount: 0.2, TimeframeStart: '2001-10-31', TimeframeEnd: '2001-11-01', SiteUUID: 'S2' },
  { Amount: 5, VariableSpecificUUID: 'V2', SiteUUID: 'S2' },
];

const service = createLoadedService({
  ...buildLookups(),
  'variables.csv': [
    { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Withdrawal', VariableCV: 'Withdrawal', AmountUnitCV: 'AF' },
    { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Withdrawal', VariableCV: 'Withdrawal', AmountUnitCV: 'CFS' },
  ],
  'sites.csv': [site, { SiteUUID: 'S2', County: 'cache county', HUC12: '160102' }, { SiteUUID: 'S3', StateCV: 'CO' }],
  'sitespecificamounts.csv': amounts.map(siteAmount),
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', StateCV: 'CO' }],
  'aggregatedamounts.csv': [aggregatedAmount({ ReportYearCV: '2000' })],
  'waterallocations.csv': [
    allocation({
      AllocationNativeID: '1',
      SiteUUID: 'S1,S3',
      AllocationPriorityDate: '1879-12-31',
      AllocationFlow_CFS: 1.5,
    }),
    allocation({ AllocationNativeID: '2', SiteUUID: 'S1', AllocationPriorityDate: '1870-01-01' }),
    allocation({ AllocationNativeID: '3' }),
  ],
});

test('a row has its groups, then the variable, then the sums', async () => {
  const { text } = await service.get(`${paths.site}/Totals?GroupBy=County&GroupBy=SiteUUID&EndDate=2001-09-30`);
  expect(text).toBe(
    '{"TotalGroupsCount":1,"GroupsOverlap":false,"Totals":[{"County":"Cache","SiteUUID":"S1",' +
      '"VariableSpecificTypeCV":"Withdrawal","VariableCV":"Withdrawal","AmountUnitCV":"AF",' +
      '"AggregationStatisticCV":null,"AggregationInterval":null,"AggregationIntervalUnitCV":null,' +
      '"RecordsCount":2,"AmountsCount":2,"Sum":30,"Mean":15,"Minimum":10,"Maximum":20,"LargestAmountShare":0.666667,' +
      '"FirstDay":"2000-01-01","LastDay":"2001-09-30","PlacesCount":1}]}',
  );
});

test('CSV has the same rows with the same members', async () => {
  const { text, headers } = await service.get(`${paths.allocations}/Totals?GroupBy=PriorityDecade&format=csv`);
  expect(text).toBe(
    [
      'PriorityDecade,RecordsCount,FlowCount,FlowSum,VolumeCount,VolumeSum,FirstPriorityDate,LastPriorityDate,SitesCount',
      ',1,0,,0,,,,0',
      '1870,2,1,1.5,0,,1870-01-01,1879-12-31,2',
      '',
    ].join('\r\n'),
  );
  expect(headers['Content-Type']).toContain('text/csv');
  expect(headers['Content-Disposition']).toBe('attachment; filename="SiteAllocationAmountsTotals.csv"');
});

test.each([
  ['GroupBy=Decade', 'must be Year, WaterYear, Month, ReportYear,'],
  ['GroupBy=Year&GroupBy=year', 'may have each name only once: Year, WaterYear,'],
  ['GroupBy=Year&GroupBy=Month&GroupBy=County&GroupBy=State', 'may be sent at most 3 times'],
])('refuses %s and lists the names', async (query, message) => {
  const { status, json } = await service.get(`${paths.site}/Totals?${query}`);
  expect(status).toBe(400);
  expect(json.errors).toHaveLength(1);
  expect(json.errors[0].parameter).toBe('GroupBy');
  expect(json.errors[0].message).toContain(message);
});

test('refuses groups by identifiers of rights, together with an unknown parameter', async () => {
  const { json } = await service.get(`${paths.allocations}/Totals?GroupBy=AllocationUUID&Groupby=&Sate=UT`);
  expect(json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual(['GroupBy', 'Sate']);
});

test('a sum beyond the largest double is null in JSON and empty in CSV, next to its count', async () => {
  const most = Number.MAX_VALUE;
  const createAmounts = (VariableSpecificUUID: string, values: readonly number[]): readonly Row[] =>
    values.map((Amount, year) => siteAmount({ VariableSpecificUUID, ReportYearCV: `${2000 + year}`, Amount }));
  const names = ['Least', 'There and back', 'Too large'];
  const report = await seriesService.load({
    ...buildLookups(),
    'variables.csv': names.map((name, index) => ({
      VariableSpecificUUID: `V${index + 1}`,
      VariableSpecificCV: name,
      VariableCV: name,
    })),
    'sites.csv': [site],
    'sitespecificamounts.csv': [
      ...createAmounts('V1', [-most]),
      ...createAmounts('V2', [1.7e308, 1.7e308, -1.7e308]),
      ...createAmounts('V3', [most, most]),
    ],
  });
  expect(report.files.find(({ file }) => file === 'sitespecificamounts.csv')).toMatchObject({ warned: 6 });
  const { json } = await seriesService.get(`${paths.site}/Totals`);
  expect(json.Totals.map((row: Row) => [row['AmountsCount'], row['Sum'], row['Mean'], row['Maximum']])).toEqual([
    [1, -most, -most, -most],
    [3, 1.7e308, 5.66666666666667e307, 1.7e308],
    [2, null, most, most],
  ]);
  const { text } = await seriesService.get(`${paths.site}/Totals?VariableCV=Too+large&format=csv`);
  expect(text.split('\r\n')[1]).toBe(
    'Too large,Too large,,,,,2,2,,' + `${most},${most},${most},,2000-01-01,2001-12-31,1`,
  );
});

describe('each record counts once', () => {
  const once = createLoadedService({
    ...buildLookups(),
    'sites.csv': [
      { SiteUUID: 'S1', County: 'Cache' },
      { SiteUUID: 'S2', County: 'Rich' },
      { SiteUUID: 'S3', County: 'Cache County' },
    ],
    'waterallocations.csv': [
      { AllocationNativeID: 'one', BeneficialUseCategory: 'Irrigation', SiteUUID: 'S1' },
      { AllocationNativeID: 'several', BeneficialUseCategory: 'Irrigation,Mining', SiteUUID: 'S1,S2' },
      {
        AllocationNativeID: 'primary',
        BeneficialUseCategory: 'Irrigation,Mining',
        PrimaryUseCategory: 'Mining',
        SiteUUID: 'S1,S3',
      },
      { AllocationNativeID: 'other primary', BeneficialUseCategory: 'Mining', PrimaryUseCategory: 'Irrigation' },
      { AllocationNativeID: 'no primary', BeneficialUseCategory: 'Irrigation', PrimaryUseCategory: 'Unspecified' },
    ].map((row) => allocation({ AllocationFlow_CFS: 1, ...row })),
  });

  test.each([
    [
      'UseCategoryCV',
      [
        ['(several)', 1],
        ['Irrigation', 3],
        ['Mining', 1],
      ],
    ],
    [
      'BeneficialUseCV',
      [
        ['(several)', 1],
        ['Irrigation', 3],
        ['Mining', 1],
      ],
    ],
    [
      'County',
      [
        [null, 2],
        ['(several)', 1],
        ['Cache', 2],
      ],
    ],
  ] as const)('in one group of %s: the group of its primary use, otherwise "(several)"', async (name, expected) => {
    const { json } = await once.get(`${paths.allocations}/Totals?GroupBy=${name}&CountOnce=true`);
    const rows = json.Totals.map((row: Record<string, unknown>) => [row[name], row['RecordsCount']]);
    expect(rows).toEqual(expected);
    expect(json.GroupsOverlap).toBe(false);
    const sum = json.Totals.reduce((all: number, row: { FlowSum: number }) => all + row.FlowSum, 0);
    expect(sum).toBe(5);
  });

  test('only if the parameter requests it', async () => {
    const { json } = await once.get(`${paths.allocations}/Totals?GroupBy=UseCategoryCV&CountOnce=false`);
    expect(json.GroupsOverlap).toBe(true);
    expect(json.Totals.map((row: Record<string, unknown>) => row['RecordsCount'])).toEqual([5, 3]);
    const { status } = await once.get(`${paths.allocations}/Totals?CountOnce=yes`);
    expect(status).toBe(400);
  });
});

describe('totals of reporting units of several types', () => {
  const units = createLoadedService({
    ...buildLookups(),
    'reportingunits.csv': [
      { ReportingUnitUUID: 'C1', ReportingUnitTypeCV: 'County', StateCV: 'UT' },
      { ReportingUnitUUID: 'H1', ReportingUnitTypeCV: 'HUC8 ñ', StateCV: 'UT' },
      { ReportingUnitUUID: 'C2', ReportingUnitTypeCV: 'county', StateCV: 'CO' },
    ],
    'aggregatedamounts.csv': ['C1', 'H1', 'C2'].map((ReportingUnitUUID) => aggregatedAmount({ ReportingUnitUUID })),
  });

  test.each([
    ['', true],
    ['?GroupBy=State', true],
    ['?GroupBy=ReportingUnitTypeCV', false],
    ['?GroupBy=ReportingUnitUUID', false],
    ['?State=CO', false],
    ['?ReportingUnitTypeCV=County', false],
    ['?VariableCV=none', false],
  ])('/Totals%s has a hint that several types are added up: %s', async (query, isSaid) => {
    const { headers } = await units.get(`${paths.aggregated}/Totals${query}`);
    const hint = headers['Query-Hint'] ?? '';
    expect(hint.includes('different types (County, HUC8 %C3%B1)')).toBe(isSaid);
  });
});
