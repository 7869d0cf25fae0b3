// Shows the name of the feature under the pointer, or in the middle of the map during keyboard use. A click or Enter
// opens it.

import type { LngLat, Map as MapLibre, MapGeoJSONFeature } from 'maplibre-gl';
import type { Session } from '../session/session';
import { getKind } from '../state/kinds';
import { getPlaceColor, getPlaceSizes } from '../state/map-kinds';
import { SEVERAL_VALUES } from '../state/palette';
import { BUILT_IN_LAYER } from './built-in-areas';
import { NARROW } from './create-map';
import { PLACES_LAYER } from './data-layers';
import { parseMix } from './images';

/** Zoom levels per click on a cluster. */
const ZOOM_STEP = 2.5;

/** In pixels around the pointer, so that small circles can be hit. */
const POINTER_REACH = 4;

/** In pixels around the middle of the map, which is harder to aim than a pointer. */
const KEYBOARD_REACH = 14;

/** Shares listed in the tip. The legend has the others. */
const MAX_SHARES = 4;

/** In pixels between the open feature and the edge of the map. */
const EDGE_MARGIN = 40;

type Point = Readonly<Record<'x' | 'y', number>>;

/** Runs until the map is removed together with its listeners and elements. */
export function showTipAtPointer(map: MapLibre, session: Session): void {
  const tip = addTip(map);
  const canvas = map.getCanvas();
  let openedAt: LngLat | undefined;
  const hide = (): void => {
    tip.hidden = true;
  };
  const openAt = (point: Point, reach: number, originalEvent: Event): void => {
    hide();
    openedAt = undefined;
    const [feature] = findFeatures(map, point, reach);
    if (feature === undefined) return;
    const id: unknown = feature.properties['id'];
    const center = map.unproject([point.x, point.y]);
    if (typeof id === 'string') {
      openedAt = center;
      session.set({ place: id, record: undefined, panel: undefined });
      reveal(map, openedAt);
    } else {
      // The event marks this as a user movement, so the address keeps the camera.
      map.easeTo({ center, zoom: map.getZoom() + ZOOM_STEP }, { originalEvent });
    }
  };
  const show = (point: Point, reach: number): void => {
    const [feature] = findFeatures(map, point, reach);
    canvas.style.cursor = chooseCursor(isDrawing(map), feature !== undefined);
    showTip(tip, feature === undefined ? [] : buildTipLines(feature, session), point, getMiddle(map));
  };
  const showMiddle = (): void => {
    if (canvas.matches(':focus-visible')) show(getMiddle(map), KEYBOARD_REACH);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') openAt(getMiddle(map), KEYBOARD_REACH, event);
  };
  map.on('mousemove', ({ point }) => show(point, POINTER_REACH));
  map.on('mouseout', hide);
  map.on('click', ({ point, originalEvent }) => openAt(point, POINTER_REACH, originalEvent));
  map.on('idle', showMiddle);
  map.on('resize', () => reveal(map, openedAt));
  canvas.addEventListener('keydown', handleKey);
  canvas.addEventListener('blur', hide);
}

function chooseCursor(isDrawingShape: boolean, isOverFeature: boolean): string {
  if (isDrawingShape) return 'crosshair';
  return isOverFeature ? 'pointer' : '';
}

/** Adds the tip next to the pointer. Screen readers announce it. */
function addTip(map: MapLibre): HTMLElement {
  const tip = document.createElement('div');
  tip.className = 'map-tip';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  map.getContainer().append(tip);
  return tip;
}

/** Placed on the side with more room, so that the tip stays inside the map. */
function showTip(tip: HTMLElement, lines: readonly string[], { x, y }: Point, middle: Point): void {
  const text = lines.join('\n');
  tip.hidden = text === '';
  if (text === '') return;
  // Avoids repeated announcements.
  if (tip.textContent !== text) tip.textContent = text;
  const left = x > middle.x ? `calc(${x - 12}px - 100%)` : `${x + 12}px`;
  const top = y > middle.y ? `calc(${y - 12}px - 100%)` : `${y + 12}px`;
  tip.style.transform = `translate(${left}, ${top})`;
}

/** Keeps the open feature visible: the panel narrows the map, or covers its lower half on a phone. */
function reveal(map: MapLibre, position: LngLat | undefined): void {
  if (position === undefined) return;
  const { clientWidth, clientHeight } = map.getContainer();
  const { x, y } = map.project(position);
  const maxY = matchMedia(NARROW).matches ? clientHeight * 0.4 : clientHeight - EDGE_MARGIN;
  if (x > EDGE_MARGIN && x < clientWidth - EDGE_MARGIN && y > EDGE_MARGIN && y < maxY) return;
  const offset: [number, number] = [0, matchMedia(NARROW).matches ? -clientHeight * 0.3 : 0];
  map.easeTo({ center: position, offset, animate: false });
}

function getMiddle(map: MapLibre): Point {
  const { clientWidth, clientHeight } = map.getContainer();
  return { x: clientWidth / 2, y: clientHeight / 2 };
}

/** Drawing disables dragging the map. */
function isDrawing(map: MapLibre): boolean {
  return !map.dragPan.isEnabled();
}

function describeValue(value: string | number | null): string {
  if (value === SEVERAL_VALUES) return 'several uses';
  return value === null ? 'not stated' : String(value);
}

/** The topmost feature first; empty while a person is drawing. */
function findFeatures(map: MapLibre, { x, y }: Point, reach: number): readonly MapGeoJSONFeature[] {
  if (isDrawing(map) || map.getLayer(PLACES_LAYER) === undefined) return [];
  const box: [[number, number], [number, number]] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ];
  return map.queryRenderedFeatures(box, { layers: [PLACES_LAYER, BUILT_IN_LAYER] });
}

/** Lines of the tip: name, amounts, priority and use of one place, or the shares of several. */
function buildTipLines({ properties, state }: MapGeoJSONFeature, session: Session): readonly string[] {
  const appState = session.state.peek();
  const { singular, plural } = getKind(appState.kind).places;
  const name: unknown = properties['name'] ?? properties['id'];
  const readTexts = (member: string): string[] =>
    properties[member] === undefined ? [] : [String(properties[member])];
  if (typeof name === 'string') {
    const priority = readTexts('priority').map((day) => `priority ${day}`);
    // The sum of an area; the flow and volume of a right, if stated.
    const figures = [
      [state['value'], 1, state['unit']] as const,
      ...getPlaceSizes(appState.kind).map(({ member, unit }) => [properties[member], 3, unit] as const),
    ];
    const amounts = figures.flatMap(([value, maximumFractionDigits, unit]) =>
      typeof value === 'number' ? [`${value.toLocaleString('en-US', { maximumFractionDigits })} ${String(unit)}`] : [],
    );
    const kind = appState.kind === 'rights' ? readTexts('use') : readTexts('type');
    return [name, [...amounts, ...priority].join(', '), ...kind].filter((line) => line !== '');
  }
  const count = Math.max(Number(properties['count']), Number(properties['outside'] ?? 0));
  if (count === 1) return [`1 ${singular}`, ...readTexts(getPlaceColor(appState)?.member ?? '').map(describeValue)];
  // Organization identifiers mean nothing to people.
  const isReadable = getPlaceColor(appState)?.filter !== 'OrganizationUUID';
  const shares = (isReadable ? parseMix(properties['mix']) : []).slice(0, MAX_SHARES);
  const lines = shares.map(([value, places]) => `${places.toLocaleString('en-US')} ${describeValue(value)}`);
  return [`${count.toLocaleString('en-US')} ${plural}`, ...lines, 'Click to zoom in'];
}
