// Creates the map in an element of the page, without data. Loads the library and finds the initial view at the same
// time, so that no tiles are requested for a view that is replaced at once.

import type { Feature } from 'geojson';
import type * as Maplibre from 'maplibre-gl';
import type { MapExtent } from '../requests/extents';
import type { Session } from '../session/session';
import type { MapFiles } from './base-map';
import type { PlacesToFit } from './places-to-fit';
import { serveTiles, waitForZoomEnd } from './service-tiles';

/** The contiguous United States, if the extent of the data is not known. */
const UNITED_STATES: MapExtent = [-125, 24, -66.5, 49.5];

/** Fits an extent next to the legend, and on a phone above the open sheet. A point is centered. */
export function buildFitOptions(
  { clientWidth, clientHeight }: HTMLElement,
  { state }: Session,
  [west, south, east, north]: MapExtent,
): Maplibre.FitBoundsOptions {
  const { place, panel } = state.peek();
  const isUnderSheet = matchMedia(NARROW).matches && (place !== undefined || panel !== undefined);
  const bottom = isUnderSheet ? 0.5 * clientHeight + EDGE_MARGIN : EDGE_MARGIN;
  const isPoint = west === east && south === north;
  const left = clientWidth > MIN_WIDTH_FOR_LEGEND && !isPoint ? LEGEND_WIDTH : EDGE_MARGIN;
  const padding = { top: isPoint && !isUnderSheet ? EDGE_MARGIN : 2 * EDGE_MARGIN, right: EDGE_MARGIN, bottom, left };
  return { padding, maxZoom: 11, animate: false };
}

/** In pixels. */
const EDGE_MARGIN = 40;
const LEGEND_WIDTH = 265;
const MIN_WIDTH_FOR_LEGEND = 750;

/** Screens on which the panel is a sheet over the map (styles/layout.css). */
export const NARROW = '(max-width: 48rem)';

/** Software renderers. Each pixel takes processor time, so high-density screens get no extra pixels. */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

interface NewMap {
  readonly places: PlacesToFit;
  readonly files: MapFiles;
  readonly ground: Promise<Maplibre.StyleSpecification>;
}

/** Throws if the browser cannot draw maps. */
export async function createMap(
  element: HTMLElement,
  session: Session,
  { places, files, ground }: NewMap,
): Promise<Maplibre.Map> {
  const [maplibre, view, style] = await Promise.all([loadLibrary(files), chooseView(element, session, places), ground]);
  const map = new maplibre.Map({
    container: element,
    style,
    ...view,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    maxZoom: 18,
    // Fading costs extra frames, and fading numbers cannot be read.
    fadeDuration: 0,
    refreshExpiredTiles: false,
  });
  serveTiles(maplibre, session, (signal) => waitForZoomEnd(map, signal));
  const canvas = map.getCanvas();
  if (SOFTWARE.test(readRenderer(canvas))) {
    map.setPixelRatio(1);
    paceFrames(map);
  }
  // A map seen from above has no sky, which would cost a shader and a pass over all pixels.
  map.painter.drawFunctions = { ...map.painter.drawFunctions, sky: () => undefined };
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  canvas.setAttribute('aria-label', 'Map: arrow keys move it, + and - zoom, Enter opens the item in the center');
  canvas.setAttribute('aria-describedby', element.dataset['words'] ?? '');
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
  const isNarrow = matchMedia(NARROW).matches;
  map.addControl(new maplibre.AttributionControl({ compact: isNarrow }), 'bottom-right');
  // On a phone the attribution starts collapsed, and there is no room for the scale.
  if (isNarrow) element.querySelector('.maplibregl-ctrl-attrib')?.classList.add('maplibregl-compact');
  else map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }), 'bottom-right');
  await map.once('style.load');
  return map;
}

/** Chromium reveals the real renderer only in an extension. Empty if unknown. */
function readRenderer(canvas: HTMLCanvasElement): string {
  const context = canvas.getContext('webgl2');
  const parameter = context?.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context?.RENDERER;
  return parameter === undefined ? '' : String(context?.getParameter(parameter));
}

/** The minimum time between two frames while tiles arrive. A software-rendered frame takes about 50 ms. */
const FRAME_INTERVAL_MS = 250;

/** Combines the frames of tiles that arrive one after another. User movements are drawn immediately. */
function paceFrames(map: Maplibre.Map): void {
  const drawSoon = map.triggerRepaint.bind(map);
  let isWaiting = false;
  const drawOnce = (): void => {
    if (isWaiting) drawSoon();
    isWaiting = false;
  };
  map.triggerRepaint = () => {
    if (map.isMoving()) drawSoon();
    else if (!isWaiting) {
      isWaiting = true;
      setTimeout(drawOnce, FRAME_INTERVAL_MS);
    }
    // Code that requests a frame may request tiles next, so check after it has finished.
    queueMicrotask(() => {
      if (isOpen(map) && map.areTilesLoaded()) drawOnce();
    });
  };
}

/** A closed map has no canvas, and every method throws. */
function isOpen(map: Maplibre.Map): boolean {
  return map.getCanvas().isConnected;
}

/** Replaces the features of a source. Does nothing if the map was closed. */
export function setFeatures(map: Maplibre.Map, source: string, features: readonly Feature[]): void {
  if (isOpen(map)) {
    void map.getSource<Maplibre.GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features: [...features] });
  }
}

/**
 * Loads both modules of the library at the same time. Otherwise the browser would request the second only after it has
 * loaded the first.
 */
async function loadLibrary({ program, shared, worker }: MapFiles): Promise<typeof Maplibre> {
  const [maplibre] = await Promise.all([import(program) as Promise<typeof Maplibre>, import(shared)]);
  maplibre.setWorkerUrl(worker);
  return maplibre;
}

/** The camera of the state, else the extent of the places to fit. */
async function chooseView(
  element: HTMLElement,
  session: Session,
  places: PlacesToFit,
): Promise<Partial<Maplibre.MapOptions>> {
  const { camera } = session.state.peek().map;
  if (camera !== undefined) return { center: [camera.longitude, camera.latitude], zoom: camera.zoom };
  const extent = (await places.fetchExtent()) ?? UNITED_STATES;
  return { bounds: [...extent], fitBoundsOptions: buildFitOptions(element, session, extent) };
}
