// The map with its tools and its legend: loads its program when it is first shown, and says what is missing where a
// browser cannot draw one (WebGL); the table and the chart work without. And the map as a file: what it shows, under a
// title and above its legend, its source, the data version and the day.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MapFiles } from '../../map/base-map';
import type { Session } from '../../session/session';
import { getKind } from '../../state/kinds';
import { buildSourceNotes } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';
import { formatCount, formatTotal } from '../parts/texts';
import { TableView } from '../table/table-view';
import { buildMapLegend, MapLegend } from './map-legend';
import { MapTools } from './map-tools';

const DESCRIPTION_ID = 'map-words';

export function MapView({ session, files }: ViewProps & { readonly files: MapFiles }): VNode {
  const container = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    let isShown = true;
    const opening = import('../../map/open-map').then(({ openMap }) => openMap(element, session, files));
    opening.then(
      (map) => {
        if (isShown) session.drawMapPicture.value = () => renderMapPicture(session, map.picture());
      },
      (error: unknown) => setFailure(explainMapFailure(error)),
    );
    return () => {
      isShown = false;
      session.drawMapPicture.value = undefined;
      void opening.then(
        (map) => map.close(),
        () => undefined,
      );
    };
  }, [session, files]);
  const hasNoPlaces = session.hasNoPlaces.value && (session.total.value ?? 0) > 0;
  return (
    <div class="map-view">
      <MapTools session={session} />
      {hasNoPlaces && <RecordsWithoutPlaces session={session} />}
      {failure === '' ? (
        <div class="map-frame" hidden={hasNoPlaces}>
          <p class="unseen" id={DESCRIPTION_ID}>
            {describeMap(session)}
          </p>
          <div class="map" ref={container} data-words={DESCRIPTION_ID} />
          <MapLegend session={session} />
        </div>
      ) : (
        <p class="notice">{failure} The table and the chart show the same data, and filters work as ever.</p>
      )}
    </div>
  );
}

/** Tried when a map has failed, since it takes as long as a part of the map's own start. */
function explainMapFailure(error: unknown): string {
  const hasWebGl = document.createElement('canvas').getContext('webgl2') !== null;
  if (!hasWebGl) return 'This browser cannot draw maps: it has no WebGL.';
  return `The map could not be opened: ${String(error)}.`;
}

function RecordsWithoutPlaces({ session }: ViewProps): VNode {
  const { kind } = session.state.value;
  return (
    <>
      <p class="notice" role="status">
        {kind === 'aggregates'
          ? 'None of these areas has a shape that a map could show. This is the table of their amounts.'
          : `None of these ${getKind(kind).plural} has a position that a map could show. This is their table.`}
      </p>
      <TableView session={session} />
    </>
  );
}

/** What the picture says, for those who do not see it. */
function describeMap({ state, total, areaYear }: ViewProps['session']): string {
  const { kind } = state.value;
  const year = areaYear.value ?? '';
  const totalText = total.value === undefined ? '' : `${formatTotal(kind, total.value)}. `;
  const shown =
    kind === 'aggregates'
      ? `Areas are shaded by their sums${year === '' ? '' : ` of ${year}`}`
      : `Places are coloured by the values of the legend; a circle with a number stands for so many ${getKind(kind).places.plural}`;
  return `${totalText}${shown}. The table has the same records, and the chart the same sums, in words.`;
}

/** In pixels of the screen. */
const MARGIN = 16;
const LINE = 20;
const ENTRY_WIDTH = 230;
const SWATCH = 11;

const INK = '#16242e';
const SOFT = '#51636f';

/** A PNG as fine as the screen. */
function renderMapPicture(session: Session, map: HTMLCanvasElement): Promise<Blob> {
  const scale = devicePixelRatio;
  const width = map.width / scale;
  const height = map.height / scale;
  const entries = listLegendEntries(session);
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / ENTRY_WIDTH));
  const rows = Math.ceil(entries.length / columns);
  const title = buildTitle(session);
  const notes = buildSourceNotes(session);
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
    // A text that is too long is drawn narrower, and not cut.
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

function buildTitle({ state, total }: Session): string {
  const { kind, filters } = state.value;
  const totalText = total.value === undefined ? '' : formatTotal(kind, total.value);
  return [totalText, ...Object.values(filters).flat()].join(', ');
}

/** What the legend is of, and its entries, whichever legend the map has. */
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
