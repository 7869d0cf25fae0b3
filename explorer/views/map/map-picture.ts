// The map as a file: what it shows, under a title and above its legend, its source, the data version and the day.

import type { Session } from '../../session/session';
import { sourceNotes } from '../parts/cited-sources';
import { totalText } from '../parts/choices';

/** In pixels of the screen. */
const MARGIN = 16;
const LINE = 20;
const ENTRY_WIDTH = 230;
const SWATCH = 11;

const INK = '#16242e';
const SOFT = '#51636f';

/** A PNG as fine as the screen. */
export function mapPicture(session: Session, map: HTMLCanvasElement): Promise<Blob> {
  const scale = devicePixelRatio;
  const [width, height] = [map.width / scale, map.height / scale];
  const entries = legendOnPage();
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / ENTRY_WIDTH));
  const rows = Math.ceil(entries.length / columns);
  const title = titleOf(session);
  const notes = sourceNotes(session);
  const top = 2 * MARGIN + LINE;
  const below = top + height + MARGIN;
  const canvas = new OffscreenCanvas(map.width, (below + (rows + notes.length) * LINE + MARGIN) * scale);
  const paper = canvas.getContext('2d');
  if (paper === null) return Promise.reject(new Error('the picture could not be drawn'));
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(map, 0, top * scale);
  paper.scale(scale, scale);
  const write = (text: string, [x, y]: readonly [number, number], colour: string, font: string): void => {
    paper.fillStyle = colour;
    paper.font = font;
    // A text that is too long is drawn narrower, and not cut.
    paper.fillText(text, x, y, width - MARGIN - x);
  };
  write(title, [MARGIN, MARGIN + LINE], INK, '600 18px system-ui, sans-serif');
  for (const [index, { text, colour }] of entries.entries()) {
    const [x, y] = [MARGIN + (index % columns) * ENTRY_WIDTH, below + Math.floor(index / columns) * LINE];
    paper.fillStyle = colour;
    paper.fillRect(x, y, SWATCH, SWATCH);
    write(text, [x + SWATCH + 5, y + SWATCH - 1], INK, '12px system-ui, sans-serif');
  }
  for (const [index, note] of notes.entries())
    write(note, [MARGIN, below + (rows + index) * LINE + SWATCH], SOFT, '12px system-ui, sans-serif');
  return canvas.convertToBlob();
}

function titleOf({ state, total }: Session): string {
  const { kind, filters } = state.value;
  const found = total.value === undefined ? '' : totalText(kind, total.value);
  return [found, ...Object.values(filters).flat()].join(', ');
}

/** What the legend is of, and its entries as the page shows them, whichever legend the map has. */
function legendOnPage(): readonly { readonly text: string; readonly colour: string }[] {
  const title = document.querySelector('.map-legend')?.ariaLabel ?? '';
  const entries = [...document.querySelectorAll('.map-legend li')].map((entry) => {
    const swatch = entry.querySelector('.swatch');
    const named = [...entry.querySelectorAll('.text, .count')].map(({ textContent }) => textContent).join(' ');
    const colour = swatch === null ? 'transparent' : getComputedStyle(swatch).backgroundColor;
    return { text: named === '' ? entry.textContent.trim() : named, colour };
  });
  return title === '' ? entries : [{ text: title, colour: 'transparent' }, ...entries];
}
