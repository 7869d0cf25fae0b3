// Where the map goes by itself, as long as the person has not moved it: to the places that are filtered, and without
// them to everything. So an address without a camera gives the same picture whenever it is opened.

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { askExtent, boxOfPoints, type MapExtent, tilesetRoute } from '../requests/places';
import type { Session } from '../session/session';
import { kindOf, PLACE_FILTERS, RIGHT_FILTERS } from '../state/kinds';
import { type Filters, filtersInOrder, type Selection } from '../state/state';
import { nameOfState } from '../state/state-names';
import { type Atlas, stateOutlines } from './base-map';
import { cornersOfText } from './shapes';

export class ShownPlaces {
  /** Says which places are to be shown; empty while the person has a camera of their own. */
  readonly wanted: ReadonlySignal<string>;
  private readonly reached: Signal<string>;

  constructor(
    private readonly session: Session,
    private readonly atlas: Promise<Atlas>,
  ) {
    this.wanted = computed(() => {
      const { kind, filters, map } = session.state.value;
      return map.camera === undefined ? JSON.stringify([kind, placesAsked({ kind, filters })]) : '';
    });
    this.reached = signal(this.wanted.peek());
  }

  /** Whether the map shows them: before it does, tiles would be asked for in vain. */
  get areReached(): boolean {
    return this.reached.value === this.wanted.value;
  }

  /** Where they lie; undefined where nothing does, and where it cannot be known. */
  async extent(): Promise<MapExtent | undefined> {
    const { kind, filters } = this.session.state.peek();
    const asked = placesAsked({ kind, filters });
    const { State = [], [kindOf(kind).boundary]: boundary = [] } = asked;
    const names = Object.keys(asked);
    const { client } = this.session;
    if (names.length === 0) {
      const reply = await client.ask<{ readonly bounds?: MapExtent }>(tilesetRoute(kind), { f: 'tilejson' });
      return reply.kind === 'answer' ? reply.value.bounds : undefined;
    }
    const corners = names.length === 1 && boundary.length === 1 ? cornersOfText(boundary[0] ?? '') : undefined;
    if (corners !== undefined) return boxOfPoints(corners);
    if (names.length === 1 && State.length > 0) {
      const states = State.map(nameOfState);
      const shown = stateOutlines(await this.atlas).filter(({ name }) => states.includes(name));
      return boxOfPoints(shown.flatMap((outline) => outline.corners));
    }
    const isOfRights = RIGHT_FILTERS.some((name) => names.includes(name));
    const query = isOfRights ? asked : { ...asked, SearchGeometry: [], SearchBoundary: boundary };
    const placed = isOfRights ? 'v1/SiteAllocationAmounts' : 'v1/Sites';
    const reply = await askExtent(client, kind === 'aggregates' ? 'v1/ReportingUnits' : placed, query);
    return reply.kind === 'answer' ? reply.value : undefined;
  }

  /** Calls `go` when other places are to be shown. Returns how to stop. */
  follow(go: (extent: MapExtent) => void): () => void {
    return effect(() => {
      const wanted = this.wanted.value;
      if (wanted === this.reached.peek()) return;
      if (wanted === '') {
        this.reached.value = wanted;
        return;
      }
      void this.extent().then((extent) => {
        if (this.wanted.peek() !== wanted) return;
        if (extent !== undefined) go(extent);
        this.reached.value = wanted;
      });
    });
  }
}

function placesAsked(selection: Selection): Filters {
  const asked = Object.entries(filtersInOrder(selection)).filter(([name]) => PLACE_FILTERS.has(name));
  return Object.fromEntries(asked);
}
