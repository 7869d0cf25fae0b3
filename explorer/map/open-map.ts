// Opens the map in an element of the page: loads the library, draws the base of states and counties and the data, and
// keeps both as the state says. Its room knows states, requests and the session, and no other view.

import { computed, effect } from '@preact/signals-core';
import type * as Maplibre from 'maplibre-gl';
import { filterQuery } from '../requests/operations';
import type { MapExtent } from '../requests/place-names';
import { tileTemplate } from '../requests/tiles';
import type { Session } from '../session/session';
import { shownBoundary, mapCollectionOf, mapFilters } from '../state/map-kinds';
import { kindOf, type Kind } from '../state/kinds';
import { withFilter, type Camera, type Filters } from '../state/state';
import {
  addCounties,
  addStates,
  COUNTY_ZOOM,
  emptyStyle,
  groundOf,
  type BaseFiles,
  type StateExtents,
} from './base-map';
import { BOUNDARY, boundaryLayers, DATA, dataLayers, LOWEST } from './data-layers';
import { ShapeDrawing, showBoundary } from './drawing';
import { paintAreas, paintPlaces } from './painting';
import { showPointer } from './pointer';
import { showWhenPrinted } from './printed-map';
import { cornersOfText, type ShapeForm } from './shapes';

/** The addresses of files that are not part of our program. */
export interface MapFiles extends BaseFiles {
  readonly program: string;
  readonly worker: string;
  readonly style: string;
}

export interface MapControl {
  /** Lets the person draw; a boundary that is drawn becomes the filter. `whenDone` is called in any case. */
  readonly draw: (form: ShapeForm, whenDone: () => void) => void;
  readonly stopDrawing: () => void;
  /** Shows an extent, and keeps it in the address. */
  readonly goTo: (extent: MapExtent) => void;
  /** By the name of a state as people write it; undefined while the ground is not there. */
  readonly extentOfState: (name: string) => MapExtent | undefined;
  readonly close: () => void;
}

/** The United States without Alaska and Hawaii, until it is known where the data lie. */
const EVERYTHING: MapExtent = [-125, 24, -66.5, 49.5];

const MARGIN = 40;

export async function openMap(element: HTMLElement, session: Session, files: MapFiles): Promise<MapControl> {
  await addStyle(files.style);
  // The library's own module, under the address that the page names; it is not bundled, since it comes minified.
  const maplibre = (await import(files.program)) as typeof Maplibre;
  maplibre.setWorkerUrl(files.worker);
  const ground = groundOf(matchMedia('(prefers-color-scheme: dark)').matches);
  const map = new maplibre.Map({
    ...{ container: element, style: emptyStyle(ground), attributionControl: false },
    ...{ bounds: [...EVERYTHING], dragRotate: false, pitchWithRotate: false, maxZoom: 18 },
    transformRequest: (url) => ({ url, headers: { ...session.client.headers() } }),
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200,
  });
  map.keyboard.disableRotation();
  map
    .getCanvas()
    .setAttribute('aria-label', 'Map: arrow keys move it, + and - zoom, Enter opens what is in the middle');
  map.getCanvas().setAttribute('aria-describedby', element.dataset['words'] ?? '');
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }), 'bottom-right');
  await map.once('load');
  map.addSource(BOUNDARY, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  for (const layer of boundaryLayers()) map.addLayer(layer);
  showBusy(map, element);
  const opened = new OpenedMap(map, session, ground);
  opened.states = await addStates(map, files.states, ground, map.getLayer(LOWEST) === undefined ? 'boundary' : LOWEST);
  addCountiesWhenNear(map, files.counties, ground);
  return opened.control;
}

/** Says whether tiles are on their way, to screen readers too. */
function showBusy(map: Maplibre.Map, element: HTMLElement): void {
  map.on('dataloading', () => {
    element.setAttribute('aria-busy', 'true');
  });
  map.on('idle', () => {
    element.setAttribute('aria-busy', 'false');
  });
}

function addCountiesWhenNear(map: Maplibre.Map, address: string, ground: ReturnType<typeof groundOf>): void {
  const add = (): void => {
    if (map.getZoom() < COUNTY_ZOOM) return;
    map.off('zoom', add);
    void addCounties(map, address, ground);
  };
  map.on('zoom', add);
  add();
}

/** The map while it is open: what changes it, and what it changes. */
class OpenedMap {
  /** Empty while the ground is not there. */
  states: StateExtents = new Map();
  private drawing: ShapeDrawing | undefined;
  private readonly stops: (() => void)[];

