// Opens the map in an element of the page: loads the library, draws the base of states and counties and the data, and
// keeps both as the state says. Its room knows states, requests and the session, and no other view.

import { computed, effect, type Signal, signal } from '@preact/signals-core';
import type * as Maplibre from 'maplibre-gl';
import { readFile } from '../requests/client';
import { tileTemplate } from '../requests/places';
import { computedOnce, stopAll } from '../session/asking';
import type { Session } from '../session/session';
import { kindOf } from '../state/kinds';
import { clusterOf, placeColourOf, placeSizeOf, shownBoundary } from '../state/map-kinds';
import { type Camera, type ShapeForm, withFilter } from '../state/state';
import {
  type Atlas,
  COUNTY_ZOOM,
  countyFeatures,
  groundStyle,
  type MapFiles,
  type Nature,
  natureFeatures,
} from './base-map';
import { type Ground, groundOf } from './colouring';
import { DATA, markFeature, paintAreas, paintPlaces, placePaint, showData, type Tiles } from './data-layers';
import { drawShape, showBoundary } from './drawing';
import { fitIn, newMap, setFeatures } from './new-map';
import { Pictures } from './pictures';
import { showPointer } from './pointer';
import { cornersOfText } from './shapes';
import { ShownPlaces } from './shown-places';

export async function openMap(element: HTMLElement, session: Session, files: MapFiles): Promise<OpenedMap> {
  const ground = groundOf(matchMedia('(prefers-color-scheme: dark)').matches);
  const states = readFile<Atlas>(files.states);
  const places = new ShownPlaces(session, states);
  const style = states.then((read) => groundStyle(files, read, ground));
  const map = await newMap(element, session, { places, files, ground: style });
  // Whether tiles are on their way, for screen readers too.
  map.on('dataloading', () => element.setAttribute('aria-busy', 'true'));
  map.on('idle', () => element.setAttribute('aria-busy', 'false'));
  const opened = new OpenedMap(map, session, { places, ground });
  showCountiesWhenNear(map, files.counties);
  // The first picture does not wait for rivers and towns.
  if (files.tiles === '') {
    void map
      .once('idle')
      .then(async () => setFeatures(map, 'nature', natureFeatures(await readFile<Nature>(files.nature))));
  }
  return opened;
}

function showCountiesWhenNear(map: Maplibre.Map, address: string): void {
  const show = (): void => {
    if (map.getZoom() < COUNTY_ZOOM) return;
    map.off('zoom', show);
    void readFile<Atlas>(address).then((atlas) => setFeatures(map, 'counties', countyFeatures(atlas)));
  };
  map.on('zoom', show);
  show();
}

/** The map while it is open: what changes it, and what it changes. */
class OpenedMap {
  /** What the map has, unless there was trouble; tiles of another kind come when it has gone where they lie. */
  private readonly shown: Signal<Tiles | undefined> = signal(undefined);
  private readonly shownKind = computed(() => this.shown.value?.kind);
  private readonly stop: () => void;

  constructor(
    private readonly map: Maplibre.Map,
    private readonly session: Session,
    private readonly around: { readonly places: ShownPlaces; readonly ground: Ground },
  ) {
    const { places, ground } = around;
    const { shownKind } = this;
    const tiles = computedOnce(() => tilesOf(session));
    const boundary = computed(() => shownBoundary(session.state.value));
    this.stop = stopAll([
      places.follow((extent) => map.fitBounds([...extent], fitIn(map.getContainer(), session, extent))),
      effect(() => {
        // What was refused or did not come is asked for again, with another key or when the page goes on.
        if (session.trouble.value !== undefined) this.shown.value = undefined;
        else if (session.hasAccess && places.areReached && tiles.value !== this.shown.peek())
          this.showTiles(tiles.value);
      }),
      this.followPaint(),
      effect(() => showBoundary(map, cornersOfText(boundary.value) ?? [])),
      effect(() => this.letDraw(session.drawing.value)),
      effect(() => this.followCamera(session.state.value.map.camera)),
      effect(() => markFeature(map, shownKind.value === undefined ? undefined : session.state.value.place)),
      showWhenPrinted(map, ground.water),
    ]);
    showPointer(map, session);
    map.on('moveend', this.rememberCamera);
    map.on('error', (event) => hearRefusal(event.error, session));
  }

