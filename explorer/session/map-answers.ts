// What the map asks beside its tiles: how often each value of its legend occurs, and the totals of areas. Both are
// asked while the map is shown, whenever the state asks for something else.

import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import { askFacets, askTotals, filterQuery } from '../requests/operations';
import type { Facets, TotalsAnswer } from '../requests/operations';
import { DECADE_COLOUR, placeColourOf } from '../state/map-kinds';
import type { ServiceClient } from '../requests/client';
import type { ExplorerState, Filters } from '../state/state';
import { Asking, type Wait } from './asking';

/** The part of a session that is read. */
export interface MapSession {
  readonly client: ServiceClient;
  readonly state: ReadonlySignal<ExplorerState>;
  readonly hasAccess: boolean;
}

export class MapAnswers {
  readonly legend: Asking<Facets>;
  /** By organization, unit and year; of one year where the state names one. */
  readonly areas: Asking<TotalsAnswer>;
  readonly years: Asking<TotalsAnswer>;

  constructor(
    private readonly session: MapSession,
    wait: Wait,
  ) {
    this.legend = new Asking(wait);
    this.areas = new Asking(wait);
    this.years = new Asking(wait);
  }

  /** Returns how to stop asking. */
  start(): () => void {
    const { session } = this;
    const found = computed(() => {
      const { kind, filters } = session.state.value;
      return JSON.stringify([kind, filterQuery(kind, filters)]);
    });
    const shown = computed(() => {
      const { colour, year } = session.state.value.map;
      return JSON.stringify([found.value, colour, year]);
    });
    // The texts decide whether there is another question; reading the state itself would ask at each change.
    const stops = [
      effect(() => {
        if (shown.value !== '' && session.hasAccess) this.ask(session.state.peek());
      }),
      effect(() => {
        if (found.value !== '' && session.hasAccess) this.askYears(session.state.peek());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** They do not depend on the year that is chosen. */
  private askYears(state: ExplorerState): void {
    if (state.kind === 'aggregates') this.years.ask((abort) => askTotals(this.session.client, state, ['Year'], abort));
  }

  private ask(state: ExplorerState): void {
    const { client } = this.session;
    const colour = placeColourOf(state)?.filter ?? DECADE_COLOUR;
    if (state.kind === 'aggregates') {
      const { kind } = state;
      const filters = withinYear(state.filters, state.map.year);
      const groups = ['OrganizationUUID', 'ReportingUnitUUID', ...(state.map.year === '' ? [] : ['Year'])];
      this.areas.ask((abort) => askTotals(client, { kind, filters }, groups, abort));
    } else if (colour === DECADE_COLOUR) this.legend.forget();
    else this.legend.ask((abort) => askFacets(client, state, [colour], abort));
  }
}

/** Leaves out amounts that do not meet the year, where the person has set no days. */
function withinYear(filters: Filters, year: string): Filters {
  if (year === '' || filters['StartDate'] !== undefined || filters['EndDate'] !== undefined) return filters;
  return { ...filters, StartDate: [`${year}-01-01`], EndDate: [`${year}-12-31`] };
}
