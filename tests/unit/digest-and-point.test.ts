// Names made from content; a site's point (submissions.md, 3).

import { DIGEST_NAME, digestName, digestNameOf, startDigest } from '../../shared/values/digest';
import { readPoint } from '../../shared/values/numbers';

test('a name is the start of the SHA-256 of the UTF-8 bytes, however they came in', () => {
  expect(digestNameOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  expect(digestName(startDigest().update('a').update('bc'))).toBe(digestNameOf('abc'));
  expect(digestNameOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
});

test.each(['', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32), 'g'.repeat(32), `${'f'.repeat(32)}\n`])(
  '%j has not the shape of a name',
  (text) => {
    expect(DIGEST_NAME.test(text)).toBe(false);
  },
);

test.each([
  ['-111.5', '40.5', -111.5, 40.5],
  ['180', '90', 180, 90],
  ['-180', '-90', -180, -90],
  ['0', '40', 0, 40],
  ['-111', '0', -111, 0],
  ['1.115e2', '+4.05e1', 111.5, 40.5],
])('longitude %s and latitude %s are a point', (longitudeText, latitudeText, longitude, latitude) => {
  expect(readPoint(longitudeText, latitudeText)).toEqual({ longitude, latitude });
});

test.each([
  [null, '40.5'],
  ['-111.5', null],
  [null, null],
  ['0', '0'],
  ['-0.0', '0.00'],
  ['180.1', '40'],
  ['-111', '90.1'],
  ['-111', '-91'],
  ['NaN', '40'],
  ['-111', 'Infinity'],
  ['111W', '40N'],
  ['-111,5', '40,5'],
])('longitude %j and latitude %j are no point', (longitude, latitude) => {
  expect(readPoint(longitude, latitude)).toBeUndefined();
});
