// The session of an open page: the state, the key of this tab, and a live query for each answer that the views show. It
// does not access the DOM: browser functions are passed as `Environment`, so that tests run the same code.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-core';
import { chooseAreaSeries, computeAreaValues, findNewestFullYear, listYears } from '../requests/area-values';
import { type Fetch, ServiceClient } from '../requests/client';
import { explainEmptyResult } from '../requests/empty-result';
import { fetchFacets } from '../requests/facets';
import { type Suggestion, withSuggestion } from '../requests/find';
import { fetchInventory } from '../requests/inventory';
import { fetchMapFeature, getFeatureName, type MapFeature, splitFeatureId } from '../requests/map-features';
import { buildMappableSelections, fetchMappableCounts } from '../requests/mappable-counts';
import { fetchNamesakes, findStatesByCounty, listNamesakes } from '../requests/namesakes';
import { fetchPointCounts } from '../requests/point-counts';
import { fetchPublications } from '../requests/publications';
import { fetchRecords } from '../requests/records';
import { fetchRemoved } from '../requests/removed-records';
import type { Reply, Trouble } from '../requests/reply';
import { fetchSeniority } from '../requests/seniority';
import { fetchSites } from '../requests/sites';
import { fetchChartTotals, fetchTotals } from '../requests/totals';
import { chooseUnitType, fetchUnitTotals, isCountyType, listMappableRows, withUnitType } from '../requests/unit-types';
import { fetchUnshapedCounties } from '../requests/unshaped-counties';
import { fetchWatershedNames, listWatershedTypes } from '../requests/watershed-names';
import { INITIAL_STATE, listUnreadParameters, readAddress, writeAddress } from '../state/address';
import { withFilter, withToggledValue } from '../state/changes';
import type { Kind } from '../state/kinds';
import { ALL_YEARS, getBoundary, getPlaceColor, parseNamedArea, toMapFilters } from '../state/map-kinds';
import {
  type ChartState,
  type ExplorerState,
  type MapState,
  MAX_SITES,
  type Selection,
  type ShapeType,
} from '../state/state';
import { combineStops } from './combine-stops';
import { computedByValue } from './computed-by-value';
import { LiveQuery, type Schedule } from './live-query';
import {
  getComparedSites,
  getTotalsGroups,
  isAreaMap,
  listCountedFacets,
  selectAddedUnits,
  selectNamesakes,
  selectOpenPlace,
  selectSeniority,
  showsWatersheds,
  toOrderedSelection,
  toSelection,
  withDetail,
} from './questions';
import { type BrowserKeys, KEY_NAME } from './tab-key';
import { TableRecords, type VisibleRows } from './table-records';

export interface Environment {
  /** The prefix of all routes of the service. */
  readonly base: string;
  readonly send: Fetch;
  readonly schedule: Schedule;
  /** The query of the address at the start. */
  readonly query: string;
  /** Writes a query to the address, as a new history entry or in place of the current one. */
  readonly showQuery: (query: string, how: 'push' | 'replace') => void;
  /** Stores the key for this tab, and the chosen columns of each kind, separated by commas. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Whether the service answers some requests of maps without a key (D51). */
  readonly answersWithoutKey?: boolean;
  /** Where people get keys: an email address or a page address; empty if the operator provides neither. */
  readonly contact?: string;
  /** Set if the service gives a browser a key without asking for a name. */
  readonly browserKeys?: BrowserKeys | undefined;
}

interface QueryOptions<Question> {
  readonly toSubject?: (question: Question) => unknown;
  readonly isOpen?: boolean;
  /** Whether it also runs while the page shows the seniority of a right. */
  readonly runsForSeniority?: boolean;
}

/** Prefix of the storage name of a kind's columns. */
const COLUMNS_NAME = 'water-data-columns-';

/** The same wait as for other answers without Retry-After. */
const TILE_WAIT_SECONDS = 5;

