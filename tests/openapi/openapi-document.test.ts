// docs/openapi.json passes the linters, and describes the parameters, answers, headers and errors as the service has
// them.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { loadSamples } from '../../host/load-samples';
import { FORM_TYPE, MAX_QUERY_BODY } from '../../shared/http/pipeline/outcome';
import {
  downloads,
  exportOperations,
  facetsOperations,
  find,
  inventory,
  operations,
  pageOperations,
  placesOperations,
  totalsOperations,
} from '../../shared/query/operations';
import { tileCollections } from '../../shared/query/tile-collections';
import { DIGEST_NAME } from '../../shared/values/digest';
import { BAD_QUERY } from '../../tools/documents/openapi-responses';
import { PROJECT } from '../fixtures/host-process';
import { OPERATIONS } from '../fixtures/plain-search';
import { type Answer, createTestService, requestService } from '../fixtures/test-service';
import {
  answersBytes,
  answersThatDoNotFit,
  type DescribedOperation,
  misordered,
  openApi,
  whatDoesNotFit,
} from './reading';

const samples = createTestService();
const paths = Object.values(OPERATIONS);
const DOWNLOADS = '/v1/Downloads';
const DOWNLOAD_FILE = '/v1/Downloads/{Release}/{Name}';
const TILESETS = ['sites', 'reporting-units', 'allocations'].map(
  (id) => `/ogc/collections/${id}/tiles/WebMercatorQuad`,
);
const settings = { slashDateOrder: 'MDY' } as const;

/** Headers that any HTTP answer may have, so that operations do not describe them. */
const GENERAL_HEADERS =
  /^(Content-(Type|Length|Security-Policy)|Access-Control-.*|X-Content-Type-Options|Cross-Origin-.*|Referrer-Policy|Last-Modified)$/;

beforeAll(() => loadSamples(samples.store, { stagingDirectory: join(samples.folder, 'staging') }));

function described(path: string): DescribedOperation {
  const item = openApi.paths[path];
  if (item === undefined) throw new Error(`${path} is not in the document`);
  return item.get;
}

/** Headers of answers without records, and links to terms of use, which the samples do not have. */
const OCCASIONAL_HEADERS: ReadonlySet<string> = new Set(['Query-Hint', 'Link']);

/** Checks that the headers of an answer, except the headers above, are exactly the described headers. */
function expectHeaders(path: string, answer: Answer): void {
  expectSaidHeaders(described(path), path, answer);
}

function expectSaidHeaders(operation: DescribedOperation, path: string, { status, headers }: Answer): void {
  const listNames = (some: object): readonly string[] =>
    Object.keys(some).filter((name) => !GENERAL_HEADERS.test(name) && !OCCASIONAL_HEADERS.has(name));
  const documentedNames = listNames(operation.responses[status]?.headers ?? {});
  expect({ path, status, headers: [...documentedNames].sort() }).toEqual({
    path,
    status,
    headers: [...listNames(headers)].sort(),
  });
}

test('has no findings by Redocly', async () => {
  const cli = join(PROJECT, 'tests', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const environment = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const document = join(PROJECT, 'docs', 'openapi.json');
  const args = [cli, 'lint', '--format=json', '--extends=recommended', document];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: samples.folder, env: environment });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
});

test('has no findings by Spectral', async () => {
  const ruleset = join(samples.folder, 'spectral.yaml');
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  const cli = join(PROJECT, 'tests', 'node_modules', '@stoplight', 'spectral-cli', 'dist', 'index.js');
  const args = [cli, 'lint', '--quiet', '--format=json', `--ruleset=${ruleset}`, join(PROJECT, 'docs', 'openapi.json')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: samples.folder });
  expect(JSON.parse(stdout)).toEqual([]);
}, 60_000);

