// Pages over two organizations (D18 to D20), their links and counts (RFC 8288, D33). A page that would take too many
// bytes is refused before it is written, and the refusal says how many records fit (ADR 0054). A page is also refused
// if other answers leave no memory for it.

import { BytesInFlight } from '../../shared/http/pipeline/bytes-in-flight';
import type { Service } from '../../shared/http/pipeline/service';
import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { aggregatedAmount, buildLookups, findRecordNames, listRecords, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { type Answer, createLoadedService, createTestService } from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

const large = createTestService();
const service = createLoadedService(createStateSubmission('CO', 5), createStateSubmission('UT', 4));

describe('pages', () => {
  const operations = [
    { path: paths.site, total: 'TotalSiteVariableAmountsCount' },
    { path: paths.aggregated, total: 'TotalAggregatedAmountsCount' },
    { path: paths.allocations, total: 'TotalWaterAllocationsCount' },
  ] as const;

  function listOrganizations({ json }: Answer): readonly string[] {
    return json.Organizations.map((organization: Record<string, unknown>) => organization['OrganizationUUID']);
  }

  describe.each(operations)('$path', ({ path, total }) => {
    test('continues an organization on the next page, and leaves out organizations without records there', async () => {
      expect(listOrganizations(await service.get(`${path}?RecordCount=3`))).toEqual(['ORG_CO']);
      expect(listOrganizations(await service.get(`${path}?StartIndex=3&RecordCount=3`))).toEqual(['ORG_CO', 'ORG_UT']);
      expect(listOrganizations(await service.get(`${path}?StartIndex=5&RecordCount=10000`))).toEqual(['ORG_UT']);
    });

    test.each([
      ...['StartIndex=9', 'StartIndex=10', 'StartIndex=9007199254740991'].map((query) => [query, 9] as const),
      ['BeneficialUseCV=Nothing', 0] as const,
    ])('%s is an empty page with a total of %i records', async (query, count) => {
      const { status, text } = await service.get(`${path}?${query}&RecordCount=10000`);
      expect([status, text]).toEqual([200, `{"${total}":${count},"Organizations":[]}`]);
    });
  });

  describe('the page sizes of service.md, Limits', () => {
    const RECORDS = 10_001;

    beforeAll(() =>
      large.load({
        ...buildLookups(),
        'sites.csv': [{ SiteUUID: 'S1' }],
        'sitespecificamounts.csv': Array.from({ length: RECORDS }, (_, index) =>
          siteAmount({ Amount: index, ReportYearCV: 10_000 + index }),
        ),
      }),
    );

    test.each([
      ['', 0, 1_000],
      ['StartIndex=1000', 1_000, 1_000],
      ['RecordCount=1', 0, 1],
      ['RecordCount=10000', 0, 10_000],
      ['RecordCount=10000&StartIndex=10000', 10_000, 1],
    ])('?%s starts at record %i and has %i records', async (query, first, count) => {
      const expected = Array.from({ length: count }, (_, index) => first + index);
      expect(await findRecordNames(large, `${paths.site}?${query}`)).toEqual(expected);
    });
  });
});

describe('links and counts', () => {
  /** The targets of links by relation, each split into path and parameters. */
  function parseLinks({
    headers,
  }: Answer): Readonly<Record<string, { readonly path: string; readonly query: string[][] }>> {
    const links = [...(headers['Link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
    return Object.fromEntries(
      links.map(([, target = '', rel = '']) => {
        const url = new URL(target, 'http://relative.example');
        return [
          rel,
          { path: url.href.slice(0, url.href.indexOf('?')), query: [...url.searchParams].map((pair) => pair) },
        ];
      }),
    );
  }

  function getStartIndices(answer: Answer): Readonly<Record<string, number>> {
    const starts = Object.entries(parseLinks(answer)).map(([rel, { query }]) => [
      rel,
      Number(new Map(query as [string, string][]).get('StartIndex')),
    ]);
    return Object.fromEntries(starts) as Record<string, number>;
  }

  test.each([
    ['the first page', 'RecordCount=4', { next: 4, first: 0, last: 8 }, 4],
    ['a page in the middle', 'RecordCount=4&StartIndex=4', { next: 8, prev: 0, first: 0, last: 8 }, 4],
    ['the last page', 'RecordCount=4&StartIndex=8', { prev: 4, first: 0, last: 8 }, 1],
    ['a page that has all records', 'RecordCount=3&StartIndex=6', { prev: 3, first: 0, last: 6 }, 3],
    [
      'a page that does not begin at a page boundary',
      'RecordCount=4&StartIndex=2',
      { next: 6, prev: 0, first: 0, last: 6 },
      4,
    ],
    ['a page past the end', 'RecordCount=4&StartIndex=100', { prev: 8, first: 0, last: 8 }, 0],
    ['everything', '', { first: 0, last: 0 }, 9],
    ['the last possible page', 'StartIndex=9007199254740991', { prev: 0, first: 0, last: 0 }, 0],
  ])('%s links to its neighbor pages and counts its records', async (_, query, starts, records) => {
    const answer = await service.get(`${paths.site}?${query}`);
    expect(getStartIndices(answer)).toEqual(starts);
    expect(answer.headers).toMatchObject({ 'X-Total-Count': '9', 'X-Record-Count': String(records) });
    expect(listRecords(answer, 'SiteVariableAmounts')).toHaveLength(records);
  });

  test('a link repeats the query and adds the data version', async () => {
    const query =
      'startdate=1/1/2000&State=ut&state=CO&County=+County+of+UT&HUC8=&BeneficialUseCV=%C3%BC%26%3D%2B%3E%22';
    const answer = await service.get(`${paths.site}?${query}&recordcount=7`);
    expect(parseLinks(answer)['first']).toEqual({
      path: 'http://relative.example/v1/SiteVariableAmounts',
      query: [
        ['BeneficialUseCV', 'ü&=+>"'],
        ['StartDate', '1/1/2000'],
        ['County', 'County of UT'],
        ['State', 'ut'],
        ['State', 'CO'],
        ['StartIndex', '0'],
        ['RecordCount', '7'],
        ['DataVersion', answer.headers['Data-Version']],
      ],
    });
  });

  const records = (answer: Answer): readonly unknown[] => DATA_SET_KINDS.flatMap((kind) => listRecords(answer, kind));

  test.each(Object.values(paths))(
    'following rel="next" from %s gives each record once, even across a publish',
    async (path) => {
      const whole = records(await service.get(path));
      const walked: unknown[] = [];
      let url: string | undefined = `${path}?RecordCount=2`;
      while (url !== undefined) {
        const page: Answer = await service.get(url);
        walked.push(...records(page));
        url = /<([^>]*)>; rel="next"/.exec(page.headers['Link'] ?? '')?.[1];
        if (walked.length === 4) await service.load(createStateSubmission('CO', 2, 50));
      }
      expect(walked).toEqual(whole);
      await service.load(createStateSubmission('CO', 5));
    },
  );

  describe('the key', () => {
    test.each(['key', 'KEY'])('is in no link when it is sent as %s', async (name) => {
      const { status, headers } = await service.get(`${paths.site}?${name}=${service.key}&RecordCount=1`, {});
      expect(status).toBe(200);
      expect(headers['Link']).toContain('rel="next"');
      expect(JSON.stringify(headers)).not.toMatch(/wdk_|key=/i);
    });

    test('is in no link if it is also the value of a filter, because then there are no links', async () => {
      const { status, headers } = await service.get(`${paths.site}?SiteUUID=${service.key}`);
      expect(status).toBe(200);
      expect(headers['Link']).toBeUndefined();
      expect(headers['X-Total-Count']).toBe('0');
    });
  });

  test('links start with PUBLIC_URL, never with the host of a request', async () => {
    const service1 = { ...service.service, publicUrl: 'https://water.example.org/api' };
    const headers = { 'x-api-key': service.key, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const answer = await service.getFrom(service1, paths.site, headers);
    expect(parseLinks(answer)['first']?.path).toBe('https://water.example.org/api/v1/SiteVariableAmounts');
    expect((await service.get(paths.site, headers)).headers['Link']).not.toContain('evil');
  });

  test('omits links of a long query, starting with the last link, before they fill the headers', async () => {
    const createBoundary = (positions: number): string =>
      `LINESTRING(${Array.from({ length: positions }, (_, index) => `${-100 - index / 1000} 40`).join(',')})`;
    const lengths = await Promise.all(
      [2, 20, 40, 60, 100, 1000].map(async (positions) => {
        const boundary = encodeURIComponent(createBoundary(positions));
        const answer = await service.get(`${paths.site}?StartIndex=1&SearchBoundary=${boundary}`);
        expect((answer.headers['Link'] ?? '').length).toBeLessThan(3200);
        return Object.keys(parseLinks(answer)).length;
      }),
    );
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
    expect(lengths.at(0)).toBe(3);
    expect(lengths.at(-1)).toBe(0);
  });
});

const UNITS = 40;
const KILOBYTE = 1024;

/** Small limits replace the default limits: a page of forty polygons with two to six kilobytes each exceeds them. */
const PAGE_BYTES = { json: 150 * KILOBYTE, csv: 60 * KILOBYTE, geojson: 60 * KILOBYTE };

const formats = ['json', 'csv', 'geojson'] as const;

const bounded = createLoadedService(polygons());

function polygons(): Record<string, Row[]> {
  const units = Array.from({ length: UNITS }, (_, unit) => ({
    ReportingUnitUUID: `RU${unit}`,
    ReportingUnitName: `Unit ${unit}`,
    StateCV: 'UT',
    Geometry: createPolygon(30 + (unit % 5) * 20),
  }));
  // Every third amount is in a unit that already has an amount.
  const amounts = Array.from({ length: UNITS * 2 }, (_, amount) =>
    aggregatedAmount({ ReportingUnitUUID: `RU${Math.floor(amount / 2)}`, Amount: amount, ReportYearCV: 2000 + amount }),
  );
  return { ...buildLookups(), 'reportingunits.csv': units, 'aggregatedamounts.csv': amounts };
}

function createPolygon(corners: number): string {
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    return `${(-111 + Math.cos(angle)).toFixed(12)} ${(40 + Math.sin(angle)).toFixed(12)}`;
  });
  return `POLYGON((${[...points, points[0]].join(',')}))`;
}

function askBounded(query: string, own: Partial<Service> = {}): Promise<Answer> {
  const testedService = { ...bounded.service, pageBytes: PAGE_BYTES, ...own };
  return bounded.getFrom(testedService, `${paths.aggregated}?${query}`);
}

/** The number of records that fit, according to the refusal. */
async function findFittingCount(query: string): Promise<number> {
  const { status, json } = await askBounded(query);
  expect([status, json.errors?.[0]?.parameter]).toEqual([400, 'RecordCount']);
  const [, fitting = ''] =
    /^(\d+) records fit: more from this StartIndex on would exceed/.exec(json.errors[0].message) ?? [];
  return Number(fitting);
}

test.each(formats)('refuses a page of %s that is too large, and says how many records fit', async (format) => {
  for (const start of [0, 7, 20]) {
    const query = `format=${format}&StartIndex=${start}`;
    const fitting = await findFittingCount(query);
    expect(fitting).toBeGreaterThan(1);
    const answer = await askBounded(`${query}&RecordCount=${fitting}`);
    expect([answer.status, answer.headers['X-Record-Count']]).toEqual([200, String(fitting)]);
    expect(await findFittingCount(`${query}&RecordCount=${fitting + 1}`)).toBe(fitting);
  }
});

test('a JSON page counts the bytes of its records, and of each lookup once', async () => {
  const fitting = await findFittingCount('format=json');
  const [within, over] = await Promise.all(
    [fitting, fitting + 1].map(async (count) => {
      const { text } = await bounded.get(`${paths.aggregated}?RecordCount=${count}`);
      const [organization] = JSON.parse(text).Organizations;
      const lists = Object.values(organization).filter((list) => Array.isArray(list));
      return lists.flat().reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)) + 1, 0);
    }),
  );
  expect(within).toBeLessThanOrEqual(PAGE_BYTES.json);
  expect(over).toBeGreaterThan(PAGE_BYTES.json);
});

test.each(formats)('reports that not even one record fits into %s', async (format) => {
  const pageBytes = { json: 900, csv: 900, geojson: 900 };
  const { json } = await askBounded(`format=${format}`, { pageBytes });
  expect(json.errors[0]).toMatchObject({
    message: expect.stringMatching(/^no record fits: the first from this StartIndex on would exceed 0 MB in /),
  });
});

test.each(formats)(
  'refuses a page of %s with a 503, before reading it, when other answers use up the memory',
  async (format) => {
    const bytesInFlight = new BytesInFlight(100 * KILOBYTE);
    const other = bytesInFlight.reserve();
    other.resize(90 * KILOBYTE);
    const query = `format=${format}&RecordCount=10`;
    const refused = await askBounded(query, { bytesInFlight });
    expect([refused.status, Number(refused.headers['Retry-After']) > 0]).toEqual([503, true]);
    other.release();
    expect(await askBounded(query, { bytesInFlight })).toMatchObject({ status: 200 });
    // Neither the refusal nor the answer leaves memory reserved.
    const rest = bytesInFlight.reserve();
    other.resize(1);
    expect(rest.resize(100 * KILOBYTE - 1)).toBe(true);
  },
);
