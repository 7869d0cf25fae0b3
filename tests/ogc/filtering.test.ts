// The abstract tests of OGC API - Features, Part 3 (19-079r2, Annex A), for every collection, and of Part 2 (18-058r1,
// Annex A), for every collection and coordinate system.

import { findSchemaErrors } from '../fixtures/ogc-schemas';
import { createOgcService, type OgcCollection, writeFilterQuery } from '../fixtures/ogc-service';

const ogc = createOgcService();

interface QueryableSchema {
  readonly type?: string;
  readonly format?: string;
}

async function fetchQueryables(id: string): Promise<Readonly<Record<string, QueryableSchema>>> {
  return (await ogc.get(`/collections/${id}/queryables`)).json.properties as Record<string, QueryableSchema>;
}

/** A box around everything, with the margin that areas need. */
function wholeBox({ extent }: OgcCollection): readonly [number, number, number, number] {
  return extent.spatial.bbox[0] ?? [NaN, NaN, NaN, NaN];
}

/** Hydrologic units have a fixed number of digits; any other value is a 400. */
const NO_PLACE: Readonly<Record<string, string>> = { HUC8: '00000000', HUC12: '000000000000' };

const MERCATOR = 'http://www.opengis.net/def/crs/EPSG/0/3857';
const LATITUDE_FIRST = 'http://www.opengis.net/def/crs/EPSG/0/4326';

function mercator([longitude = NaN, latitude = NaN]: readonly number[]): readonly number[] {
  const radius = 6_378_137;
  return [(longitude * Math.PI * radius) / 180, radius * Math.asinh(Math.tan((latitude * Math.PI) / 180))];
}

describe('ogcapi-features-3/1.0/conf/queryables', () => {
  test('/conf/queryables/get-conformance, /conf/queryables/get-queryables-uris: items link to their queryables in a header', async () => {
    expect(await ogc.declares('ogcapi-features-3/1.0/conf/queryables')).toBe(true);
    for (const { id } of ogc.collections) {
      const { status, headers } = await ogc.service.get(`/ogc/collections/${id}/items?limit=1`, undefined, 'HEAD');
      const relation = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
      const link = `<http://localhost/ogc/collections/${id}/queryables>; rel="${relation}"`;
      expect([status, headers['Link']?.split(', ')]).toEqual([200, expect.arrayContaining([link])]);
    }
  });

  test('/conf/queryables/get-queryables: queryables are the JSON Schema of an object', async () => {
    for (const { id } of ogc.collections) {
      const { status, headers, json } = await ogc.get(`/collections/${id}/queryables`, {
        accept: 'application/schema+json',
      });
      expect([status, headers['Content-Type']]).toEqual([200, 'application/schema+json']);
      expect(json).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `http://localhost/ogc/collections/${id}/queryables`,
        type: 'object',
        additionalProperties: false,
      });
      expect(Object.keys(json.properties)).toEqual(expect.arrayContaining(['geometry', 'State', 'OrganizationUUID']));
    }
  });
});

describe('ogcapi-features-3/1.0/conf/queryables-query-parameters', () => {
  test('/conf/queryables-query-parameters/get-conformance, /conf/queryables-query-parameters/parameters: each text queryable is a filter', async () => {
    expect(await ogc.declares('ogcapi-features-3/1.0/conf/queryables-query-parameters')).toBe(true);
    for (const { id } of ogc.collections) {
      for (const [name, { type, format }] of Object.entries(await fetchQueryables(id))) {
        if (type !== 'string' || format !== undefined || name === 'State') continue;
        const value = NO_PLACE[name] ?? 'no-such-value';
        expect([id, name, await ogc.findFeatureNumbers(id, `${name}=${value}`)]).toEqual([id, name, []]);
      }
      expect([id, await ogc.findFeatureNumbers(id, 'State=UT')]).toEqual([id, [1, 2, 3]]);
      expect([id, await ogc.findFeatureNumbers(id, 'OrganizationUUID=UTwr')]).toEqual([id, [1, 2, 3]]);
    }
  });
});

