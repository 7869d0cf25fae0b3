// The abstract tests of OGC API - Features, Part 2 (18-058r1, Annex A), for every collection and coordinate system.

import { ogcErrors } from '../fixtures/ogc-schemas';
import { ogcService } from '../fixtures/ogc-service';

const ogc = ogcService();
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** By system a box around the first feature, and its longitude and latitude there, as PROJ gives them. */
const SYSTEMS: Readonly<Record<string, { readonly box: string; readonly point: readonly [number, number] }>> = {
  [CRS84]: { box: '-112.1,39.9,-111.9,40.1', point: [-112, 40] },
  'http://www.opengis.net/def/crs/EPSG/0/4326': { box: '39.9,-112.1,40.1,-111.9', point: [40, -112] },
  'http://www.opengis.net/def/crs/EPSG/0/3857': {
    ...{ box: '-12478914.9,4851421.0,-12456651.0,4880486.1', point: [-12467782.969, 4865942.28] },
  },
};

/** Whether one of a geometry's positions is near, or it is an area around it. */
function firstPosition(coordinates: unknown): readonly number[] {
  return [coordinates].flat(Infinity).slice(0, 2) as number[]; // Every geometry of these collections has positions.
}

describe('ogcapi-features-2/1.0/conf/crs', () => {
  test('/conf/crs/crs-uri: every system is named by a URI, and these are known', () => {
    for (const { id, crs } of ogc.collections) expect([id, crs]).toEqual([id, Object.keys(SYSTEMS)]);
  });

  test('/conf/crs/default-crs: longitude and latitude of WGS 84 are among them, first', () => {
    for (const { crs } of ogc.collections) expect(crs[0]).toBe(CRS84);
  });

  test('/conf/crs/storageCrs: what is stored is one of them', () => {
    for (const { crs, storageCrs } of ogc.collections) expect(crs).toContain(storageCrs);
  });

  test('/conf/crs/crs-parameter: items and a feature come in every system, and say in which', async () => {
    for (const { id, crs } of ogc.collections) {
      const [feature] = await ogc.features(id);
      for (const uri of crs) {
        for (const path of ['items', `items/${encodeURIComponent(feature?.id ?? '')}`]) {
          const { status, headers, json } = await ogc.get(`/collections/${id}/${path}?crs=${encodeURIComponent(uri)}`);
          expect([id, status, headers['Content-Crs']]).toEqual([id, 200, `<${uri}>`]);
          expect(ogcErrors(path === 'items' ? 'featureCollection' : 'feature', json)).toBeUndefined();
        }
      }
    }
  });

  test('/conf/crs/crs-parameter-transform: positions are those of the system, in its order of axes', async () => {
    for (const { id, crs } of ogc.collections) {
      for (const uri of crs) {
        const [first] = await ogc.features(id, `limit=1&${filterOfFirst}&crs=${encodeURIComponent(uri)}`);
        const [x = NaN, y = NaN] = firstPosition(first?.geometry?.coordinates);
        const [expectedX, expectedY] = SYSTEMS[uri]?.point ?? [NaN, NaN];
        // An area begins at its corner, a fifth of a degree away.
        const near = uri.endsWith('3857') ? 40_000 : 0.21;
        expect([id, uri, Math.abs(x - expectedX) < near, Math.abs(y - expectedY) < near]).toEqual([
          ...[id, uri, true, true],
        ]);
        if (first?.geometry?.type.endsWith('Point') === true) {
          expect([x, y].map((value) => value.toFixed(3))).toEqual([expectedX.toFixed(3), expectedY.toFixed(3)]);
        }
      }
    }
  });

  test('/conf/crs/crs-parameter-default: without the parameter it is CRS84', async () => {
    for (const { id } of ogc.collections) {
      const { headers, json } = await ogc.items(id);
      expect(headers['Content-Crs']).toBe(`<${CRS84}>`);
      expect((await ogc.items(id, `crs=${CRS84}`)).json.features).toEqual(json.features);
    }
  });

  test.each(['http://www.opengis.net/def/crs/EPSG/0/26912', 'EPSG:0', 'http://example.org/none'])(
    '/conf/crs/crs-parameter-invalid: %s is a 400',
    async (uri) => {
      for (const { id } of ogc.collections) expect((await ogc.items(id, `crs=${uri}`)).status).toBe(400);
    },
  );

  test('/conf/crs/bbox-crs-parameter: the same box finds the same features in every system', async () => {
    for (const { id, crs } of ogc.collections) {
      for (const uri of crs) {
        const query = `bbox=${SYSTEMS[uri]?.box ?? ''}&bbox-crs=${encodeURIComponent(uri)}`;
        expect([id, uri, await ogc.numbers(id, query)]).toEqual([id, uri, [1]]);
      }
    }
  });

  test('/conf/crs/bbox-crs-parameter-default: without the parameter the box is in CRS84', async () => {
    for (const { id } of ogc.collections)
      expect(await ogc.numbers(id, `bbox=${SYSTEMS[CRS84]?.box ?? ''}`)).toEqual([1]);
  });

  test('/conf/crs/bbox-crs-parameter-invalid: another system is a 400', async () => {
    for (const { id } of ogc.collections) {
      const { status } = await ogc.items(id, 'bbox=0,0,1,1&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/26912');
      expect(status).toBe(400);
    }
  });
});

const filterOfFirst = `bbox=${SYSTEMS[CRS84]?.box ?? ''}`;
