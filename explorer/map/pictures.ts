// Pictures that the map draws by itself: the number of several places within a ring of their shares, which hides what
// lies behind it, and the dots of towns.

import type { Map as MapLibre } from 'maplibre-gl';
import { colourOfValue, type Ground, type MapLegendEntry, OTHER_COLOUR, shortCount } from './colouring';

/** In pixels of the map. */
const RING_WIDTH = 3.5;
const DIGITS = 10.5;

/** Two pixels of a picture for one of the map, for fine screens. */
const DENSITY = 2;

/** Between the number of a ring, its radius in pixels of the map and its shares, in the name of its picture. */
export const RING_PARTS = '|';

/** The name of the picture of a town's dot. */
export const TOWN = 'town';

/** Places of a map that fills a large screen; beyond it the oldest pictures are given up. */
const MOST_RINGS = 1500;

/** Values with the number of places that have them, as the member `mix` of a feature has them. */
export type Mix = readonly (readonly [value: string | number | null, count: number])[];

/** Empty where a text is none. */
export function mixOf(text: unknown): Mix {
  return typeof text === 'string' && text.startsWith('[[') ? (JSON.parse(text) as Mix) : []; // The service wrote it.
}

/** They are drawn when the library finds that one is missing. */
export class Pictures {
  /** The names of the rings that there are, the oldest first. */
  private readonly drawn = new Set<string>();
  private legend: readonly MapLegendEntry[] = [];

  constructor(
    private readonly map: MapLibre,
    private readonly ground: Ground,
  ) {
    map.setMissingStyleImageResolver(this.add);
  }

  /** Draws the rings that there are in the colours of another legend. */
  paint(legend: readonly MapLegendEntry[]): void {
    if (JSON.stringify(legend) === JSON.stringify(this.legend)) return;
    this.legend = legend;
    for (const id of this.drawn) this.map.updateImage(id, this.ring(id));
  }

  private readonly add = (id: string): void => {
    const [oldest] = this.drawn;
    if (this.drawn.size >= MOST_RINGS && oldest !== undefined) {
      this.drawn.delete(oldest);
      this.map.removeImage(oldest);
    }
    if (id !== TOWN) this.drawn.add(id);
    const picture = id === TOWN ? dotImage(this.ground.town, this.ground.land) : this.ring(id);
    this.map.addImage(id, picture, { pixelRatio: DENSITY });
  };

  /** Shares of one colour lie together, in the order of the legend, from the top on. */
  private ring(id: string): ImageData {
    const [count = '', radius = '', ...rest] = id.split(RING_PARTS);
    const mix = mixOf(rest.join(RING_PARTS));
    const shares = new Map<string, number>([...this.legend.map(({ colour }) => [colour, 0] as const)]);
    for (const [value, places] of mix.length === 0 ? ([[null, 1]] as const) : mix) {
      const colour = value === null ? OTHER_COLOUR : colourOfValue(this.legend, value);
      shares.set(colour, (shares.get(colour) ?? 0) + places);
    }
    const { paper, ink, land } = this.ground;
    return pictureOf(2 * (Number(radius) + 1), (canvas, side) => {
      const middle = side / 2;
      disc(canvas, middle, land);
      disc(canvas, middle - DENSITY, paper);
      drawShares(canvas, middle, shares);
      canvas.fillStyle = ink;
      canvas.font = `${DIGITS * DENSITY}px sans-serif`;
      [canvas.textAlign, canvas.textBaseline] = ['center', 'middle'];
      canvas.fillText(shortCount(Number(count)), middle, middle + DENSITY / 2, side - 2 * RING_WIDTH * DENSITY);
    });
  }
}

function disc(canvas: OffscreenCanvasRenderingContext2D, radius: number, colour: string): void {
  const { width } = canvas.canvas;
  canvas.fillStyle = colour;
  canvas.beginPath();
  canvas.arc(width / 2, width / 2, radius, 0, 2 * Math.PI);
  canvas.fill();
}

function drawShares(
  canvas: OffscreenCanvasRenderingContext2D,
  middle: number,
  shares: ReadonlyMap<string, number>,
): void {
  const sum = [...shares.values()].reduce((all, places) => all + places, 0);
  canvas.lineWidth = RING_WIDTH * DENSITY;
  let angle = -Math.PI / 2;
  for (const [colour, places] of shares) {
    const next = angle + (places / sum) * 2 * Math.PI;
    canvas.strokeStyle = colour;
    canvas.beginPath();
    canvas.arc(middle, middle, middle - DENSITY - canvas.lineWidth / 2, angle, next);
    if (places > 0) canvas.stroke();
    angle = next;
  }
}

function dotImage(colour: string, edge: string): ImageData {
  return pictureOf(6, (canvas, side) => {
    canvas.beginPath();
    canvas.arc(side / 2, side / 2, side / 2 - 2, 0, 2 * Math.PI);
    [canvas.fillStyle, canvas.strokeStyle, canvas.lineWidth] = [colour, edge, 2];
    canvas.fill();
    canvas.stroke();
  });
}

function pictureOf(pixels: number, draw: (canvas: OffscreenCanvasRenderingContext2D, side: number) => void): ImageData {
  const side = pixels * DENSITY;
  const canvas = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (canvas === null) throw new Error('this browser draws no pictures');
  draw(canvas, side);
  return canvas.getImageData(0, 0, side, side);
}