describe('ogcapi-features-3/1.0/conf/filter', () => {
  test('/conf/filter/get-conformance, /conf/filter/filter-param: finds features that match, and refuses an invalid filter', async () => {
    expect(await ogc.declares('ogcapi-features-3/1.0/conf/filter')).toBe(true);
    for (const { id } of ogc.collections) {
      for (const name of Object.keys(await fetchQueryables(id))) {
        const missing = await ogc.findFeatureNumbers(id, writeFilterQuery(`${name} IS NULL`));
        const there = await ogc.findFeatureNumbers(id, writeFilterQuery(`${name} IS NOT NULL`));
        expect([id, name, [...missing, ...there].sort()]).toEqual([id, name, [1, 2, 3]]);
      }
      expect((await ogc.getItems(id, writeFilterQuery('THIS IS NOT A FILTER'))).status).toBe(400);
    }
  });

  test('/conf/filter/filter-lang-default: a filter is CQL2 text by default', async () => {
    for (const { id } of ogc.collections) {
      expect(await ogc.findFeatureNumbers(id, `filter=${encodeURIComponent("State = 'UT'")}`)).toEqual([1, 2, 3]);
      expect((await ogc.getItems(id, `filter=${encodeURIComponent('THIS IS NOT A FILTER')}`)).status).toBe(400);
    }
  });

  test('/conf/filter/expression-construction: an unknown queryable is a 400', async () => {
    for (const { id } of ogc.collections) {
      expect((await ogc.getItems(id, writeFilterQuery('this_is_not_a_queryable IS NULL'))).status).toBe(400);
    }
  });

  test('/conf/filter/filter-crs-wgs84: geometries of a filter must be in CRS84 by default', async () => {
    for (const collection of ogc.collections) {
      const box = wholeBox(collection).join();
      expect(
        await ogc.findFeatureNumbers(collection.id, writeFilterQuery(`S_INTERSECTS(geometry, BBOX(${box}))`)),
      ).toEqual([1, 2, 3]);
      const metres = writeFilterQuery('S_INTERSECTS(geometry, BBOX(1000000, 1000000, 2000000, 2000000))');
      expect((await ogc.getItems(collection.id, metres)).status).toBe(400);
    }
  });

  test('/conf/filter/filter-crs-param: geometries of a filter are in the named system', async () => {
    for (const collection of ogc.collections) {
      const [west, south, east, north] = wholeBox(collection);
      // Adds a millimeter, because projecting there and back changes the last digits.
      const [left = NaN, bottom = NaN] = mercator([west, south]).map((value) => value - 0.001);
      const [right = NaN, top = NaN] = mercator([east, north]).map((value) => value + 0.001);
      for (const [uri, box] of [
        [LATITUDE_FIRST, [south, west, north, east]],
        [MERCATOR, [left, bottom, right, top]],
      ] as const) {
        const query = `${writeFilterQuery(`S_INTERSECTS(geometry, BBOX(${box.join()}))`)}&filter-crs=${uri}`;
        expect([collection.id, uri, await ogc.findFeatureNumbers(collection.id, query)]).toEqual([
          collection.id,
          uri,
          [1, 2, 3],
        ]);
      }
      const none = `${writeFilterQuery('TRUE')}&filter-crs=http://www.opengis.net/def/crs/OGC/0/does_not_exist`;
      expect((await ogc.getItems(collection.id, none)).status).toBe(400);
    }
  });
});

describe('ogcapi-features-3/1.0/conf/features-filter', () => {
  test('/conf/features-filter/get-conformance, /conf/features-filter/get-collections: the collections are listed as JSON', async () => {
    expect(await ogc.declares('ogcapi-features-3/1.0/conf/features-filter')).toBe(true);
    const { status, headers, json } = await ogc.get('/collections', { accept: 'application/json' });
    expect([status, headers['Content-Type']]).toEqual([200, 'application/json']);
    expect(json.collections).toHaveLength(ogc.collections.length);
  });

  test('/conf/features-filter/get-collection: each collection links to its queryables', () => {
    for (const { id, links } of ogc.collections) {
      expect(links).toContainEqual(
        expect.objectContaining({
          rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
          href: `http://localhost/ogc/collections/${id}/queryables`,
        }),
      );
    }
  });

  test('/conf/features-filter/filter-on-items: the parameters of filters are defined for items', async () => {
    const { paths } = (await ogc.get('/api')).json;
    for (const { id } of ogc.collections) {
      const parameters = paths[`/collections/${id}/items`].get.parameters as readonly { readonly name: string }[];
      const names = parameters.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['filter', 'filter-lang', 'filter-crs']));
    }
  });

  test('/conf/features-filter/mixing-expression: features match filter, box, time and names together', async () => {
    for (const collection of ogc.collections) {
      const box = wholeBox(collection).join();
      const filter = writeFilterQuery(`S_INTERSECTS(geometry, BBOX(${box}))`);
      expect(await ogc.findFeatureNumbers(collection.id, `${filter}&bbox=${box}`)).toEqual([1, 2, 3]);
      expect(await ogc.findFeatureNumbers(collection.id, `${filter}&bbox=0,0,1,1`)).toEqual([]);
      expect(await ogc.findFeatureNumbers(collection.id, `${filter}&datetime=2001-06-01&State=UT`)).toEqual([1, 3]);
    }
  });
});

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** A box around the first feature, and the feature's position, in each coordinate system, as computed by PROJ. */
const SYSTEMS: Readonly<Record<string, { readonly box: string; readonly point: readonly [number, number] }>> = {
  [CRS84]: { box: '-112.1,39.9,-111.9,40.1', point: [-112, 40] },
  'http://www.opengis.net/def/crs/EPSG/0/4326': { box: '39.9,-112.1,40.1,-111.9', point: [40, -112] },
  'http://www.opengis.net/def/crs/EPSG/0/3857': {
    box: '-12478914.9,4851421.0,-12456651.0,4880486.1',
    point: [-12467782.969, 4865942.28],
  },
};

