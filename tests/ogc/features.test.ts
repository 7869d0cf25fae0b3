// The abstract tests of OGC API - Features, Part 1 (17-069r4, Annex A), for every collection.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../fixtures/host-process';
import { findSchemaErrors } from '../fixtures/ogc-schemas';
import { createOgcService, type OgcLink } from '../fixtures/ogc-service';
import { type Answer, requestService } from '../fixtures/test-service';

const ogc = createOgcService();
function listRelations({ json }: Answer): readonly string[] {
  return (json.links as readonly OgcLink[]).map(({ rel }) => rel);
}

interface DefinedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
}

interface DefinedOperation {
  readonly parameters: readonly DefinedParameter[];
  readonly responses: object;
  readonly security: readonly object[];
}

interface DefinedPath {
  readonly get: DefinedOperation;
  readonly post?: DefinedOperation & {
    readonly requestBody: { readonly content: Readonly<Record<string, FormContent>> };
  };
}

interface FormContent {
  readonly schema: { readonly properties: object };
  readonly encoding: Readonly<Record<string, object>>;
}

const FORM = 'application/x-www-form-urlencoded';

/** The operations of the definition, keyed by path. */
async function definition(): Promise<Readonly<Record<string, DefinedPath>>> {
  return (await ogc.get('/api')).json.paths as Awaited<ReturnType<typeof definition>>;
}

async function definedParameter(id: string, name: string): Promise<DefinedParameter | undefined> {
  const paths = await definition();
  return paths[`/collections/${id}/items`]?.get.parameters.find((parameter) => parameter.name === name);
}