test('has exactly the operations and the path without a key', () => {
  expect(Object.keys(openApi.paths)).toEqual([
    ...paths,
    ...paths.map((path) => `${path}/Totals`),
    ...paths.map((path) => `${path}/Facets`),
    ...paths.map((path) => `${path}/Removed`),
    '/v1/Sites',
    '/v1/ReportingUnits',
    ...paths.map((path) => `${path}/Export`),
    '/v1/Inventory',
    '/v1/Find',
    DOWNLOADS,
    DOWNLOAD_FILE,
    ...TILESETS.flatMap((path) => [path, `${path}/{zoom}/{row}/{column}`]),
    ...['Challenge', 'Requests', 'Claims', 'Own', 'Own/Rotation'].map((name) => `/v1/Keys/${name}`),
    '/v1/Submissions/Checks',
    '/v1/Submissions',
    ...['', '/Report', '/Rejected', '/Warned', '/Confirmation'].map((part) => `/v1/Submissions/{Id}${part}`),
    '/health',
  ]);
});

const withExamples = [...operations, ...totalsOperations, ...facetsOperations, ...placesOperations];

describe.each(withExamples)('$name', ({ route, parameters: declared }) => {
  const { parameters = [], responses } = described(`/${route}`);

  test('has every parameter, with an example that the service accepts', () => {
    expect(parameters.map(({ name }) => name)).toEqual(declared.map(({ name }) => name));
    for (const [index, parameter] of declared.entries()) {
      const { schema, description } = parameters[index] ?? {};
      const value = schema?.items ?? schema;
      // The declaration cannot state which versions exist.
      const isVersion = parameter.kind === 'dataVersion' || parameter.kind === 'changedSince';
      expect(String(value?.examples?.[0])).toEqual(isVersion ? expect.stringMatching(DIGEST_NAME) : parameter.example);
      expect(parameter.read(parameter.example, settings)).toMatchObject({ ok: true });
      expect(description).toContain(parameter.meaning);
      expect(schema?.type).toBe(parameter.isRepeatable ? 'array' : parameter.type);
    }
  });

  test('is never stricter about a value than the service', () => {
    for (const parameter of declared) {
      const { pattern, minimum = -Infinity, maximum = Infinity } = parameter.limits ?? {};
      for (const value of parameter.limits?.enum ?? [])
        expect(parameter.read(value, settings)).toMatchObject({ ok: true });
      if (parameter.type === 'string' && pattern === undefined) continue;
      const shape = new RegExp(pattern ?? '^\\d+$');
      const texts = fc.oneof(fc.stringMatching(/^[ -~]{0,12}$/), fc.stringMatching(shape), fc.nat().map(String));
      fc.assert(
        fc.property(texts, (text) => {
          if (!parameter.read(text, settings).ok) return true;
          const isWithin = parameter.type === 'string' || (Number(text) >= minimum && Number(text) <= maximum);
          return shape.test(text) && isWithin;
        }),
        { seed: 6, numRuns: 100 },
      );
    }
  });

  test('has real answers as examples', async () => {
    const { examples = {} } = responses['200']?.content?.['application/json'] ?? {};
    expect(Object.keys(examples)).not.toHaveLength(0);
    for (const { description, value } of Object.values(examples)) {
      expect((await samples.get(description)).json).toEqual(value);
    }
  });

  test.each([
    ['200', `/${route}`, undefined],
    ['400', `/${route}?${BAD_QUERY}`, undefined],
    ['401', `/${route}`, {}],
    ['406', `/${route}`, { 'x-api-key': samples.key, accept: 'image/png' }],
    ['410', `/${route}?DataVersion=${'0'.repeat(32)}`, undefined],
  ])('describes the headers of a %s, and the body of an error', async (status, path, headers) => {
    const answer = await samples.get(path, headers);
    expect(answer.status).toBe(Number(status));
    expectHeaders(`/${route}`, answer);
    if (status === '200') expect('Link' in answer.headers).toBe(!route.endsWith('/Facets'));
    const example = responses[status]?.content?.['application/problem+json']?.example;
    if (status !== '200') expect(answer.json).toEqual({ ...example, instance: answer.json.instance });
    else expect(example).toBeUndefined();
  });
});

const byPost = [...pageOperations, ...exportOperations, inventory, find, downloads];

