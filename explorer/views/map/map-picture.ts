// Renders the map as a PNG: the map below a title, then its legend, sources, data version and date.

import type { Session } from '../../session/session';
import { buildSourceNotes } from '../parts/cited-sources';
import { formatCount, formatTotal, formatValue } from '../parts/texts';
import { buildMapLegend } from './map-legend';

/** In screen pixels. */
const MARGIN = 16;

const LINE = 20;

const ENTRY_WIDTH = 230;

const SWATCH = 11;

const INK = '#16242e';

const SOFT = '#51636f';

/** Renders a PNG in the resolution of the screen. */
export function renderMapPicture(session: Session, map: HTMLCanvasElement, attribution: string): Promise<Blob> {
  const scale = devicePixelRatio;
  const width = map.width / scale;
  const height = map.height / scale;
  const entries = listLegendEntries(session);
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / ENTRY_WIDTH));
  const rows = Math.ceil(entries.length / columns);
  const title = buildTitle(session);
  const notes = [...buildSourceNotes(session), attribution];
  const top = 2 * MARGIN + LINE;
  const below = top + height + MARGIN;
  const canvas = new OffscreenCanvas(map.width, (below + (rows + notes.length) * LINE + MARGIN) * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.reject(new Error('the picture could not be drawn'));
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(map, 0, top * scale);
  context.scale(scale, scale);
  const write = (text: string, [x, y]: readonly [number, number], color: string, font: string): void => {
    context.fillStyle = color;
    context.font = font;
    // Long text is condensed, not cut.
    context.fillText(text, x, y, width - MARGIN - x);
  };
  write(title, [MARGIN, MARGIN + LINE], INK, '600 18px system-ui, sans-serif');
  for (const [index, { text, color }] of entries.entries()) {
    const x = MARGIN + (index % columns) * ENTRY_WIDTH;
    const y = below + Math.floor(index / columns) * LINE;
    context.fillStyle = color === '' ? 'transparent' : color;
    context.fillRect(x, y, SWATCH, SWATCH);
    write(text, [x + SWATCH + 5, y + SWATCH - 1], INK, '12px system-ui, sans-serif');
  }
  for (const [index, note] of notes.entries())
    write(note, [MARGIN, below + (rows + index) * LINE + SWATCH], SOFT, '12px system-ui, sans-serif');
  return canvas.convertToBlob();
}

function buildTitle(session: Session): string {
  const { state, total } = session;
  const { kind, filters } = state.value;
  const totalText = total.value === undefined ? '' : formatTotal(kind, total.value);
  const values = Object.entries(filters).flatMap(([name, texts]) =>
    texts.map((text) => formatValue(session, name, text)),
  );
  return [totalText, ...values].join(', ');
}

/** The title of the legend, and its entries. */
function listLegendEntries(session: Session): readonly { readonly text: string; readonly color: string }[] {
  const legend = buildMapLegend(session);
  if (legend === undefined) return [];
  const heads = [`Legend: ${legend.title}`, legend.heading ?? ''].filter(Boolean);
  return [
    ...heads.map((text) => ({ text, color: '' })),
    ...legend.entries.map(({ text, color, count }) => ({
      text: count === undefined ? text : `${text} ${formatCount(count)}`,
      color,
    })),
  ];
}
