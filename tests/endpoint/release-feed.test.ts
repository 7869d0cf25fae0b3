// The feed of what was published (D59).

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { withdraw } from '../../data-loaders/manage-releases';
import { lookupsOf, siteAmount } from '../fixtures/handmade';
import { SITE } from '../fixtures/sitemap-reading';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

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
      ...lookupsOf({ OrganizationName: organization }),
      'sites.csv': Object.keys(amounts).map((SiteUUID) => ({ SiteUUID })),
      'sitespecificamounts.csv': Object.entries(amounts).map(([SiteUUID, Amount]) => siteAmount({ SiteUUID, Amount })),
    },
    { now: () => at(day) },
  );
}

async function readFeed(): Promise<{
  readonly feed: Readonly<Record<string, unknown>>;
  readonly entries: readonly Entry[];
}> {
  const { status, headers, text } = await service.ask(asked, '/releases.atom', {});
  expect([status, headers['Content-Type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(XMLValidator.validate(text)).toBe(true);
  const isArray = (name: string): boolean => ['entry', 'link'].includes(name);
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', htmlEntities: true, isArray });
  const { feed } = parser.parse(text) as { readonly feed: Readonly<Record<string, unknown>> };
  return { feed, entries: (feed['entry'] ?? []) as readonly Entry[] };
}

const linksOf = ({ link }: Pick<Entry, 'link'>, rel: string): readonly Link[] => link.filter((one) => one.rel === rel);

test('before anything is published the feed is empty, and yet a feed', async () => {
  const { feed, entries } = await readFeed();
  expect(entries).toEqual([]);
  for (const name of ['id', 'title', 'updated', 'author', 'link']) expect(feed[name]).toBeDefined();
});

test('each publish has an entry with its counts, and links that lead to it', async () => {
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
    const { status } = await service.ask(asked, href.slice(SITE.length).replace(/#.*/, ''));
    expect([href, status]).toEqual([href, 200]);
  }
  const changes = linksOf(newest, 'related').find(({ title }) => title === 'What changed');
  const { headers } = await service.get(changes?.href.slice(SITE.length) ?? '');
  // Those that were added and those that changed.
  expect(headers['X-Total-Count']).toBe('3');
  expect(linksOf(first, 'related').map(({ title }) => title)).toEqual(['Inventory']);
});

test('a publish whose release is gone has no entry, and what followed it says no counts', async () => {
  const { entries } = await service.store.currentState();
  await service.store.forgetStates(at(2).toISOString());
  const left = new Set(entries.map(({ releaseId }) => releaseId));
  for (const release of await service.store.listReleases())
    if (!left.has(release)) await service.store.deleteRelease(release);
  expect((await readFeed()).entries.map(({ summary }) => summary)).toEqual([`4 records. ${NOTHING_OLDER}`]);
});

test('what is withdrawn stays in the feed while its release is held', async () => {
  const [entry] = (await service.store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing is published');
  await withdraw(service.store, entry, at(3).toISOString());
  expect((await readFeed()).entries).toHaveLength(1);
  await load(4, { S1: 1 });
  const [newest] = (await readFeed()).entries;
  expect(newest?.summary).toBe('1 record: 1 added, 0 removed, 0 changed.');
});

test.each(['/', '/downloads', '/ogc', '/docs', '/explore'])('the head of %s says where the feed is', async (path) => {
  const { text } = await service.ask(asked, path, { accept: 'text/html' });
  const [head = ''] = text.split('</head>');
  expect(head).toMatch(
    /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="\/data\/releases\.atom" \/>/,
  );
  if (['/', '/downloads'].includes(path)) expect(text.slice(head.length)).toContain('href="/data/releases.atom"');
});