describe.each(byPost)('$name by POST', ({ name, route, parameters: declared }) => {
  const form = openApi.components.schemas[`${name}Form`];
  const post = openApi.paths[`/${route}`]?.post;
  if (post === undefined) throw new Error(`POST ${route} is not in the document`);

  test('has the parameters of GET in a form', () => {
    const [type, body] = Object.entries(post.requestBody?.content ?? {})[0] ?? [];
    expect([type, body?.schema.$ref]).toEqual([FORM_TYPE, `#/components/schemas/${name}Form`]);
    expect(Object.keys(form?.properties ?? {})).toEqual(declared.map((parameter) => parameter.name));
  });

  test.each([
    [413, 'x'.repeat(MAX_QUERY_BODY + 1), { 'content-type': FORM_TYPE }],
    [415, 'x', { 'content-type': 'text/plain' }],
    [400, BAD_QUERY, { 'content-type': FORM_TYPE }],
    [401, '', { 'x-api-key': '' }],
  ])('describes a %s with its headers', async (status, body, headers: Readonly<Record<string, string>>) => {
    const sent = { method: 'POST', headers: { 'x-api-key': samples.key, ...headers }, body };
    const answer = await requestService(samples.service, `/${route}`, sent);
    expect(answer.status).toBe(status);
    expectSaidHeaders(post, `/${route}`, answer);
  });

  test('declares no 304 or 412, because a POST ignores conditions', () => {
    const { 200: success, 304: notModified, 412: failed } = post.responses;
    expect([notModified, failed]).toEqual([undefined, undefined]);
    expect(Object.keys(success?.headers ?? {})).toEqual(expect.not.arrayContaining(['ETag', 'Link']));
  });
});

test('besides these, only tiles and operations on keys and submissions have a POST', () => {
  const posted = Object.entries(openApi.paths).filter(
    ([path, item]) => item.post !== undefined && !/\/(Keys|Submissions)/.test(path),
  );
  const tiles = tileCollections.map(({ id }) => `/ogc/collections/${id}/tiles/WebMercatorQuad/{zoom}/{row}/{column}`);
  const records = byPost.map(({ route }) => `/${route}`);
  expect(posted.map(([path]) => path).sort()).toEqual([...records, ...tiles].sort());
});

test('describes every operation', () => {
  const all = Object.values(openApi.paths).flatMap((item) => Object.values(item));
  expect(all.filter(({ description }) => description === '')).toEqual([]);
});

