// Geometries as WKT and GeoJSON (D15): accepted texts, refused texts, and the positions of problems in messages.

import fc from 'fast-check';
import { parse } from 'wellknown';
import { readGeometry } from '../../shared/values/boundary';
import type { Geometry } from '../../shared/values/geometry';
import { anyGeometry } from './random-geometries';

describe('readGeometry', () => {
  test.each([
    ['POINT (-110.5 40.25)', 'Point', '[-110.5,40.25]'],
    ['  Point  (\n -110.5\t40.25 )  ', 'Point', '[-110.5,40.25]'],
    ['\uFEFFPOINT (1 2)', 'Point', '[1,2]'],
    ['SRID=4326;POINT (1 2)', 'Point', '[1,2]'],
    ['srid = 4326 ; POINT (1 2)', 'Point', '[1,2]'],
    ['POINT (1. +2.5e1)', 'Point', '[1,25]'],
    ['POINT (.5 -.5E-1)', 'Point', '[0.5,-0.05]'],
    ['POINT (1.e1 2)', 'Point', '[10,2]'],
    ['POINT (180 -90)', 'Point', '[180,-90]'],
    ['POINT Z (1 2 3)', 'Point', '[1,2]'],
    ['POINT ZM (1 2 3 4)', 'Point', '[1,2]'],
    ['POINT (1 2 3)', 'Point', '[1,2]'],
    ['MULTIPOINT (1 2, 3 4)', 'MultiPoint', '[[1,2],[3,4]]'],
    ['MULTIPOINT ((1 2), (3 4))', 'MultiPoint', '[[1,2],[3,4]]'],
    ['MULTIPOINT Z ((1 2 0), (3 4 0))', 'MultiPoint', '[[1,2],[3,4]]'],
    ['POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 0 6))', 'Polygon', '[[[0,0],[1,0],[1,1],[0,0]]]'],
    ['MULTIPOLYGON Z (((0 0 1, 1 0 1, 1 1 1, 0 0 1)))', 'MultiPolygon', '[[[[0,0],[1,0],[1,1],[0,0]]]]'],
  ])('reads the WKT %j', (text, type, coordinates) => {
    expect(readGeometry(text)).toEqual({ ok: true, value: { type, coordinates: JSON.parse(coordinates) } });
  });

  test.each([
    ['', /text is empty/],
    ['40.2, -110.5', /neither GeoJSON nor WKT/],
    ['BOX (1 2, 3 4)', /neither GeoJSON nor WKT/],
    ['constructor (1 2)', /neither GeoJSON nor WKT/],
    ['GEOMETRYCOLLECTION EMPTY', /geometry collection/],
    ['SRID=26912;POINT (1 2)', /SRID 26912 is not supported/],
    ['SRID=4326,POINT (1 2)', /neither GeoJSON nor WKT/],
    ['POINT (1 2) POINT (3 4)', /text after the end of the geometry at character 13/],
    ['POLYGON ((0 0, 1 0, 1 1, 0 0)), (2 2, 3 2, 3 3, 2 2)', /text after the end of the geometry at character 31/],
    ['POINT EMPTY', /geometry is empty at character 7/],
    ['POLYGON (())', /geometry is empty/],
    ['POINT', /ends before its last parenthesis/],
    ['POLYGON ((0 0, 1 0, 1 1, 0 0)', /ends before its last parenthesis/],
    ['POINT 1 2', /"\(" is expected at character 7, not "1"/],
    ['POINT (1)', /fewer than two numbers at character 8/],
    ['POINT (a b)', /a position is expected at character 8, not "a"/],
    ['POINT (0x10 1)', /fewer than two numbers/],
    ['POINT (1 2x)', /"\)" is expected at character 11, not "x"/],
    ['POINT Z (1 2)', /2 numbers where 3 are expected/],
    ['LINESTRING (1 2, 3 4 5)', /3 numbers where 2 are expected at character 18/],
    ['POLYGON ((0 0, 1 0 1 1, 0 0))', /4 numbers where 2 are expected/],
    ['POLYGON ((0 0, 1 0, 1 1, 0 0)(0 0, 1 0, 1 1, 0 0))', /"," or "\)" is expected at character 30, not "\("/],
    ['POLYGON (0 0, 1 0, 1 1, 0 0)', /"\(" is expected at character 10/],
    ['POINT ((1 2))', /nested deeper/],
    ['LINESTRING (1 2)', /the line has one position/],
    ['MULTILINESTRING ((1 2, 3 4), (5 6))', /line 2 has one position/],
    ['POLYGON ((0 0, 1 0, 1 1, 0 1))', /ring 1 is not closed: its first position is 0 0, its last 0 1/],
    [
      'POLYGON ((0 0, 9 0, 9 9, 0 0), (1 2, 2 2, 3 4))',
      /^ring 2 is not closed: its first position is 1 2, its last 3 4$/,
    ],
    ['POLYGON ((0 0, 1 0, 0 0))', /ring 1 has 3 positions; a ring needs four/],
    [
      'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((0 0, 1 0, 1 1, 0 0), (5 5, 5 5)))',
      /ring 2 of polygon 2 has 2 positions/,
    ],
    ['POINT (180.5 2)', /the position is 180.5 2: a longitude must be between -180 and 180/],
    ['POINT (40 -110)', /the position is 40 -110: a latitude, the second number, must be between -90 and 90/],
    ['LINESTRING (1 2, 3 4, 512345 4512345)', /position 3 of the line is 512345 4512345/],
    ['MULTIPOINT (1 2, 3 91)', /position 2 of the list of points is 3 91/],
    ['POINT (1e999 2)', /the position is not finite/],
  ])('refuses the WKT %j', (text, problem) => {
    expect(readProblem(text)).toMatch(problem);
  });

  test.each([
    ['{"type":"Point","coordinates":[1,2]}', 'Point', '[1,2]'],
    ['{"type":"Point","coordinates":[1,2,3,4]}', 'Point', '[1,2]'],
    ['{"type":"MultiLineString","coordinates":[[[1,2],[3,4,5]]]}', 'MultiLineString', '[[[1,2],[3,4]]]'],
    ['{"type":"Feature","properties":{"note":"}]"},"geometry":{"type":"Point","coordinates":[1,2]}}', 'Point', '[1,2]'],
    ['{"type":"Point","crs":null,"coordinates":[1,2]}', 'Point', '[1,2]'],
  ])('reads the GeoJSON %s', (json, type, coordinates) => {
    const value = { type, coordinates: JSON.parse(coordinates) };
    expect(readGeometry(json)).toEqual({ ok: true, value });
    expect(readGeometry(` ${JSON.stringify(JSON.parse(json), undefined, 2)}\n`)).toEqual({ ok: true, value });
  });

  test.each([
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'urn:ogc:def:crs:EPSG::4326',
    'EPSG:4326',
    'OGC:CRS84',
    'CRS84',
    'WGS84',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
  ])('reads GeoJSON whose crs is %s', (name) => {
    expect(readGeometry(JSON.stringify(withCrs({ type: 'name', properties: { name } })))).toMatchObject({ ok: true });
  });

  test.each([
    [{ type: 'name', properties: { name: 'EPSG:26912' } }],
    [{ type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } }],
    [{ type: 'link', properties: { href: 'http://example.com/crs' } }],
    ['EPSG:4326'],
    [{}],
  ])('refuses GeoJSON whose crs is %j, on the geometry and on its Feature', (crs) => {
    expect(readProblem(JSON.stringify(withCrs(crs)))).toMatch(/crs is not supported/);
    const feature = { type: 'Feature', crs, geometry: { type: 'Point', coordinates: [1, 2] } };
    expect(readProblem(JSON.stringify(feature))).toMatch(/crs is not supported/);
  });

  test.each([
    ['{"type":"Point","coordinates":[1,2]', /ends before its last bracket/],
    ['{', /ends before its last bracket/],
    ['{}', /type must be one of/],
    ['{"type":"Point","coordinates":[1,2]} x', /text after the end of the GeoJSON at character 37/],
    ['{"type":"Point","coordinates":[1,2]}{}', /text after the end of the GeoJSON/],
    ['{"type":"Point","coordinates":[1,2]]', /not valid JSON/],
    ["{'type':'Point'}", /not valid JSON at character 2/],
    ['{"type":"Point","coordinates":[1,NaN]}', /not valid JSON/],
    ['{"type":"FeatureCollection","features":[]}', /FeatureCollection is not supported/],
    ['{"type":"GeometryCollection","geometries":[]}', /geometry collection is not supported/],
    ['{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}', /geometry collection/],
    ['{"type":"Feature","geometry":null}', /geometry is empty: the Feature has no geometry/],
    ['{"type":"Feature","geometry":{"type":"Feature","geometry":null}}', /type must be one of/],
    ['{"type":"point","coordinates":[1,2]}', /type must be one of/],
    ['{"type":"Point"}', /the position is not a list of numbers/],
    ['{"type":"Point","coordinates":null}', /the position is not a list of numbers/],
    ['{"type":"Point","coordinates":[]}', /geometry is empty/],
    ['{"type":"Point","coordinates":[1]}', /fewer than two numbers/],
    ['{"type":"Point","coordinates":["1","2"]}', /not a number/],
    ['{"type":"Point","coordinates":[1e999,2]}', /not finite/],
    ['{"type":"Point","coordinates":[1,-90.001]}', /a latitude/],
    ['{"type":"MultiPoint","coordinates":[1,2]}', /position 1 of the list of points is not a list of numbers/],
    ['{"type":"LineString","coordinates":[[1,2]]}', /the line has one position/],
    ['{"type":"MultiLineString","coordinates":[[]]}', /geometry is empty: line 1/],
    ['{"type":"Polygon","coordinates":[[]]}', /geometry is empty: ring 1/],
    ['{"type":"Polygon","coordinates":"x"}', /the polygon is not a list of rings/],
    ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}', /ring 1 is not closed/],
    ['{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[]]}', /empty: polygon 2 has no rings/],
    ['{"type":"Point","coordinates":[[[[[[[[[[1]]]]]]]]]]}', /nested more than 10 levels/],
  ])('refuses the GeoJSON %j', (text, problem) => {
    expect(readProblem(text)).toMatch(problem);
  });
});

test('reads any geometry back from GeoJSON and from WKT, and the library wellknown reads the same from the WKT', () => {
  fc.assert(
    fc.property(anyGeometry(), (geometry) => {
      expect(readGeometry(writeWkt(geometry))).toEqual({ ok: true, value: geometry });
      expect({ ...parse(writeWkt(geometry)) }).toEqual({ ...geometry });
      expect(readGeometry(JSON.stringify(geometry))).toEqual({ ok: true, value: geometry });
    }),
  );
});

function withCrs(crs: unknown): object {
  return { type: 'Point', crs, coordinates: [1, 2] };
}

function readProblem(text: string): string {
  const result = readGeometry(text);
  return result.ok ? 'none: it was read' : result.problem;
}

function writeWkt({ type, coordinates }: Geometry): string {
  const lists = JSON.stringify(coordinates).replace(/\[([^[\],]+),([^[\],]+)\]/g, '$1 $2');
  const body = lists.replaceAll('[', '(').replaceAll(']', ')');
  return `${type} ${type === 'Point' ? `(${body})` : body}`;
}
