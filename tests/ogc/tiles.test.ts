// The abstract tests of OGC API - Tiles, Part 1 (20-057, Annex A), for every collection that has tiles, and of OGC API
// - Common. Every conformance class that the service declares has its abstract tests in this folder;
// docs/conformance.md counts them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { findSchemaErrors } from '../fixtures/ogc-schemas';
import { createOgcService, type OgcCollection, type OgcLink } from '../fixtures/ogc-service';
import { readTileFeatures } from '../fixtures/read-tiles';

const ogc = createOgcService();
let collections: readonly OgcCollection[];

const TILES = 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector';
const GRID = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme';

beforeAll(() => {
  collections = ogc.collections.filter(({ links }) => links.some(({ rel }) => rel === TILES));
});

async function definedParameters(id: string): Promise<readonly { readonly name: string; readonly schema: object }[]> {
  const { paths } = (await ogc.get('/api')).json;
  return paths[`/collections/${id}/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}`].get.parameters;
}

interface TilesetLinks {
  readonly links: readonly (OgcLink & { readonly templated?: boolean })[];
}

async function fetchTilesets(id: string): Promise<readonly TilesetLinks[]> {
  const { status, json } = await ogc.get(`/collections/${id}/tiles`, {});
  expect(status).toBe(200);
  return json.tilesets as readonly TilesetLinks[];
}

describe('ogcapi-tiles-1/1.0/conf/core', () => {
  test('/conf/core/conformance-success: the class is declared', async () => {
    expect([await ogc.declares('ogcapi-tiles-1/1.0/conf/core'), collections.length]).toEqual([true, 3]);
  });

  test('/conf/core/tc-op, /conf/core/tc-success: the template leads to a tile with its media type', async () => {
    for (const { id } of collections) {
      const [tileset] = await fetchTilesets(id);
      const template = tileset?.links.find(({ rel }) => rel === 'item')?.href ?? '';
      const answer = await ogc.get(template.replace('{tileMatrix}/{tileRow}/{tileCol}', '0/0/0'));
      expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
    }
  });

  test('/conf/core/tc-tilematrix-definition, /conf/core/tc-tilerow-definition, /conf/core/tc-tilecol-definition', async () => {
    for (const { id } of collections) {
      for (const name of ['tileMatrix', 'tileRow', 'tileCol']) {
        const parameter = (await definedParameters(id)).find((one) => one.name === name);
        expect(parameter).toMatchObject({ in: 'path', required: true, schema: { type: 'integer', minimum: 0 } });
      }
    }
  });

  test('/conf/core/tc-error: a tile beyond the grid is a 404, and an empty tile is a 204', async () => {
    for (const { id } of collections) {
      for (const [address, expected] of [
        ['0/0/1', 404],
        ['99/0/0', 404],
        ['a/b/c', 404],
        ['5/0/0', 204],
      ] as const) {
        const { status } = await ogc.get(`/collections/${id}/tiles/WebMercatorQuad/${address}`);
        expect([id, address, status]).toEqual([id, address, expected]);
      }
    }
  });
});

describe('ogcapi-tiles-1/1.0/conf/tileset', () => {
  test('/conf/tileset/conformance-success, /conf/tileset/tileset-description: has format, system, grid and tile links', async () => {
    expect(await ogc.declares('ogcapi-tiles-1/1.0/conf/tileset')).toBe(true);
    for (const { id } of collections) {
      const { status, json } = await ogc.get(`/collections/${id}/tiles/WebMercatorQuad`, {});
      expect([status, findSchemaErrors('tileset', json)]).toEqual([200, undefined]);
      expect(json).toMatchObject({
        dataType: 'vector',
        crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
        tileMatrixSetURI: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
        layers: [{ id, dataType: 'vector' }],
      });
      const { links } = json as TilesetLinks;
      expect(links.map(({ rel }) => rel)).toEqual(expect.arrayContaining(['self', 'item', GRID]));
      const grid = await ogc.get(links.find(({ rel }) => rel === GRID)?.href ?? '', {});
      expect(grid.json).toMatchObject({ id: 'WebMercatorQuad', tileMatrices: expect.anything() });
    }
  });
});