test('has no object with names that differ only in letter case', () => {
  const raw: unknown = JSON.parse(readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8'));
  expect(listCaseTwins(raw, '')).toEqual([]);
});

function listCaseTwins(value: unknown, way: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Object.keys(value);
  const folded = names.map((name) => name.toLowerCase());
  const twins = names.filter((_, index) => folded.indexOf(folded[index] ?? '') !== index);
  const inner = Object.entries(value).flatMap(([name, member]) => listCaseTwins(member, `${way}/${name}`));
  return [...twins.map((name) => `${way}/${name}`), ...inner];
}

test('has a name for every enumeration and every object', () => {
  const raw = JSON.parse(readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8')) as object;
  expect(listUnnamed(raw, [])).toEqual([]);
});

/** The paths to enumerations, and to objects with members, that are not among the named schemas. */
function listUnnamed(value: unknown, way: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isNamed = way.length === 3 && way[1] === 'schemas';
  const isSchema = 'enum' in value || ('properties' in value && 'type' in value && value.type === 'object');
  const inner = Object.entries(value).flatMap(([name, member]) =>
    name === 'example' || name === 'examples' ? [] : listUnnamed(member, [...way, name]),
  );
  return isSchema && !isNamed ? [way.join('/'), ...inner] : inner;
}

test('lists the groups of totals as members of their rows, which allow no others', () => {
  for (const { name, dataSet, parameters } of totalsOperations) {
    const row = openApi.components.schemas[`${dataSet}TotalsRow`];
    const groups = parameters.find(({ kind }) => kind === 'groupBy')?.limits?.enum;
    expect({ name, members: Object.keys(row?.properties ?? {}) }).toEqual({
      name,
      members: expect.arrayContaining([...(groups ?? [])]),
    });
    expect(row).toMatchObject({ additionalProperties: false });
  }
});

test('counts are whole numbers', () => {
  const counts = Object.entries(openApi.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([member]) => /Count$|^(Records|Bytes|Count|Sites|MoreValues)$/.test(member))
      .map(([member, { type }]) => ({ name, member, type })),
  );
  const others = counts.filter(
    ({ type }) => type !== 'integer' && type !== 'array' && ![type].flat().includes('integer'),
  );
  expect(others).toEqual([]);
  expect(counts.length).toBeGreaterThan(20);
});

test('declares every way to send a key, and marks the sentence of an error', () => {
  const { components } = JSON.parse(readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8')) as {
    readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
  };
  expect(Object.values(components.securitySchemes)).toMatchObject([
    { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    { type: 'apiKey', in: 'query', name: 'key' },
    { type: 'http', scheme: 'bearer' },
    { type: 'http', scheme: 'basic' },
  ]);
  expect(openApi.components.schemas['Problem']?.properties?.['detail']).toMatchObject({
    'x-ms-primary-error-message': true,
  });
});

test('describes every member', () => {
  const members = Object.values(openApi.components.schemas).flatMap(({ properties }) =>
    Object.entries(properties ?? {}),
  );
  expect(members.filter(([, { description }]) => description === undefined)).toEqual([]);
});

test('lists the members in the order of the answers', async () => {
  for (const path of paths) {
    const { json } = await samples.get(`${path}?RecordCount=3`);
    expect(misordered(json, described(path).responses['200']?.content?.['application/json']?.schema ?? {})).toEqual([]);
  }
});

// tests/property/openapi-fuzz.test.ts covers answers to arbitrary requests over small submissions.
test('every answer from the samples conforms to its schema', async () => {
  const below = [
    '?RecordCount=10000',
    '/Totals',
    '/Totals?GroupBy=State&GroupBy=BeneficialUseCV',
    '/Facets?Facet=State',
  ];
  const asked = [...paths.flatMap((path) => below.map((end) => path + end)), '/v1/Inventory', DOWNLOADS];
  expect(await answersThatDoNotFit(samples, asked)).toEqual([]);
});

describe.each(exportOperations)('$name', ({ route, parameters: declared }) => {
  const { parameters = [], responses } = described(`/${route}`);

  test('has every parameter, and the media types and headers of its answers', async () => {
    expect(parameters.map(({ name }) => name)).toEqual(declared.map(({ name }) => name));
    const answer = await samples.get(`/${route}`);
    expect(Object.keys(responses['200']?.content ?? {})).toContain(answer.headers['Content-Type']);
    for (const one of [answer, await samples.get(`/${route}?${BAD_QUERY}`)]) expectHeaders(`/${route}`, one);
  });
});

describe.each(TILESETS)('%s', (tileset) => {
  const tile = `${tileset}/{zoom}/{row}/{column}`;
  const { parameters = [] } = described(tile);

  test('has the filters of the collection and of the standard', () => {
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['State', 'filter', 'filter-lang', 'bbox', 'datetime', 'f']));
    const ofTileset = described(tileset).parameters?.map(({ name }) => name);
    expect(ofTileset).toEqual(names);
  });

  test.each([
    ['200', tileset, tileset, {}],
    ['400', tileset, `${tileset}?${BAD_QUERY}`, {}],
    ['200', tile, `${tileset}/0/0/0`, undefined],
    ['400', tile, `${tileset}/0/0/0?${BAD_QUERY}`, undefined],
    ['401', tile, `${tileset}/0/0/0`, {}],
    ['404', tile, `${tileset}/19/0/0`, undefined],
  ])('a %s from %s has the declared headers', async (status, path, asked, headers) => {
    const answer = await samples.get(asked, headers);
    expect(answer.status).toBe(Number(status));
    expectHeaders(path, answer);
    expect(whatDoesNotFit(path, answer)).toBeUndefined();
  });
});