export class Session {
  readonly client: ServiceClient;
  private readonly currentState = signal(INITIAL_STATE);
  private readonly currentKey = signal('');
  readonly state: ReadonlySignal<ExplorerState> = this.currentState;
  readonly key: ReadonlySignal<string> = this.currentKey;
  /** Facets that are not in their initial state, open or closed. */
  readonly toggledFacets: Signal<ReadonlySet<string>> = signal(new Set());
  /** Names of sites, units and rights that were chosen from suggestions or opened, by identifier. */
  readonly names: Signal<ReadonlyMap<string, string>> = signal(new Map());
  /** Renders a PNG of the map; undefined while no map is shown. */
  readonly drawMapPicture: Signal<(() => Promise<Blob>) | undefined> = signal(undefined);
  /** The shape that the person is drawing on the map. */
  readonly drawing: Signal<ShapeType | undefined> = signal(undefined);
  /** Whether the page is getting a key for this browser. */
  readonly isGettingKey = signal(false);
  /** Parameters in the opened address that the page ignores. */
  readonly unreadParameters = signal<readonly string[]>([]);
  /** How many tiles the map waits for. */
  readonly tilesOnTheWay = signal(0);
  /** Why a tile of the map is missing. */
  readonly tileTrouble = signal<Trouble | undefined>(undefined);

  /** The live queries that the state drives, and the function that starts each. */
  private readonly queries: LiveQuery<unknown>[] = [];
  private readonly starts: (() => () => void)[] = [];

