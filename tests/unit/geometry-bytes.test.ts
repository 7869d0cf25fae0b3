// Geometries as releases store them.

import fc from 'fast-check';
import { decodeGeometry, encodeGeometry } from '../../shared/values/geometry';
import { anyGeometry } from './random-geometries';

test('encodeGeometry writes what decodeGeometry reads back, to the last bit, wherever in a larger buffer it stands', () => {
  fc.assert(
    fc.property(anyGeometry(), fc.nat(9), (geometry, start) => {
      const bytes = encodeGeometry(geometry);
      const larger = new Uint8Array(bytes.length + start + 5).fill(255);
      larger.set(bytes, start);
      expect(decodeGeometry(larger.subarray(start, start + bytes.length))).toEqual(geometry);
    }),
  );
});