describe('ogcapi-features-1/1.0/conf/core', () => {
  test('/conf/core/http: answers have the headers of HTTP 1.1', async () => {
    const { headers } = await ogc.get('/');
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', Vary: expect.stringContaining('Accept') });
  });

  test('/conf/core/root-op, /conf/core/root-success: the landing page links to everything', async () => {
    const answer = await ogc.get('/', { accept: 'application/json' });
    expect([answer.status, findSchemaErrors('landingPage', answer.json)]).toEqual([200, undefined]);
    const needed = ['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data'];
    expect(listRelations(answer)).toEqual(expect.arrayContaining(needed));
  });

  test('/conf/core/api-definition-op, /conf/core/api-definition-success: links lead to the definition', async () => {
    const { json } = await ogc.get('/');
    for (const { rel, href, type = '' } of json.links as readonly OgcLink[]) {
      if (!['service-desc', 'service-doc'].includes(rel)) continue;
      const { status, headers } = await ogc.get(href, { accept: type });
      expect([status, headers['Content-Type']?.split(/; ?charset/)[0]]).toEqual([200, type]);
    }
  });

  test('/conf/core/conformance-op, /conf/core/conformance-success: the classes are declared', async () => {
    const { status, json } = await ogc.get('/conformance');
    expect([status, findSchemaErrors('conformance', json)]).toEqual([200, undefined]);
    expect(json.conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core');
  });

  test('/conf/core/fc-md-op, /conf/core/fc-md-success: the collections are listed', async () => {
    const answer = await ogc.get('/collections');
    expect([answer.status, findSchemaErrors('collections', answer.json)]).toEqual([200, undefined]);
    expect(listRelations(answer)).toEqual(expect.arrayContaining(['self', 'alternate']));
    expect(ogc.ids).toEqual(
      expect.arrayContaining(['sites', 'reporting-units', 'allocations', 'site-amounts', 'aggregated-amounts']),
    );
  });

  test('/conf/core/fc-md-items, /conf/core/fc-md-links, /conf/core/fc-md-items-links: a link for each format of items', () => {
    for (const { links } of ogc.collections) {
      const types = links.filter(({ rel }) => rel === 'items').map(({ type }) => type);
      expect(types.sort()).toEqual(['application/geo+json', 'text/html']);
    }
  });

  test('/conf/core/fc-md-extent: every geometry and time is in the extent', async () => {
    for (const { id, extent } of ogc.collections) {
      const [[west, south, east, north] = [NaN, NaN, NaN, NaN]] = extent.spatial.bbox;
      const matched = (await ogc.getItems(id, `bbox=${[west, south, east, north].join()}`)).json
        .numberMatched as number;
      expect([id, matched]).toEqual([id, 3]);
      expect(extent).toMatchObject({
        temporal: {
          interval: [[expect.stringMatching(/^2001-.*T00:00:00Z$/), expect.stringMatching(/^2005-.*T23:59:59Z$/)]],
        },
      });
    }
  });

  test('/conf/core/sfc-md-op, /conf/core/sfc-md-success: a collection matches its entry in the list', async () => {
    for (const listed of ogc.collections) {
      const { status, json } = await ogc.get(`/collections/${listed.id}`);
      const { links, ...described } = json as typeof listed;
      expect([status, findSchemaErrors('collection', json), described]).toEqual([
        200,
        undefined,
        { ...listed, links: undefined },
      ]);
      expect(links.map(({ rel }) => rel)).toEqual(listed.links.map(({ rel }) => rel));
    }
    const none = await ogc.get('/collections/none');
    expect([none.status, none.json.detail]).toEqual([404, expect.stringContaining('/ogc/collections links to')]);
  });

  test('/conf/core/crs84: geometries are longitude and latitude unless requested otherwise', async () => {
    for (const id of ogc.ids) {
      expect((await ogc.getItems(id)).headers['Content-Crs']).toBe('<http://www.opengis.net/def/crs/OGC/1.3/CRS84>');
      expect(await ogc.findFeatureNumbers(id)).toEqual([1, 2, 3]);
    }
  });

  test('/conf/core/fc-op, /conf/core/fc-response: items are a feature collection', async () => {
    for (const id of ogc.ids) {
      const { status, headers, json } = await ogc.getItems(id);
      expect([status, headers['Content-Type']]).toEqual([200, 'application/geo+json']);
      expect([id, findSchemaErrors('featureCollection', json)]).toEqual([id, undefined]);
    }
  });

  test.each([
    ['/conf/core/fc-limit-definition', 'limit', { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000 }],
    ['/conf/core/fc-bbox-definition', 'bbox', { type: 'array', minItems: 4, maxItems: 6, items: { type: 'number' } }],
    ['/conf/core/fc-time-definition', 'datetime', { type: 'string' }],
  ])('%s: the definition has %s as the standard writes it', async (_, name, schema) => {
    const written = { in: 'query', required: false, style: 'form', explode: false, schema };
    for (const id of ogc.ids) expect(await definedParameter(id, name)).toMatchObject(written);
  });

  test('/conf/core/fc-limit-response: no more features than the limit, and a large limit is no error', async () => {
    for (const id of ogc.ids) {
      expect(await ogc.getFeatures(id, 'limit=1')).toHaveLength(1);
      expect(await ogc.getFeatures(id, 'limit=2')).toHaveLength(2);
      expect((await ogc.getFeatures(id, 'limit=10001')).length).toBeLessThanOrEqual(10_000);
    }
  });

  test.each([
    ['-112.5,39.5,-110.8,41.5', [1, 2]],
    ['-112.5,39.5,0,-110.8,41.5,900', [1, 2]],
    ['-112,40,-112,40', [1]],
    ['170,30,-110.8,50', [1, 2]],
    ['0,0,10,10', []],
  ])('/conf/core/fc-bbox-response: %s', async (box, expected) => {
    for (const id of ogc.ids) expect([id, await ogc.findFeatureNumbers(id, `bbox=${box}`)]).toEqual([id, expected]);
  });

  test.each([
    ['2001-06-01', [1, 3]],
    ['2001-06-01T00:00:00Z', [1, 3]],
    ['2001-01-01T00:00:00Z/2005-12-31T23:59:59Z', [1, 2, 3]],
    ['2001-01-01/2001-12-31', [1, 3]],
    ['../2001-12-31', [1, 3]],
    ['/2001-12-31', [1, 3]],
    ['2005-01-01/..', [2, 3]],
    ['2005-01-01/', [2, 3]],
    ['2002-01-01/2004-12-31', [3]],
    ['2000-06-01/P1Y', [1, 3]],
    ['2000-12-30/P1D', [3]],
    ['P1Y/2006-01-01', [2, 3]],
  ])(
    '/conf/core/fc-time-response: %s matches features in the interval and features without a time',
    async (interval, expected) => {
      for (const id of ogc.ids)
        expect([id, await ogc.findFeatureNumbers(id, `datetime=${interval}`)]).toEqual([id, expected]);
    },
  );

  test('/conf/core/fc-links: items link to themselves, to the other format and to the next page', async () => {
    for (const id of ogc.ids) {
      const answer = await ogc.getItems(id, 'limit=2');
      expect(listRelations(answer)).toEqual(expect.arrayContaining(['self', 'alternate', 'next']));
      const next = (answer.json.links as readonly OgcLink[]).find(({ rel }) => rel === 'next')?.href ?? '';
      const last = await ogc.get(next);
      expect(listRelations(last)).not.toContain('next');
      const walked = [...answer.json.features, ...last.json.features] as readonly { readonly id: string }[];
      expect(new Set(walked.map((feature) => feature.id)).size).toBe(3);
    }
  });

  test('/conf/core/fc-timeStamp, /conf/core/fc-numberMatched, /conf/core/fc-numberReturned: all are correct', async () => {
    for (const id of ogc.ids) {
      const { json } = await ogc.getItems(id, 'limit=2&bbox=-112.5,39.5,-109,43');
      expect(json).toMatchObject({ timeStamp: '2026-01-02T03:04:05.000Z', numberMatched: 3, numberReturned: 2 });
      expect(json.features).toHaveLength(2);
    }
  });

  test('/conf/core/f-op, /conf/core/f-success, /conf/core/f-links: each feature has an address', async () => {
    for (const id of ogc.ids) {
      for (const feature of await ogc.getFeatures(id)) {
        const answer = await ogc.get(`/collections/${id}/items/${encodeURIComponent(feature.id)}`);
        expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'application/geo+json']);
        expect(findSchemaErrors('feature', answer.json)).toBeUndefined();
        expect(answer.json).toMatchObject({ ...feature });
        expect(listRelations(answer)).toEqual(expect.arrayContaining(['self', 'alternate', 'collection']));
      }
    }
  });

  test('/conf/core/query-param-invalid: an invalid value is a 400', async () => {
    for (const id of ogc.ids) {
      for (const query of ['limit=0', 'limit=a', 'bbox=1,2', 'bbox=a,b,c,d', 'datetime=soon', 'crs=none']) {
        expect([id, query, (await ogc.getItems(id, query)).status]).toEqual([id, query, 400]);
      }
    }
  });

  test('/conf/core/query-param-unknown: a parameter that is not in the definition is a 400', async () => {
    for (const path of ['/', '/conformance', '/collections', ...ogc.ids.map((id) => `/collections/${id}/items`)]) {
      expect([path, (await ogc.get(`${path}?unknownParameter=1`)).status]).toEqual([path, 400]);
    }
  });
});

