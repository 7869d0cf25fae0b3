// What stands under the pointer, or in the middle of the map while the keyboard moves it, is named; a click, or Enter,
// opens it.

import type { Map as MapLibre, MapGeoJSONFeature } from 'maplibre-gl';
import type { Session } from '../session/session';
import { MAP_SIZES, mapCollectionOf } from '../state/map-kinds';
import { LOWEST } from './data-layers';

/** How much nearer a click goes on what stands for several. */
const ZOOM_STEP = 2.5;

/** Pixels around the pointer in which a small circle is found. */
const REACH = 4;

/** Pixels around the middle of the map, which nobody can aim as well as a pointer. */
const REACH_OF_KEYS = 14;

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Returns how to stop. */
export function showPointer(map: MapLibre, session: Session): () => void {
  const tip = new Tip(map);
  const canvas = map.getCanvas();
  const isAtKeys = (): boolean => document.activeElement === canvas && canvas.matches(':focus-visible');
  const show = (spot: Spot, reach: number): void => {
    const [found] = featuresAt(map, spot, reach);
    canvas.style.cursor = isDrawing(map) ? 'crosshair' : found === undefined ? '' : 'pointer';
    tip.show(found === undefined ? undefined : nameOf(found, session), spot);
  };
  const showMiddle = (): void => {
    if (isAtKeys()) show(middleOf(map), REACH_OF_KEYS);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(map, session, middleOf(map), { reach: REACH_OF_KEYS, event });
  };
  const listeners = [
    map.on('mousemove', ({ point }) => show(point, REACH)),
    map.on('mouseout', () => tip.show(undefined, middleOf(map))),
    map.on('click', ({ point, originalEvent }) => open(map, session, point, { reach: REACH, event: originalEvent })),
    map.on('idle', showMiddle),
  ];
  canvas.addEventListener('keydown', press);
  canvas.addEventListener('blur', tip.hide);
  return () => {
    for (const listener of listeners) listener.unsubscribe();
    canvas.removeEventListener('keydown', press);
    canvas.removeEventListener('blur', tip.hide);
    tip.remove();
  };
}

/** The name beside what it names; screen readers hear it too. */
class Tip {
  private readonly element = document.createElement('div');

  constructor(map: MapLibre) {
    this.element.className = 'map-tip';
    this.element.setAttribute('role', 'status');
    this.element.hidden = true;
    map.getContainer().append(this.element);
  }

  show(text: string | undefined, { x, y }: Spot): void {
    const { element } = this;
    element.hidden = text === undefined;
    if (text === undefined) return;
    // The same text is not said again at each move.
    if (element.textContent !== text) element.textContent = text;
    element.style.transform = `translate(${x + 12}px, ${y + 12}px)`;
  }

  readonly hide = (): void => {
    this.element.hidden = true;
  };

  remove(): void {
    this.element.remove();
  }
}

function open(
  map: MapLibre,
  session: Session,
  spot: Spot,
  by: { readonly reach: number; readonly event: Event },
): void {
  const [found] = featuresAt(map, spot, by.reach);
  if (found === undefined) return;
  const id: unknown = found.properties['id'];
  if (typeof id === 'string') session.change((state) => ({ ...state, place: id, record: undefined, panel: undefined }));
  else {
    const center = map.unproject([spot.x, spot.y]);
    // With the event it counts as the person's own move, so the address keeps the camera.
    map.easeTo({ center, zoom: map.getZoom() + ZOOM_STEP }, { originalEvent: by.event });
  }
}

function middleOf(map: MapLibre): Spot {
  const { clientWidth, clientHeight } = map.getContainer();
  return { x: clientWidth / 2, y: clientHeight / 2 };
}

/** Drawing takes the pointer for itself and keeps the map from being dragged. */
function isDrawing(map: MapLibre): boolean {
  return !map.dragPan.isEnabled();
}

/** The nearest layer above first; nothing while somebody draws. */
function featuresAt(map: MapLibre, { x, y }: Spot, reach: number): readonly MapGeoJSONFeature[] {
  if (isDrawing(map) || map.getLayer(LOWEST) === undefined) return [];
  const box: [[number, number], [number, number]] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
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
  if (typeof name === 'string') return [`${name}${sum}`, ...amountsOf(properties)].join(', ');
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many} – click to go nearer`;
}

/** A right says its flow and volume, where it states them. */
function amountsOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return MAP_SIZES.flatMap(({ member, unit }) => {
    const amount = properties[member];
    return typeof amount === 'number' ? [`${amount.toLocaleString('en-US')} ${unit}`] : [];
  });
}