  readonly inventory = this.declareQuery(
    () => 'inventory',
    (client) => fetchInventory(client),
    { runsForSeniority: true },
  );
  readonly facets = this.declareQuery(
    (state) => ({ ...toSelection(state), names: listCountedFacets(state, this.toggledFacets.value) }),
    (client, question) => fetchFacets(client, question, question.names),
    { toSubject: ({ kind, filters }) => ({ kind, filters }) },
  );
  /** The states in which a county of each name has records, according to the inventory. */
  readonly statesByCounty = computed(() => findStatesByCounty(this.inventory.latest ?? { Organizations: [] }));
  /** The counties whose names several states have, by state, while they are listed. */
  readonly namesakes = this.declareQuery(
    (state) => selectNamesakes(state, listNamesakes(this.statesByCounty.value), this.toggledFacets.value),
    (client, question) => fetchNamesakes(client, question, question.detail),
  );
  /** Whether suggestions have a watershed, so that its name is needed. */
  readonly suggestsWatershed = signal(false);
  /** Names of watersheds, once a code is shown. */
  readonly watershedNames = this.declareQuery((state) => {
    const types = listWatershedTypes(this.inventory.latest ?? { Organizations: [] });
    const isNeeded = this.suggestsWatershed.value || showsWatersheds(state, this.toggledFacets.value);
    return isNeeded && types.length > 0 ? types : undefined;
  }, fetchWatershedNames);
  /** The points of the map, counted by the values that color them; none for areas. */
  readonly pointCounts = this.declareQuery(
    (state) => withDetail(state, state.view === 'map' ? getPlaceColor(state)?.member : undefined),
    (client, question) => fetchPointCounts(client, question, question.detail),
    { isOpen: true },
  );
  /** The number of matching records; undefined until it is known. */
  readonly total = computed(() => this.facets.fresh?.TotalCount);
  readonly totals = this.declareQuery(
    (state) => withDetail(this.addedSelection.value, getTotalsGroups(state)),
    (client, question) => fetchChartTotals(client, question, question.detail),
  );
  /** The amounts of the sites in the chart. */
  readonly sites = this.declareQuery(
    (state) => withDetail(state, getComparedSites(state)),
    (client, question) => fetchSites(client, question, question.detail),
  );
  /** Recent publications, while the changes panel is open. */
  readonly publications = this.declareQuery(
    ({ panel }) => (panel === 'changes' ? 'publishes' : undefined),
    fetchPublications,
  );
  /** Keys of removed records, while the changes panel is open. */
  readonly removed = this.declareQuery(
    ({ panel, ...state }) => withDetail(state, panel === 'changes' ? state.filters['ChangedSince']?.[0] : undefined),
    (client, question) => fetchRemoved(client, question, question.detail),
  );
  /** The feature whose panel is open. */
  readonly feature = this.declareQuery(
    ({ kind, place }) => (place === undefined ? undefined : { kind, id: place }),
    (client, { kind, id }) => this.fetchFeature(client, kind, id),
    { isOpen: true },
  );
  /** Its figures within the filters: the amounts of a site, or the sums of a unit by year. */
  readonly featureAmounts = this.declareQuery(
    (state) => selectOpenPlace(state, 'series'),
    (client, question) => fetchSites(client, question, [question.detail]),
  );
  readonly featureTotals = this.declareQuery(
    (state) => selectOpenPlace(state, 'aggregates'),
    (client, { kind, filters, detail }) =>
      fetchTotals(client, { kind, filters: { ...filters, ReportingUnitUUID: [detail] } }, ['Year']),
  );
  /** Explains an empty result. */
  readonly emptyResult = this.declareQuery(
    (state) => (this.total.value === 0 && Object.keys(state.filters).length > 0 ? toSelection(state) : undefined),
    explainEmptyResult,
  );
  /** The totals of reporting units by type and year, while map or chart show them. */
  readonly unitTotals = this.declareQuery(selectAddedUnits, fetchUnitTotals);
  /** The type of units that map and chart show; undefined until it is known, and for other kinds of records. */
  readonly unitType = computed((): string | undefined => {
    const totals = this.unitTotals.latest;
    return totals && chooseUnitType(totals, this.state.value.unitType);
  });
  /** The records that map and chart select; for reporting units only one type. Undefined until the type is known. */
  readonly addedSelection = computedByValue((): Selection | undefined => {
    const selection = toSelection(this.state.value);
    if (selection.kind !== 'aggregates') return selection;
    const totals = this.unitTotals.latest;
    return totals && withUnitType(selection, totals, this.unitType.value);
  });
  /** Whether it is known that nothing matches. The totals and the map then need no requests. */
  readonly isEmpty = computed(() => this.total.value === 0 || this.unitTotals.fresh?.all.length === 0);
  /** The totals of the shown type for the units that the map can show. */
  private readonly mappableRows = computed(() => {
    const totals = this.unitTotals.latest;
    return totals === undefined ? undefined : listMappableRows(totals, this.unitType.value ?? '');
  });
  readonly areaYears = computed(() => listYears(this.mappableRows.value ?? []));
  /** The series that shades the areas. */
  readonly areaSeries = computed(() => chooseAreaSeries(this.mappableRows.value ?? [], this.state.value.chart.series));
  /** The year that shades the areas; empty for all years, undefined until the years are known. */
  readonly areaYear = computed((): string | undefined => {
    const { map } = this.state.value;
    if (map.year !== '') return map.year === ALL_YEARS ? '' : map.year;
    return this.mappableRows.value && findNewestFullYear(this.mappableRows.value, this.areaSeries.value);
  });
  /** By organization, unit and year, or without year if all years are chosen. */
  readonly areaTotals = this.declareQuery(
    (state) => {
      const year = this.areaYear.value;
      const groups = ['OrganizationUUID', 'ReportingUnitUUID', ...(year === '' ? [] : ['Year'])];
      const areas = isAreaMap(state) && !this.isEmpty.value ? this.addedSelection.value : undefined;
      return withDetail(areas, year === undefined ? undefined : groups);
    },
    (client, question) => fetchTotals(client, question, question.detail),
  );
  private readonly shownArea = computedByValue(() => {
    return { series: this.areaSeries.value, year: this.areaYear.value ?? '' };
  });
  /** The sums of the shown series and year. They may be stale. */
  readonly areaValues = computed(() => {
    const totals = this.areaTotals.latest;
    return totals && computeAreaValues(totals, this.shownArea.value.series, this.shownArea.value.year);
  });
  /** Counties without a submitted shape, while the map shows counties. */
  readonly unshapedCounties = this.declareQuery((state) => {
    const { all = 0, mappable = 0 } = this.mappableCounts.fresh ?? {};
    const selection =
      isAreaMap(state) && isCountyType(this.unitType.value ?? '') ? this.addedSelection.value : undefined;
    if (selection === undefined || all === mappable || getBoundary(selection) !== '') return undefined;
    return { ...selection, filters: toMapFilters(selection.kind, selection.filters) };
  }, fetchUnshapedCounties);
  /** Whether an area is chosen but its outline is unknown. */
  readonly hasNoOutline = signal(false);
  /** The feature identifiers of the counties that the map draws with built-in outlines. */
  readonly builtInAreas: Signal<readonly string[] | undefined> = signal(undefined);
  /** How many of the matching records the map can show. */
  readonly mappableCounts = this.declareQuery(
    (state) => {
      const selection = state.view === 'map' ? this.addedSelection.value : undefined;
      const selections = selection && buildMappableSelections(selection);
      const hasNamedArea = selection !== undefined && parseNamedArea(getBoundary(selection)) !== undefined;
      const countedFacets = hasNamedArea ? [] : listCountedFacets(state, this.toggledFacets.value);
      return selections && { ...selections, countedFacets };
    },
    fetchMappableCounts,
    { toSubject: ({ all, mappable }) => [all, mappable] },
  );
  /** Whether records match, but none has a position or a shape for the map. */
  readonly hasNoPlaces = computed(() => {
    const { all = 0, mappable: mappableCounts = 0 } = this.mappableCounts.fresh ?? {};
    if (this.state.value.kind === 'aggregates' && isCountyType(this.unitType.value ?? '')) return false;
    // A county filter also finds records that state no county but lie in its outline; these have a position.
    return mappableCounts === 0 && all > 0 && (this.pointCounts.fresh?.total ?? 0) === 0;
  });
  /** The first and last visible rows of the table; undefined while there is no table. */
  readonly visibleRows: Signal<VisibleRows> = signal(undefined);
  private readonly tableRecords = new TableRecords();
  /** The records in and around the visible rows, all of one data version. */
  readonly records = this.declareQuery(
    (state) => this.tableRecords.selectRows(state, this.visibleRows.value),
    this.tableRecords.fetchRows,
    { toSubject: toOrderedSelection },
  );
  /** The open record, if it is not among the loaded rows of the table. */
  readonly record = this.declareQuery((state) => {
    const isInTable = state.record !== undefined && this.records.fresh?.getRow(state.record) !== undefined;
    return isInTable ? undefined : this.tableRecords.selectOpenRecord(state, this.visibleRows.value);
  }, fetchRecords);
  /** How many rights of the list have arrived, while the page fetches the seniority of a right. */
  readonly seniorityProgress = signal<{ readonly loaded: number; readonly total: number } | undefined>(undefined);
  /** The rights that share a source with a right. */
  readonly seniority = this.declareQuery(
    selectSeniority,
    (client, question) => {
      this.seniorityProgress.value = undefined;
      return fetchSeniority(client, question, (loaded, total) => {
        this.seniorityProgress.value = { loaded, total };
      });
    },
    { runsForSeniority: true },
  );
  /** The first failure on the page, if any. */
  readonly trouble = computed(() => {
    const troubles = this.queries.map(({ state }) => state.value.trouble);
    return [...troubles, this.tileTrouble.value].find((trouble) => trouble !== undefined);
  });
  /** Whether any request has taken so long that the page says so. */
  readonly isSlow = computed(() => this.queries.some(({ state }) => state.value.isSlow));

