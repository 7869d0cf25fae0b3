// GET /v1/Inventory and the links to terms of use (ADR 0038), and the feed of what was published (D59).

import { type X2jOptions, XMLParser, XMLValidator } from 'fast-xml-parser';
import { withdraw } from '../../data-loaders/manage-releases';
import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { loadRawFiles } from '../fixtures/raw-submission';
import { SITE } from '../fixtures/sitemap-reading';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();
const PATH = '/v1/Inventory';

const LICENSE = 'https://example.org/licenses/öpen';
const TERMS = 'https://example.org/terms';

beforeAll(async () => {
  const submission = {
    ...buildLookups({ OrganizationUUID: 'UT_1' }),
    'sites.csv': [
      {
        SiteUUID: 'S1',
        SiteTypeCV: 'Well',
        County: 'Cache',
        HUC12: '160102020305',
        StateCV: 'WY',
        PODorPOUSite: 'POD',
      },
      { SiteUUID: 'S2', County: 'Rich' },
      { SiteUUID: 'unused', County: 'Nowhere' },
    ],
    'sitespecificamounts.csv': [
      siteAmount({ TimeframeStart: '2001-02-03', TimeframeEnd: '2001-02-04', DataPublicationDate: '2020-01-01' }),
      siteAmount({ TimeframeStart: '2003-01-01', BeneficialUseCategory: 'Irrigation,Mining' }),
      siteAmount({ SiteUUID: 'S2', Amount: 2, WaterSourceUUID: 'WS1', DataPublicationDate: '2021-05-06' }),
    ].map((row) => ({ ...row, OrganizationUUID: 'UT_1' })),
    'waterallocations.csv': [
      allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: 'A', AllocationPriorityDate: '1902-06-01' }),
    ],
  };
  const metadata = { contact: 'data@example.org', license: LICENSE, termsOfUse: TERMS, citation: 'Office (2026)' };
  await loadRawFiles(service, submission, { 'submission.json': JSON.stringify(metadata) }, { name: 'third quarter' });
  await service.load({
    ...buildLookups({ OrganizationUUID: 'CO_1', OrganizationName: 'Colorado Office', State: 'CO' }),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Mesa' }],
    'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'CO_1' })],
  });
});

async function organizationsOf(query = ''): Promise<readonly unknown[]> {
  return (await service.get(`${PATH}${query}`)).json.Organizations;
}

test('lists organizations, data sets, counts, periods and operations', async () => {
  const { json, headers } = await service.get(PATH);
  expect(json.DataVersion).toBe((await service.store.currentState()).version);
  expect(headers['Data-Version']).toBe(json.DataVersion);
  expect(json.Organizations).toMatchObject([
    {
      OrganizationUUID: 'CO_1',
      OrganizationName: 'Colorado Office',
      OrganizationState: 'CO',
      State: 'Colorado',
      DataSets: [
        {
          DataSet: 'AggregatedAmounts',
          Path: paths.aggregated,
          Records: 1,
          Sites: null,
          ReportingUnits: 1,
          PlacesPath: '/v1/ReportingUnits?OrganizationUUID=CO_1',
        },
      ],
    },
    {
      OrganizationUUID: 'UT_1',
      DataSets: [
        {
          DataSet: 'SiteVariableAmounts',
          Path: paths.site,
          Records: 3,
          Sites: 2,
          ReportingUnits: null,
          FirstDay: '2001-02-03',
          LastDay: '2003-01-01',
          LastPublicationDate: '2021-05-06',
          PublishedAt: TEST_NOW.toISOString(),
          IsSample: false,
        },
        {
          DataSet: 'WaterAllocations',
          Path: paths.allocations,
          Records: 1,
          FirstDay: '1902-06-01',
          LastPublicationDate: null,
        },
      ],
    },
  ]);
});

test('lists the values of each filter with their record counts, but no identifiers', async () => {
  const { json } = await service.get(`${PATH}?OrganizationUUID=ut_1`);
  const one = (Value: string, Records: number): object => ({ Value, Records });
  expect(json.Organizations[0].DataSets[0].Vocabulary).toEqual({
    SiteTypeCV: [one('Well', 2)],
    VariableCV: [one('Withdrawal', 3)],
    VariableSpecificCV: [one('Withdrawal', 3)],
    BeneficialUseCV: [one('Irrigation', 1), one('Mining', 1)],
    UseCategoryCV: [one('Irrigation', 1), one('Mining', 1)],
    USGSCategoryNameCV: [one('Irrigation', 1), one('Mining', 1)],
    HUC8: [one('16010202', 2)],
    County: [one('Cache', 2), one('Rich', 1)],
    State: [one('UT', 3), one('WY', 2)],
    PODorPOUSite: [one('POD', 2)],
    WaterSourceTypeCV: [one('Surface Water', 1)],
  });
});

