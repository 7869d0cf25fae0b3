// The order of records and organizations: D17, and OrderBy (D36).

import fc from 'fast-check';
import type { DataSetKind } from '../../shared/records/data-sets';
import {
  aggregatedAmount,
  allocation,
  buildLookups,
  findRecordNames,
  listRecords,
  paths,
  siteAmount,
} from '../fixtures/handmade';
import { callTool, connectAssistant } from '../fixtures/mcp-client';
import { plainFold } from '../fixtures/plain-cells';
import type { Row } from '../fixtures/submission';
import { createLoadedService, createTestService } from '../fixtures/test-service';

describe('without OrderBy', () => {
  const variables = ['V1', 'V2'].map((id) => ({
    VariableSpecificUUID: id,
    VariableSpecificCV: 'Withdrawal',
    VariableCV: 'Withdrawal',
  }));

  // Amounts are numbered in the order that the answer must have; the rows are loaded in reverse.
  const start = '2001-01-01';
  const end = '2001-12-31';
  const series = [
    { Amount: 1 },
    { Amount: 2, ReportYearCV: '1999' },
    { Amount: 3, TimeframeEnd: end },
    { Amount: 4, TimeframeStart: '2000-01-01', TimeframeEnd: end, ReportYearCV: '2009' },
    { Amount: 5, TimeframeStart: start },
    { Amount: 6, TimeframeStart: start, TimeframeEnd: end },
    { Amount: 7, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2000' },
    { Amount: 8, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2001' },
    { Amount: 9, TimeframeStart: start, TimeframeEnd: end, ReportYearCV: '2001', WaterSourceUUID: 'WS1' },
    { Amount: 10, VariableSpecificUUID: 'V2' },
  ];

  const service = createLoadedService(
    {
      ...buildLookups(),
      'variables.csv': variables,
      'sites.csv': ['S1', 'S', 's1', 'S10', 'S\u{1F4A7}', 'S\uFF01'].map((SiteUUID) => ({ SiteUUID })),
      'sitespecificamounts.csv': [
        ...['S', 'S1', 'S10', 'S\uFF01', 'S\u{1F4A7}', 's1']
          .flatMap((SiteUUID, place) => (SiteUUID === 'S1' ? [] : [siteAmount({ SiteUUID, Amount: 100 * place })]))
          .reverse(),
        ...series.map(siteAmount).reverse(),
      ],
      'reportingunits.csv': ['RU1', 'RU0', 'ru'].map((ReportingUnitUUID) => ({ ReportingUnitUUID })),
      'aggregatedamounts.csv': [
        aggregatedAmount({ ReportingUnitUUID: 'ru', Amount: 100 }),
        aggregatedAmount({ ReportingUnitUUID: 'RU0', Amount: 0 }),
        ...series.map(aggregatedAmount).reverse(),
      ],
      'waterallocations.csv': ['b', '10', 'a', 'B', '9', '\u00e9'].map((id) => allocation({ AllocationNativeID: id })),
    },
    // This organization is loaded later and sorts first; its allocations are ordered by their UUIDs.
    {
      ...buildLookups({ OrganizationUUID: 'ORG_0' }),
      'waterallocations.csv': [
        allocation({ OrganizationUUID: 'ORG_0', AllocationUUID: 'U2', AllocationNativeID: 'x' }),
        allocation({ OrganizationUUID: 'ORG_0', AllocationUUID: 'U1', AllocationNativeID: 'y' }),
      ],
    },
  );

  test('sorts site amounts by site, variable, start, end and report year, missing values first', async () => {
    const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 200, 300, 400, 500];
    expect(await findRecordNames(service, paths.site)).toEqual(expected);
  });

  test('sorts aggregated amounts by reporting unit, variable, start, end and report year, missing first', async () => {
    expect(await findRecordNames(service, paths.aggregated)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100]);
  });

  test('sorts allocations by organization, then by identifier', async () => {
    expect(await findRecordNames(service, paths.allocations)).toEqual(['y', 'x', '10', '9', 'B', 'a', 'b', '\u00e9']);
  });
});