  constructor(private readonly environment: Environment) {
    const { base, send, query, storage } = environment;
    this.currentState.value = this.withStoredColumns(readAddress(query));
    this.unreadParameters.value = listUnreadParameters(query);
    this.currentKey.value = storage.getItem(KEY_NAME) ?? '';
    this.client = new ServiceClient(base, () => this.currentKey.peek(), send);
  }

  /** A live query that a view runs itself, and resets when it closes. */
  createQuery<Value>(): LiveQuery<Value> {
    return new LiveQuery((milliseconds, act) => this.environment.schedule(milliseconds, act));
  }

  /**
   * Declares a live query. It runs whenever a signal that `toQuestion` reads changes the question. It is reset while the
   * question is undefined or there is no key. The subject of an answer is the whole question, unless `toSubject` selects
   * a part of it. `isOpen` marks requests that the service may answer without a key.
   */
  private declareQuery<Value, Question>(
    toQuestion: (state: ExplorerState) => Question | undefined,
    send: (client: ServiceClient, question: Question) => Promise<Reply<Value>>,
    { toSubject = (question) => question, isOpen = false, runsForSeniority = false }: QueryOptions<Question> = {},
  ): LiveQuery<Value> {
    const asking = this.createQuery<Value>();
    let previous: Question | undefined;
    const asked = computedByValue(() => {
      const state = this.state.value;
      if (!this.hasAccess && !(isOpen && this.canShowMap)) return undefined;
      // The seniority page replaces the other views; their answers are kept until it closes.
      if (state.seniority === undefined || runsForSeniority) previous = toQuestion(state);
      return previous;
    });
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

  /** Shows the records of a suggestion, and remembers its name. */
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

  /** Changes these parts of the state. */
  set(parts: Partial<ExplorerState>): void {
    this.change((state) => ({ ...state, ...parts }));
  }

  setChart(parts: Partial<ChartState>): void {
    this.change((state) => ({ ...state, chart: { ...state.chart, ...parts } }));
  }

  setMap(parts: Partial<MapState>, how: 'push' | 'replace' = 'push'): void {
    this.change((state) => ({ ...state, map: { ...state.map, ...parts } }), how);
  }

  /** Sorts the table. Closes the open record, since its index changes. */
  setOrder(order: string): void {
    this.set({ order, record: undefined });
  }

  /** Sets the values of a filter. No values removes it. */
  filter(name: string, values: readonly string[]): void {
    this.change((state) => withFilter(state, name, values));
  }

  /** Adds a value to a filter, or removes it. */
  toggle(name: string, value: string): void {
    this.change((state) => withToggledValue(state, name, value));
  }

  /** Adds a site to the chart of sites, and shows the chart. */
  compareSite(site: string): void {
    this.change((state) => {
      const sites = [...state.chart.sites.filter((one) => one !== site), site].slice(-MAX_SITES);
      return { ...state, view: 'chart', record: undefined, chart: { ...state.chart, type: 'sites', sites } };
    });
  }

  /** Shows these columns, now and whenever this tab shows records of the kind. */
  chooseColumns(columns: readonly string[]): void {
    this.environment.storage.setItem(COLUMNS_NAME + this.currentState.peek().kind, columns.join(','));
    this.change((state) => ({ ...state, columns }), 'replace');
  }

  /** Columns in the address take precedence. */
  private withStoredColumns(state: ExplorerState): ExplorerState {
    const names = this.environment.storage.getItem(COLUMNS_NAME + state.kind) ?? '';
    return state.columns.length > 0 || names === '' ? state : { ...state, columns: names.split(',') };
  }

  /** Whether there is a key, which every request needs. */
  get hasAccess(): boolean {
    return this.currentKey.value !== '';
  }

  /** Whether the map can get answers: with a key, or if the service answers some requests without one. */
  get canShowMap(): boolean {
    return this.hasAccess || this.environment.answersWithoutKey === true;
  }

  /** Runs the live queries, now and after each change. Returns a function that stops them. */
  start(): () => void {
    if (!this.hasAccess && this.environment.browserKeys !== undefined) void this.getBrowserKey();
    return combineStops(this.starts.map((start) => start()));
  }

  private async fetchFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
    const reply = await fetchMapFeature(client, kind, id);
    if (reply.kind === 'answer') this.rememberName(id, getFeatureName(kind, reply.value));
    return reply;
  }

