// The explorer's state and its address: reading a written address returns the state, and no address can break the page.
// Also checks that the explorer's lists for the operations match the service's declarations.

import * as fc from 'fast-check';
import { Session } from '../../explorer/session/session';
import { INITIAL_STATE, readAddress, writeAddress } from '../../explorer/state/address';
import { withChangesSince, withFilter, withKind, withoutFilters, withToggledValue } from '../../explorer/state/changes';
import { fold } from '../../explorer/state/fold';
import { getKind, type Kind, KINDS, type RecordKind } from '../../explorer/state/kinds';
import {
  CHART_TYPES,
  type ExplorerState,
  getFilterNames,
  MAP_SCALES,
  MAX_SITES,
  NO_STACK,
  PANELS,
  VIEWS,
} from '../../explorer/state/state';
import { getStateName } from '../../explorer/state/state-names';
import { getNextOrder, getSortDirection } from '../../explorer/state/table-order';
import { facetsOperations, type Operation, operations, totalsOperations } from '../../shared/query/operations';
import { foldText } from '../../shared/values/fold-text';
import { getStateName as getServiceStateName, readStateCode } from '../../shared/values/states';
import { anyText } from '../fixtures/any-text';
import { FakeService } from '../fixtures/explorer-services';

const text = anyText({ minLength: 1, maxLength: 12 });
const drawName = (names: readonly { readonly name: string }[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...names.map(({ name }) => name));

const camera = fc.record({
  longitude: fc.integer({ min: -18_000_000, max: 18_000_000 }).map((value) => value / 1e5),
  latitude: fc.integer({ min: -9_000_000, max: 9_000_000 }).map((value) => value / 1e5),
  zoom: fc.integer({ min: 0, max: 2400 }).map((value) => value / 100),
});

function drawState(kind: Kind): fc.Arbitrary<ExplorerState> {
  const { orders, times, stacks, measures } = getKind(kind);
  const values = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });
  const others = fc.record({
    kind: fc.constant(kind),
    view: fc.constantFrom(...VIEWS),
    filters: fc.dictionary(fc.constantFrom(...getFilterNames(kind)), values, { noNullPrototype: true }),
    order: drawName(orders),
    unitType: kind === 'aggregates' ? fc.oneof(fc.constant(''), text) : fc.constant(''),
    columns: fc.uniqueArray(fc.stringMatching(/^[A-Za-z_]{1,9}$/), { maxLength: 4 }),
    chart: fc.record({
      type: fc.constantFrom(...CHART_TYPES),
      time: fc.constantFrom('', ...times),
      stack: fc.constantFrom('', NO_STACK, ...stacks),
      showsShares: fc.boolean(),
      measure: drawName(measures),
      series: fc.oneof(fc.constant(''), text),
      sites: fc.uniqueArray(text, { maxLength: MAX_SITES }),
      isByWaterYear: fc.boolean(),
    }),
    map: fc.record({
      camera: fc.option(camera, { nil: undefined }),
      color: fc.constantFrom('', ...getKind(kind).places.colors.map(({ filter }) => filter)),
      size: drawName(measures),
      year: fc.constantFrom('', 'all', '1985', '2020'),
      scale: fc.constantFrom(...MAP_SCALES.map(({ name }) => name)),
    }),
    panel: fc.constantFrom(undefined, ...PANELS),
    record: fc.option(fc.nat(), { nil: undefined }).map((index) => (index === undefined ? index : index % 1e9)),
    place: fc.option(text, { nil: undefined }),
  });
  return fc.tuple(others, kind === 'rights' ? seniority : fc.constant(NO_SENIORITY)).map((parts) => {
    return { ...parts[0], ...parts[1] };
  });
}

const NO_SENIORITY = { seniority: undefined, seniorityBasis: '' };

const seniority = fc.oneof(
  fc.constant(NO_SENIORITY),
  fc.record({
    seniority: fc.tuple(text, text).map((parts) => parts.join('~')),
    seniorityBasis: fc.oneof(fc.constant(''), text),
  }),
);

