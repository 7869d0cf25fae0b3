// Draws a boundary with the pointer: drag for a box or a circle, click each corner of a polygon. Escape cancels.

import type { Geometry } from 'geojson';
import type { Map as MapLibre, MapMouseEvent, Subscription } from 'maplibre-gl';
import type { ShapeType } from '../state/state';
import { setFeatures } from './create-map';
import { BOUNDARY } from './data-layers';
import { buildPolygon, computeCircle, formatBox, formatPolygon, getBoxCorners, type MapPosition } from './shapes';

/** A click within this distance of the first corner closes the polygon. In pixels. */
const CLOSING_PIXELS = 10;

/** Receives the boundary string, or undefined after Escape. */
type Finish = (text: string | undefined) => void;

/** Starts drawing. The returned function stops it, restores the map, and does not call `finish`. */
export function drawShape(map: MapLibre, shape: ShapeType, finish: Finish): () => void {
  map.dragPan.disable();
  map.doubleClickZoom.disable();
  map.getCanvas().style.cursor = 'crosshair';
  const corners: MapPosition[] = [];
  const listeners = shape === 'polygon' ? listenForCorners(map, corners, finish) : listenForDrag(map, shape, finish);
  const handleKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') finish(undefined);
    else if (key === 'Enter' && corners.length > 2) finish(formatPolygon(corners));
  };
  addEventListener('keydown', handleKey);
  return () => {
    for (const listener of listeners) listener.unsubscribe();
    removeEventListener('keydown', handleKey);
    map.dragPan.enable();
    map.doubleClickZoom.enable();
    map.getCanvas().style.cursor = '';
  };
}

function listenForDrag(map: MapLibre, shape: 'box' | 'circle', finish: Finish): readonly Subscription[] {
  let start: MapPosition | undefined;
  return [
    map.on('mousedown', (event) => {
      start = readPosition(event);
    }),
    map.on('mousemove', (event) => {
      if (start === undefined) return;
      showBoundary(map, (shape === 'box' ? getBoxCorners : computeCircle)(start, readPosition(event)));
    }),
    map.on('mouseup', (event) => {
      const first = start;
      const last = readPosition(event);
      start = undefined;
      // A press without a drag encloses nothing.
      if (first === undefined || (first[0] === last[0] && first[1] === last[1])) return;
      finish(shape === 'box' ? formatBox(first, last) : formatPolygon(computeCircle(first, last)));
    }),
    map.on('dblclick', (event) => event.preventDefault()),
  ];
}

/** Collects the corners of a polygon. */
function listenForCorners(map: MapLibre, corners: MapPosition[], finish: Finish): readonly Subscription[] {
  return [
    map.on('mousemove', (event) => {
      if (corners.length > 0) showBoundary(map, [...corners, readPosition(event)]);
    }),
    map.on('click', (event) => {
      // The second click of a double click does not add a corner.
      if (event.originalEvent.detail > 1 && corners.length < 3) return;
      const [first] = corners;
      const start = first === undefined ? undefined : map.project([...first]);
      const isClosing = corners.length > 2 && start !== undefined && start.dist(event.point) < CLOSING_PIXELS;
      if (isClosing) finish(formatPolygon(corners));
      else corners.push(readPosition(event));
    }),
    // A double click adds the last corner twice, and at the first corner it must not zoom.
    map.on('dblclick', (event) => {
      event.preventDefault();
      if (corners.length > 3) finish(formatPolygon(corners.slice(0, -1)));
    }),
  ];
}

/** Draws a boundary by its corners; no corners remove it. */
function showBoundary(map: MapLibre, corners: readonly MapPosition[]): void {
  const points = corners.length > 8 ? [] : corners;
  const geometries: readonly Geometry[] = [
    ...(corners.length > 1 ? [buildPolygon(corners)] : []),
    ...points.map((corner) => ({ type: 'Point' as const, coordinates: [...corner] })),
  ];
  const features = geometries.map((geometry) => ({ type: 'Feature' as const, properties: {}, geometry }));
  setFeatures(map, BOUNDARY, features);
}

function readPosition({ lngLat }: MapMouseEvent): MapPosition {
  const { lng, lat } = lngLat.wrap();
  return [lng, lat];
}
