// What charts and maps share: how numbers become coordinates and paths of SVG, and where an axis has its lines. They
// are drawn on the server with a text alternative, so that a page needs no script (D49).

type Point = readonly [x: number, y: number];

/** A coordinate in a drawing, with the digits that can be seen. */
export function at(number: number): string {
  return String(Number(number.toFixed(1)));
}

/** A step of a path: a line to a point, or the beginning of another one. */
export function stepTo([x, y]: Point, isStart: boolean): string {
  return `${isStart ? 'M' : 'L'}${at(x)} ${at(y)}`;
}

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** The multiples of a step between two bounds. */
export function multiplesBetween(lowest: number, highest: number, step: number): readonly number[] {
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