const anyState = fc.constantFrom(...KINDS).chain(drawState);

test('writing a state to an address and reading it back returns the same state', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(readAddress(writeAddress(state))).toEqual(state);
    }),
    { numRuns: 300 },
  );
});

test('any address can be read, and the address written from its state reads the same', () => {
  const name = fc.constantFrom('kind', 'view', 'State', 'state', 'at', 'columns', 'record', 'site', 'measure', 'key');
  const pair = fc.tuple(fc.oneof(name, text), fc.oneof(text, fc.constantFrom('series', 'table', '1,2,3', '7', 'Sum')));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 12 }), (pairs) => {
      const query = pairs.map((parts) => parts.map(encodeURIComponentOrNothing).join('=')).join('&');
      const state = readAddress(query);
      expect(readAddress(writeAddress(state))).toEqual(state);
    }),
    { numRuns: 300 },
  );
});

/** An address cannot contain half a surrogate pair. */
function encodeURIComponentOrNothing(part: string): string {
  return part.isWellFormed() ? encodeURIComponent(part) : '';
}

test('filters have the names of the service, and are read ignoring letter case', () => {
  const state = withFilter(INITIAL_STATE, 'State', ['UT', 'CO']);
  expect(writeAddress(state)).toBe('State=UT&State=CO');
  expect(readAddress('STATE=UT&state=CO&StartDate=2001-01-01')).toEqual(state);
});

test('the map moves to a chosen place, and stays if another filter changes or a place is removed', () => {
  const map = { ...INITIAL_STATE.map, camera: { longitude: 1, latitude: 2, zoom: 3 } };
  const moved = { ...INITIAL_STATE, map };
  for (const name of ['State', 'County', 'HUC8', 'SiteUUID', 'SearchGeometry'])
    expect(withFilter(moved, name, ['x']).map.camera).toBeUndefined();
  const filtered = { ...withFilter(moved, 'State', ['UT', 'CO']), map };
  expect(withToggledValue(filtered, 'State', 'CO').map.camera).toBeUndefined();
  for (const state of [withFilter(filtered, 'State', []), withToggledValue(filtered, 'BeneficialUseCV', 'Mining')])
    expect(state.map).toBe(map);
  expect(withoutFilters(filtered).map).toBe(map);
});

test('switching to another kind keeps the filters that both kinds have, the boundary and the camera', () => {
  const state: ExplorerState = {
    ...INITIAL_STATE,
    filters: { State: ['UT'], AllocationOwner: ['ranch'], SearchGeometry: ['huc8:1'], USGSCategoryNameCV: ['Mining'] },
    map: { ...INITIAL_STATE.map, color: 'State', camera: { longitude: 1, latitude: 2, zoom: 3 } },
    record: 4,
  };
  const next = withKind(state, 'aggregates');
  expect(next.filters).toEqual({ State: ['UT'], SearchBoundary: ['huc8:1'], UsgsCategoryNameCV: ['Mining'] });
  expect(next.map).toEqual({ ...INITIAL_STATE.map, camera: state.map.camera });
  expect(next.record).toBeUndefined();
  expect(withKind(state, 'rights')).toBe(state);
});

test('a value that an address spells in another letter case can be removed, and is not added twice (D8)', () => {
  const state = readAddress('?BeneficialUseCV=IRRIGATION&BeneficialUseCV=Stock');
  expect(withToggledValue(state, 'BeneficialUseCV', 'Irrigation').filters).toEqual({ BeneficialUseCV: ['Stock'] });
});

test('texts are folded as the service folds them (D8)', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(fold(one)).toBe(foldText(one));
    }),
  );
});

const cases = KINDS.map((kind) => [kind, getKind(kind)] as const);

/** Parameters that the page offers as an order, a page or a format, and parameters that have no list to choose from. */
const NOT_FILTERS = ['StartIndex', 'RecordCount', 'OrderBy', 'format', 'ExemptOfVolumeFlowPriority'];

