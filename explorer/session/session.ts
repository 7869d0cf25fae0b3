// The session of an open page: the state, the key of this tab, and a live query for each answer that the views show. It
// touches no element: browser functions come in as `Environment`, so that tests run it unchanged.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-core';
import { computeAreaValues, findNewestFullYear } from '../requests/area-values';
import { type Fetch, ServiceClient } from '../requests/client';
import { explainEmptyResult } from '../requests/empty-result';
import { fetchFacets } from '../requests/facets';
import { type Suggestion, withSuggestion } from '../requests/find';
import { fetchInventory } from '../requests/inventory';
import { fetchMapFeature, getFeatureName, type MapFeature, splitFeatureId } from '../requests/map-features';
import { buildMappableSelections, fetchMappableCounts, WORLD } from '../requests/mappable-counts';
import { fetchPublications } from '../requests/publications';
import { fetchRecords } from '../requests/records';
import { fetchRemoved } from '../requests/removed-records';
import type { Reply, Trouble } from '../requests/reply';
import { fetchSites } from '../requests/sites';
import { fetchChartTotals, fetchTotals } from '../requests/totals';
import { INITIAL_STATE, readAddress, writeAddress } from '../state/address';
import { withFilter, withToggledValue } from '../state/changes';
import type { Kind } from '../state/kinds';
import { ALL_YEARS } from '../state/map-kinds';
import { type ChartState, type ExplorerState, type MapState, MAX_SITES, type ShapeType } from '../state/state';
import { combineStops } from './combine-stops';
import { computedByValue } from './computed-by-value';
import { LiveQuery, type Schedule } from './live-query';
import {
  getComparedSites,
  getTotalsGroups,
  listCountedFacets,
  selectMappedAreas,
  selectOpenPlace,
  surroundingRows,
  toOrderedSelection,
  toSelection,
  withDetail,
} from './questions';

export interface Environment {
  /** In front of all routes of the service. */
  readonly base: string;
  readonly send: Fetch;
  readonly schedule: Schedule;
  /** The query of the address when the page opens. */
  readonly query: string;
  /** Puts a query into the address: as a new step, or in the place of the present one. */
  readonly showQuery: (query: string, how: 'push' | 'replace') => void;
  /** Keeps for this tab the key, and for each kind of records the columns that are chosen, separated by commas. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** The name under which a tab keeps its key; the other pages of the service have the same one. */
export const KEY_NAME = 'water-data-key';

/** In front of the kind of records whose columns are kept. */
const COLUMNS_NAME = 'water-data-columns-';

/** As long as other answers wait where the service does not say how long. */
const TILE_WAIT_SECONDS = 5;

export class Session {
  readonly client: ServiceClient;
  private readonly currentState = signal(INITIAL_STATE);
  private readonly currentKey = signal('');
  readonly state: ReadonlySignal<ExplorerState> = this.currentState;
  readonly key: ReadonlySignal<string> = this.currentKey;
  /** Names of facets that are not, as at first, open or closed. */
  readonly toggledFacets: Signal<ReadonlySet<string>> = signal(new Set());
  /** Names of sites, units and rights that were found or opened, by their identifiers, which say nothing to people. */
  readonly names: Signal<ReadonlyMap<string, string>> = signal(new Map());
  /** Makes a PNG of the map; undefined while none is shown. */
  readonly drawMapPicture: Signal<(() => Promise<Blob>) | undefined> = signal(undefined);
  /** What the map lets the person draw. */
  readonly drawing: Signal<ShapeType | undefined> = signal(undefined);
  /** Why a part of the picture of the map has not come. */
  readonly tileTrouble = signal<Trouble | undefined>(undefined);

  /** What the page asks by itself, and how each of them begins. */
  private readonly queries: LiveQuery<unknown>[] = [];
  private readonly starts: (() => () => void)[] = [];

