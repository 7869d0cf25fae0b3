// The open map: draws the base map and the data, and follows the state of the session. Imports no view.

import { computed, effect, type Signal, signal } from '@preact/signals-core';
import type { Feature } from 'geojson';
import type * as Maplibre from 'maplibre-gl';
import { CountyOutlines } from '../requests/county-outlines';
import { fetchFile } from '../requests/fetch-file';
import { buildTileTemplate } from '../requests/tiles';
import type { UnshapedCounty } from '../requests/unshaped-counties';
import { combineStops } from '../session/combine-stops';
import { computedByValue } from '../session/computed-by-value';
import type { Session } from '../session/session';
import { withFilter } from '../state/changes';
import { getKind } from '../state/kinds';
import { getPlaceColor, getPlaceSize, getPointClusters } from '../state/map-kinds';
import type { Camera, ShapeType } from '../state/state';
import { type Atlas, buildBaseStyle, buildNatureFeatures, type MapFiles, type Nature } from './base-map';
import { BUILT_IN, fetchBuiltInAreas } from './built-in-areas';
import { type ChosenAreas, fetchChosenOutlines, readChosenAreas } from './chosen-areas';
import { copyPicture, showWhenPrinted } from './copy-picture';
import { buildFitOptions, createMap, setFeatures } from './create-map';
import { isDarkPage } from './dark-page';
import {
  BOUNDARY,
  buildPlacePaint,
  DATA,
  markFeature,
  OPEN_POINTS,
  paintAreas,
  paintPlaces,
  replaceDataLayers,
  type Tiles,
} from './data-layers';
import { drawShape } from './drawing';
import { getGroundColors, type GroundColors } from './ground-colors';
import { MapImages } from './images';
import { showCountiesInView, showWaterInView } from './near-layers';
import { PlacesToFit } from './places-to-fit';
import { buildPointLegend } from './point-legend';
import { showTipAtPointer } from './pointer';
import { toMapAddress } from './service-tiles';

export async function openMap(element: HTMLElement, session: Session, files: MapFiles): Promise<OpenMap> {
  const ground = getGroundColors(isDarkPage());
  const states = fetchFile<Atlas>(files.states);
  const outlines = new CountyOutlines(files.counties);
  const places = new PlacesToFit(session, { states, outlines });
  const style = states.then((atlas) => buildBaseStyle(files, atlas, ground));
  const map = await createMap(element, session, { places, files, ground: style });
  // Reports pending tiles, also to screen readers.
  map.on('dataloading', () => element.setAttribute('aria-busy', 'true'));
  map.on('idle', () => element.setAttribute('aria-busy', 'false'));
  const openedMap = new OpenMap(map, session, { places, ground, outlines });
  showCountiesInView(map, states, outlines);
  // Rivers and towns are added after the first picture.
  if (files.tiles === '') {
    void map.once('idle').then(() => showWaterInView(map, states, files.water));
    void map
      .once('idle')
      .then(async () => setFeatures(map, 'nature', buildNatureFeatures(await fetchFile<Nature>(files.nature))));
  }
  return openedMap;
}

/** An open map, connected to the session. */
class OpenMap {
  /**
   * The tiles on the map; undefined after a failed request. Tiles of another kind are shown only after the map has
   * moved.
   */
  private readonly shownTiles: Signal<Tiles | undefined> = signal(undefined);
  /** Whether the address of the tiles has just changed and the library has not begun to load them. */
  private readonly isReplacingTiles = signal(false);
  private chosenAreas: ChosenAreas | undefined;
  private readonly shownKind = computed(() => this.shownTiles.value?.kind);
  private readonly stop: () => void;