  constructor(
    private readonly map: Maplibre.Map,
    private readonly session: Session,
    private readonly ground: ReturnType<typeof groundOf>,
  ) {
    const tiles = computed(() => {
      const { kind, filters } = session.state.value;
      return JSON.stringify([kind, tileAddress(session, kind, filters)]);
    });
    this.stops = [
      effect(() => {
        const [kind, address] = JSON.parse(tiles.value) as [Kind, string];
        this.showTiles(kind, address);
      }),
      effect(() => {
        const { kind } = session.state.value;
        if (kind === 'aggregates') paintAreas(map, session.state.value, session.map.areas.current.value.answer?.value);
        else paintPlaces(map, session.state.value, session.map.legend.current.value.answer?.value);
      }),
      effect(() => {
        const boundary = shownBoundary(session.state.value);
        showBoundary(map, cornersOfText(boundary) ?? []);
      }),
      effect(() => this.followCamera(session.state.value.map.camera)),
      showPointer(map, session),
      showWhenPrinted(map, map.getContainer()),
    ];
    map.on('moveend', this.rememberCamera);
    if (session.state.peek().map.camera === undefined) void this.fitData();
  }

  get control(): MapControl {
    return {
      draw: (form, whenDone) => {
        this.drawing?.stop();
        this.drawing = new ShapeDrawing(this.map, form, (text) => {
          this.stopDrawing();
          if (text !== undefined) this.setBoundary(text);
          whenDone();
        });
      },
      stopDrawing: () => this.stopDrawing(),
      goTo: (extent) => {
        this.fit(extent);
        this.keepCamera('push');
      },
      extentOfState: (name) => this.states.get(name),
      close: () => {
        this.stopDrawing();
        for (const stop of this.stops) stop();
        this.map.remove();
      },
    };
  }

  private stopDrawing(): void {
    this.drawing?.stop();
    this.drawing = undefined;
    showBoundary(this.map, cornersOfText(shownBoundary(this.session.state.peek())) ?? []);
  }

  private setBoundary(text: string): void {
    this.session.change((state) => withFilter(state, kindOf(state.kind).boundary, [text]));
  }

  private showTiles(kind: Kind, address: string): void {
    const { map } = this;
    const { collection } = mapCollectionOf(kind);
    const present = map.getSource<Maplibre.VectorTileSource>(DATA);
    if (present !== undefined && map.getLayer(LOWEST)?.sourceLayer === collection) {
      present.setTiles([address]);
      return;
    }
    for (const layer of [LOWEST, 'area-edges']) if (map.getLayer(layer) !== undefined) map.removeLayer(layer);
    if (present !== undefined) map.removeSource(DATA);
    map.addSource(DATA, { type: 'vector', tiles: [address], maxzoom: 18, promoteId: 'id' });
    for (const layer of dataLayers(collection, this.ground)) map.addLayer(layer, 'boundary');
  }

  /** Where the camera is because the person moved it, nothing is to be done. */
  private followCamera(camera: Camera | undefined): void {
    const { map } = this;
    if (camera === undefined) return;
    const { lng, lat } = map.getCenter();
    const isThere =
      Math.abs(lng - camera.longitude) < 1e-4 &&
      Math.abs(lat - camera.latitude) < 1e-4 &&
      Math.abs(map.getZoom() - camera.zoom) < 0.01;
    if (!isThere) map.jumpTo({ center: [camera.longitude, camera.latitude], zoom: camera.zoom });
  }

  private readonly rememberCamera = (event: { readonly originalEvent?: unknown }): void => {
    // The first fit is not the person's: an address without a camera shows everything.
    if (event.originalEvent === undefined && this.session.state.peek().map.camera === undefined) return;
    this.keepCamera('replace');
  };

  private keepCamera(how: 'push' | 'replace'): void {
    const { lng, lat } = this.map.getCenter();
    const camera: Camera = { longitude: lng, latitude: lat, zoom: this.map.getZoom() };
    this.session.change((state) => ({ ...state, map: { ...state.map, camera } }), how);
  }

  private fit([west, south, east, north]: MapExtent): void {
    this.map.fitBounds([west, south, east, north], { padding: MARGIN, maxZoom: 11, animate: false });
  }

  /** Shows where the data are: the bounds of the tiles. */
  private async fitData(): Promise<void> {
    const { kind, filters } = this.session.state.peek();
    const { client } = this.session;
    const route = `ogc/collections/${mapCollectionOf(kind).collection}/tiles/WebMercatorQuad`;
    const query = [...filterQuery(kind, mapFilters(kind, filters)), ['f', 'tilejson'] as const];
    const reply = await client.askJson<{ readonly bounds?: MapExtent }>(route, query);
    if (reply.kind === 'answer' && reply.value.bounds !== undefined) this.fit(reply.value.bounds);
  }
}

/** Absolute, since the library's worker has no page to be relative to. */
function tileAddress({ client: { base } }: Session, kind: Kind, filters: Filters): string {
  return tileTemplate(base.startsWith('http') ? base : `${location.origin}${base}`, { kind, filters });
}

function addStyle(address: string): Promise<void> {
  if (document.querySelector(`link[href="${address}"]`) !== null) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => {
      resolve();
    };
    link.onerror = () => {
      reject(new Error('its style sheet did not load'));
    };
    document.head.append(link);
  });
}
