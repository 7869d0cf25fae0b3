// The order of records and organizations: D17, and OrderBy over all organizations (D36, D61, D69).

import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
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
import { readParquet } from '../fixtures/parquet-reading';
import { plainFold } from '../fixtures/plain-cells';
import type { Row } from '../fixtures/submission';
import { createLoadedService, createTestService } from '../fixtures/test-service';

describe('without OrderBy', () => {
  const variables = ['V1', 'V2'].map((id) => ({
    VariableSpecificUUID: id,
    VariableSpecificCV: 'Withdrawal',
    VariableCV: 'Withdrawal',
  }));

  // Amounts are numbered in the order of the expected answer; the rows are loaded in reverse.
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
    // This organization is loaded later but sorts first; its allocations are ordered by their UUIDs.
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

  const ORGANIZATIONS = ['ORG_1', 'ORG_2', 'ORG_3'];
  const SITES = ['S1', 'S2', 'S3'];
  const ROWS = 120;
  /** The first two are equal when folded; the last two sort differently by UTF-16 and by bytes. */
  const OWNERS = ['Bear River Co.', 'BEAR  RIVER CO.', 'alder', 'Zion Ditch', '\uFF5Ea', '\u{1F600}'];

  /**
   * Few different values give many ties, within an organization and between them. Some are missing, negative, or
   * reversed (D7). The first record has no dates at all.
   */
  function createRow(index: number): { readonly TimeframeStart?: string } & Row {
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
      // Each organization has a different set of owners, and the sets overlap.
      const shift = ORGANIZATIONS.indexOf(OrganizationUUID);
      const rows = Array.from({ length: ROWS }, (_, index) => ({ OrganizationUUID, ...createRow(index + 3 * shift) }));
      await service.load({
        ...buildLookups({ OrganizationUUID }),
        'sites.csv': SITES.map((SiteUUID) => ({ SiteUUID })),
        'sitespecificamounts.csv': rows.map((row, index) => siteAmount({ ...row, SiteUUID: SITES[index % 3] ?? '' })),
        'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
        'aggregatedamounts.csv': rows.map(aggregatedAmount),
        'waterallocations.csv': rows.map((row, index) => {
          const { TimeframeStart: AllocationPriorityDate = '' } = row;
          const owner = OWNERS[(index % (OWNERS.length - 2)) + shift] ?? '';
          const owned = index % 6 === 0 ? {} : { AllocationOwner: owner };
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
   * The sort key of a record: the effective start of a reversed timeframe is its end; without a timeframe, it is the
   * start of the report year (D7). Owners are folded and compared by their bytes (D61).
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

  /** The records of a JSON answer, by organization; each record has its organization. */
  async function ask(query: string, kind: DataSetKind): Promise<readonly (readonly ReadRecord[])[]> {
    const answer = await service.get(query);
    expect([query, answer.status]).toEqual([query, 200]);
    const { Organizations } = answer.json as { readonly Organizations: readonly ReadRecord[] };
    return Organizations.map((organization) =>
      listRecords({ ...answer, json: { Organizations: [organization] } }, kind).map((record) => ({
        OrganizationUUID: organization['OrganizationUUID'],
        ...record,
      })),
    );
  }

  /** The order of the records on a JSON page, given the records in plain order. */
  function groupByOrganization(records: readonly ReadRecord[]): readonly (readonly ReadRecord[])[] {
    return [...Map.groupBy(records, (record) => record['OrganizationUUID']).values()];
  }

  /** Identifies records in every format: rights have an identifier, amounts a site, a year and an amount. */
  function identify(record: ReadRecord): readonly string[] {
    const names = ['OrganizationUUID', 'AllocationNativeID', 'SiteUUID', 'ReportYear', 'Amount'];
    return names.map((name) => toText(record[name]));
  }

  function toText(value: unknown): string {
    // CSV cells are strings.
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value : '';
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
    ])('sorts in %s order over all organizations, with missing values last', async (_, hyphen, sign) => {
      const plain = (await ask(path, kind)).flat();
      expect(plain).toHaveLength(ORGANIZATIONS.length * ROWS);
      expect(await ask(`${path}?OrderBy=${hyphen}${name}`, kind)).toEqual(
        groupByOrganization(sorted(plain, name, sign)),
      );
      const dated = plain.filter((record) => keyOf('TimeframeStart', record) !== null);
      if (kind !== 'WaterAllocations')
        expect(await ask(`${path}?orderby=${hyphen}${name.toUpperCase()}&StartDate=1900-01-01`, kind)).toEqual(
          groupByOrganization(sorted(dated, name, sign)),
        );
    });

    test('pages together give all records in order, in every format', async () => {
      const plain = (await ask(path, kind)).flat();
      await fc.assert(
        fc.asyncProperty(
          fc.nat(ORGANIZATIONS.length * ROWS),
          fc.integer({ min: 1, max: 90 }),
          fc.constantFrom(1, -1),
          async (start, count, sign) => {
            const order = `OrderBy=${sign < 0 ? '-' : ''}${name}`;
            const expected = sorted(plain, name, sign).slice(start, start + count);
            const page = `${path}?${order}&StartIndex=${start}&RecordCount=${count}`;
            expect(await ask(page, kind)).toEqual(groupByOrganization(expected));
            const identities = expected.map(identify);
            expect((await askCsv(page)).map(identify)).toEqual(identities);
            expect((await askFeatures(`${page}&format=geojson`)).map(identify)).toEqual(identities);
            const items = `${collections[kind]}?${order}&offset=${start}&limit=${count}`;
            expect((await askFeatures(items)).map(identify)).toEqual(identities);
          },
        ),
        { numRuns: 8 },
      );
    });

    test('an export has the same order as the pages', async () => {
      for (const order of [`OrderBy=${name}`, `OrderBy=-${name}&OrganizationUUID=ORG_3&OrganizationUUID=ORG_1`]) {
        const { text } = await service.get(`${path}?${order}&format=csv&RecordCount=10000`);
        const { bytes } = await service.get(`${path}/Export?${order}&format=csv.gz`);
        expect(gunzipSync(bytes).toString()).toBe(text);
        const { rows } = await readParquet((await service.get(`${path}/Export?${order}&format=parquet`)).bytes);
        expect(rows.map(identify)).toEqual((await askCsv(`${path}?${order}&RecordCount=10000`)).map(identify));
      }
    });
  });

  const collections: Readonly<Record<DataSetKind, string>> = {
    SiteVariableAmounts: '/ogc/collections/site-amounts/items',
    AggregatedAmounts: '/ogc/collections/aggregated-amounts/items',
    WaterAllocations: '/ogc/collections/allocations/items',
  };

  async function askCsv(query: string): Promise<readonly ReadRecord[]> {
    return parse((await service.get(`${query}&format=csv`)).text, { columns: true });
  }

  async function askFeatures(query: string): Promise<readonly ReadRecord[]> {
    const { status, json } = await service.get(query);
    expect([query, status]).toEqual([query, 200]);
    return json.features.map(({ properties }: { readonly properties: ReadRecord }) => properties);
  }

  test('the tool for assistants returns the first records over all organizations', async () => {
    const client = await connectAssistant(service.service, service.key);
    const filters = { OrderBy: '-Amount' };
    const { structured } = await callTool(client, 'records', { kind: 'AggregatedAmounts', filters, limit: 20 });
    const expected = await askCsv(`${paths.aggregated}?OrderBy=-Amount&RecordCount=20`);
    const rows = structured.rows as readonly ReadRecord[];
    expect(rows.map((row) => [row['OrganizationUUID'], String(row['Amount'])])).toEqual(
      expected.map((row) => [row['OrganizationUUID'], row['Amount']]),
    );
    expect(new Set(rows.map((row) => row['OrganizationUUID'])).size).toBeGreaterThan(1);
    expect(String(structured.caveats)).not.toContain('within each organization');
    await client.close();
  });

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