  readonly inventory = this.declareQuery(() => 'inventory', fetchInventory);
  readonly facets = this.declareQuery(
    (state) => ({ ...toSelection(state), names: listCountedFacets(state, this.toggledFacets.value) }),
    (client, asked) => fetchFacets(client, asked, asked.names),
    ({ kind, filters }) => ({ kind, filters }),
  );
  /** How many records the filters find; undefined while that is not known. */
  readonly total = computed(() => this.facets.fresh?.TotalCount);
  readonly totals = this.declareQuery(
    (state) => withDetail(state, getTotalsGroups(state)),
    (client, asked) => fetchChartTotals(client, asked, asked.part),
  );
  /** The amounts of the sites that a chart compares. */
  readonly sites = this.declareQuery(
    (state) => withDetail(state, getComparedSites(state)),
    (client, asked) => fetchSites(client, asked, asked.part),
  );
  /** What was published lately, while somebody looks at what changed. */
  readonly publications = this.declareQuery(
    ({ panel }) => (panel === 'changes' ? 'publishes' : undefined),
    fetchPublications,
  );
  /** Keys of records that a former version had, while somebody looks at what changed. */
  readonly removed = this.declareQuery(
    ({ panel, ...state }) => withDetail(state, panel === 'changes' ? state.filters['ChangedSince']?.[0] : undefined),
    (client, asked) => fetchRemoved(client, asked, asked.part),
  );
  /** What was clicked on the map, while its panel is open. */
  readonly feature = this.declareQuery(
    ({ kind, place }) => (place === undefined ? undefined : { kind, id: place }),
    (client, { kind, id }) => this.fetchFeature(client, kind, id),
  );
  /** What the filters leave of it: the amounts of a site, or the sums of a unit by year. */
  readonly featureAmounts = this.declareQuery(
    (state) => selectOpenPlace(state, 'series'),
    (client, asked) => fetchSites(client, asked, [asked.part]),
  );
  readonly featureTotals = this.declareQuery(
    (state) => selectOpenPlace(state, 'aggregates'),
    (client, { kind, filters, part }) =>
      fetchTotals(client, { kind, filters: { ...filters, ReportingUnitUUID: [part] } }, ['Year']),
  );
  /** Why there are no records, where the filters leave none. */
  readonly emptyResult = this.declareQuery(
    (state) => (this.total.value === 0 && Object.keys(state.filters).length > 0 ? toSelection(state) : undefined),
    explainEmptyResult,
  );
  /** The years of the areas that have a shape, whichever year is chosen. */
  readonly areaYears = this.declareQuery(selectMappedAreas, (client, { kind, filters }) =>
    fetchTotals(client, { kind, filters: { SearchBoundary: [WORLD], ...filters } }, ['Year']),
  );
  /** The year that areas are shaded by; empty for all together, undefined until it is known which years there are. */
  readonly areaYear = computed((): string | undefined => {
    const { chart, map } = this.state.value;
    if (map.year !== '') return map.year === ALL_YEARS ? '' : map.year;
    const years = this.areaYears.latest;
    return years === undefined ? undefined : findNewestFullYear(years, chart.series);
  });
  /** By organization, unit and year, or of all years together where that is chosen. */
  readonly areaTotals = this.declareQuery(
    (state) => {
      const year = this.areaYear.value;
      const groups = ['OrganizationUUID', 'ReportingUnitUUID', ...(year === '' ? [] : ['Year'])];
      return withDetail(selectMappedAreas(state), year === undefined ? undefined : groups);
    },
    (client, asked) => fetchTotals(client, asked, asked.part),
  );
  private readonly shownArea = computedByValue(() => {
    return { series: this.state.value.chart.series, year: this.areaYear.value ?? '' };
  });
  /** The sums of the series and the year that are shown, of a former answer until there is another. */
  readonly areaValues = computed(() => {
    const totals = this.areaTotals.latest;
    return totals && computeAreaValues(totals, this.shownArea.value.series, this.shownArea.value.year);
  });
  /** How many of what is found the map can show. */
  readonly mappableCounts = this.declareQuery(
    (state) => (state.view === 'map' ? buildMappableSelections(state) : undefined),
    fetchMappableCounts,
  );
  /** Whether something is found, and none of it has a position or a shape that a map could show. */
  readonly hasNoPlaces = computed(() => {
    const { all = 0, mappable: mappableCounts = 0 } = this.mappableCounts.fresh ?? {};
    return this.areaYears.fresh?.TotalGroupsCount === 0 || (mappableCounts === 0 && all > 0);
  });
  /** The first and the last row of the table that are seen; undefined while there is no table. */
  readonly visibleRows: Signal<readonly [first: number, last: number] | undefined> = signal(undefined);
  /** The records in these rows and around them, all of one data version. */
  readonly records = this.declareQuery(
    (state) => this.visibleRows.value && { ...toOrderedSelection(state), ...surroundingRows(this.visibleRows.value) },
    fetchRecords,
    toOrderedSelection,
  );
  /** The record whose page is open, where the table does not have it. */
  readonly record = this.declareQuery(({ record, ...state }) => {
    const isInTable = record === undefined || this.records.fresh?.getRow(record) !== undefined;
    return isInTable ? undefined : { ...toOrderedSelection(state), start: record, count: 1 };
  }, fetchRecords);
  /** What keeps the page from its answers, if anything does. */
  readonly trouble = computed(() => {
    const troubles = this.queries.map(({ state }) => state.value.trouble);
    return [...troubles, this.tileTrouble.value].find((trouble) => trouble !== undefined);
  });
  /** Whether the page has waited for an answer for so long that it says so. */
  readonly isSlow = computed(() => this.queries.some(({ state }) => state.value.isSlow));

