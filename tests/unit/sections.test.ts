// Typed arrays of an artifact: what is written is read, wherever the bytes lie.

import fc from 'fast-check';
import { sectionOf, sectionPieces, Sections, writeSections } from '../../shared/values/bytes/sections';

const array = fc.oneof(
  fc.uint32Array({ maxLength: 9 }),
  fc.int32Array({ maxLength: 9 }),
  fc.uint16Array({ maxLength: 9 }),
  fc.float64Array({ maxLength: 9, noNaN: true }),
  fc.uint8Array({ maxLength: 9 }),
);

function read(sections: Sections, index: number, like: ArrayBufferView): ArrayBufferView {
  if (like instanceof Uint32Array) return sections.numbers(Uint32Array, index);
  if (like instanceof Int32Array) return sections.numbers(Int32Array, index);
  if (like instanceof Uint16Array) return sections.numbers(Uint16Array, index);
  if (like instanceof Float64Array) return sections.numbers(Float64Array, index);
  return new Uint8Array(sections.memory, sections.start(index), like.byteLength);
}

test('reading what was written is the identity, at any offset of the bytes', () => {
  fc.assert(
    fc.property(fc.array(array, { maxLength: 6 }), fc.nat(17), (arrays, shift) => {
      const content = writeSections(arrays);
      const moved = new Uint8Array(content.length + shift).subarray(shift);
      moved.set(content);
      const sections = new Sections(moved);
      arrays.forEach((original, index) => {
        expect(sections.start(index) % 8).toBe(0);
        expect(read(sections, index, original)).toEqual(original);
      });
    }),
    { numRuns: 500 },
  );
});

test('sections that are made one by one have the bytes of those that are written at once', () => {
  fc.assert(
    fc.property(fc.array(array, { maxLength: 6 }), (arrays) => {
      const pieces = Buffer.concat([...sectionPieces(arrays.map(sectionOf))]);
      expect(pieces.equals(writeSections(arrays))).toBe(true);
    }),
  );
});
