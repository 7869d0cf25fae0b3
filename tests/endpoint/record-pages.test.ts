// The pages of sites, reporting units and water rights (D49).

import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import type { Submission } from '../fixtures/submission';
import { type Answer, createLoadedService, TEST_NOW } from '../fixtures/test-service';

describe('pages of sites and units', () => {
  const HOSTILE = '</title></script><script>alert("x")</script>';

  const sites = [
    { SiteUUID: 'S1', SiteName: HOSTILE, SiteNativeID: 'N & 1', Longitude: '-111.9', Latitude: '40.7' },
    { SiteUUID: 'S2', SiteName: 'Upper well', County: 'Cache', SiteTypeCV: 'Well' },
    { SiteUUID: 'S3', SiteName: 'Without records' },
  ];

  const years = ['1990', '1991', '1994'];

  /** More days than a line has visible points. */
  const DAYS = 3_000;

  const day = (index: number): string => new Date(Date.UTC(2000, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);

  const amounts = [
    ...years.map((year, index) => ({ year, Amount: 0.1 + index, VariableSpecificUUID: 'V1' })),
    ...years.map((year, index) => ({ year, Amount: 5_000_000 * (index + 1), VariableSpecificUUID: 'V2' })),
  ].map(({ year, ...row }) => siteAmount({ ...row, TimeframeStart: `${year}-01-01`, TimeframeEnd: `${year}-12-31` }));

  const daily = Array.from({ length: DAYS }, (_, index) => {
    const date = day(index < DAYS / 2 ? index : index + 400);
    return siteAmount({
      SiteUUID: 'S2',
      MethodUUID: 'M2',
      TimeframeStart: date,
      TimeframeEnd: date,
      Amount: index % 97,
    });
  });

  const submission: Submission = {
    ...buildLookups(),
    'variables.csv': [
      {
        VariableSpecificUUID: 'V1',
        VariableSpecificCV: 'Withdrawal_Daily',
        VariableCV: 'Withdrawal',
        AmountUnitCV: 'AF',
      },
      { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Discharge', VariableCV: 'Discharge', AmountUnitCV: 'CFS' },
    ],
    'methods.csv': [
      { MethodUUID: 'M1', MethodName: 'By gauge', MethodNEMILink: 'javascript:alert(1)' },
      { MethodUUID: 'M2', MethodName: 'By census' },
    ],
    'sites.csv': sites,
    'reportingunits.csv': [
      {
        ReportingUnitUUID: 'RU1',
        ReportingUnitName: 'Basin',
        Geometry: 'POLYGON ((-112 40, -111 40, -111 41, -112 40))',
      },
    ],
    'podsitetopousiterelationships.csv': [
      ...['2001', '2002', '2005'].map((year) => ({
        PODSiteUUID: 'S2',
        POUSiteUUID: 'S1',
        StartDate: `${year}-01-01`,
        EndDate: `${year}-12-31`,
      })),
      { PODSiteUUID: 'S3', POUSiteUUID: 'S1', StartDate: '', EndDate: '' },
    ],
    'sitespecificamounts.csv': [...amounts, ...daily],
    'aggregatedamounts.csv': ['Irrigation', 'Municipal'].map((use, index) =>
      aggregatedAmount({
        BeneficialUseCategory: use,
        Amount: 10 + index,
        TimeframeStart: '2010-01-01',
        TimeframeEnd: '2010-12-31',
      }),
    ),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A/1', SiteUUID: 'S1', AllocationPriorityDate: '1901-02-03' }),
    ],
  };

  function ask(collection: string, id: string, accept = 'text/html'): Promise<Answer> {
    const path = `/ogc/collections/${collection}/items/${encodeURIComponent(`ORG_1~${id}`)}`;
    return service.getWith(path, { accept });
  }

  /** The rows of the table of each series: the year, then the figures. */
  function readTables(page: string): readonly (readonly (readonly string[])[])[] {
    const tables = page.matchAll(/<div class="scrolled figures"[^>]*>(.*?)<\/table>/gs);
    return Array.from(tables, ([, table = '']) =>
      Array.from(table.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) =>
        Array.from(row.matchAll(/<t[hd][^>]*>([^<]*)</g), ([, cell = '']) => cell.replaceAll(',', '')),
      ).slice(1),
    );
  }

  const service = createLoadedService(submission);
  test.each([
    ['S1', 'By gauge', 'By census'],
    ['S2', 'By census', 'By gauge'],
  ])('the page of %s names only the method of its amounts, %s', async (id, own, other) => {
    const { text } = await ask('sites', id);
    expect(text).toContain(own);
    expect(text).not.toContain(other);
  });

  test('a site has a chart and a table for each variable, with the amounts that the JSON answer has', async () => {
    const { status, text } = await ask('sites', 'S1');
    expect(status).toBe(200);
    const answer = await service.get('/v1/SiteVariableAmounts?SiteUUID=S1');
    const records = answer.json.Organizations[0].SiteVariableAmounts as readonly Record<string, unknown>[];
    const readTableRows = (variable: string): readonly (readonly string[])[] =>
      records
        .filter(({ VariableSpecificUUID }) => VariableSpecificUUID === variable)
        .map(({ TimeframeStart, Amount }) => [String(TimeframeStart).slice(0, 4), String(Amount)]);
    expect(readTables(text)).toEqual([readTableRows('V1'), readTableRows('V2')]);
    const titles = Array.from(text.matchAll(/<svg class="series"[^>]*>\s*<title>([^<]*)</g), ([, title = '']) => title);
    expect(titles.map((title) => title.replace(/;.*/s, ''))).toEqual([
      'Withdrawal, Daily, in AF: 3 figures from 1990-01-01 to 1994-12-31',
      'Discharge, in CFS: 3 figures from 1990-01-01 to 1994-12-31',
    ]);
    const [bars = ''] = /<path class="bars" d="[^"]*"/.exec(text) ?? [];
    // Two years without an amount stay empty: the third bar is three years away from the second.
    const [first = 0, second = 0, third = 0] = Array.from(bars.matchAll(/M([\d.]+)/g), ([, x]) => Number(x));
    expect((third - second) / (second - first)).toBeCloseTo(3, 1);
  });

  test('adds up several amounts in a year as totals do', async () => {
    const { text } = await ask('reporting-units', 'RU1');
    const totals = await service.get('/v1/AggregatedAmounts/Totals?GroupBy=Year&ReportingUnitUUID=RU1');
    const [{ Year, RecordsCount, Sum, Mean, Minimum, Maximum }] = totals.json.Totals;
    expect(readTables(text)).toEqual([[[Year, RecordsCount, Sum, Mean, Minimum, Maximum].map(String)]]);
    expect(text).toContain('class="area"');
    // Figures without a chart are shown immediately.
    expect(text).toMatch(/<details open>\s*<summary>Figures by year/);
  });

  test('draws a long series as a line of visible points, with gaps where data are missing', async () => {
    const { text } = await ask('sites', 'S2');
    const [, line = ''] = /<path class="line" d="([^"]*)"/.exec(text) ?? [];
    expect(line.match(/M/g)).toHaveLength(2);
    expect((line.match(/L/g) ?? []).length).toBeGreaterThan(300);
    expect((line.match(/[ML]/g) ?? []).length).toBeLessThanOrEqual(2 * 301);
    expect(text.length).toBeLessThan(40_000);
  });

  test('names with markup stay text in the page and in its JSON-LD', async () => {
    const { text } = await ask('sites', 'S1');
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('href="javascript:');
    expect(text.match(/<script/g)).toHaveLength(1);
    const [, script = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(script)).toMatchObject({ name: `Site ${HOSTILE}` });
  });

  test('rights and related sites link to their pages; features without a page are shown as text', async () => {
    const { text } = await ask('sites', 'S1');
    const links = Array.from(text.matchAll(/href="(\/ogc\/[^"]+)"/g), ([, address = '']) => address);
    expect(new Set(links)).toEqual(
      new Set(['/ogc/collections/allocations/items/ORG_1~A%2F1', '/ogc/collections/sites/items/ORG_1~S2']),
    );
    for (const link of links) expect((await service.get(link)).status).toBe(200);
    // Each part of a path is decoded exactly once (D53).
    expect((await service.get('/ogc/coll%65ctions/allocation%73/items/ORG_1~A%2f1')).status).toBe(200);
    expect((await service.get('/ogc/collections/allocations/items/ORG_1~A%252F1')).status).toBe(404);
    expect(text).toMatch(/Upper well<\/a> \(2001-01-01 to 2002-12-31; 2005-01-01 to 2005-12-31\)/);
    expect(text).toMatch(/<li>S3<\/li>/);
    expect((await ask('sites', 'S2')).text).toContain('Places of use');
  });

  test('a page has the name as its title, describes the thing, and says how to cite it', async () => {
    const { text } = await ask('sites', 'S2');
    const { releaseId, publishedAt } = (await service.store.currentState()).entries.find(
      ({ dataSet }) => dataSet === 'SiteVariableAmounts',
    ) ?? { releaseId: '', publishedAt: '' };
    expect(text).toContain('<title>Site Upper well – ');
    const sentences = `Upper well is a site (Well) in Cache County, Utah. 1 series of amounts is published for it by Office, from ${day(0)} to ${day(DAYS - 1 + 400)}.`;
    expect(text).toContain(`<meta name="description" content="${sentences}" />`);
    expect(text).toContain(`<p class="summary">${sentences}</p>`);
    const [, cite = ''] = /<h2 id="cite">How to cite<\/h2>(.*?)<\/section>/s.exec(text) ?? [];
    const address = 'http://localhost/ogc/collections/sites/items/ORG_1~S2';
    expect(cite).toContain(
      `Office (${publishedAt.slice(0, 10)}). Site Upper well. Water Data Query Service, release ${releaseId}.`,
    );
    expect(cite).toContain(`@misc{ORG-1-S2,\n  author = {{Office}},\n  title = {Site Upper well},\n`);
    expect(cite).toContain(`version = {${releaseId}},\n`);
    expect(cite).toContain(`url = {${address}}\n}`);
  });

  test('a page says when its records last changed; for withdrawn data a 410 names the last release', async () => {
    expect((await ask('sites', 'S1')).text).toContain('Unknown: no earlier release is available');
    const before = await service.store.currentState();
    const earlierEntry = before.entries.find(({ dataSet }) => dataSet === 'SiteVariableAmounts');
    const later = new Date(TEST_NOW.getTime() + 86_400_000);
    const changed = amounts.map((row, index) => (index === 0 ? { ...row, Amount: 99 } : row));
    await service.load(
      { ...submission, 'sitespecificamounts.csv': changed, 'waterallocations.csv': [], 'aggregatedamounts.csv': [] },
      { now: () => later },
    );
    expect((await ask('sites', 'S1')).text).toContain(`Published on ${later.toISOString().slice(0, 10)}`);
    const path = `/ogc/collections/sites/items/ORG_1~S1?f=html&DataVersion=${before.version}`;
    expect((await service.get(path)).text).toContain('Unknown: no earlier release is available');
    const gone = await ask('sites', 'S2', 'application/json');
    expect([gone.status, gone.json.detail]).toEqual([410, expect.stringContaining(earlierEntry?.releaseId ?? 'none')]);
    const page = await ask('sites', 'S2');
    expect([page.status, page.headers['Content-Type']]).toEqual([410, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Site Upper well</h1>');
    expect(page.text).toContain(earlierEntry?.releaseId);
    const [, asItWas = ''] = /href="http:\/\/localhost([^"]*DataVersion=[^"]*)"/.exec(page.text) ?? [];
    expect((await service.get(asItWas.replaceAll('&#38;', '&'))).text).toContain('<h1>Upper well</h1>');
    expect((await ask('sites', 'S3')).status).toBe(404);
  });
});