  constructor(private readonly environment: Environment) {
    const { base, send, query, storage } = environment;
    this.currentState.value = this.withStoredColumns(readAddress(query));
    this.currentKey.value = storage.getItem(KEY_NAME) ?? '';
    this.client = new ServiceClient(base, () => this.currentKey.peek(), send);
  }

  /** For what a part of the page asks by itself, and forgets when it goes. */
  createQuery<Value>(): LiveQuery<Value> {
    return new LiveQuery((milliseconds, act) => this.environment.schedule(milliseconds, act));
  }

  /**
   * Has the page ask whatever `questionOf` says of the state, whenever a signal that it reads makes another question of
   * it. Forgets the answer where it says undefined, and as long as there is no access. An answer belongs to the whole
   * question unless `subjectOf` names a part of it.
   */
  private declareQuery<Value, Question>(
    toQuestion: (state: ExplorerState) => Question | undefined,
    send: (client: ServiceClient, question: Question) => Promise<Reply<Value>>,
    toSubject: (question: Question) => unknown = (question) => question,
  ): LiveQuery<Value> {
    const asking = this.createQuery<Value>();
    const asked = computedByValue(() => (this.hasAccess ? toQuestion(this.state.value) : undefined));
    this.queries.push(asking);
    this.starts.push(() =>
      effect(() => {
        const question = asked.value;
        untracked(() => {
          if (question === undefined) asking.reset();
          else
            asking.run((abort) => send(this.client.withSignal(abort), question), JSON.stringify(toSubject(question)));
        });
      }),
    );
    return asking;
  }

  /** Shows the records of what was found by its name, and calls it so. */
  showSuggestion(found: Suggestion): void {
    if ('feature' in found) this.rememberName(found.feature.id, found.name);
    this.change((state) => withSuggestion(state, found));
  }

  private rememberName(id: string, name: string | undefined): void {
    const { identifier } = splitFeatureId(id);
    const names = this.names.peek();
    if (name !== undefined && names.get(identifier) !== name)
      this.names.value = new Map([...names, [identifier, name]]);
  }

  /** Goes to a state that differs in these parts. */
  set(parts: Partial<ExplorerState>): void {
    this.change((state) => ({ ...state, ...parts }));
  }