describe('ogcapi-features-1/1.0/conf/geojson', () => {
  test('/conf/geojson/definition: GeoJSON is the default format of features', async () => {
    for (const id of ogc.ids) {
      for (const accept of ['application/geo+json', 'application/json', '*/*']) {
        const { headers } = await ogc.get(`/collections/${id}/items`, { accept, 'x-api-key': ogc.service.key });
        expect(headers['Content-Type']).toBe('application/geo+json');
      }
    }
  });

  test('/conf/geojson/content: each document conforms to the schema of GeoJSON', async () => {
    for (const id of ogc.ids) {
      expect(findSchemaErrors('featureCollection', (await ogc.getItems(id, 'limit=1')).json)).toBeUndefined();
      expect(findSchemaErrors('featureCollection', (await ogc.getItems(id, 'bbox=0,0,1,1')).json)).toBeUndefined();
    }
  });
});

/** The lists of members in each kind of document. */
const MEMBERS: Readonly<Record<string, (document: Answer['json']) => object>> = {
  queryables: (document) => document.properties as object,
  schema: (document) => document.properties.properties.properties as object,
};

describe('ogcapi-features-1/1.0/conf/html', () => {
  test('/conf/html/definition, /conf/html/content: each resource has a page with the content of its JSON', async () => {
    const features = await Promise.all(
      ogc.ids.map(async (id) => [id, (await ogc.getFeatures(id))[0]?.id ?? ''] as const),
    );
    const paths = [
      '/',
      '/conformance',
      '/collections',
      '/api',
      ...ogc.ids.map((id) => `/collections/${id}`),
      ...features.flatMap(([id, feature]) => [
        `/collections/${id}/items`,
        `/collections/${id}/items/${encodeURIComponent(feature)}`,
      ]),
    ];
    for (const path of paths) {
      const { status, headers, text } = await ogc.get(path, { accept: 'text/html', 'x-api-key': ogc.service.key });
      expect([path, status, headers['Content-Type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/^<!doctype html>\s*<html lang="en"/i);
      const feature = features.find(([id]) => path.includes(`/${id}/items`));
      if (feature !== undefined) expect(text).toContain(feature[1]);
    }
  });

  test('/conf/html/content: pages of descriptions have the content of their JSON', async () => {
    const page = async (path: string): Promise<string> => (await ogc.get(path, { accept: 'text/html' })).text;
    const landing = await page('/');
    for (const { id, title, extent } of ogc.collections) {
      expect(landing).toContain(`<a href="http://localhost/ogc/collections/${id}">${title}</a>`);
      const shown = await page(`/collections/${id}`);
      const [west = '', , east = ''] = extent.spatial.bbox[0] ?? [];
      for (const text of [title, `<dd>${id}</dd>`, `${west} to ${east}`, 'T23:59:59Z']) expect(shown).toContain(text);
      for (const [path, ofMembers] of Object.entries(MEMBERS)) {
        const members = ofMembers((await ogc.get(`/collections/${id}/${path}`)).json);
        const table = await page(`/collections/${id}/${path}`);
        for (const name of Object.keys(members)) expect(table).toContain(`<code>${name}</code>`);
      }
    }
    const { conformsTo } = (await ogc.get('/conformance')).json as { readonly conformsTo: readonly string[] };
    const classes = await page('/conformance');
    for (const uri of conformsTo) expect(classes).toContain(`>${uri}</a>`);
    const requests = await page('/api');
    for (const path of Object.keys(await definition())) expect(requests).toContain(`<code>${path}</code>`);
  });
});

describe('ogcapi-features-1/1.0/conf/oas30', () => {
  test('/conf/oas30/oas-definition-1, /conf/oas30/oas-definition-2: the definition is valid OpenAPI 3.0', async () => {
    const { headers, text } = await ogc.get('/api');
    expect(headers['Content-Type']).toBe('application/vnd.oai.openapi+json;version=3.0');
    const file = join(ogc.service.folder, 'api.json');
    writeFileSync(file, text);
    const cli = join(PROJECT, 'tests', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
    const environment = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = { cwd: ogc.service.folder, env: environment };
    const args = [cli, 'lint', '--format=json', '--extends=spec', file];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test('/conf/oas30/oas-impl, /conf/oas30/completeness: every defined path exists', async () => {
    const paths = await definition();
    for (const path of Object.keys(paths)) {
      const collection = /^\/collections\/([^/]+)\/items\//.exec(path)?.[1];
      const feature = collection === undefined ? '' : ((await ogc.getFeatures(collection))[0]?.id ?? '');
      const asked = path.replace('{featureId}', encodeURIComponent(feature)).replace(/\{tile.*$/, '0/0/0');
      const { status, headers } = await ogc.get(asked);
      expect([path, status]).toEqual([path, 200]);
      const content = paths[path]?.get.responses as { readonly 200: { readonly content: object } };
      expect(Object.keys(content[200].content)).toContain(headers['Content-Type']);
    }
  });

  test('/conf/oas30/exceptions-codes: every status of an error is defined', async () => {
    const paths = await definition();
    for (const id of ogc.ids) {
      const { responses = {} } = paths[`/collections/${id}/items`]?.get ?? {};
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '404', '410', '429']));
      expect(Object.keys(responses)).toContain(String((await ogc.getItems(id, 'limit=0')).status));
      expect((await ogc.getItems(id, `DataVersion=${'0'.repeat(32)}`)).status).toBe(410);
      expect(Object.keys(responses)).toContain(String((await ogc.get(`/collections/${id}/items`, {})).status));
    }
  });

  test('/conf/oas30/completeness: items and tiles take the same parameters by POST in a form (D68)', async () => {
    const paths = await definition();
    const posted = Object.entries(paths).filter(([, item]) => item.post !== undefined);
    const tiles = Object.keys(paths).filter((path) => path.endsWith('/{tileMatrix}/{tileRow}/{tileCol}'));
    expect(posted.map(([path]) => path)).toEqual([...ogc.ids.map((id) => `/collections/${id}/items`), ...tiles]);
    for (const [template, { get, post }] of posted) {
      const path = template.replace('{tileMatrix}/{tileRow}/{tileCol}', '0/0/0');
      const { content = {} } = post?.requestBody ?? {};
      const names = get.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect(Object.keys(content)).toEqual([FORM]);
      expect(Object.keys(content[FORM]?.schema.properties ?? {})).toEqual(names);
      // Lists have the same form as in the address.
      expect(content[FORM]?.encoding['bbox']).toEqual({ style: 'form', explode: false });
      const headers = { 'x-api-key': ogc.service.key, 'content-type': FORM };
      const body = `bbox=-125,25,-90,50&${tiles.includes(template) ? 'f=mvt' : 'limit=1&f=json'}`;
      const answer = await requestService(ogc.service.service, `/ogc${path}`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['200', '413', '415']));
    }
  });

  test('/conf/oas30/security: paths that need a key say so, and accept it in each documented way', async () => {
    const basic = `Basic ${Buffer.from(`${ogc.service.key}:`).toString('base64')}`;
    const paths = await definition();
    for (const id of ogc.ids) {
      const path = `/collections/${id}/items`;
      expect(paths[path]?.get.security).toEqual([{ KeyInHeader: [] }, { KeyInQuery: [] }, { KeyAsUser: [] }]);
      expect((await ogc.get(path, {})).status).toBe(401);
      expect((await ogc.get(path, { authorization: basic })).status).toBe(200);
      expect((await ogc.get(`${path}?key=${ogc.service.key}`, {})).status).toBe(200);
      expect([paths[`/collections/${id}`]?.get.security, (await ogc.get(`/collections/${id}`, {})).status]).toEqual([
        [],
        200,
      ]);
    }
  });
});