test('has the terms and notes of the submission, null where there are none', async () => {
  const { json } = await service.get(PATH);
  const [colorado, utah] = json.Organizations;
  expect(utah.DataSets[1].Submission).toEqual({
    Name: 'third quarter',
    Contact: 'data@example.org',
    Note: null,
    TermsOfUse: TERMS,
    License: LICENSE,
    Citation: 'Office (2026)',
  });
  expect(colorado.DataSets[0].Submission).toMatchObject({ Contact: null, License: null });
});

test.each<[string, readonly string[]]>([
  ['?State=CO', ['CO_1']],
  ['?State=wy', ['UT_1']],
  ['?State=CO&State=UT', ['CO_1', 'UT_1']],
  ['?State=NM', []],
  ['?OrganizationUUID=co_1', ['CO_1']],
  ['?OrganizationUUID=CO_1&State=UT', []],
])('%s lists %j', async (query, organizations) => {
  expect(await organizationsOf(query)).toEqual(
    organizations.map((id) => expect.objectContaining({ OrganizationUUID: id }) as unknown),
  );
});

test('lists each previous version that is held once, none from before the first publish', async () => {
  const { json } = await service.get(PATH);
  expect(json.FormerDataVersions).toHaveLength(1);
  const [{ DataVersion, Since }] = json.FormerDataVersions;
  expect(Since).toBe(TEST_NOW.toISOString());
  const former = await service.get(`${PATH}?DataVersion=${DataVersion}`);
  expect(former.json.Organizations).toMatchObject([{ OrganizationUUID: 'UT_1' }]);
  const changed = await service.get(`${paths.aggregated}?ChangedSince=${DataVersion}`);
  expect(changed.json.TotalAggregatedAmountsCount).toBe(1);
});

const FEED_LINK = '</releases.atom>; rel="alternate"; type="application/atom+xml"; title="What was published"';
const termsLinks = `<https://example.org/licenses/%C3%B6pen>; rel="license", <${TERMS}>; rel="terms-of-service"`;

test('answers link once to each of the terms of their data, after the paging links', async () => {
  const { headers } = await service.get(`${paths.site}?RecordCount=1`);
  expect(headers['Link']).toMatch(/rel="next".*rel="last"/);
  expect(headers['Link']?.endsWith(`, ${termsLinks}`)).toBe(true);
  expect((await service.get(PATH)).headers['Link']).toBe(`${FEED_LINK}, ${termsLinks}`);
});

test('answers from data without terms have no links to terms', async () => {
  expect((await service.get(paths.aggregated)).headers['Link']).not.toContain('license');
  expect((await service.get(`${PATH}?State=CO`)).headers['Link']).toBe(FEED_LINK);
});

/** By default the parser leaves numeric character references as they are. */
const CHARACTER_REFERENCES: NonNullable<X2jOptions['entityDecoder']> = {
  decode: (text) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
  setExternalEntities: () => undefined,
  addInputEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
};

