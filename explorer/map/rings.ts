// Pictures that the map draws by itself: rings that show which shares of several places have which value, and the dots
// of towns.

import type { Map as MapLibre } from 'maplibre-gl';
import { colourOfValue, type MapLegendEntry } from './colouring';

/** How wide a ring's picture is, and its stroke, in pixels of the map at size 1. */
export const RING_PIXELS = 24;
export const RING_WIDTH = 4;

/** Two pixels of a picture for one of the map, for fine screens. */
const DENSITY = 2;

/** Places of a map that fills a large screen; beyond it the oldest pictures are given up. */
const MOST_RINGS = 1500;

/** Values with the number of places that have them, as the member `mix` of a feature has them. */
export type Mix = readonly (readonly [value: string | number | null, count: number])[];

/** Empty where a text is none. */
export function mixOf(text: unknown): Mix {
  return typeof text === 'string' && text.startsWith('[[') ? (JSON.parse(text) as Mix) : []; // The service wrote it.
}

/** The pictures of rings, which are drawn when the library finds that one is missing. */
export class Rings {
  private readonly drawn = new Set<string>();
  private legend: readonly MapLegendEntry[] = [];

  constructor(private readonly map: MapLibre) {
    map.setMissingStyleImageResolver(this.add);
  }

  /** Draws those that there are in the colours of another legend. */
  paint(legend: readonly MapLegendEntry[]): void {
    if (JSON.stringify(legend) === JSON.stringify(this.legend)) return;
    this.legend = legend;
    for (const id of this.drawn) this.map.updateImage(id, this.picture(id));
  }

  private readonly add = (id: string): void => {
    if (mixOf(id).length === 0) return;
    const [oldest] = this.drawn;
    if (this.drawn.size >= MOST_RINGS && oldest !== undefined) {
      this.drawn.delete(oldest);
      this.map.removeImage(oldest);
    }
    this.drawn.add(id);
    this.map.addImage(id, this.picture(id), { pixelRatio: DENSITY });
  };

  /** Shares of one colour lie together, in the order of the legend, from the top on. */
  private picture(id: string): ImageData {
    const shares = new Map<string, number>([...this.legend.map(({ colour }) => [colour, 0] as const)]);
    let sum = 0;
    for (const [value, count] of mixOf(id)) {
      const colour = colourOfValue(this.legend, value);
      shares.set(colour, (shares.get(colour) ?? 0) + count);
      sum += count;
    }
    return pictureOf(RING_PIXELS, (canvas, side) => {
      canvas.lineWidth = RING_WIDTH * DENSITY;
      const radius = (side - canvas.lineWidth) / 2;
      let angle = -Math.PI / 2;
      for (const [colour, count] of shares) {
        const next = angle + (count / sum) * 2 * Math.PI;
        canvas.strokeStyle = colour;
        canvas.beginPath();
        canvas.arc(side / 2, side / 2, radius, angle, next);
        if (count > 0) canvas.stroke();
        angle = next;
      }
    });
  }
}

export function dotImage(colour: string, edge: string): ImageData {
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
