import { readGeometry } from '../../shared/values/boundary';

describe('readGeometry', () => {
  test.each([
    ['{"type":"Point","coordinates":[1,2]}', 'Point', '[1,2]'],
    ['{"type":"Point","coordinates":[1,2,3,4]}', 'Point', '[1,2]'],
    ['{"type":"MultiPoint","coordinates":[[1,2]]}', 'MultiPoint', '[[1,2]]'],
    ['{"type":"LineString","coordinates":[[1,2],[3,4]]}', 'LineString', '[[1,2],[3,4]]'],
    ['{"type":"MultiLineString","coordinates":[[[1,2],[3,4,5]]]}', 'MultiLineString', '[[[1,2],[3,4]]]'],
    ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}', 'Polygon', '[[[0,0],[1,0],[1,1],[0,0]]]'],
    [
      '{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}',
      'MultiPolygon',
      '[[[[0,0],[1,0],[1,1],[0,0]]]]',
    ],
    ['{"type":"Feature","properties":{"note":"}]"},"geometry":{"type":"Point","coordinates":[1,2]}}', 'Point', '[1,2]'],
    ['{"type":"Point","crs":null,"coordinates":[1,2]}', 'Point', '[1,2]'],
  ])('reads the GeoJSON %s', (json, type, coordinates) => {
    const value = { type, coordinates: JSON.parse(coordinates) };
    expect(readGeometry(json)).toEqual({ ok: true, value });
    expect(readGeometry(` ${JSON.stringify(JSON.parse(json), undefined, 2)}\n`)).toEqual({ ok: true, value });
  });

  test.each([
    ...['urn:ogc:def:crs:OGC:1.3:CRS84', 'urn:ogc:def:crs:EPSG::4326', 'EPSG:4326', 'OGC:CRS84', 'CRS84', 'WGS84'],
    ...['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'http://www.opengis.net/def/crs/EPSG/0/4326'],
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
    expect(problemOf(JSON.stringify(withCrs(crs)))).toMatch(/crs is not supported/);
    const feature = { type: 'Feature', crs, geometry: { type: 'Point', coordinates: [1, 2] } };
    expect(problemOf(JSON.stringify(feature))).toMatch(/crs is not supported/);
  });

  test.each([
    ['{"type":"Point","coordinates":[1,2]', /ends before its last bracket/],
    ['{', /ends before its last bracket/],
    ['{"type":"Point', /ends before its last bracket/],
    ['{}', /not of one of the types/],
    ['{"type":"Point","coordinates":[1,2]} x', /text after the end of the GeoJSON at character 37/],
    ['{"type":"Point","coordinates":[1,2]}{}', /text after the end of the GeoJSON/],
    ['{"type":"Point","coordinates":[1,2]]', /not valid JSON/],
    ["{'type':'Point'}", /not valid JSON at character 2/],
    ['{"type":"Point","coordinates":[1,NaN]}', /not valid JSON/],
    ['{"type":"FeatureCollection","features":[]}', /FeatureCollection is not supported/],
    ['{"type":"GeometryCollection","geometries":[]}', /geometry collection is not supported/],
    ['{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}', /geometry collection/],
    ['{"type":"Feature","geometry":null}', /geometry is empty: the Feature has none/],
    ['{"type":"Feature","properties":{}}', /geometry is empty: the Feature has none/],
    ['{"type":"Feature","geometry":[]}', /not an object/],
    ['{"type":"Feature","geometry":{"type":"Feature","geometry":null}}', /not of one of the types/],
    ['{"type":"point","coordinates":[1,2]}', /not of one of the types/],
    ['{"type":["Point"],"coordinates":[1,2]}', /not of one of the types/],
    ['{"type":"constructor","coordinates":[1,2]}', /not of one of the types/],
    ['{"__proto__":{"type":"Point","coordinates":[1,2]}}', /not of one of the types/],
    ['{"type":"Point","__proto__":{"coordinates":[1,2]}}', /not a list of numbers/],
    ['{"type":"Point"}', /the position is not a list of numbers/],
    ['{"type":"Point","coordinates":null}', /the position is not a list of numbers/],
    ['{"type":"Point","coordinates":{"0":1,"1":2,"length":2}}', /the position is not a list of numbers/],
    ['{"type":"Point","coordinates":[]}', /geometry is empty/],
    ['{"type":"Point","coordinates":[1]}', /fewer than two numbers/],
    ['{"type":"Point","coordinates":["1","2"]}', /not a number/],
    ['{"type":"Point","coordinates":[1,null]}', /not a number/],
    ['{"type":"Point","coordinates":[1e999,2]}', /not finite/],
    ['{"type":"Point","coordinates":[1,-90.001]}', /a latitude/],
    ['{"type":"MultiPoint","coordinates":[]}', /geometry is empty/],
    ['{"type":"MultiPoint","coordinates":[1,2]}', /position 1 of the list of points is not a list of numbers/],
    ['{"type":"LineString","coordinates":[[1,2]]}', /the line has one position/],
    ['{"type":"MultiLineString","coordinates":[]}', /geometry is empty/],
    ['{"type":"MultiLineString","coordinates":[[]]}', /geometry is empty: line 1/],
    ['{"type":"Polygon","coordinates":[]}', /geometry is empty/],
    ['{"type":"Polygon","coordinates":[[]]}', /geometry is empty: ring 1/],
    ['{"type":"Polygon","coordinates":"x"}', /the polygon is not a list of rings/],
    ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}', /ring 1 is not closed/],
    ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}', /ring 1 has 3 positions/],
    ['{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[]]}', /empty: polygon 2 has no rings/],
    ['{"type":"Point","coordinates":[[[[[[[[[[1]]]]]]]]]]}', /nested more than 10 levels/],
  ])('refuses the GeoJSON %j', (text, problem) => {
    expect(problemOf(text)).toMatch(problem);
  });
});

function problemOf(text: string): string {
  const result = readGeometry(text);
  return result.ok ? 'none: it was read' : result.problem;
}

function withCrs(crs: unknown): object {
  return { type: 'Point', crs, coordinates: [1, 2] };
}
