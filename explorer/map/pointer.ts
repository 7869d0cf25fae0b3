// What stands under the pointer, or in the middle of the map while the keyboard moves it, is named; a click, or Enter,
// opens it.

import type { LngLat, Map as MapLibre, MapGeoJSONFeature } from 'maplibre-gl';
import type { Session } from '../session/session';
import { kindOf } from '../state/kinds';
import { placeColourOf, placeSizesOf } from '../state/map-kinds';
import { LOWEST } from './data-layers';
import { NARROW } from './new-map';
import { mixOf } from './pictures';

/** How much nearer a click goes on what stands for several. */
const ZOOM_STEP = 2.5;

/** Pixels around the pointer in which a small circle is found. */
const REACH = 4;

/** Pixels around the middle of the map, which nobody can aim as well as a pointer. */
const REACH_OF_KEYS = 14;

/** Shares of several places that are said; the legend has the others. */
const MOST_SHARES = 4;

/** Pixels that what is open keeps from the edge of the map. */
const EDGE = 40;

type Spot = Readonly<Record<'x' | 'y', number>>;

/** As long as there is the map, whose listeners and elements go with it. */
export function showPointer(map: MapLibre, session: Session): void {
  const tip = addTip(map);
  const canvas = map.getCanvas();
  let opened: LngLat | undefined;
  const hide = (): void => {
    tip.hidden = true;
  };
  const openAt = (spot: Spot, reach: number, originalEvent: Event): void => {
    hide();
    opened = undefined;
    const [found] = featuresAt(map, spot, reach);
    if (found === undefined) return;
    const id: unknown = found.properties['id'];
    const center = map.unproject([spot.x, spot.y]);
    if (typeof id === 'string') {
      opened = center;
      session.set({ place: id, record: undefined, panel: undefined });
      reveal(map, opened);
    } else {
      // With the event it counts as the person's own move, so the address keeps the camera.
      map.easeTo({ center, zoom: map.getZoom() + ZOOM_STEP }, { originalEvent });
    }
  };
  const show = (spot: Spot, reach: number): void => {
    const [found] = featuresAt(map, spot, reach);
    canvas.style.cursor = isDrawing(map) ? 'crosshair' : found === undefined ? '' : 'pointer';
    showTip(tip, found === undefined ? [] : linesOf(found, session), spot, middleOf(map));
  };
  const showMiddle = (): void => {
    if (canvas.matches(':focus-visible')) show(middleOf(map), REACH_OF_KEYS);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') openAt(middleOf(map), REACH_OF_KEYS, event);
  };
  map.on('mousemove', ({ point }) => show(point, REACH));
  map.on('mouseout', hide);
  map.on('click', ({ point, originalEvent }) => openAt(point, REACH, originalEvent));
  map.on('idle', showMiddle);
  map.on('resize', () => reveal(map, opened));
  canvas.addEventListener('keydown', press);
  canvas.addEventListener('blur', hide);
}

/** Holds the name beside what it names; screen readers hear it too. */
function addTip(map: MapLibre): HTMLElement {
  const tip = document.createElement('div');
  tip.className = 'map-tip';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  map.getContainer().append(tip);
  return tip;
}

/** On the side of the spot on which there is room: it never reaches over the edge of the map. */
function showTip(tip: HTMLElement, lines: readonly string[], { x, y }: Spot, middle: Spot): void {
  const text = lines.join('\n');
  tip.hidden = text === '';
  if (text === '') return;
  // The same text is not said again at each move.
  if (tip.textContent !== text) tip.textContent = text;
  const left = x > middle.x ? `calc(${x - 12}px - 100%)` : `${x + 12}px`;
  const top = y > middle.y ? `calc(${y - 12}px - 100%)` : `${y + 12}px`;
  tip.style.transform = `translate(${left}, ${top})`;
}

/** The panel takes its room from the map, or lies over its lower half on a phone; what it is about stays in sight. */
function reveal(map: MapLibre, place: LngLat | undefined): void {
  if (place === undefined) return;
  const { clientWidth, clientHeight } = map.getContainer();
  const { x, y } = map.project(place);
  const lowest = matchMedia(NARROW).matches ? clientHeight * 0.4 : clientHeight - EDGE;
  if (x > EDGE && x < clientWidth - EDGE && y > EDGE && y < lowest) return;
  const offset: [number, number] = [0, matchMedia(NARROW).matches ? -clientHeight * 0.3 : 0];
  map.easeTo({ center: place, offset, animate: false });
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

/** A line for each thing that is known: of one place its name, amounts, priority and use; of several their shares. */
function linesOf({ properties, state }: MapGeoJSONFeature, session: Session): readonly string[] {
  const shown = session.state.peek();
  const { one, many } = kindOf(shown.kind).places;
  const name: unknown = properties['name'] ?? properties['id'];
  const textOf = (member: string): string[] => (properties[member] === undefined ? [] : [String(properties[member])]);
  if (typeof name === 'string') {
    const priority = textOf('priority').map((day) => `priority ${day}`);
    // The sum that shades an area; the flow and the volume of a right, where it states them.
    const figures = [
      [state['value'], 1, state['unit']] as const,
      ...placeSizesOf(shown.kind).map(({ member, unit }) => [properties[member], 3, unit] as const),
    ];
    const amounts = figures.flatMap(([value, maximumFractionDigits, unit]) =>
      typeof value === 'number' ? [`${value.toLocaleString('en-US', { maximumFractionDigits })} ${String(unit)}`] : [],
    );
    const kind = shown.kind === 'rights' ? textOf('use') : textOf('type');
    return [name, [...amounts, ...priority].join(', '), ...kind].filter((line) => line !== '');
  }
  const count = Math.max(Number(properties['count']), Number(properties['outside'] ?? 0));
  if (count === 1) return [`1 ${one}`, ...textOf(placeColourOf(shown)?.member ?? '')];
  // Identifiers of organizations say nothing to people.
  const isReadable = placeColourOf(shown)?.filter !== 'OrganizationUUID';
  const shares = (isReadable ? mixOf(properties['mix']) : []).slice(0, MOST_SHARES);
  const lines = shares.map(([value, places]) => `${places.toLocaleString('en-US')} ${value ?? 'not stated'}`);
  return [`${count.toLocaleString('en-US')} ${many}`, ...lines, 'Click to go nearer'];
}
