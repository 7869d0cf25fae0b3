// Decides which places the map fits until a person moves it: those of the filters, or everything. An address without a
// camera therefore always opens the same picture.

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { type CountyOutlines, parseCountyBoundary } from '../requests/county-outlines';
import { collectPositions, computeExtent, fetchExtent, type MapExtent } from '../requests/extents';
import { listPublishedStates } from '../requests/inventory';
import { buildTilesetRoute } from '../requests/tiles';
import type { Session } from '../session/session';
import { getKind, type Kind, PLACE_FILTERS, RIGHT_FILTERS } from '../state/kinds';
import { type Filters, orderFilters, type Selection } from '../state/state';
import { getStateName } from '../state/state-names';
import { type Atlas, readStateOutlines } from './base-map';
import { parseCorners } from './shapes';

export class PlacesToFit {
  /** Identifies the places to fit; empty while the state has a camera. */
  readonly target: ReadonlySignal<string>;
  private readonly reachedTarget: Signal<string>;

  constructor(
    private readonly session: Session,
    private readonly files: { readonly states: Promise<Atlas>; readonly outlines: CountyOutlines },
  ) {
    this.target = computed(() => {
      const { kind, filters, map } = session.state.value;
      return map.camera === undefined ? JSON.stringify([kind, selectPlaceFilters({ kind, filters })]) : '';
    });
    this.reachedTarget = signal(this.target.peek());
  }

  /** Whether the map has moved to the places to fit. Tiles requested earlier would be wasted. */
  get isReached(): boolean {
    return this.reachedTarget.value === this.target.value;
  }

  /** The extent of the places to fit; undefined if there are no such places or their extent is unknown. */
  async fetchExtent(): Promise<MapExtent | undefined> {
    const { kind, filters } = this.session.state.peek();
    const placeFilters = selectPlaceFilters({ kind, filters });
    const { [getKind(kind).boundary]: boundary = [] } = placeFilters;
    const names = Object.keys(placeFilters);
    const { client } = this.session;
    if (names.length === 0) {
      const reply = await client.request<{ readonly bounds?: MapExtent }>(buildTilesetRoute(kind), { f: 'tilejson' });
      return reply.kind === 'answer' ? reply.value.bounds : undefined;
    }
    const corners = names.length === 1 && boundary.length === 1 ? parseCorners(boundary[0] ?? '') : undefined;
    if (corners !== undefined) return computeExtent(corners);
    const county = names.length === 1 ? parseCountyBoundary(boundary[0] ?? '') : undefined;
    if (county !== undefined) {
      const outlines = await this.files.outlines.findCounty(...county);
      if (outlines.length > 0)
        return computeExtent(outlines.flatMap(({ geometry }) => collectPositions(geometry.coordinates)));
    }
    const chosenStates = this.listChosenStates(kind, placeFilters);
    if (chosenStates.length > 0) {
      const states = chosenStates.map(getStateName);
      const outlines = readStateOutlines(await this.files.states).filter(({ name }) => states.includes(name));
      return computeExtent(outlines.flatMap((outline) => outline.corners));
    }
    const findsRights = RIGHT_FILTERS.some((name) => names.includes(name));
    const query = findsRights ? placeFilters : { ...placeFilters, SearchGeometry: [], SearchBoundary: boundary };
    const route = findsRights ? 'v1/SiteAllocationAmounts' : 'v1/Sites';
    const reply = await fetchExtent(client, kind === 'aggregates' ? 'v1/ReportingUnits' : route, query);
    return reply.kind === 'answer' ? reply.value : undefined;
  }

  /**
   * Lists the states to fit if the only filters are states, or organizations whose reporting units may have no shapes.
   */
  private listChosenStates(kind: Kind, { State, OrganizationUUID = [], ...others }: Filters): readonly string[] {
    if (Object.keys(others).length > 0) return [];
    if (State !== undefined) return OrganizationUUID.length === 0 ? State : [];
    return kind === 'aggregates' ? listPublishedStates(this.session.inventory.latest, OrganizationUUID) : [];
  }

  /** Calls `fit` when the places to fit change. Returns a function that stops this. */
  follow(fit: (fetchExtent: MapExtent) => void): () => void {
    return effect(() => {
      const target = this.target.value;
      if (target === this.reachedTarget.peek()) return;
      if (target === '') {
        this.reachedTarget.value = target;
        return;
      }
      void this.fetchExtent().then((fetchExtent) => {
        if (this.target.peek() !== target) return;
        if (fetchExtent !== undefined) fit(fetchExtent);
        this.reachedTarget.value = target;
      });
    });
  }
}

function selectPlaceFilters(selection: Selection): Filters {
  const placeFilters = Object.entries(orderFilters(selection)).filter(([name]) => PLACE_FILTERS.has(name));
  return Object.fromEntries(placeFilters);
}
