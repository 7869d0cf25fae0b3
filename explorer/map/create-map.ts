// Creates the map in an element of the page, without data. Loads the library and finds the initial view at the same
// time, so that the first tiles requested are the ones that stay.

import type { Feature } from 'geojson';
import type * as Maplibre from 'maplibre-gl';
import type { MapExtent } from '../requests/extents';
import type { Session } from '../session/session';
import type { MapFiles } from './base-map';
import type { PlacesToFit } from './places-to-fit';

/** The United States without Alaska and Hawaii, where it is not known where the data lie. */
const UNITED_STATES: MapExtent = [-125, 24, -66.5, 49.5];

/** Fits an extent beside the legend, on a phone above the sheet of what is open; a point else in the middle. */
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

/** Where the panel is a sheet over the map (styles/layout.css). */
export const NARROW = '(max-width: 48rem)';

/** What draws where there is no graphics card. Each pixel takes processor time there, so a fine screen gets no more. */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

interface NewMap {
  readonly places: PlacesToFit;
  readonly files: MapFiles;
  readonly ground: Promise<Maplibre.StyleSpecification>;
}

/** Throws where the browser cannot draw maps. */
export async function createMap(
  element: HTMLElement,
  session: Session,
  { places, files, ground }: NewMap,
): Promise<Maplibre.Map> {
  const [maplibre, view, style] = await Promise.all([
    loadLibrary(files),
    chooseView(element, session, places),
    ground,
    addStyle(files.style),
  ]);
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
    // The key is for this service alone, and not for the host of a base map that an operator names.
    transformRequest: (url) =>
      url.startsWith(`${location.origin}/`) ? { url, headers: { ...session.client.headers() } } : { url },
    // A frame that fades costs as much as one that does not, and nobody reads a fading number.
    fadeDuration: 0,
    refreshExpiredTiles: false,
  });
  const canvas = map.getCanvas();
  if (SOFTWARE.test(readRenderer(canvas))) {
    map.setPixelRatio(1);
    paceFrames(map);
  }
  // A map that is seen from above has no horizon; its sky would be a program more, and a pass over all pixels.
  map.painter.drawFunctions = { ...map.painter.drawFunctions, sky: () => undefined };
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  canvas.setAttribute('aria-label', 'Map: arrow keys move it, + and - zoom, Enter opens what is in the middle');
  canvas.setAttribute('aria-describedby', element.dataset['words'] ?? '');
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
  const isNarrow = matchMedia(NARROW).matches;
  map.addControl(new maplibre.AttributionControl({ compact: isNarrow }), 'bottom-right');
  // On a phone the sources wait behind their button, which is open at first otherwise, and the scale has no room.
  if (isNarrow) element.querySelector('.maplibregl-ctrl-attrib')?.classList.add('maplibregl-compact');
  else map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }), 'bottom-right');
  await map.once('style.load');
  return map;
}

/** Chromium says its true renderer in an extension alone; empty where no browser says anything. */
function readRenderer(canvas: HTMLCanvasElement): string {
  const context = canvas.getContext('webgl2');
  const parameter = context?.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? context?.RENDERER;
  return parameter === undefined ? '' : String(context?.getParameter(parameter));
}

/** The milliseconds between two frames while tiles arrive, where a frame takes some fifty. */
const FRAME_INTERVAL_MS = 250;

/** Draws no frame for each of the tiles that arrive one after the other; what a person moves is drawn as ever. */
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
    // What asks for a frame may ask for tiles next, and then nothing is to be drawn yet.
    queueMicrotask(() => {
      if (isOpen(map) && map.areTilesLoaded()) drawOnce();
    });
  };
}

/** A map that was closed has given up its canvas, and throws whatever it is asked. */
function isOpen(map: Maplibre.Map): boolean {
  return map.getCanvas().isConnected;
}

/** Draws these in the place of what a source had; nothing where the map was closed meanwhile. */
export function setFeatures(map: Maplibre.Map, source: string, features: readonly Feature[]): void {
  if (isOpen(map)) {
    void map.getSource<Maplibre.GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features: [...features] });
  }
}

/** The library's own module, under the address that the page names; it is not bundled, since it comes minified. */
async function loadLibrary({ program, worker }: MapFiles): Promise<typeof Maplibre> {
  const maplibre = (await import(program)) as typeof Maplibre;
  maplibre.setWorkerUrl(worker);
  return maplibre;
}

/** The camera of the state, else the places that are to be shown. */
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

function addStyle(address: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${address}"]`) !== null) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('its style sheet did not load'));
    document.head.append(link);
  });
}