describe('OrderBy', () => {
  const service = createTestService();

  const ORGANIZATIONS = ['ORG_1', 'ORG_2'];
  const SITES = ['S1', 'S2', 'S3'];
  const ROWS = 120;
  /** The first two fold alike; the last two differ in the order of UTF-16 and of bytes. */
  const OWNERS = ['Bear River Co.', 'BEAR  RIVER CO.', 'alder', 'Zion Ditch', '\uFF5Ea', '\u{1F600}'];

  /**
   * Few different values for many ties; some are missing, negative, or reversed (D7). The first has no dates at all.
   */
  function rowOf(index: number): { readonly TimeframeStart?: string } & Row {
    const year = 1990 + ((index * 7) % 5);
    const [start, end] = index % 11 === 0 ? [`${year}-12-31`, `${year}-01-01`] : [`${year}-01-01`, `${year}-12-31`];
    return {
      Amount: ((index * 13) % 17) / 4 - 1,
      ...(index % 7 === 0 ? {} : { TimeframeStart: start, TimeframeEnd: end }),
      ...(index === 0 ? {} : { ReportYearCV: String(1900 + index) }),
    };
  }

  beforeAll(async () => {
    for (const OrganizationUUID of ORGANIZATIONS) {
      const rows = Array.from({ length: ROWS }, (_, index) => ({ OrganizationUUID, ...rowOf(index) }));
      await service.load({
        ...buildLookups({ OrganizationUUID }),
        'sites.csv': SITES.map((SiteUUID) => ({ SiteUUID })),
        'sitespecificamounts.csv': rows.map((row, index) => siteAmount({ ...row, SiteUUID: SITES[index % 3] ?? '' })),
        'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
        'aggregatedamounts.csv': rows.map(aggregatedAmount),
        'waterallocations.csv': rows.map((row, index) => {
          const { TimeframeStart: AllocationPriorityDate = '' } = row;
          const owned = index % 6 === 0 ? {} : { AllocationOwner: OWNERS[index % OWNERS.length] ?? '' };
          const numbers =
            index % 7 === 0 ? {} : { AllocationFlow_CFS: index % 17, AllocationVolume_AF: (index * 5) % 19 };
          const dated = { AllocationNativeID: `N${index}`, AllocationPriorityDate };
          return allocation({ OrganizationUUID, ...dated, ...numbers, ...owned });
        }),
      });
    }
  });

  type ReadRecord = Readonly<Record<string, unknown>>;

  /**
   * What a record is ordered by: the effective start of a reversed timeframe is its end, without one its year's (D7).
   * Owners are folded, and compared by their bytes (D61).
   */
  function keyOf(name: string, record: ReadRecord): string | number | null {
    const start = record['TimeframeStart'];
    const end = record['TimeframeEnd'];
    const isReversed = typeof start === 'string' && typeof end === 'string' && end < start;
    const year = record['ReportYear'];
    const reported = typeof year === 'string' ? `${year}-01-01` : null;
    const effective = isReversed ? end : (start ?? reported);
    const effectiveEnd = isReversed ? start : (end ?? (typeof year === 'string' ? `${year}-12-31` : null));
    const effectives: Readonly<Record<string, unknown>> = { TimeframeStart: effective, TimeframeEnd: effectiveEnd };
    const value = name in effectives ? effectives[name] : record[name];
    if (name === 'AllocationOwner') {
      return typeof value === 'string' ? Buffer.from(plainFold(value)).toString('latin1') : null;
    }
    // Some operations answer dates with a time of midnight.
    return typeof value === 'string' ? value.slice(0, 10) : ((value as number | null | undefined) ?? null);
  }

  function sorted(records: readonly ReadRecord[], name: string, sign: number): readonly ReadRecord[] {
    return records.toSorted((one, other) => {
      const a = keyOf(name, one);
      const b = keyOf(name, other);
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a === b ? 0 : sign * (a < b ? -1 : 1);
    });
  }

  async function ask(query: string, kind: DataSetKind): Promise<readonly (readonly ReadRecord[])[]> {
    const answer = await service.get(query);
    expect([query, answer.status]).toEqual([query, 200]);
    const { Organizations } = answer.json as { readonly Organizations: readonly unknown[] };
    return Organizations.map((organization) =>
      listRecords({ ...answer, json: { Organizations: [organization] } }, kind),
    );
  }

  const orders = [
    ...(['TimeframeStart', 'TimeframeEnd', 'Amount'] as const).flatMap((name) => [
      { path: paths.site, kind: 'SiteVariableAmounts' as const, name },
      { path: paths.aggregated, kind: 'AggregatedAmounts' as const, name },
    ]),
    ...(['AllocationPriorityDate', 'AllocationFlow_CFS', 'AllocationVolume_AF', 'AllocationOwner'] as const).map(
      (name) => ({ path: paths.allocations, kind: 'WaterAllocations' as const, name }),
    ),
  ];

  describe.each(orders)('$path by $name', ({ path, kind, name }) => {
    test.each([
      ['ascending', '', 1],
      ['descending', '-', -1],
    ])('%s, organization by organization', async (_, hyphen, sign) => {
      const plain = await ask(path, kind);
      expect(plain.map((records) => records.length)).toEqual([ROWS, ROWS]);
      const expected = plain.map((records) => sorted(records, name, sign));
      expect(await ask(`${path}?OrderBy=${hyphen}${name}`, kind)).toEqual(expected);
      const dated = plain.map((records) => records.filter((record) => keyOf('TimeframeStart', record) !== null));
      if (kind !== 'WaterAllocations')
        expect(await ask(`${path}?orderby=${hyphen}${name.toUpperCase()}&StartDate=1900-01-01`, kind)).toEqual(
          dated.map((records) => sorted(records, name, sign)),
        );
    });

    test('pages tile the ordered answer, in every format', async () => {
      const whole = sortedIds(await ask(`${path}?OrderBy=-${name}`, kind));
      await fc.assert(
        fc.asyncProperty(fc.nat(2 * ROWS), fc.integer({ min: 1, max: 90 }), async (start, count) => {
          const page = `${path}?OrderBy=-${name}&StartIndex=${start}&RecordCount=${count}`;
          expect(sortedIds(await ask(page, kind))).toEqual(whole.slice(start, start + count));
          const csv = (await service.get(`${page}&format=csv`)).text.trimEnd().split('\r\n');
          expect(csv.length - 1).toBe(whole.slice(start, start + count).length);
        }),
        { numRuns: 8 },
      );
    });
  });

  test('is described to assistants as an order within each organization, where there are several', async () => {
    const client = await connectAssistant(service.service, service.key);
    const caveatsOf = async (filters: object): Promise<string> =>
      String((await callTool(client, 'records', { kind: 'AggregatedAmounts', filters })).structured.caveats);
    expect(await caveatsOf({ OrderBy: '-Amount' })).toContain('OrderBy orders within each organization');
    for (const filters of [{}, { OrderBy: '-Amount', OrganizationUUID: ORGANIZATIONS[0] }]) {
      expect(await caveatsOf(filters)).not.toContain('within each organization');
    }
    await client.close();
  });

  function sortedIds(organizations: readonly (readonly ReadRecord[])[]): readonly string[] {
    return organizations.flat().map((record) => JSON.stringify(record));
  }

  test.each([
    [paths.site, 'OrderBy=AllocationPriorityDate'],
    [paths.site, 'OrderBy=Amount&OrderBy=TimeframeStart'],
    [paths.site, 'OrderBy=--Amount'],
    [paths.allocations, 'OrderBy=Amount'],
  ])('%s?%s is a 400', async (path, query) => {
    const { status, json } = await service.get(`${path}?${query}`);
    expect([status, json.errors[0].parameter]).toEqual([400, 'OrderBy']);
  });
});
