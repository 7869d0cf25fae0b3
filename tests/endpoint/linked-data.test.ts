// Linked data (D58): every feature of the real submissions conforms to geoconnex's public shapes for JSON-LD and agrees
// with the JSON answers. Also ids, digests, and the file with all features of a release.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeMissingFiles } from '../../data-loaders/publish/make-files';
import { SILENT } from '../../data-loaders/stage/progress';
import { readGeometry } from '../../shared/values/boundary';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { SITE } from '../fixtures/sitemap-reading';
import { type Answer, createLoadedService, createTestService } from '../fixtures/test-service';

type Node = Readonly<Record<string, unknown>>;

const real = createTestService();
const addresses = { base: SITE, idPattern: 'https://geoconnex.example/{organization}/{collection}/{id}' };
const testedService = { ...real.service, publicUrl: SITE, linkedDataId: addresses.idPattern };

const makeFiles = (made = addresses) =>
  makeMissingFiles({
    store: real.store,
    files: real.service.downloads,
    progress: SILENT,
    shouldStop: () => false,
    addresses: made,
  });

beforeAll(async () => {
  for (const { folder } of realSubmissions) await real.loadFolder(join(REAL_DATA, folder));
  await makeFiles();
});

function ask(path: string, headers = {}, method?: 'HEAD'): Promise<Answer> {
  return real.getFrom(testedService, path, { 'x-api-key': real.key, ...headers }, method);
}

async function fetchThings(releaseId: string): Promise<readonly Node[]> {
  const { status, bytes } = await ask(`/v1/Downloads/${releaseId}/things.jsonl.gz`);
  expect(status).toBe(200);
  const lines = gunzipSync(bytes).toString().split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Node);
}

/** Checks every third feature in releases with many features. */
async function someThings(): Promise<readonly Node[]> {
  const { entries } = await real.store.currentState();
  const things = await Promise.all(entries.map(({ releaseId }) => fetchThings(releaseId)));
  return things.flatMap((some) => (some.length < 200 ? some : some.filter((_, index) => index % 3 === 0)));
}

/** Returns the node and all nodes below it. As in RDF, nodes with the same id are one node. */
function* collectNodes(value: unknown): Iterable<Node> {
  if (Array.isArray(value)) for (const one of value) yield* collectNodes(one);
  else if (typeof value === 'object' && value !== null) {
    yield value as Node;
    for (const [name, one] of Object.entries(value)) if (name !== '@context') yield* collectNodes(one);
  }
}

const isOf = (node: Node, type: string): boolean => [node['@type']].flat().includes(type);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);
const toList = (value: unknown): readonly Node[] => (value === undefined ? [] : ([value].flat() as Node[]));

const toTexts = (value: unknown): string[] => [value ?? []].flat().filter((one) => typeof one === 'string');

/** The geometry that a well-known text represents. */
function readWkt(geometry: Node): ReturnType<typeof readGeometry> {
  const { '@value': text } = geometry['gsp:asWKT'] as Node;
  return readGeometry(typeof text === 'string' ? text : '');
}

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const PERIOD = new RegExp(`^(${DATE}|\\.\\.)/(${DATE}|\\.\\.)$`);

/**
 * The requirements of the shapes on a node, keyed by the node's type (shacl_validator/shapes/geoconnex.ttl of
 * internetofwater/nabu).
 */
const SHAPES: Readonly<Record<string, readonly ((node: Node) => boolean)[]>> = {
  Place: [
    ({ name }) => isText(name),
    ({ description }) => isTextOrNone(description),
    (node) => toList(node['gsp:hasGeometry']).length > 0,
    (node) => toList(node['gsp:hasGeometry']).every((one) => readWkt(one).ok),
    ({ geo }) => toList(geo).length > 0,
  ],
  Dataset: [
    ({ name, description, url }) => [name, description, url].every(isText),
    ({ identifier, license }) => isText(identifier) && isTextOrNone(license),
    ({ provider }) => toList(provider).length > 0 && toList(provider).every((one) => isOf(one, 'Organization')),
    ({ isAccessibleForFree: isFree }) => typeof isFree === 'boolean',
    ({ temporalCoverage: period }) => period === undefined || (typeof period === 'string' && PERIOD.test(period)),
    ({ distribution }) => toList(distribution).length > 0,
    ({ variableMeasured: variables }) => toList(variables).every((one) => isOf(one, 'PropertyValue')),
    ({ about }) => about === undefined,
  ],
  Organization: [({ name, url }) => isText(name) && isTextOrNone(url)],
  PropertyValue: [
    ({ name, unitText, measurementTechnique: how }) => isText(name) && [unitText, how].every(isTextOrNone),
  ],
  DataDownload: [({ contentUrl, encodingFormat }) => isText(contentUrl) && isText(encodingFormat)],
};