describe('the feed', () => {
  const service = createTestService();
  const asked = { ...service.service, publicUrl: SITE };

  const NOTHING_OLDER = 'Nothing older is held that it could be compared with.';

  interface Link {
    readonly rel: string;
    readonly href: string;
    readonly title?: string;
  }

  interface Entry {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    readonly updated: string;
    readonly author: { readonly name: string };
    readonly link: readonly Link[];
  }

  const at = (day: number): Date => new Date(TEST_NOW.getTime() + day * 86_400_000);

  function load(
    day: number,
    amounts: Readonly<Record<string, number>>,
    organization = 'Office & <Co>\u0001',
  ): Promise<unknown> {
    return service.load(
      {
        ...buildLookups({ OrganizationName: organization }),
        'sites.csv': Object.keys(amounts).map((SiteUUID) => ({ SiteUUID })),
        'sitespecificamounts.csv': Object.entries(amounts).map(([SiteUUID, Amount]) =>
          siteAmount({ SiteUUID, Amount }),
        ),
      },
      { now: () => at(day) },
    );
  }

  async function readFeed() {
    const { status, headers, text } = await service.getFrom(asked, '/releases.atom', {});
    expect([status, headers['Content-Type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(XMLValidator.validate(text)).toBe(true);
    const isArray = (name: string): boolean => ['entry', 'link'].includes(name);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      entityDecoder: CHARACTER_REFERENCES,
      isArray,
    });
    const { feed } = parser.parse(text) as { readonly feed: Readonly<Record<string, unknown>> };
    return { feed, entries: (feed['entry'] ?? []) as readonly Entry[] };
  }

  const linksOf = ({ link }: Pick<Entry, 'link'>, rel: string): readonly Link[] =>
    link.filter((one) => one.rel === rel);

  test('is a valid empty feed before the first publish', async () => {
    const { feed, entries } = await readFeed();
    expect(entries).toEqual([]);
    for (const name of ['id', 'title', 'updated', 'author', 'link']) expect(feed[name]).toBeDefined();
  });

  test('has an entry for each publish, with counts and links', async () => {
    await load(0, { S1: 1, S2: 2, S3: 3 });
    await load(1, { S1: 1, S2: 20, S4: 4, S5: 5 });
    // Whoever asks before the files are there hears of them later.
    expect((await readFeed()).entries.flatMap((entry) => linksOf(entry, 'enclosure'))).toEqual([]);
    await service.makeFiles();
    const { feed, entries } = await readFeed();
    expect(feed['updated']).toBe(at(1).toISOString());
    expect(entries.map(({ title, summary, updated }) => [title, summary, updated])).toEqual([
      ['Office & <Co>: Amounts at sites', '4 records: 2 added, 1 removed, 1 changed.', at(1).toISOString()],
      ['Office & <Co>: Amounts at sites', `3 records. ${NOTHING_OLDER}`, at(0).toISOString()],
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    for (const { id } of entries) expect(() => new URL(id)).not.toThrow();
    const [newest, first] = entries as [Entry, Entry];
    expect(linksOf(newest, 'enclosure').map(({ title }) => title)).toContain('things.jsonl.gz');
    for (const { href } of newest.link) {
      const { status } = await service.getFrom(asked, href.slice(SITE.length).replace(/#.*/, ''));
      expect([href, status]).toEqual([href, 200]);
    }
    const changes = linksOf(newest, 'related').find(({ title }) => title === 'What changed');
    const { headers } = await service.get(changes?.href.slice(SITE.length) ?? '');
    // Those that were added and those that changed.
    expect(headers['X-Total-Count']).toBe('3');
    expect(linksOf(first, 'related').map(({ title }) => title)).toEqual(['Inventory']);
  });

  test('has no entry for a release that is gone, and no counts in the entry after it', async () => {
    const { entries } = await service.store.currentState();
    await service.store.forgetStates(at(2).toISOString());
    const left = new Set(entries.map(({ releaseId }) => releaseId));
    for (const release of await service.store.listReleases())
      if (!left.has(release)) await service.store.deleteRelease(release);
    expect((await readFeed()).entries.map(({ summary }) => summary)).toEqual([`4 records. ${NOTHING_OLDER}`]);
  });

  test('keeps the entry of withdrawn data while its release is held', async () => {
    const [entry] = (await service.store.currentState()).entries;
    if (entry === undefined) throw new Error('nothing is published');
    await withdraw(service.store, entry, at(3).toISOString());
    expect((await readFeed()).entries).toHaveLength(1);
    await load(4, { S1: 1 });
    const [newest] = (await readFeed()).entries;
    expect(newest?.summary).toBe('1 record: 1 added, 0 removed, 0 changed.');
  });

  test.each(['/', '/downloads', '/ogc', '/docs', '/explore'])('the head of %s links to the feed', async (path) => {
    const { text } = await service.getFrom(asked, path, { accept: 'text/html' });
    const [head = ''] = text.split('</head>');
    expect(head).toMatch(
      /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="\/data\/releases\.atom" \/>/,
    );
    if (['/', '/downloads'].includes(path)) expect(text.slice(head.length)).toContain('href="/data/releases.atom"');
  });
});