  constructor(
    private readonly map: Maplibre.Map,
    private readonly session: Session,
    private readonly context: {
      readonly places: PlacesToFit;
      readonly ground: GroundColors;
      readonly outlines: CountyOutlines;
    },
  ) {
    const { places, ground } = context;
    const { shownKind } = this;
    const tiles = computedByValue(() => buildTiles(session));
    const chosen = computedByValue(() => readChosenAreas(session));
    this.stop = combineStops([
      places.follow((extent) => {
        // Otherwise the tiles of the previous view would be requested with the new filters.
        this.shownTiles.value = undefined;
        map.fitBounds([...extent], buildFitOptions(map.getContainer(), session, extent));
      }),
      effect(() => {
        // Requests refused or missing tiles again when the problem is resolved.
        if (session.trouble.value !== undefined) this.shownTiles.value = undefined;
        else if (
          session.canShowMap &&
          places.isReached &&
          tiles.value !== undefined &&
          tiles.value !== this.shownTiles.peek()
        )
          this.showTiles(tiles.value);
      }),
      this.followPaint(),
      effect(() => this.showChosen(chosen.value)),
      effect(() => this.showBuiltInAreas(session.unshapedCounties.latest ?? [])),
      effect(() => this.startDrawing(session.drawing.value)),
      effect(() => this.followCamera(session.state.value.map.camera)),
      effect(() => {
        const place = shownKind.value === undefined ? undefined : session.state.value.place;
        if (!this.isReplacingTiles.value) markFeature(map, place);
      }),
      effect(() => showOpenPoints(map, session.feature.fresh?.points ?? [])),
      showWhenPrinted(map, ground.water),
    ]);
    showTipAtPointer(map, session);
    map.on('moveend', this.rememberCamera);
    map.on('error', (event) => handleTileError(event.error, session));
  }

  /**
   * Repaints the tiles when their paint changes. Every call of the library draws a frame, even without a change, so the
   * inputs are compared first.
   */
  private followPaint(): () => void {
    const { map, session, shownKind } = this;
    const { ground } = this.context;
    const pictures = new MapImages(
      map,
      ground,
      () => map.areTilesLoaded() && !this.isReplacingTiles.peek() && session.tilesOnTheWay.peek() === 0,
    );
    const paint = computedByValue(() =>
      buildPlacePaint(session.state.value, buildPointLegend(session, ground.theme === 'dark'), ground),
    );
    const shading = computedByValue(() => ({ scale: session.state.value.map.scale, theme: ground.theme }));
    const areSumsMissing = computed(() => {
      const { isStale, trouble } = session.areaTotals.state.value;
      return isStale && trouble !== undefined;
    });
    return effect(() => {
      if (this.isReplacingTiles.value) return;
      if (shownKind.value === 'aggregates') {
        // Areas stay clear if the sums could not be loaded.
        paintAreas(map, areSumsMissing.value ? undefined : session.areaValues.value, shading.value);
      } else if (shownKind.value !== undefined && paint.value !== undefined) {
        pictures.paint(paint.value.legend);
        paintPlaces(map, paint.value);
      }
    });
  }

  /** Copies the current picture of the map. */
  readonly picture = (): HTMLCanvasElement => copyPicture(this.map, this.context.ground.water);

  readonly close = (): void => {
    this.session.drawing.value = undefined;
    this.stop();
    this.map.remove();
  };

  /** Uses a drawn boundary as the filter. It is in view, so the camera does not move. */
  private startDrawing(form: ShapeType | undefined): (() => void) | undefined {
    const { map, session } = this;
    if (form === undefined) return undefined;
    const stopDrawing = drawShape(map, form, (text) => {
      session.drawing.value = undefined;
      if (text === undefined) return;
      session.change((state) => {
        const filtered = withFilter(state, getKind(state.kind).boundary, [text]);
        return { ...filtered, map: { ...filtered.map, camera: this.camera() } };
      });
    });
    return () => {
      stopDrawing();
      this.showChosen(readChosenAreas(session));
    };
  }

  /** If the choice changes while outlines are loading, only the outlines of the newest choice are shown. */
  private showChosen(chosen: ChosenAreas): void {
    this.chosenAreas = chosen;
    setFeatures(this.map, BOUNDARY, []);
    void fetchChosenOutlines(this.session, this.context.outlines, chosen).then((outlines) => {
      if (this.chosenAreas !== chosen) return;
      setFeatures(this.map, BOUNDARY, outlines);
      this.session.hasNoOutline.value = chosen.boundary !== '' && outlines.length === 0;
    });
  }