function breaches(thing: Node): readonly unknown[] {
  const nodes = [...collectNodes(thing)];
  const rules = Object.entries(SHAPES).flatMap(([type, checks]) => checks.map((check) => ({ type, check })));
  return rules.flatMap(({ type, check }) =>
    nodes.filter((node) => isOf(node, type) && !check(node)).map((node) => [type, check.toString(), node]),
  );
}

test('every feature of the real submissions conforms to the geoconnex shapes', async () => {
  const things = await someThings();
  expect(things.length).toBeGreaterThan(150);
  expect(things.flatMap(breaches)).toEqual([]);
  const nodes = things.flatMap((thing) => [...collectNodes(thing)]);
  for (const type of Object.keys(SHAPES)) expect(nodes.some((node) => isOf(node, type))).toBe(true);
  const [place] = things.filter((thing) => isOf(thing, 'Place'));
  expect(breaches({ ...place, 'gsp:hasGeometry': undefined })).toHaveLength(1);
});

test('the file has one line per feature, which agrees with its page and its GeoJSON', async () => {
  const { entries } = await real.store.currentState();
  for (const { releaseId, organizationUuid, dataSet } of entries) {
    const kinds = {
      SiteVariableAmounts: 'sites',
      AggregatedAmounts: 'reporting-units',
      WaterAllocations: 'allocations',
    };
    const items = `/ogc/collections/${kinds[dataSet]}/items`;
    const listed = await ask(`${items}?OrganizationUUID=${organizationUuid}&limit=10000`);
    const features = listed.json.features as readonly (Node & { readonly id: string; readonly properties: Node })[];
    const things = await fetchThings(releaseId);
    const byId = new Map(things.map((thing) => [thing['identifier'], thing]));
    expect([...byId.keys()].sort()).toEqual(features.map(({ id }) => id).sort());
    for (const { id, geometry, properties } of features.filter((_, index) => index % 40 === 0)) {
      const thing = byId.get(id) ?? {};
      const { json } = await ask(`${items}/${encodeURIComponent(id)}?f=jsonld`);
      expect(json).toEqual(thing);
      const place = isOf(thing, 'Place') ? thing : (toList(thing['spatialCoverage'])[0] ?? {});
      const geometries = toList(place['gsp:hasGeometry']).map(readWkt);
      expect(geometries).toEqual(geometry === null ? [] : [{ ok: true, value: geometry }]);
      const data = toList(thing['subjectOf'])[0] ?? thing;
      const names = [properties['VariableSpecificTypeCV']].flat();
      expect(toList(data['variableMeasured']).map(({ name }) => name)).toEqual(names);
      const [first] = toTexts(properties['FirstDay']).sort();
      const last = toTexts(properties['LastDay']).sort().at(-1);
      const priority = properties['AllocationPriorityDate'];
      const period = first === undefined ? undefined : `${first}/${last ?? ''}`;
      expect(data['temporalCoverage']).toBe(typeof priority === 'string' ? `${priority}/..` : period);
    }
  }
});

