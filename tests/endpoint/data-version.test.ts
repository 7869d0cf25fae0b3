// The data version (D33), and what changed since a previous one (D37).

import fc from 'fast-check';
import { withdraw } from '../../data-loaders/manage-releases';
import { aggregatedAmount, allocation, buildLookups, findRecordNames, listRecords, paths } from '../fixtures/handmade';
import { siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

describe('changes since a previous version', () => {
  const service = createTestService();

  /** Amounts, keyed by report year, the only part of their keys that differs. */
  type Amounts = ReadonlyMap<number, number>;

  const createSubmission = (amounts: Amounts, OrganizationUUID = 'ORG_1'): Submission => ({
    ...buildLookups({ OrganizationUUID }),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'aggregatedamounts.csv': [...amounts].map(([ReportYearCV, Amount]) =>
      aggregatedAmount({ OrganizationUUID, Amount, ReportYearCV, TimeframeStart: `${ReportYearCV}-01-01` }),
    ),
  });

  const amountsByYear = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 2000, max: 2009 }), fc.integer({ min: 1, max: 3 })), {
      selector: ([year]) => year,
      minLength: 1,
    })
    .map((pairs) => new Map(pairs));

  /** The data version in current answers. */
  async function versionNow(): Promise<string> {
    return (await service.get(paths.aggregated)).headers['Data-Version'] ?? '';
  }

  async function fetchAmounts(query: string): Promise<Amounts> {
    const records = listRecords(await service.get(`${paths.aggregated}?${query}`), 'AggregatedAmounts');
    return new Map(records.map((record) => [Number(record['ReportYear']), Number(record['Amount'])]));
  }

  async function removedYears(query: string): Promise<readonly number[]> {
    const { json } = await service.get(`${paths.aggregated}/Removed?${query}`);
    const removed = json.Removed as readonly { readonly Key: { readonly ReportYear: string } }[];
    expect(removed).toHaveLength(json.TotalRemovedCount);
    return removed.map(({ Key }) => Number(Key.ReportYear));
  }

  test('applying the removals and changes to the previous records gives the current records', async () => {
    await fc.assert(
      fc.asyncProperty(amountsByYear, amountsByYear, async (before, after) => {
        await service.load(createSubmission(before));
        const earlierVersion = await versionNow();
        await service.load(createSubmission(after));
        const later = await versionNow();
        const changed = await fetchAmounts(`ChangedSince=${earlierVersion}`);
        const removed = await removedYears(`Since=${earlierVersion}`);
        expect(changed).toEqual(new Map([...after].filter(([year, amount]) => before.get(year) !== amount)));
        expect(removed).toEqual([...before.keys()].filter((year) => !after.has(year)).sort());
        const kept = [...before].filter(([year]) => !removed.includes(year));
        expect(new Map([...kept, ...changed])).toEqual(after);
        // The other direction, from the later version back to the earlier version: the request states both.
        expect(await fetchAmounts(`ChangedSince=${later}&DataVersion=${earlierVersion}`)).toEqual(
          new Map([...before].filter(([year, amount]) => after.get(year) !== amount)),
        );
        expect(await removedYears(`Since=${later}&DataVersion=${earlierVersion}`)).toEqual(
          [...after.keys()].filter((year) => !before.has(year)).sort(),
        );
      }),
      { numRuns: 6 },
    );
  });

  test('work with other filters, pages, totals, CSV and conditional requests', async () => {
    await service.load(createSubmission(new Map([1, 2, 3, 4].map((number) => [2000 + number, number]))));
    const earlierVersion = await versionNow();
    await service.load(createSubmission(new Map([1, 20, 30, 40].map((amount, index) => [2001 + index, amount]))));
    const query = `${paths.aggregated}?ChangedSince=${earlierVersion}&StartDate=2003-01-01`;
    expect(await findRecordNames(service, query)).toEqual([30, 40]);
    const page = await service.get(`${query}&StartIndex=1&RecordCount=1`);
    expect(page.json.TotalAggregatedAmountsCount).toBe(2);
    expect(page.headers['Link']).toContain(`ChangedSince=${earlierVersion}`);
    expect((await service.get(`${query}&format=csv`)).text.trim().split('\r\n')).toHaveLength(3);
    const again = { 'If-None-Match': page.headers['ETag'] ?? '' };
    expect((await service.getWith(`${query}&StartIndex=1&RecordCount=1`, again)).status).toBe(304);
    const totals = await service.get(`${paths.aggregated}/Totals?ChangedSince=${earlierVersion}`);
    expect(totals.json.Totals).toMatchObject([{ RecordsCount: 3, Sum: 90 }]);
    const facets = await service.get(`${paths.aggregated}/Facets?ChangedSince=${earlierVersion}&Facet=VariableCV`);
    expect(facets.json).toMatchObject({ TotalCount: 3, Facets: [{ Values: [{ Count: 3 }] }] });
  });

  test('all records of a new data set are changes, and an unchanged data set has none', async () => {
    await service.load(createSubmission(new Map([[2001, 1]])));
    const earlierVersion = await versionNow();
    await service.load(createSubmission(new Map([[2001, 7]]), 'ORG_2'));
    const query = `${paths.aggregated}?ChangedSince=${earlierVersion}`;
    expect(await findRecordNames(service, query)).toEqual([7]);
    expect(await findRecordNames(service, `${query}&OrganizationUUID=ORG_1`)).toEqual([]);
    expect(await removedYears(`Since=${earlierVersion}`)).toEqual([]);
    await withdraw(service.store, { organizationUuid: 'ORG_2', dataSet: 'AggregatedAmounts' }, TEST_NOW.toISOString());
  });

  test('all records of a withdrawn data set are removed, in pages', async () => {
    await service.load(createSubmission(new Map([2001, 2002, 2003].map((year) => [year, 1])), 'ORG_3'));
    const earlierVersion = await versionNow();
    await withdraw(service.store, { organizationUuid: 'ORG_3', dataSet: 'AggregatedAmounts' }, TEST_NOW.toISOString());
    expect(await removedYears(`Since=${earlierVersion}`)).toEqual([2001, 2002, 2003]);
    expect(await removedYears(`Since=${earlierVersion}&OrganizationUUID=org_1`)).toEqual([]);
    const { json, headers } = await service.get(
      `${paths.aggregated}/Removed?Since=${earlierVersion}&StartIndex=1&RecordCount=1`,
    );
    expect(json).toEqual({
      TotalRemovedCount: 3,
      Removed: [
        {
          OrganizationUUID: 'ORG_3',
          Key: {
            ReportingUnitUUID: 'RU1',
            VariableSpecificUUID: 'V1',
            TimeframeStart: '2002-01-01T00:00:00',
            TimeframeEnd: null,
            ReportYear: '2002',
            WaterSourceUUID: null,
            MethodUUID: 'M1',
            PrimaryUseCategoryCV: null,
            BeneficialUseCategoryCV: [],
            AllocationCommunityWaterSupplySystem: null,
          },
        },
      ],
    });
    expect(headers).toMatchObject({ 'X-Total-Count': '3', 'X-Record-Count': '1' });
    expect(headers['Link']).toMatch(/Removed\?Since=[0-9a-f]{32}&StartIndex=2&RecordCount=1.*rel="next"/);
  });

  test('a removed right is listed with both of its identifiers', async () => {
    const rights = (names: readonly string[]): Submission => ({
      ...buildLookups(),
      'sites.csv': [{ SiteUUID: 'S1' }],
      'waterallocations.csv': names.map((AllocationNativeID) => allocation({ AllocationNativeID, SiteUUID: 'S1' })),
    });
    await service.load(rights(['A', 'B']));
    const earlierVersion = await versionNow();
    await service.load(rights(['B', 'C']));
    expect(await findRecordNames(service, `${paths.allocations}?ChangedSince=${earlierVersion}`)).toEqual(['C']);
    const { json } = await service.get(`${paths.allocations}/Removed?Since=${earlierVersion}`);
    expect(json.Removed).toMatchObject([{ Key: { AllocationUUID: null, AllocationNativeID: 'A' } }]);
  });

  test('a change in a lookup alone does not count as a change of any record', async () => {
    await service.load(siteAmountsSubmission);
    const earlierVersion = await versionNow();
    const [organization = {}] = siteAmountsSubmission['organizations.csv'] ?? [];
    const renamed = [{ ...organization, OrganizationName: 'Another name' }];
    await service.load({ ...siteAmountsSubmission, 'organizations.csv': renamed });
    expect(await versionNow()).not.toBe(earlierVersion);
    expect(await findRecordNames(service, `${paths.site}?ChangedSince=${earlierVersion}`)).toEqual([]);
  });

  describe('refuses', () => {
    const unknown = 'f'.repeat(32);

    test.each<[string, string, string]>([
      [`${paths.aggregated}?DataVersion=${'f'.repeat(31)}`, 'DataVersion', 'must be a data version'],
      [`${paths.aggregated}?DataVersion=${'f'.repeat(33)}`, 'DataVersion', 'must be a data version'],
      [`${paths.aggregated}?ChangedSince=yesterday`, 'ChangedSince', 'must be a data version'],
      [`${paths.aggregated}?ChangedSince=${unknown}&ChangedSince=${unknown}`, 'ChangedSince', 'only once'],
      [`${paths.aggregated}/Removed`, 'Since', 'is required'],
      [`${paths.aggregated}/Removed?Since=+`, 'Since', 'is required'],
      [`${paths.aggregated}/Removed?Since=x`, 'Since', 'must be a data version'],
      [`${paths.aggregated}/Removed?Since=${unknown}&State=UT`, 'State', 'is not a parameter'],
    ])('%s', async (path, parameter, message) => {
      const { status, json } = await service.get(path);
      expect(status).toBe(400);
      expect(json.errors).toMatchObject([{ parameter, message: expect.stringContaining(message) as unknown }]);
    });

    test.each([`${paths.aggregated}?ChangedSince=${unknown}`, `${paths.site}/Removed?Since=${unknown}`])(
      'a version that no longer exists: %s',
      async (path) => {
        const { status, json } = await service.get(path);
        expect([status, json.title]).toEqual([410, 'Data version no longer held']);
      },
    );
  });
});