  setChart(parts: Partial<ChartState>): void {
    this.change((state) => ({ ...state, chart: { ...state.chart, ...parts } }));
  }

  setMap(parts: Partial<MapState>, how: 'push' | 'replace' = 'push'): void {
    this.change((state) => ({ ...state, map: { ...state.map, ...parts } }), how);
  }

  /** Sorts the table; the record that was open is another one then. */
  setOrder(order: string): void {
    this.set({ order, record: undefined });
  }

  /** Filters by these values alone; none takes the filter away. */
  filter(name: string, values: readonly string[]): void {
    this.change((state) => withFilter(state, name, values));
  }

  /** Filters by the value, too, or no longer. */
  toggle(name: string, value: string): void {
    this.change((state) => withToggledValue(state, name, value));
  }

  /** Takes a site among the lines of the chart, and shows them. */
  compareSite(site: string): void {
    this.change((state) => {
      const sites = [...state.chart.sites.filter((one) => one !== site), site].slice(-MAX_SITES);
      return { ...state, view: 'chart', record: undefined, chart: { ...state.chart, type: 'sites', sites } };
    });
  }

  /** Shows these columns of the table, now and whenever this tab shows records of the kind. */
  chooseColumns(columns: readonly string[]): void {
    this.environment.storage.setItem(COLUMNS_NAME + this.currentState.peek().kind, columns.join(','));
    this.change((state) => ({ ...state, columns }), 'replace');
  }

  /** An address that names columns has its own. */
  private withStoredColumns(state: ExplorerState): ExplorerState {
    const names = this.environment.storage.getItem(COLUMNS_NAME + state.kind) ?? '';
    return state.columns.length > 0 || names === '' ? state : { ...state, columns: names.split(',') };
  }

  /** Whether requests can be answered: every one needs a key. */
  get hasAccess(): boolean {
    return this.currentKey.value !== '';
  }

  /** Asks whatever the state needs, now and after each change. Returns how to stop that. */
  start(): () => void {
    return combineStops(this.starts.map((start) => start()));
  }

  private async fetchFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
    const reply = await fetchMapFeature(client, kind, id);
    if (reply.kind === 'answer') this.rememberName(id, getFeatureName(reply.value));
    return reply;
  }

  /** Goes to another state. A step of its own leads back by the browser's button; moving a map does not make one. */
  change(next: (state: ExplorerState) => ExplorerState, how: 'push' | 'replace' = 'push'): void {
    const previous = this.currentState.peek();
    const state = this.withStoredColumns(next(previous));
    const query = writeAddress(state);
    if (query === writeAddress(previous)) return;
    this.currentState.value = state;
    this.environment.showQuery(query, how);
  }

  /** The browser went back or forward. */
  showAddress(query: string): void {
    this.currentState.value = this.withStoredColumns(readAddress(query));
  }

  /** Uses a key from now on, for this tab only, and asks again what was refused. */
  useKey(key: string): void {
    this.environment.storage.setItem(KEY_NAME, key.trim());
    const hadAccess = this.hasAccess;
    this.currentKey.value = key.trim();
    // Where there was none, the effects ask by themselves.
    if (hadAccess) this.retry();
  }

  retry(): void {
    this.tileTrouble.value = undefined;
    for (const asking of this.queries) asking.rerun();
  }

  /** Says that a tile has not come; the map asks for all of them again after a while. */
  reportMissingTile(): void {
    this.tileTrouble.value = { kind: 'busy', seconds: TILE_WAIT_SECONDS };
    this.environment.schedule(TILE_WAIT_SECONDS * 1000, () => {
      this.tileTrouble.value = undefined;
    });
  }

  /** Opens a facet that is closed, and closes one that is open. */
  toggleFacet(name: string): void {
    const toggledNames = new Set(this.toggledFacets.peek());
    if (!toggledNames.delete(name)) toggledNames.add(name);
    this.toggledFacets.value = toggledNames;
  }
}
