// Geometries as releases store them.

import fc from 'fast-check';
import { decodeGeometry, encodeGeometry } from '../../shared/values/encode-geometry';
import { anyGeometry } from './random-geometries';

test('decodeGeometry reads back what encodeGeometry writes, to the last bit, at any offset of a buffer', () => {
  fc.assert(
    fc.property(anyGeometry(), fc.nat(9), (geometry, start) => {
      const bytes = encodeGeometry(geometry);
      const larger = new Uint8Array(bytes.length + start + 5).fill(255);
      larger.set(bytes, start);
      expect(decodeGeometry(larger.subarray(start, start + bytes.length))).toEqual(geometry);
    }),
  );
});
