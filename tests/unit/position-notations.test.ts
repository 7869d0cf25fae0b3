import { explainCoordinates, explainGeometry, isEmptyGeometry } from '../../data-loaders/read/position-notations';

test.each([
  [`111°54'00"W`, `40°30'00"N`, 'write -111.9 and 40.5'],
  ['111.9W', '40.5N', 'write -111.9 and 40.5'],
  ['W 111.9', 'N 40.5', 'write -111.9 and 40.5'],
  [`111° 54.0' W`, `40° 30' N`, 'write -111.9 and 40.5'],
  ['-111:54:00', '40:30:00', 'write -111.9 and 40.5'],
  ['\u2212111.9', '40.5', 'write -111.9 and 40.5'],
  ['-111,9', '40,5', 'write -111.9 and 40.5'],
  ['-111.9°', '40.5°', 'write -111.9 and 40.5'],
  ['111 54 00', '40 30 00', 'write 111.9 and 40.5, with a minus sign where the longitude is west'],
  ['40.5', '-111.9', 'Longitude and Latitude look swapped'],
  [`111°74'00"W`, `40°30'00"N`, undefined],
  ['-111.9W', '40.5N', undefined],
  ['111.9N', '40.5W', undefined],
  ['west', '40.5', undefined],
  ['-1118.252', '40.5', undefined],
])('says of the coordinates %s and %s: %s', (longitude, latitude, hint) => {
  expect(explainCoordinates(longitude, latitude)).toBe(hint);
});

test.each([
  ['0101000020E61000003333333333F35BC03333333333F34440', /hexadecimal/],
  ['\\x0101000020E61000003333333333F35BC03333333333F34440', /hexadecimal/],
  ['AQEAAAAzMzMzM/NbwDMzMzMz80RA', /base64/],
  ['<Point><coordinates>-111.9,40.5</coordinates></Point>', /KML/],
  ['<gml:Point srsName="EPSG:4326"><gml:pos>40.5 -111.9</gml:pos></gml:Point>', /GML/],
  ['{"rings":[[[-112,40],[-111,40],[-111,41],[-112,40]]]}', /Esri/],
  ['{"x":-111.9,"y":40.5}', /Esri/],
  ['-111.9 40.5', /POINT/],
  ['POLYGON ((40.5 -112, 40.5 -111, 41 -111, 40.5 -112))', /latitude first/],
])('names the notation of the geometry %s', (text, hint) => {
  expect(explainGeometry(text)).toMatch(hint);
});

test.each(['POINT (-111.5)', 'POLYGON ((', 'somewhere', 'POINT (-200 95)'])('recognizes no notation in %s', (text) => {
  expect(explainGeometry(text)).toBeUndefined();
});

test.each(['POINT (-111.5)', 'POINT (1 2)', 'EMPTY', '{"type":"Point","coordinates":[1,2]}', '{', '{}', ''])(
  'does not take %s for an empty geometry',
  (text) => {
    expect(isEmptyGeometry(text)).toBe(false);
  },
);