/** Whether one of a geometry's positions is near, or the geometry is an area around it. */
function firstPosition(coordinates: unknown): readonly number[] {
  return [coordinates].flat(Infinity).slice(0, 2) as number[]; // Every geometry in these collections has positions.
}

describe('ogcapi-features-2/1.0/conf/crs', () => {
  test('/conf/crs/crs-uri, /conf/crs/default-crs, /conf/crs/storageCrs: lists the systems, CRS84 first', () => {
    for (const { id, crs, storageCrs } of ogc.collections) {
      expect([id, crs]).toEqual([id, Object.keys(SYSTEMS)]);
      expect(crs).toContain(storageCrs);
    }
  });

  test('/conf/crs/crs-parameter: items and a feature are available in every system, which the answer names', async () => {
    for (const { id, crs } of ogc.collections) {
      const [feature] = await ogc.getFeatures(id);
      for (const uri of crs) {
        for (const path of ['items', `items/${encodeURIComponent(feature?.id ?? '')}`]) {
          const { status, headers, json } = await ogc.get(`/collections/${id}/${path}?crs=${encodeURIComponent(uri)}`);
          expect([id, status, headers['Content-Crs']]).toEqual([id, 200, `<${uri}>`]);
          expect(findSchemaErrors(path === 'items' ? 'featureCollection' : 'feature', json)).toBeUndefined();
        }
      }
    }
  });

  test('/conf/crs/crs-parameter-transform: positions are in the system, with its order of axes', async () => {
    for (const { id, crs } of ogc.collections) {
      for (const uri of crs) {
        const [first] = await ogc.getFeatures(id, `limit=1&${filterOfFirst}&crs=${encodeURIComponent(uri)}`);
        const [x = NaN, y = NaN] = firstPosition(first?.geometry?.coordinates);
        const [expectedX, expectedY] = SYSTEMS[uri]?.point ?? [NaN, NaN];
        // An area starts at its corner, a fifth of a degree away.
        const near = uri.endsWith('3857') ? 40_000 : 0.21;
        expect([id, uri, Math.abs(x - expectedX) < near, Math.abs(y - expectedY) < near]).toEqual([
          id,
          uri,
          true,
          true,
        ]);
        if (first?.geometry?.type.endsWith('Point') === true) {
          expect([x, y].map((value) => value.toFixed(3))).toEqual([expectedX.toFixed(3), expectedY.toFixed(3)]);
        }
      }
    }
  });

  test('/conf/crs/crs-parameter-default: the default is CRS84', async () => {
    for (const { id } of ogc.collections) {
      const { headers, json } = await ogc.getItems(id);
      expect(headers['Content-Crs']).toBe(`<${CRS84}>`);
      expect((await ogc.getItems(id, `crs=${CRS84}`)).json.features).toEqual(json.features);
    }
  });

  test.each(['http://www.opengis.net/def/crs/EPSG/0/26912', 'EPSG:0', 'http://example.org/none'])(
    '/conf/crs/crs-parameter-invalid, /conf/crs/bbox-crs-parameter-invalid: %s is a 400',
    async (uri) => {
      for (const { id } of ogc.collections) {
        for (const query of [`crs=${uri}`, `bbox=0,0,1,1&bbox-crs=${uri}`])
          expect((await ogc.getItems(id, query)).status).toBe(400);
      }
    },
  );

  test('/conf/crs/bbox-crs-parameter, /conf/crs/bbox-crs-parameter-default: a box matches the same features in every system', async () => {
    for (const { id, crs } of ogc.collections) {
      for (const uri of crs) {
        const query = `bbox=${SYSTEMS[uri]?.box ?? ''}&bbox-crs=${encodeURIComponent(uri)}`;
        expect([id, uri, await ogc.findFeatureNumbers(id, query)]).toEqual([id, uri, [1]]);
      }
      expect(await ogc.findFeatureNumbers(id, filterOfFirst)).toEqual([1]);
    }
  });
});

const filterOfFirst = `bbox=${SYSTEMS[CRS84]?.box ?? ''}`;
