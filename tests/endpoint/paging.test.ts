// Pages over two organizations (D18 to D20), their links and counts (RFC 8288, D33).

import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { found, lookupsOf, paths, recordsOf, siteAmount } from '../fixtures/handmade';
import { loadedService, type Answer, createTestService } from '../fixtures/test-service';
import { submissionOfState } from '../fixtures/two-states';

const large = createTestService();
const service = loadedService(submissionOfState('CO', 5), submissionOfState('UT', 4));

describe('pages', () => {
  const operations = [
    { path: paths.site, total: 'TotalSiteVariableAmountsCount' },
    { path: paths.aggregated, total: 'TotalAggregatedAmountsCount' },
    { path: paths.allocations, total: 'TotalWaterAllocationsCount' },
  ] as const;

  function organizationsOf({ json }: Answer): readonly string[] {
    return json.Organizations.map((organization: Record<string, unknown>) => organization['OrganizationUUID']);
  }

  describe.each(operations)('$path', ({ path, total }) => {
    test('an organization continues on the next page, and one without records there is not on it', async () => {
      expect(organizationsOf(await service.get(`${path}?RecordCount=3`))).toEqual(['ORG_CO']);
      expect(organizationsOf(await service.get(`${path}?StartIndex=3&RecordCount=3`))).toEqual(['ORG_CO', 'ORG_UT']);
      expect(organizationsOf(await service.get(`${path}?StartIndex=5&RecordCount=10000`))).toEqual(['ORG_UT']);
    });

    test.each([
      ...['StartIndex=9', 'StartIndex=10', 'StartIndex=9007199254740991'].map((query) => [query, 9] as const),
      ['BeneficialUseCV=Nothing', 0] as const,
    ])('%s finds no records on its page, of %i', async (query, count) => {
      const { status, text } = await service.get(`${path}?${query}&RecordCount=10000`);
      expect([status, text]).toEqual([200, `{"${total}":${count},"Organizations":[]}`]);
    });
  });

  describe('the page sizes of service.md, Limits', () => {
    const RECORDS = 10_001;

    beforeAll(() =>
      large.load({
        ...lookupsOf(),
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
    ])('?%s answers from record %i on %i records', async (query, first, count) => {
      const expected = Array.from({ length: count }, (_, index) => first + index);
      expect(await found(large, `${paths.site}?${query}`)).toEqual(expected);
    });
  });
});

describe('links and counts', () => {
  /** Targets by relation, each taken apart into path and parameters. */
  function linksOf({
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

  function startsOf(answer: Answer): Readonly<Record<string, number>> {
    const starts = Object.entries(linksOf(answer)).map(([rel, { query }]) => [
      rel,
      Number(new Map(query as [string, string][]).get('StartIndex')),
    ]);
    return Object.fromEntries(starts) as Record<string, number>;
  }

  test.each([
    ['the first page', 'RecordCount=4', { next: 4, first: 0, last: 8 }, 4],
    ['a page between', 'RecordCount=4&StartIndex=4', { next: 8, prev: 0, first: 0, last: 8 }, 4],
    ['the last page', 'RecordCount=4&StartIndex=8', { prev: 4, first: 0, last: 8 }, 1],
    ['a page that fits', 'RecordCount=3&StartIndex=6', { prev: 3, first: 0, last: 6 }, 3],
    ['a page that begins between pages', 'RecordCount=4&StartIndex=2', { next: 6, prev: 0, first: 0, last: 6 }, 4],
    ['a page past the end', 'RecordCount=4&StartIndex=100', { prev: 8, first: 0, last: 8 }, 0],
    ['everything', '', { first: 0, last: 0 }, 9],
    ['the last possible page', 'StartIndex=9007199254740991', { prev: 0, first: 0, last: 0 }, 0],
  ])('%s links to its neighbours and counts its records', async (_, query, starts, records) => {
    const answer = await service.get(`${paths.site}?${query}`);
    expect(startsOf(answer)).toEqual(starts);
    expect(answer.headers).toMatchObject({ 'X-Total-Count': '9', 'X-Record-Count': String(records) });
    expect(recordsOf(answer, 'SiteVariableAmounts')).toHaveLength(records);
  });

  test('a link repeats what was asked, and names the data version', async () => {
    const query =
      'startdate=1/1/2000&State=ut&state=CO&County=+County+of+UT&HUC8=&BeneficialUseCV=%C3%BC%26%3D%2B%3E%22';
    const answer = await service.get(`${paths.site}?${query}&recordcount=7`);
    expect(linksOf(answer)['first']).toEqual({
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

  describe.each(Object.values(paths))('%s', (path) => {
    const records = (answer: Answer): readonly unknown[] => DATA_SET_KINDS.flatMap((kind) => recordsOf(answer, kind));

    test('a walk along rel="next" has every record once, across a publish', async () => {
      const whole = records(await service.get(path));
      const walked: unknown[] = [];
      let url: string | undefined = `${path}?RecordCount=2`;
      while (url !== undefined) {
        const page: Answer = await service.get(url);
        walked.push(...records(page));
        url = /<([^>]*)>; rel="next"/.exec(page.headers['Link'] ?? '')?.[1];
        if (walked.length === 4) await service.load(submissionOfState('CO', 2, 50));
      }
      expect(walked).toEqual(whole);
      await service.load(submissionOfState('CO', 5));
    });
  });

  describe('the key', () => {
    test.each(['key', 'KEY'])('stands in no link when it is sent as %s', async (name) => {
      const { status, headers } = await service.get(`${paths.site}?${name}=${service.key}&RecordCount=1`, {});
      expect(status).toBe(200);
      expect(headers['Link']).toContain('rel="next"');
      expect(JSON.stringify(headers)).not.toMatch(/wdk_|key=/i);
    });

    test('stands in no link when it is also the value of a filter: then there is none', async () => {
      const { status, headers } = await service.get(`${paths.site}?SiteUUID=${service.key}`);
      expect(status).toBe(200);
      expect(headers['Link']).toBeUndefined();
      expect(headers['X-Total-Count']).toBe('0');
    });
  });

  test('PUBLIC_URL stands in front of the links, and the host that a request names never does', async () => {
    const service1 = { ...service.service, publicUrl: 'https://water.example.org/api' };
    const headers = { 'x-api-key': service.key, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const answer = await service.ask(service1, paths.site, headers);
    expect(linksOf(answer)['first']?.path).toBe('https://water.example.org/api/v1/SiteVariableAmounts');
    expect((await service.get(paths.site, headers)).headers['Link']).not.toContain('evil');
  });

  test('the links of a long query are left out from the last to the first, and never fill the headers', async () => {
    const boundaryOf = (positions: number): string =>
      `LINESTRING(${Array.from({ length: positions }, (_, index) => `${-100 - index / 1000} 40`).join(',')})`;
    const lengths = await Promise.all(
      [2, 20, 40, 60, 100, 1000].map(async (positions) => {
        const boundary = encodeURIComponent(boundaryOf(positions));
        const answer = await service.get(`${paths.site}?StartIndex=1&SearchBoundary=${boundary}`);
        expect((answer.headers['Link'] ?? '').length).toBeLessThan(3200);
        return Object.keys(linksOf(answer)).length;
      }),
    );
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
    expect(lengths.at(0)).toBe(3);
    expect(lengths.at(-1)).toBe(0);
  });
});