describe('the page of a right', () => {
  const service = createLoadedService({
    ...buildLookups({ OrganizationName: '</script><b>Office' }),
    'sites.csv': [
      { SiteUUID: 'S1', Longitude: '-111.9', Latitude: '40.7' },
      { SiteUUID: 'S2', Longitude: '-112.4', Latitude: '41.2' },
    ],
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A/1~x', SiteUUID: 'S1,S2', AllocationPriorityDate: '1887-05-01' }),
      allocation({
        AllocationNativeID: 'B',
        SiteUUID: 'S1',
        AllocationFlow_CFS: '0.00012345678',
        AllocationVolume_AF: '12345.67890123',
      }),
    ],
  });

  function ask(query: string, accept: string): Promise<Answer> {
    const path = `/ogc/collections/allocations/items/${encodeURIComponent('ORG_1~A/1~x')}${query}`;
    return service.getWith(path, { accept });
  }

  test('has a map, the release and JSON-LD, and no text can end the script element', async () => {
    const { headers, text } = await ask('', 'text/html,application/xhtml+xml');
    expect(headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(headers['Content-Security-Policy']).toContain("script-src 'self'");
    // The JSON-LD must be the first script, and in the head, where harvesters look for it.
    const [head = ''] = text.split('</head>');
    const [, script = ''] = /^[^]*?<script type="application\/ld\+json">([^<]*)<\/script>/.exec(head) ?? [];
    expect(head.indexOf('<script')).toBe(head.indexOf('<script type="application/ld+json">'));
    expect(script).toContain('\\u003c/script>');
    expect(JSON.parse(script)).toEqual(JSON.parse((await ask('?f=jsonld', '*/*')).text));
    // If the explorer has been built, the picture of the state also shows the points.
    const [map = ''] = /<svg class="map"[^]*?<\/svg>/.exec(text) ?? [];
    expect(map.match(/<circle /g)).toHaveLength(2);
    const heads = Array.from(text.matchAll(/<th scope="col">([^<]*)</g), ([, name]) => name);
    expect(heads).toEqual(['Site', 'Latitude', 'Longitude']);
    const [release] = (await service.store.currentState()).entries;
    expect(text).toContain(release?.releaseId);
    expect(text).not.toContain('<b>Office');
    // Special characters of LaTeX are escaped in BibTeX.
    expect(text).toContain('title = {Water right A/1\\textasciitilde{}x}');
  });

  test('shows amounts with a few digits at the top, and with all digits among its properties', async () => {
    const { text } = await service.getWith('/ogc/collections/allocations/items/ORG_1~B', { accept: 'text/html' });
    const [facts = '', properties = ''] = text.split('All properties');
    expect(facts).toMatch(/<dd>0\.0001235 cubic feet per second<\/dd>/);
    expect(facts).toMatch(/<dd>12,345\.679 acre-feet<\/dd>/);
    expect(properties).toContain('0.00012345678');
    expect(properties).toMatch(/12,?345\.67890123/);
  });
});
