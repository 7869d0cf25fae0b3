// The sizes of single places on the map, and the circles that explain them in its legend.

/** The radius in pixels for powers of ten of a flow in CFS or a volume in acre-feet. Between them it is interpolated. */
export const SIZE_STOPS: readonly (readonly [power: number, radius: number])[] = [
  [0, 3],
  [1, 6],
  [2, 10],
  [3, 15],
  [5, 26],
];

export interface SizeLegendEntry {
  readonly value: number;
  /** In pixels, as on the map. */
  readonly radius: number;
}

export function listSizeLegend(): readonly SizeLegendEntry[] {
  return SIZE_STOPS.map(([power, radius]) => ({ value: 10 ** power, radius }));
}