test('rebuilds a file only if its lines contain outdated addresses', async () => {
  expect(await makeFiles()).toEqual([]);
  const before = (await real.store.currentState()).entries;
  expect(await makeFiles({ ...addresses, idPattern: '' })).toHaveLength(before.length);
  const [thing] = await fetchThings(before[0]?.releaseId ?? '');
  expect(thing?.['@id']).toBe(thing?.['url']);
  await makeFiles();
  expect((await fetchThings(before[0]?.releaseId ?? ''))[0]?.['@id']).toMatch(/^https:\/\/geoconnex\.example\//);
});

describe('a feature', () => {
  const PAGE = '/ogc/collections/sites/items/ORG_1~a%2Fb';

  const service = createLoadedService({
    ...buildLookups({ OrganizationWebsite: 'https://office.example/' }),
    'sites.csv': [
      { SiteUUID: 'a/b', SiteName: 'Bridge', SiteTypeCV: 'Stream Gage', Longitude: '-111.5', Latitude: '40.25' },
      { SiteUUID: 'Well', SiteTypeCV: 'Well', Longitude: '-111', Latitude: '40' },
      { SiteUUID: 'nowhere', SiteTypeCV: 'Gage' },
    ],
    'sitespecificamounts.csv': ['a/b', 'Well', 'nowhere'].map((SiteUUID) => siteAmount({ SiteUUID })),
    'waterallocations.csv': [allocation({ SiteUUID: 'a/b' })],
  });
  const get = (path: string, more = {}, method?: 'HEAD' | 'GET', headers = {}): Promise<Answer> =>
    service.getFrom({ ...service.service, ...more }, path, { 'x-api-key': service.key, ...headers }, method);

  test('that is a gage with a position is a hydrologic location with a named provider', async () => {
    const { json } = await get(`${PAGE}?f=jsonld`);
    expect(json).toMatchObject({
      '@type': ['Place', 'hyf:HY_HydroLocation'],
      name: 'Site Bridge',
      geo: { '@type': 'GeoCoordinates', longitude: -111.5, latitude: 40.25 },
      'gsp:hasGeometry': { 'gsp:asWKT': { '@type': 'gsp:wktLiteral', '@value': 'POINT (-111.5 40.25)' } },
      subjectOf: { provider: { name: 'Office', url: 'https://office.example/' } },
    });
    expect(json.subjectOf.license).toBeUndefined();
    const csv = json.subjectOf.distribution.find(({ encodingFormat: format }: Node) => format === 'text/csv');
    const amounts = await get(String(csv.contentUrl).replace('http://localhost', ''));
    expect([amounts.status, amounts.headers['X-Total-Count']]).toEqual([200, '1']);
    expect((await get('/ogc/collections/sites/items/ORG_1~Well?f=jsonld')).json['@type']).toBe('Place');
    expect((await get('/ogc/collections/sites/items/ORG_1~nowhere?f=jsonld')).json['@type']).toBe('Dataset');
  });

  test('has the id that LINKED_DATA_ID defines, and is cited by that id', async () => {
    const linkedDataId = 'https://geoconnex.us/wade/{collection}/{id}';
    const id = 'https://geoconnex.us/wade/sites/a%2Fb';
    const { json } = await get(`${PAGE}?f=jsonld`, { linkedDataId });
    expect([json['@id'], json.url, json.subjectOf.spatialCoverage]).toEqual([
      id,
      `http://localhost${PAGE}`,
      { '@id': id },
    ]);
    expect((await get(`${PAGE}?f=html`, { linkedDataId })).text).toContain(`url = {${id}}`);
  });

  test.each([
    ['sha-256=10', ['sha-256']],
    ['md5', ['md5']],
    ['sha-512=9, sha-256=3, md5=1', ['sha-256', 'md5']],
    ['sha-256=0, md5=1', ['md5']],
    ['unixsum=1', ['sha-256']],
  ])('HEAD with Want-Content-Digest: %s has the digest of the body that GET sends', async (wanted, algorithms) => {
    for (const coding of ['identity', 'br']) {
      const headers = { 'want-content-digest': wanted, accept: 'application/ld+json', 'accept-encoding': coding };
      const head = await get(PAGE, {}, 'HEAD', headers);
      const { bytes } = await get(PAGE, {}, 'GET', headers);
      const digests = algorithms.map((name) => `${name}=:${hash(name.replace('-', ''), bytes, 'base64')}:`).join(', ');
      expect([head.bytes.length, head.headers['Content-Digest'], head.headers['Repr-Digest']]).toEqual([
        0,
        digests,
        digests,
      ]);
    }
    expect((await get(PAGE, {}, 'HEAD')).headers['Content-Digest']).toBeUndefined();
  });
});