  /** Changes the state. `push` adds a history entry; moving the map does not. */
  change(next: (state: ExplorerState) => ExplorerState, how: 'push' | 'replace' = 'push'): void {
    const previous = this.currentState.peek();
    const state = this.withStoredColumns(next(previous));
    const query = writeAddress(state);
    if (query === writeAddress(previous)) return;
    this.unreadParameters.value = [];
    this.currentState.value = state;
    this.environment.showQuery(query, how);
  }

  /** Called when the browser goes back or forward. */
  showAddress(query: string): void {
    this.unreadParameters.value = listUnreadParameters(query);
    this.currentState.value = this.withStoredColumns(readAddress(query));
  }

  /** Uses a key in this tab, and retries refused requests. */
  useKey(key: string): void {
    this.environment.storage.setItem(KEY_NAME, key.trim());
    const hadAccess = this.hasAccess;
    this.currentKey.value = key.trim();
    // Without an earlier key, the effects send the requests.
    if (hadAccess) this.retry();
  }

  /** Whether the key is one that the page got for this browser. */
  get usesBrowserKey(): boolean {
    return this.environment.browserKeys?.isOwn(this.currentKey.value) === true;
  }

  /** Where people get keys; empty if the operator provides no contact. */
  get contact(): string {
    return this.environment.contact ?? '';
  }

  /** Gets a key for this browser, a new key if `isNew`. If there is none, the page asks the person for a key. */
  async getBrowserKey(isNew = false): Promise<void> {
    this.isGettingKey.value = true;
    const key = await this.environment.browserKeys?.request(isNew).catch(() => '');
    this.isGettingKey.value = false;
    // The person may have entered a key in the meantime.
    if (key !== undefined && key !== '' && (isNew || !this.hasAccess)) this.useKey(key);
  }

  dismissUnread(): void {
    this.unreadParameters.value = [];
  }

  retry(): void {
    this.tileTrouble.value = undefined;
    for (const asking of this.queries) asking.rerun();
  }

  /** Reports a missing tile. The map requests all tiles again after a wait. */
  reportMissingTile(): void {
    this.tileTrouble.value = { kind: 'busy', seconds: TILE_WAIT_SECONDS };
    this.environment.schedule(TILE_WAIT_SECONDS * 1000, () => {
      this.tileTrouble.value = undefined;
    });
  }

  /** Opens a closed facet, or closes an open one. */
  toggleFacet(name: string): void {
    const toggledNames = new Set(this.toggledFacets.peek());
    if (!toggledNames.delete(name)) toggledNames.add(name);
    this.toggledFacets.value = toggledNames;
  }
}