  /**
   * Paints what is shown when its paint changes. Each call of the library makes a frame, whether it changes anything or
   * not, so what decides is compared first.
   */
  private followPaint(): () => void {
    const { map, session, shownKind } = this;
    const { ground } = this.around;
    const pictures = new Pictures(map, ground);
    const paint = computedOnce(() => placePaint(session.state.value, session.facets.latest, ground));
    const scale = computed(() => session.state.value.map.scale);
    const areSumsGone = computed(() => {
      const { isFormer, trouble } = session.areaTotals.current.value;
      return isFormer && trouble !== undefined;
    });
    return effect(() => {
      if (shownKind.value === 'aggregates') {
        // Areas stay clear where the sums of what is filtered could not be had.
        paintAreas(map, areSumsGone.value ? undefined : session.areaValues.value, scale.value);
      } else if (shownKind.value !== undefined && paint.value !== undefined) {
        pictures.paint(paint.value.legend);
        paintPlaces(map, paint.value);
      }
    });
  }

  /** A copy of what the map shows now. */
  readonly picture = (): HTMLCanvasElement => pictureOf(this.map, this.around.ground.water);

  readonly close = (): void => {
    this.session.drawing.value = undefined;
    this.stop();
    this.map.remove();
  };

  /** A boundary that is drawn becomes the filter. It is in sight, so the map stays where it is. */
  private letDraw(form: ShapeForm | undefined): (() => void) | undefined {
    const { map, session } = this;
    if (form === undefined) return undefined;
    const leave = drawShape(map, form, (text) => {
      session.drawing.value = undefined;
      if (text === undefined) return;
      session.change((state) => {
        const filtered = withFilter(state, kindOf(state.kind).boundary, [text]);
        return { ...filtered, map: { ...filtered.map, camera: this.camera() } };
      });
    });
    return () => {
      leave();
      showBoundary(map, cornersOfText(shownBoundary(session.state.peek())) ?? []);
    };
  }

  private camera(): Camera {
    const { lng, lat } = this.map.getCenter();
    return { longitude: lng, latitude: lat, zoom: this.map.getZoom() };
  }

  private showTiles(tiles: Tiles): void {
    const { map, shown } = this;
    // A source never asks again for a tile that was refused, however it is told to, so after trouble it is a new one.
    if (tiles.kind === shown.peek()?.kind) map.getSource<Maplibre.VectorTileSource>(DATA)?.setTiles([tiles.address]);
    else showData(map, tiles, this.around.ground);
    shown.value = tiles;
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
    this.session.setMap({ camera: this.camera() }, 'replace');
  };
}

/** Answers beside the map say in words why a tile is refused (401, 429), so they are asked for again. */
function hearRefusal(error: Maplibre.ErrorEvent['error'], session: Session): void {
  const status = 'status' in error ? error.status : undefined;
  if (session.trouble.peek() !== undefined) return;
  if (status === 401 || status === 429) session.askAgain();
  else if (status !== undefined) session.missTile();
  else console.error(error);
}

function tilesOf({ client: { base }, state: { value: state } }: Session): Tiles {
  const mix = placeSizeOf(state) === undefined ? placeColourOf(state)?.member : undefined;
  const service = base.startsWith('http') ? base : `${location.origin}${base}`;
  return { kind: state.kind, address: tileTemplate(service, state, { cluster: clusterOf(state), mix }) };
}

/** A copy of what the map shows; `ground` is the colour under the picture. */
function pictureOf(map: Maplibre.Map, ground: string): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  // The picture of WebGL is there until the task ends in which it was drawn.
  map.redraw();
  const canvas = map.getCanvas();
  copy.width = canvas.width;
  copy.height = canvas.height;
  const paper = copy.getContext('2d');
  if (paper !== null) {
    paper.fillStyle = ground;
    paper.fillRect(0, 0, copy.width, copy.height);
    paper.drawImage(canvas, 0, 0);
  }
  return copy;
}

/** Browsers print nothing of WebGL, so a copy stands in its place while they print. Returns how to stop that. */
function showWhenPrinted(map: Maplibre.Map, ground: string): () => void {
  let copy: HTMLCanvasElement | undefined;
  const draw = (): void => {
    copy = pictureOf(map, ground);
    copy.className = 'printed';
    map.getContainer().append(copy);
  };
  const stop = new AbortController();
  addEventListener('beforeprint', draw, stop);
  addEventListener('afterprint', () => copy?.remove(), stop);
  return () => stop.abort();
}
