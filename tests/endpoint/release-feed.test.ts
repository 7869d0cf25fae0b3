// The feed of publishes at /releases.atom (D59).

import { type X2jOptions, XMLParser, XMLValidator } from 'fast-xml-parser';
import { withdraw } from '../../data-loaders/manage-releases';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { loadRawFiles } from '../fixtures/raw-submission';
import { SITE } from '../fixtures/sitemap-reading';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();
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
  const testedService = { ...service.service, publicUrl: SITE };

  const NOTHING_OLDER = 'No earlier release is available to compare it with.';

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
    readonly published: string;
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
    const { status, headers, text } = await service.getFrom(testedService, '/releases.atom', {});
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

  const findLinks = ({ link }: Pick<Entry, 'link'>, rel: string): readonly Link[] =>
    link.filter((one) => one.rel === rel);

  test('is a valid empty feed before the first publish', async () => {
    const { feed, entries } = await readFeed();
    expect(entries).toEqual([]);
    for (const name of ['id', 'title', 'updated', 'author', 'link']) expect(feed[name]).toBeDefined();
  });

  test('has an entry for each publish, with counts and links', async () => {
    await load(0, { S1: 1, S2: 2, S3: 3 });
    await load(1, { S1: 1, S2: 20, S4: 4, S5: 5 });
    // Requests before the files exist get the entry without them.
    expect((await readFeed()).entries.flatMap((entry) => findLinks(entry, 'enclosure'))).toEqual([]);
    await service.makeFiles();
    const { feed, entries } = await readFeed();
    expect(feed['updated']).toBe(at(1).toISOString());
    expect(entries.map(({ title, summary, updated }) => [title, summary, updated])).toEqual([
      ['Office & <Co>: Amounts at sites', '4 records: 2 added, 1 removed, 1 changed.', at(1).toISOString()],
      ['Office & <Co>: Amounts at sites', `3 records. ${NOTHING_OLDER}`, at(0).toISOString()],
    ]);
    // Feed readers that show the first date of an entry would otherwise show no date.
    expect(entries.map(({ published }) => published)).toEqual(entries.map(({ updated }) => updated));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
    for (const { id } of entries) expect(() => new URL(id)).not.toThrow();
    const [newest, first] = entries as [Entry, Entry];
    expect(findLinks(newest, 'enclosure').map(({ title }) => title)).toContain('things.jsonl.gz');
    for (const { href } of newest.link) {
      const { status } = await service.getFrom(testedService, href.slice(SITE.length).replace(/#.*/, ''));
      expect([href, status]).toEqual([href, 200]);
    }
    const changes = findLinks(newest, 'related').find(({ title }) => title === 'What changed');
    const { headers } = await service.get(changes?.href.slice(SITE.length) ?? '');
    // The added and the changed records.
    expect(headers['X-Total-Count']).toBe('3');
    expect(findLinks(first, 'related').map(({ title }) => title)).toEqual(['Inventory']);
  });

  test('has no entry for a deleted release, and no counts in the entry after it', async () => {
    const { entries } = await service.store.currentState();
    await service.store.forgetStates(at(2).toISOString());
    const left = new Set(entries.map(({ releaseId }) => releaseId));
    for (const release of await service.store.listReleases())
      if (!left.has(release)) await service.store.deleteRelease(release);
    expect((await readFeed()).entries.map(({ summary }) => summary)).toEqual([`4 records. ${NOTHING_OLDER}`]);
  });

  test('keeps the entry of withdrawn data as long as its release is kept', async () => {
    const [entry] = (await service.store.currentState()).entries;
    if (entry === undefined) throw new Error('nothing is published');
    await withdraw(service.store, entry, at(3).toISOString());
    expect((await readFeed()).entries).toHaveLength(1);
    await load(4, { S1: 1 });
    const [newest] = (await readFeed()).entries;
    expect(newest?.summary).toBe('1 record: 1 added, 0 removed, 0 changed.');
  });

  test.each(['/', '/downloads', '/ogc', '/docs', '/explore'])('the head of %s links to the feed', async (path) => {
    const { text } = await service.getFrom(testedService, path, { accept: 'text/html' });
    const [head = ''] = text.split('</head>');
    expect(head).toMatch(
      /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="\/data\/releases\.atom" \/>/,
    );
    if (['/', '/downloads'].includes(path)) expect(text.slice(head.length)).toContain('href="/data/releases.atom"');
  });
});
