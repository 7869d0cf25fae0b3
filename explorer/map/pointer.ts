// The pointer over the map: what stands there is named, and a click opens it.

import type { Map as MapLibre, MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import type { Session } from '../session/session';
import { mapCollectionOf } from '../state/map-kinds';
import { LOWEST } from './data-layers';

/** How much nearer a click goes on what stands for several. */
const ZOOM_STEP = 2.5;

/** Pixels around the pointer in which a small circle is found. */
const REACH = 4;

/** Returns how to stop. */
export function showPointer(map: MapLibre, session: Session): () => void {
  const tip = document.createElement('div');
  tip.className = 'map-tip';
  tip.hidden = true;
  map.getContainer().append(tip);
  const move = (event: MapMouseEvent): void => {
    const [found] = isDrawing(map) ? [] : featuresAt(map, event);
    map.getCanvas().style.cursor = isDrawing(map) ? 'crosshair' : found === undefined ? '' : 'pointer';
    tip.hidden = found === undefined;
    if (found === undefined) return;
    tip.textContent = nameOf(found, session);
    tip.style.transform = `translate(${event.point.x + 12}px, ${event.point.y + 12}px)`;
  };
  const leave = (): void => {
    tip.hidden = true;
  };
  const click = (event: MapMouseEvent): void => {
    const [found] = isDrawing(map) ? [] : featuresAt(map, event);
    if (found === undefined) return;
    const id: unknown = found.properties['id'];
    if (typeof id === 'string')
      session.change((state) => ({ ...state, place: id, record: undefined, panel: undefined }));
    else map.easeTo({ center: event.lngLat, zoom: map.getZoom() + ZOOM_STEP }, { originalEvent: event.originalEvent });
  };
  const listeners = [map.on('mousemove', move), map.on('mouseout', leave), map.on('click', click)];
  return () => {
    for (const listener of listeners) listener.unsubscribe();
    tip.remove();
  };
}

/** Drawing takes the pointer for itself and keeps the map from being dragged. */
function isDrawing(map: MapLibre): boolean {
  return !map.dragPan.isEnabled();
}

function featuresAt(map: MapLibre, { point }: MapMouseEvent): readonly MapGeoJSONFeature[] {
  if (map.getLayer(LOWEST) === undefined) return [];
  const box: [[number, number], [number, number]] = [
    [point.x - REACH, point.y - REACH],
    [point.x + REACH, point.y + REACH],
  ];
  return map.queryRenderedFeatures(box, { layers: [LOWEST] });
}

function nameOf({ properties, state }: MapGeoJSONFeature, session: Session): string {
  const { kind } = session.state.peek();
  const { one, many } = mapCollectionOf(kind);
  const name: unknown = properties['name'] ?? properties['id'];
  const count = Math.max(Number(properties['count']), Number(properties['outside'] ?? 0));
  const value: unknown = state['value'];
  const sum = typeof value === 'number' ? `: ${value.toLocaleString('en-US', { maximumFractionDigits: 1 })}` : '';
  if (typeof name === 'string') return `${name}${sum}`;
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many} – click to go nearer`;
}
