// Drawing with the pointer: a box or a circle by pressing and dragging, a polygon corner by corner. Escape gives up.

import type { GeoJSONSource, Map as MapLibre, MapMouseEvent } from 'maplibre-gl';
import { BOUNDARY } from './data-layers';
import { boxCorners, boxText, circleCorners, polygonGeometry, drawnPolygonText } from './shapes';
import type { MapPosition, ShapeForm } from './shapes';

/** A second click so near to the first corner, in pixels, closes the polygon. */
const CLOSE_PIXELS = 10;

type PointerEventName = 'mousedown' | 'mousemove' | 'mouseup' | 'click' | 'dblclick';

export class ShapeDrawing {
  private corners: MapPosition[] = [];
  private isPressed = false;

  /** `finish` gets the boundary's text, or undefined when the person gave up. */
  constructor(
    private readonly map: MapLibre,
    private readonly form: ShapeForm,
    private readonly finish: (text: string | undefined) => void,
  ) {
    map.dragPan.disable();
    map.doubleClickZoom.disable();
    map.getCanvas().style.cursor = 'crosshair';
    for (const [name, act] of this.listeners) map.on(name, act);
    addEventListener('keydown', this.key);
  }

  /** Leaves the map as it was; calls nobody back. */
  stop(): void {
    const { map } = this;
    for (const [name, act] of this.listeners) map.off(name, act);
    removeEventListener('keydown', this.key);
    map.dragPan.enable();
    map.doubleClickZoom.enable();
    map.getCanvas().style.cursor = '';
  }

  private readonly press = (event: MapMouseEvent): void => {
    if (this.form === 'polygon') return;
    this.isPressed = true;
    this.corners = [positionOf(event)];
  };

  private readonly move = (event: MapMouseEvent): void => {
    const [first] = this.corners;
    if (first === undefined || (this.form !== 'polygon' && !this.isPressed)) return;
    this.show(this.outline(first, positionOf(event)));
  };

  private readonly release = (event: MapMouseEvent): void => {
    const [first] = this.corners;
    if (!this.isPressed || first === undefined) return;
    this.isPressed = false;
    const last = positionOf(event);
    // A press without a drag is a slip, and encloses nothing.
    if (first[0] === last[0] && first[1] === last[1]) return;
    this.finish(this.form === 'box' ? boxText(first, last) : drawnPolygonText(circleCorners(first, last)));
  };

  private readonly click = (event: MapMouseEvent): void => {
    if (this.form !== 'polygon') return;
    const [first] = this.corners;
    const start = first === undefined ? undefined : this.map.project([...first]);
    const isClosing = this.corners.length > 2 && start !== undefined && start.dist(event.point) < CLOSE_PIXELS;
    if (isClosing) this.finish(drawnPolygonText(this.corners));
    else this.corners.push(positionOf(event));
  };

  /** The two clicks of a double click have set the last corner twice. */
  private readonly close = (event: MapMouseEvent): void => {
    event.preventDefault();
    if (this.form === 'polygon' && this.corners.length > 3) this.finish(drawnPolygonText(this.corners.slice(0, -1)));
  };

  private readonly key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.finish(undefined);
    else if (event.key === 'Enter' && this.form === 'polygon' && this.corners.length > 2) {
      this.finish(drawnPolygonText(this.corners));
    }
  };

  private get listeners(): readonly (readonly [PointerEventName, (event: MapMouseEvent) => void])[] {
    return [
      ['mousedown', this.press],
      ['mousemove', this.move],
      ['mouseup', this.release],
      ['click', this.click],
      ['dblclick', this.close],
    ];
  }

  private outline(first: MapPosition, pointer: MapPosition): readonly MapPosition[] {
    switch (this.form) {
      case 'box':
        return boxCorners(first, pointer);
      case 'circle':
        return circleCorners(first, pointer);
      case 'polygon':
        return [...this.corners, pointer];
    }
  }

  private show(corners: readonly MapPosition[]): void {
    showBoundary(this.map, corners);
  }
}

/** Draws the boundary by its corners; none for no boundary. */
export function showBoundary(map: MapLibre, corners: readonly MapPosition[]): void {
  const geometry = polygonGeometry(corners);
  const points = corners.length > 8 ? [] : corners;
  void map.getSource<GeoJSONSource>(BOUNDARY)?.setData({
    type: 'FeatureCollection',
    features: [
      ...(corners.length > 1 ? [{ type: 'Feature' as const, properties: {}, geometry }] : []),
      ...points.map(([longitude, latitude]) => ({
        ...{ type: 'Feature' as const, properties: {} },
        geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
      })),
    ],
  });
}

function positionOf({ lngLat }: MapMouseEvent): MapPosition {
  const { lng, lat } = lngLat.wrap();
  return [lng, lat];
}
