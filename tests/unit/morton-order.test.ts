// Points in Morton order: a box finds what a look at every point finds.

import fc from 'fast-check';
import { mortonOrder, visitBox, type PointList } from '../../shared/tiles/morton-order';

const MOST = 2 ** 32 - 1;

/** Many points close together, at the ends of the world too. */
const coordinate = fc.oneof(
  fc.integer({ min: 0, max: MOST }),
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: MOST - 40, max: MOST }),
  fc.integer({ min: 2 ** 31 - 20, max: 2 ** 31 + 20 }),
);

const points = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 400 });

function sorted(positions: readonly (readonly [number, number])[]): PointList {
  const x = Uint32Array.from(positions, (position) => position[0]);
  const y = Uint32Array.from(positions, (position) => position[1]);
  const order = mortonOrder({ x, y });
  return { x: order.map((point) => x[point] ?? NaN), y: order.map((point) => y[point] ?? NaN) };
}

/** The code by its definition: the bits of x and y in turn, those of y above those of x. */
function codeOf(x: number, y: number): bigint {
  let code = 0n;
  for (let bit = 31; bit >= 0; bit--) {
    code = (code << 2n) | (BigInt((y >>> bit) & 1) << 1n) | BigInt((x >>> bit) & 1);
  }
  return code;
}

test('the order is that of the codes', () => {
  fc.assert(
    fc.property(points, (positions) => {
      const { x, y } = sorted(positions);
      const codes = Array.from(x, (one, index) => codeOf(one, y[index] ?? NaN));
      const byCode = positions.map((position) => codeOf(...position)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(codes).toEqual(byCode);
    }),
    { numRuns: 40 },
  );
});

test('each point of a box is visited once, and runs that are inside have no others', () => {
  fc.assert(
    fc.property(
      points,
      coordinate,
      coordinate,
      fc.nat(2 ** 32),
      fc.nat(2 ** 32),
      (positions, west, north, width, height) => {
        const list = sorted(positions);
        const box = { west, north, east: Math.min(MOST + 1, west + width), south: Math.min(MOST + 1, north + height) };
        const isIn = (index: number): boolean => {
          const [x, y] = [list.x[index] ?? NaN, list.y[index] ?? NaN];
          return x >= box.west && x < box.east && y >= box.north && y < box.south;
        };
        const visited: number[] = [];
        visitBox(list, box, (from, to, isInside) => {
          for (let index = from; index < to; index++) {
            if (isInside) expect(isIn(index)).toBe(true);
            if (isIn(index)) visited.push(index);
          }
        });
        const expected = Array.from(list.x, (_, index) => index).filter(isIn);
        expect(visited).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
});