  private showBuiltInAreas(counties: readonly UnshapedCounty[]): void {
    const { session, map } = this;
    void fetchBuiltInAreas(this.context.outlines, counties).then((areas) => {
      if (session.unshapedCounties.latest !== counties && counties.length > 0) return;
      setFeatures(map, BUILT_IN, areas);
      session.builtInAreas.value = [...new Set(areas.map(({ properties }) => String(properties?.['id'])))];
    });
  }

  private camera(): Camera {
    const { lng, lat } = this.map.getCenter();
    return { longitude: lng, latitude: lat, zoom: this.map.getZoom() };
  }

  private showTiles(tiles: Tiles): void {
    const { map, shownTiles } = this;
    // A source never requests a refused tile again, so the source is replaced after a failed request.
    const source = map.getSource<Maplibre.VectorTileSource>(DATA);
    if (source !== undefined && tiles.kind === shownTiles.peek()?.kind) this.replaceTiles(source, tiles);
    else replaceDataLayers(map, tiles, this.context.ground);
    shownTiles.value = tiles;
  }

  /**
   * The library never loads tiles from the new address if one of their layers changes before it has begun to load them.
   * Pending layer changes are therefore applied first, and further changes wait until loading has begun.
   */
  private replaceTiles(source: Maplibre.VectorTileSource, { address }: Tiles): void {
    const { map, isReplacingTiles } = this;
    if (!map.isStyleLoaded()) map.redraw();
    isReplacingTiles.value = true;
    const finish = ({ sourceId, sourceDataType }: Maplibre.MapSourceDataEvent): void => {
      if (sourceId !== DATA || sourceDataType !== 'content') return;
      map.off('sourcedata', finish);
      // The requests are sent in microtasks.
      setTimeout(() => {
        isReplacingTiles.value = false;
      });
    };
    map.on('sourcedata', finish);
    source.setTiles([address]);
  }

  /** Does nothing if the camera is already there because the person moved it. */
  private followCamera(camera: Camera | undefined): void {
    const { map } = this;
    if (camera === undefined) return;
    const { lng, lat } = map.getCenter();
    const isAtCamera =
      Math.abs(lng - camera.longitude) < 1e-4 &&
      Math.abs(lat - camera.latitude) < 1e-4 &&
      Math.abs(map.getZoom() - camera.zoom) < 0.01;
    if (!isAtCamera) map.jumpTo({ center: [camera.longitude, camera.latitude], zoom: camera.zoom });
  }

  private readonly rememberCamera = (event: { readonly originalEvent?: unknown }): void => {
    // The first fit is not a user movement: an address without a camera fits everything.
    if (event.originalEvent === undefined && this.session.state.peek().map.camera === undefined) return;
    this.session.setMap({ camera: this.camera() }, 'replace');
  };
}

/** Marks all points of the open right or site. */
function showOpenPoints(map: Maplibre.Map, points: readonly (readonly [number, number])[]): void {
  const features = points.map((point): Feature => {
    return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [...point] } };
  });
  setFeatures(map, OPEN_POINTS, features);
}

/**
 * A tile error does not say why the tile was refused (401, 429). Retrying the session's own requests shows the reason.
 */
function handleTileError(error: Maplibre.ErrorEvent['error'], session: Session): void {
  const status = 'status' in error ? error.status : undefined;
  if (session.trouble.peek() !== undefined) return;
  if (status === 401 || status === 429) session.retry();
  else if (status !== undefined) session.reportMissingTile();
  else console.error(error);
}

function buildTiles({ client: { base }, state: { value: state }, addedSelection }: Session): Tiles | undefined {
  const selection = addedSelection.value;
  if (selection?.kind !== state.kind) return undefined;
  const mix = getPlaceSize(state) === undefined ? getPlaceColor(state)?.member : undefined;
  const template = buildTileTemplate(base, selection, { ...getPointClusters(state), mix });
  return { kind: state.kind, address: toMapAddress(template) };
}