const withBytes = Object.entries(openApi.paths).filter(
  ([path, { get }]) => !/\/(Keys|Submissions)/.test(path) && answersBytes(get),
);

describe.each(withBytes)('%s', (path, { get }) => {
  test('declares a binary body, and no status that would make generated clients ignore the body', () => {
    const contents = Object.values(get.responses['200']?.content ?? {});
    expect(contents.map(({ schema }) => [schema.type, schema.format])).toEqual(
      contents.map(() => ['string', 'binary']),
    );
    expect(['204', '302', '304'].filter((status) => status in get.responses)).toEqual([]);
    expect(get.description).toContain('304');
  });

  test('is described by the path of its example', () => {
    expect(path).toMatch(/\/Export$|\/\{Name\}$|\/\{column\}$/);
  });
});

test('an empty tile is a 204, which the description names', async () => {
  const answer = await samples.get(`${TILESETS[0]}/2/0/0`);
  expect(answer.status).toBe(204);
  expect(whatDoesNotFit(`${TILESETS[0]}/{zoom}/{row}/{column}`, answer)).toBeUndefined();
});

test('/health answers without a key as described', async () => {
  const answer = await samples.get('/health', {});
  expect(answer.status).toBe(200);
  expectHeaders('/health', answer);
  expect(misordered(answer.json, openApi.components.schemas['Health'] ?? {})).toEqual([]);
  expect(whatDoesNotFit('/health', answer)).toBeUndefined();
});

test('declares 412 wherever the service answers with it, including the OGC API', async () => {
  const ogc = (await samples.get('/ogc/api', {})).json as typeof openApi;
  // Tiles are described in docs/openapi.json.
  const features = Object.entries(ogc.paths).filter(([path]) => !path.includes('/tile'));
  const below = features.map(([path, item]) => [`/ogc${path}`, item] as const);
  const { version } = await samples.store.currentState();
  const inPath = {
    zoom: '0',
    row: '0',
    column: '0',
    tileMatrixSetId: 'WebMercatorQuad',
    tileMatrix: '0',
    tileRow: '0',
  };
  const unlike: string[] = [];
  for (const [path, { get }] of [...Object.entries(openApi.paths), ...below]) {
    // The samples have no files to download, and self-service keys are off.
    if (path === DOWNLOAD_FILE || /^\/v1\/(Keys|Submissions)/.test(path)) continue;
    const values: Readonly<Record<string, string>> = {
      ...inPath,
      tileCol: '0',
      ...(await fetchFeatureParameters(path)),
    };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'sites');
    const headers = { 'x-api-key': samples.key, 'if-match': '"other"' };
    const required = path.endsWith('/Removed') ? `?Since=${version}` : '';
    const query = path === '/v1/Find' ? '?Query=a' : required;
    const { status } = await samples.get(`${address}${query}`, headers);
    if (status !== 412 || get.responses['412'] === undefined) unlike.push(`${address} is ${status}`);
  }
  expect(unlike).toEqual([]);
  expect(below.length).toBeGreaterThan(20);
});

test('/ogc/api declares 410 for tiles and tilesets, which take DataVersion', async () => {
  const ogc = (await samples.get('/ogc/api', {})).json as typeof openApi;
  const paths = Object.keys(ogc.paths).filter((path) => path.includes('/tiles'));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) {
    const address = path.replace('{tileMatrix}/{tileRow}/{tileCol}', '0/0/0');
    const { status } = await samples.get(`/ogc${address}?DataVersion=${'0'.repeat(32)}`);
    expect({ path, status, isDeclared: ogc.paths[path]?.get.responses['410'] !== undefined }).toEqual({
      path,
      status: 410,
      isDeclared: true,
    });
  }
});

/** The first feature of the collection in a path. */
async function fetchFeatureParameters(path: string): Promise<Readonly<Record<string, string>>> {
  if (!path.endsWith('/{featureId}')) return {};
  const { json } = await samples.get(`${path.replace('/{featureId}', '')}?limit=1`);
  return { featureId: encodeURIComponent(json.features[0].id) };
}