describe('ogcapi-tiles-1/1.0/conf/tilesets-list', () => {
  test('/conf/tilesets-list/conformance-success, /conf/tilesets-list/tileset-links: tilesets link to themselves and their grid', async () => {
    expect(await ogc.declares('ogcapi-tiles-1/1.0/conf/tilesets-list')).toBe(true);
    for (const { id } of collections) {
      for (const tileset of await fetchTilesets(id)) {
        expect(findSchemaErrors('tileset', tileset)).toBeUndefined();
        const self = tileset.links.find(({ rel }) => rel === 'self');
        expect((await ogc.get(self?.href ?? '', {})).status).toBe(200);
        expect(tileset.links.map(({ rel }) => rel)).toContain(GRID);
      }
    }
  });
});

describe('ogcapi-tiles-1/1.0/conf/geodata-tilesets', () => {
  test('/conf/geodata-tilesets/conformance-success, /conf/geodata-tilesets/desc-links, /conf/geodata-tilesets/operation: linked', async () => {
    expect(await ogc.declares('ogcapi-tiles-1/1.0/conf/geodata-tilesets')).toBe(true);
    for (const { id, links } of collections) {
      const href = links.find(({ rel }) => rel === TILES)?.href ?? '';
      expect([id, (await ogc.get(href, {})).status]).toEqual([id, 200]);
      expect(await fetchTilesets(id)).toHaveLength(1);
    }
  });
});

describe('ogcapi-tiles-1/1.0/conf/mvt', () => {
  test('/conf/mvt/content: a tile is a vector tile with every feature of the collection', async () => {
    for (const { id } of collections) {
      const answer = await ogc.get(`/collections/${id}/tiles/WebMercatorQuad/0/0/0`);
      const counts = readTileFeatures(answer, id).map(({ properties }) => Number(properties['count']));
      expect([id, counts.reduce((sum, count) => sum + count, 0)]).toEqual([id, 3]);
    }
  });
});

describe('ogcapi-common-1/1.0/conf/core', () => {
  test('/conf/core/http: GET, HEAD and the statuses are those of HTTP', async () => {
    expect((await ogc.service.get('/ogc', {}, 'HEAD')).text).toBe('');
    expect((await ogc.service.get('/ogc', {}, 'POST')).status).toBe(405);
    expect((await ogc.get('/none')).status).toBe(404);
  });
});

const FOLDER = join(PROJECT, 'tests', 'ogc');

/** The abstract tests of each class, by their identifiers in the standard. */
function abstractTests(): ReadonlyMap<string, ReadonlySet<string>> {
  const tests = new Map<string, Set<string>>();
  for (const file of readdirSync(FOLDER)) {
    const [, ...classes] = readFileSync(join(FOLDER, file), 'utf8').split(/^describe\('/m);
    for (const text of classes) {
      const [name = ''] = text.split("'", 1);
      const own = `/conf/${name.split('/').at(-1) ?? ''}/`;
      const ids = text.match(/\/conf\/[\w-]+\/\w[\w-]*/g) ?? [];
      tests.set(name, new Set(ids.filter((id) => id.startsWith(own))));
    }
  }
  return tests;
}

test('exactly the declared classes have tests', async () => {
  const { json } = await ogc.get('/conformance');
  const declared = (json.conformsTo as readonly string[]).map((uri) => uri.replace('http://www.opengis.net/spec/', ''));
  const tests = abstractTests();
  expect([...tests.keys()].sort()).toEqual([...declared].sort());
  for (const [name, ids] of tests) expect([name, ids.size > 0]).toEqual([name, true]);
});