function findOperation({ route }: RecordKind, all: readonly Operation[], suffix = ''): Operation {
  const found = all.find((operation) => operation.route === `${route}${suffix}`);
  if (found === undefined) throw new Error(`no operation at ${route}${suffix}`);
  return found;
}

function getEnum({ parameters }: Operation, name: string): readonly string[] {
  const parameter = parameters.find((one) => one.name === name);
  return (parameter?.limits?.enum ?? []).map(String);
}

test.each(cases)('exactly the filters of %s can be chosen', (kind, declared) => {
  const operation = findOperation(declared, operations);
  const names = operation.parameters.map(({ name }) => name).filter((name) => !NOT_FILTERS.includes(name));
  expect([...getFilterNames(kind)].sort()).toEqual([...names].sort());
  expect(declared.dataSet).toBe(operation.dataSet);
});

test.each(cases)('facets, groups and orders of %s match those of the service', (_, declared) => {
  const facets = getEnum(findOperation(declared, facetsOperations, '/Facets'), 'Facet');
  expect([...declared.facets].sort()).toEqual([...facets].sort());
  const groups = getEnum(findOperation(declared, totalsOperations, '/Totals'), 'GroupBy');
  expect(groups).toEqual(expect.arrayContaining([...declared.times, ...declared.stacks]));
  const orders = getEnum(findOperation(declared, operations), 'OrderBy');
  expect(declared.orders.map(({ name }) => name).sort()).toEqual([...orders].sort());
});

test.each(cases)(
  'clicking the head of a column cycles through every order of %s that the service has for it',
  (kind, { orders }) => {
    for (const column of new Set(orders.map(({ name }) => name.replace('-', '')))) {
      const first = getNextOrder(kind, '', column);
      const second = getNextOrder(kind, first, column);
      expect([first, second].sort()).toEqual([`-${column}`, column]);
      expect(getNextOrder(kind, second, column)).toBe('');
      const directions = ['', column, `-${column}`].map((order) => getSortDirection(kind, order, column));
      expect(directions).toEqual(['none', 'ascending', 'descending']);
    }
    expect(getSortDirection(kind, '', 'County')).toBeUndefined();
  },
);

test('the columns of each kind are stored for their tab, unless the address lists columns', () => {
  const kept = new Map<string, string>();
  const open = (query: string): Session =>
    new Session({
      base: '',
      query,
      send: new FakeService().send,
      schedule: () => () => undefined,
      showQuery: () => undefined,
      storage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) },
    });
  const shown = ({ state }: Session): readonly string[] => state.value.columns;
  const session = open('?view=table');
  session.chooseColumns(['County', 'Amount']);
  session.change((state) => withKind(state, 'series'));
  expect(shown(session)).toEqual([]);
  session.change((state) => withKind(state, 'rights'));
  expect(shown(session)).toEqual(['County', 'Amount']);
  expect(shown(open('?view=table'))).toEqual(['County', 'Amount']);
  expect(shown(open('?view=table&columns=SiteName'))).toEqual(['SiteName']);
});

test('states have the names that the service uses', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(readStateCode);
  expect(codes.map((code) => [code, getStateName(code)])).toEqual(
    codes.map((code) => [code, getServiceStateName(code)]),
  );
});

test('changes since an update are shown for a kind that it published, with the panel open', () => {
  const state: ExplorerState = { ...INITIAL_STATE, kind: 'rights', panel: 'changes' };
  const filters = { ChangedSince: ['v1'] };
  expect(withChangesSince(state, 'v1', ['series'])).toMatchObject({ kind: 'series', panel: 'changes', filters });
  expect(withChangesSince(state, 'v1', ['series', 'rights'])).toMatchObject({ kind: 'rights', filters });
  expect(withChangesSince(state, 'v1', [])).toMatchObject({ kind: 'rights', filters });
});
