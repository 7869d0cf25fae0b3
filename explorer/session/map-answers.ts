// What the map asks beside its tiles and the counts of its legend, which are among the facets: the totals of areas.
// They are asked while the map is shown, whenever the state asks for something else.

import { computed, signal, type ReadonlySignal } from '@preact/signals-core';
import { askTotals, filterQuery, type Selection, type TotalsAnswer } from '../requests/operations';
import { totalOf } from '../requests/pages';
import type { ServiceClient } from '../requests/client';
import type { Reply, Trouble } from '../requests/reply';
import { newestFullYear } from '../requests/area-values';
import { kindOf, type Kind } from '../state/kinds';
import { ALL_YEARS, areaTerms, mapFilters, shownBoundary } from '../state/map-kinds';
import { filterNames, type ExplorerState, type Filters } from '../state/state';
import { Asking, follow, type Wait } from './asking';

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
  readonly placed: Asking<PlacedCounts>;
  readonly years: Asking<TotalsAnswer>;
  /** The year that areas are shaded by; empty for all together, undefined until it is known which years there are. */
  readonly year = computed((): string | undefined => {
    const { chart, map } = this.session.state.value;
    if (map.year !== '') return map.year === ALL_YEARS ? '' : map.year;
    const { answer } = this.years.current.value;
    return answer === undefined ? undefined : newestFullYear(answer.value, chart.series);
  });
  /** Whether something is found, and none of it has a position or a shape that a map could show. */
  readonly hasNoPlaces = computed(() => {
    const [years, placed] = [this.years.current.value, this.placed.current.value];
    const hasNoYears = years.answer?.value.TotalGroupsCount === 0 && !years.isFormer;
    return hasNoYears || (placed.answer?.value.placed === 0 && placed.answer.value.all > 0 && !placed.isFormer);
  });
  /** Why a part of the picture has not come. */
  readonly tileTrouble = signal<Trouble | undefined>(undefined);

  constructor(
    private readonly session: MapSession,
    private readonly wait: Wait,
  ) {
    this.areas = new Asking(wait);
    this.placed = new Asking(wait);
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
    const { client } = session;
    // Questions about areas wait for access.
    const ofAreas = <Question>(questionOf: (filters: Filters) => Question): Question | undefined => {
      const { kind, filters } = session.state.value;
      return kind === 'aggregates' && session.hasAccess ? questionOf(filters) : undefined;
    };
    const stops = [
      follow(
        this.areas,
        () =>
          this.year.value === undefined
            ? undefined
            : ofAreas((filters) => ({ filters, isOfYears: this.year.value !== '' })),
        ({ filters, isOfYears }, abort) =>
          askTotals(client, { kind: 'aggregates', filters }, [...OF_A_UNIT, ...(isOfYears ? ['Year'] : [])], abort),
      ),
      // The years of areas that have a shape, whichever year is chosen.
      follow(
        this.years,
        () => ofAreas((filters) => ({ [kindOf('aggregates').boundary]: [EVERYWHERE], ...filters })),
        (filters, abort) => askTotals(client, { kind: 'aggregates', filters }, ['Year'], abort),
      ),
      follow(
        this.placed,
        () => (session.hasAccess ? placedFilters(session.state.value) : undefined),
        (asked, abort) => askPlaced(client, asked, abort),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
      // The page neither asks again for what it does not show, nor says its trouble.
      for (const asking of [this.areas, this.years, this.placed]) asking.forget();
    };
  }
}

const OF_A_UNIT = ['OrganizationUUID', 'ReportingUnitUUID'];

/** How many rights, amounts at sites, or areas the filters leave, and how many of them a map can show. */
export interface PlacedCounts {
  readonly all: number;
  readonly placed: number;
}

async function askPlaced(
  client: ServiceClient,
  { kind, all, placed }: NonNullable<ReturnType<typeof placedFilters>>,
  signal: AbortSignal,
): Promise<Reply<PlacedCounts>> {
  const count = (filters: Filters): Promise<Reply<number>> => {
    const [route, asked] =
      kind === 'aggregates' ? ['v1/ReportingUnits', mapFilters(kind, filters)] : [kindOf(kind).route, filters];
    const read = (response: Response): Promise<number> => Promise.resolve(totalOf(response));
    return client.ask(route, [...filterQuery(kind, asked), ['RecordCount', '1']], read, signal);
  };
  const [first, second] = await Promise.all([count(all), count(placed)]);
  if (first.kind !== 'answer') return first;
  return second.kind === 'answer' ? { ...second, value: { all: first.value, placed: second.value } } : second;
}

/**
 * Filters of what is found, and of those of it that lie somewhere. A request has one boundary, so an area that is named
 * is asked for by the terms that its name stands for; whatever lies in an area that is drawn lies somewhere. Undefined
 * where the kind has no filter for the terms, or where one is set.
 */
function placedFilters({
  kind,
  filters,
}: Selection): { readonly kind: Kind; readonly all: Filters; readonly placed: Filters } | undefined {
  const { boundary } = kindOf(kind);
  const present = shownBoundary({ kind, filters });
  const terms = areaTerms(present);
  if (present !== '' && terms === undefined) return { kind, all: filters, placed: filters };
  const names = Object.keys(terms ?? {});
  if (names.some((name) => !filterNames(kind).includes(name) || filters[name] !== undefined)) return undefined;
  const all = { ...filters, ...terms, [boundary]: [] };
  return { kind, all, placed: { ...all, [boundary]: [EVERYWHERE] } };
}
