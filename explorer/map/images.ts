// Images that the map draws itself: town dots, and a count inside a ring of shares for places that share a point.

import type { Map as MapLibre } from 'maplibre-gl';
import { NOT_STATED_COLOR, OTHERS_COLOR } from '../state/palette';
import type { GroundColors } from './ground-colors';
import { RING_NAME_SEPARATOR, TOWN_IMAGE } from './image-names';
import { getLegendColor, type MapLegendEntry } from './legend-colors';
import { formatShortCount } from './short-count';

/** In map pixels. */
const RING_WIDTH = 3.5;

const DIGIT_SIZE = 10.5;

/** Image pixels per map pixel, for high-density screens. */
const PIXEL_RATIO = 2;

/** Enough rings for a map on a large screen. Beyond this limit the oldest images are removed. */
const MAX_RINGS = 1500;

/** Values with their number of places: the member `mix` of a feature. */
export type Mix = readonly (readonly [value: string | number | null, count: number])[];

/** Parses the member `mix`; empty if the string is not a mix. */
export function parseMix(text: unknown): Mix {
  // The service wrote this JSON, so its structure is known.
  return typeof text === 'string' && text.startsWith('[[') ? (JSON.parse(text) as Mix) : [];
}

/** Draws an image when the library reports it missing. */
export class MapImages {
  /** The names of existing rings, oldest first. */
  private readonly ringIds = new Set<string>();
  private legend: readonly MapLegendEntry[] = [];
  /** Entries of previous legends, newest first, kept while tiles with their values may still be drawn. */
  private previousLegend: readonly MapLegendEntry[] = [];
  /** Rings that are drawn with a color of a previous legend. */
  private readonly transitionalIds = new Set<string>();

  constructor(
    private readonly map: MapLibre,
    private readonly colors: GroundColors,
    /** Whether the map shows the current tiles and no tile is still loading. */
    private readonly areTilesCurrent: () => boolean,
  ) {
    map.setMissingStyleImageResolver(this.addMissing);
    map.on('idle', this.forgetPreviousLegend);
  }

  /** Redraws existing rings in the colors of another legend. */
  paint(legend: readonly MapLegendEntry[]): void {
    if (JSON.stringify(legend) === JSON.stringify(this.legend)) return;
    this.previousLegend = [...this.legend, ...this.previousLegend];
    this.legend = legend;
    for (const id of this.ringIds) this.map.updateImage(id, this.drawRing(id));
  }

  /** Discards previous legends once all tiles have the values of the current legend. */
  private readonly forgetPreviousLegend = (): void => {
    if (this.previousLegend.length === 0 || !this.areTilesCurrent()) return;
    this.previousLegend = [];
    for (const id of this.transitionalIds) if (this.ringIds.has(id)) this.map.updateImage(id, this.drawRing(id));
    this.transitionalIds.clear();
  };

  /**
   * While the colors change, values that only a previous legend lists keep their previous colors, so that rings do not
   * turn gray.
   */
  private getColor(id: string, value: Mix[number][0]): string {
    const color = getLegendColor(this.legend, value);
    const isNamed = color !== OTHERS_COLOR && color !== NOT_STATED_COLOR;
    if (isNamed || value === null || this.previousLegend.length === 0) return color;
    this.transitionalIds.add(id);
    return getLegendColor(this.previousLegend, value);
  }

  private readonly addMissing = (id: string): void => {
    const [oldest] = this.ringIds;
    if (this.ringIds.size >= MAX_RINGS && oldest !== undefined) {
      this.ringIds.delete(oldest);
      this.map.removeImage(oldest);
    }
    if (id !== TOWN_IMAGE) this.ringIds.add(id);
    const picture = id === TOWN_IMAGE ? drawDot(this.colors.town, this.colors.land) : this.drawRing(id);
    this.map.addImage(id, picture, { pixelRatio: PIXEL_RATIO });
  };

  /** Shares of one color are adjacent, in the order of the legend, starting at the top. */
  private drawRing(id: string): ImageData {
    const [count = '', radius = '', ...rest] = id.split(RING_NAME_SEPARATOR);
    const mix = parseMix(rest.join(RING_NAME_SEPARATOR));
    const colors = [...this.legend, ...this.previousLegend].map(({ color }) => [color, 0] as const);
    const shares = new Map<string, number>(colors);
    const add = (color: string, places: number): void => {
      shares.set(color, (shares.get(color) ?? 0) + places);
    };
    for (const [value, places] of mix) add(this.getColor(id, value), places);
    // Points whose values the tile does not list, and all points if the tile lists none.
    const unlisted = Number(count) - mix.reduce((sum, [, places]) => sum + places, 0);
    if (unlisted > 0) add(mix.length === 0 ? NOT_STATED_COLOR : OTHERS_COLOR, unlisted);
    const { paper, ink, land } = this.colors;
    return drawImage(2 * (Number(radius) + 1), (canvas, side) => {
      const middle = side / 2;
      drawDisc(canvas, middle, land);
      drawDisc(canvas, middle - PIXEL_RATIO, paper);
      drawShares(canvas, middle, shares);
      canvas.fillStyle = ink;
      canvas.font = `${DIGIT_SIZE * PIXEL_RATIO}px sans-serif`;
      [canvas.textAlign, canvas.textBaseline] = ['center', 'middle'];
      canvas.fillText(
        formatShortCount(Number(count)),
        middle,
        middle + PIXEL_RATIO / 2,
        side - 2 * RING_WIDTH * PIXEL_RATIO,
      );
    });
  }
}

function drawDisc(canvas: OffscreenCanvasRenderingContext2D, radius: number, color: string): void {
  const { width } = canvas.canvas;
  canvas.fillStyle = color;
  canvas.beginPath();
  canvas.arc(width / 2, width / 2, radius, 0, 2 * Math.PI);
  canvas.fill();
}

function drawShares(
  canvas: OffscreenCanvasRenderingContext2D,
  middle: number,
  shares: ReadonlyMap<string, number>,
): void {
  const total = [...shares.values()].reduce((all, places) => all + places, 0);
  canvas.lineWidth = RING_WIDTH * PIXEL_RATIO;
  let angle = -Math.PI / 2;
  for (const [color, places] of shares) {
    const next = angle + (places / total) * 2 * Math.PI;
    canvas.strokeStyle = color;
    canvas.beginPath();
    canvas.arc(middle, middle, middle - PIXEL_RATIO - canvas.lineWidth / 2, angle, next);
    if (places > 0) canvas.stroke();
    angle = next;
  }
}

function drawDot(color: string, edge: string): ImageData {
  return drawImage(6, (canvas, side) => {
    canvas.beginPath();
    canvas.arc(side / 2, side / 2, side / 2 - 2, 0, 2 * Math.PI);
    [canvas.fillStyle, canvas.strokeStyle, canvas.lineWidth] = [color, edge, 2];
    canvas.fill();
    canvas.stroke();
  });
}

function drawImage(pixels: number, draw: (canvas: OffscreenCanvasRenderingContext2D, side: number) => void): ImageData {
  const side = pixels * PIXEL_RATIO;
  const canvas = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (canvas === null) throw new Error('this browser draws no pictures');
  draw(canvas, side);
  return canvas.getImageData(0, 0, side, side);
}
