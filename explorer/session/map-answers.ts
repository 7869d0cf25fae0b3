// What the map asks beside its tiles and the counts of its legend, which are among the facets: the totals of areas.
// They are asked while the map is shown, whenever the state asks for something else.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals-core';
import { askTotals, filterQuery, type TotalsAnswer } from '../requests/operations';
import type { ServiceClient } from '../requests/client';
import type { Reply, Trouble } from '../requests/reply';
import { newestFullYear } from '../requests/area-values';
import { kindOf } from '../state/kinds';
import { ALL_YEARS, mapFilters } from '../state/map-kinds';
import type { ExplorerState, Filters } from '../state/state';
import { Asking, type Wait } from './asking';

/** As long as other answers wait where the service does not say how long. */
const TILE_WAIT_SECONDS = 5;

/** What has a shape lies in it. */
const EVERYWHERE = 'POLYGON((-180 -89,180 -89,180 89,-180 89,-180 -89))';

/** The part of a session that is read. */
export interface MapSession {
  readonly client: ServiceClient;
  readonly state: ReadonlySignal<ExplorerState>;
  readonly hasAccess: boolean;
}

export class MapAnswers {
  /** By organization, unit and year, or of all years together where that is chosen. */
  readonly areas: Asking<TotalsAnswer>;
  /** How many areas the filters leave, and how many of them have a shape. */
  readonly shapes: Asking<ShapeCounts>;
  readonly years: Asking<TotalsAnswer>;
  /** The year that areas are shaded by; empty for all together, undefined until it is known which years there are. */
  readonly year = computed((): string | undefined => {
    const { chart, map } = this.session.state.value;
    if (map.year !== '') return map.year === ALL_YEARS ? '' : map.year;
    const { answer } = this.years.current.value;
    return answer === undefined ? undefined : newestFullYear(answer.value, chart.series);
  });
  /** Whether something is found, and none of its areas has a shape that a map could show. */
  readonly hasNoShapes = computed(() => {
    const { answer, isFormer } = this.years.current.value;
    return answer !== undefined && !isFormer && answer.value.TotalGroupsCount === 0;
  });
  /** Why a part of the picture has not come. */
  readonly tileTrouble = signal<Trouble | undefined>(undefined);

  constructor(
    private readonly session: MapSession,
    private readonly wait: Wait,
  ) {
    this.areas = new Asking(wait);
    this.shapes = new Asking(wait);
    this.years = new Asking(wait);
  }

  /** Says that a tile has not come; the map asks for all of them again after a while. */
  missTile(): void {
    this.tileTrouble.value = { kind: 'busy', seconds: TILE_WAIT_SECONDS };
    this.wait(TILE_WAIT_SECONDS * 1000, () => {
      this.tileTrouble.value = undefined;
    });
  }

  /** Returns how to stop asking. */
  start(): () => void {
    const { session } = this;
    const found = computed(() => {
      const { kind, filters } = session.state.value;
      return JSON.stringify([kind, filterQuery(kind, filters)]);
    });
    const shown = computed(() =>
      this.year.value === undefined ? '' : JSON.stringify([found.value, this.year.value === '']),
    );
    // The texts decide whether there is another question; reading the state itself would ask at each change.
    const stops = [
      effect(() => {
        const { kind } = session.state.peek();
        if (kind !== 'aggregates' && found.value !== '') this.areas.forget();
        else if (shown.value !== '' && session.hasAccess) this.askAreas(session.state.peek(), shown.peek());
      }),
      effect(() => {
        if (found.value !== '' && session.hasAccess) this.askYears(session.state.peek(), found.peek());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      // The page neither asks again for what it does not show, nor says its trouble.
      for (const asking of [this.areas, this.years, this.shapes]) asking.forget();
    };
  }

  /** Asks for the years of areas that have a shape, whichever year is chosen. */
  private askYears(state: ExplorerState, subject: string): void {
    const { kind, filters } = state;
    const { client } = this.session;
    const selection = { kind, filters: { [kindOf(kind).boundary]: [EVERYWHERE], ...filters } };
    if (kind !== 'aggregates') for (const asking of [this.years, this.shapes]) asking.forget();
    else {
      this.years.ask((abort) => askTotals(client, selection, ['Year'], abort), subject);
      this.shapes.ask((abort) => askShapeCounts(client, filters, abort), subject);
    }
  }

  private askAreas({ kind, filters }: ExplorerState, subject: string): void {
    const groups = ['OrganizationUUID', 'ReportingUnitUUID', ...(this.year.peek() === '' ? [] : ['Year'])];
    this.areas.ask((abort) => askTotals(this.session.client, { kind, filters }, groups, abort), subject);
  }
}

export interface ShapeCounts {
  readonly areas: number;
  readonly shaped: number;
}

/** Counts the units that the filters of places leave; those with a shape are the ones that lie somewhere. */
async function askShapeCounts(
  client: ServiceClient,
  filters: Filters,
  signal: AbortSignal,
): Promise<Reply<ShapeCounts>> {
  const count = (more: Filters): Promise<Reply<number>> => {
    const query = filterQuery('aggregates', mapFilters('aggregates', { ...more, ...filters }));
    const read = (response: Response): Promise<number> => Promise.resolve(Number(response.headers.get(TOTAL)));
    return client.ask('v1/ReportingUnits', [...query, ['RecordCount', '1']], read, signal);
  };
  const [areas, shaped] = await Promise.all([count({}), count({ SearchBoundary: [EVERYWHERE] })]);
  if (areas.kind !== 'answer') return areas;
  return shaped.kind === 'answer' ? { ...areas, value: { areas: areas.value, shaped: shaped.value } } : shaped;
}

const TOTAL = 'X-Total-Count';
