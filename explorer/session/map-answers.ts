// What the map asks beside its tiles and the counts of its legend, which are among the facets: the totals of areas.
// They are asked while the map is shown, whenever the state asks for something else.

import { computed, signal, type ReadonlySignal } from '@preact/signals-core';
import { askTotals, filterQuery, type TotalsAnswer } from '../requests/operations';
import { totalOf, type ServiceClient } from '../requests/client';
import { together, type Reply, type Trouble } from '../requests/reply';
import { newestFullYear } from '../requests/area-values';
import { kindOf } from '../state/kinds';
import { ALL_YEARS, areaTerms, mapFilters, shownBoundary } from '../state/map-kinds';
import { filterNames, type ExplorerState, type Filters, type Selection } from '../state/state';
import { Asking, stopAll, type Wait } from './asking';

/** As long as other answers wait where the service does not say how long. */
const TILE_WAIT_SECONDS = 5;

/** What has a shape lies in it. */
const EVERYWHERE = 'POLYGON((-180 -89,180 -89,180 89,-180 89,-180 -89))';

/** The part of a session that is read. */
interface MapSession {
  readonly state: ReadonlySignal<ExplorerState>;
  follow<Value, Question>(
    asking: Asking<Value>,
    questionOf: () => Question | undefined,
    ask: (client: ServiceClient, question: Question) => Promise<Reply<Value>>,
  ): () => void;
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
    const years = this.years.latest;
    return years === undefined ? undefined : newestFullYear(years, chart.series);
  });
  /** Whether something is found, and none of it has a position or a shape that a map could show. */
  readonly hasNoPlaces = computed(() => {
    const { all = 0, placed = 0 } = this.placed.present ?? {};
    return this.years.present?.TotalGroupsCount === 0 || (placed === 0 && all > 0);
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

  /** Returns how to stop asking: the page neither asks again for what it does not show, nor says its trouble. */
  start(): () => void {
    const { session } = this;
    const ofAreas = <Question>(questionOf: (filters: Filters) => Question): Question | undefined => {
      const { kind, filters } = session.state.value;
      return kind === 'aggregates' ? questionOf(filters) : undefined;
    };
    return stopAll([
      session.follow(
        this.areas,
        () => {
          const year = this.year.value;
          return year === undefined ? undefined : ofAreas((filters) => ({ filters, isOfYears: year !== '' }));
        },
        (client, { filters, isOfYears }) =>
          askTotals(client, { kind: 'aggregates', filters }, [...OF_A_UNIT, ...(isOfYears ? ['Year'] : [])]),
      ),
      // The years of areas that have a shape, whichever year is chosen.
      session.follow(
        this.years,
        () => ofAreas((filters) => ({ [kindOf('aggregates').boundary]: [EVERYWHERE], ...filters })),
        (client, filters) => askTotals(client, { kind: 'aggregates', filters }, ['Year']),
      ),
      session.follow(this.placed, () => placedSelections(session.state.value), askPlaced),
      ...[this.areas, this.years, this.placed].map((asking) => () => asking.forget()),
    ]);
  }
}

const OF_A_UNIT = ['OrganizationUUID', 'ReportingUnitUUID'];

interface Placed<Part> {
  readonly all: Part;
  readonly placed: Part;
}

/** How many rights, amounts at sites, or areas the filters leave, and how many of them a map can show. */
export type PlacedCounts = Placed<number>;

async function askPlaced(client: ServiceClient, { all, placed }: Placed<Selection>): Promise<Reply<PlacedCounts>> {
  const reply = together(await Promise.all([askCount(client, all), askCount(client, placed)]));
  if (reply.kind !== 'answer') return reply;
  const [ofAll = 0, ofPlaced = 0] = reply.value;
  return { ...reply, value: { all: ofAll, placed: ofPlaced } };
}

function askCount(client: ServiceClient, { kind, filters }: Selection): Promise<Reply<number>> {
  const [route, asked] =
    kind === 'aggregates' ? ['v1/ReportingUnits', mapFilters(kind, filters)] : [kindOf(kind).route, filters];
  const query = [...filterQuery({ kind, filters: asked }), ['RecordCount', '1'] as const];
  return client.ask(route, query, (response) => Promise.resolve(totalOf(response)));
}

/**
 * Filters of what is found, and of those of it that lie somewhere. A request has one boundary, so an area that is named
 * is asked for by the terms that its name stands for; whatever lies in an area that is drawn lies somewhere. Undefined
 * where the kind has no filter for the terms, or where one is set.
 */
function placedSelections({ kind, filters }: Selection): Placed<Selection> | undefined {
  const { boundary } = kindOf(kind);
  const present = shownBoundary({ kind, filters });
  const terms = areaTerms(present);
  if (present !== '' && terms === undefined) return { all: { kind, filters }, placed: { kind, filters } };
  const names = Object.keys(terms ?? {});
  if (names.some((name) => !filterNames(kind).includes(name) || filters[name] !== undefined)) return undefined;
  const all = { ...filters, ...terms, [boundary]: [] };
  return { all: { kind, filters: all }, placed: { kind, filters: { ...all, [boundary]: [EVERYWHERE] } } };
}
