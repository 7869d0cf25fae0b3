// The explorer's state and its address: reading what was written is the identity, and no address can break the page.

import * as fc from 'fast-check';
import { readAddress, writeAddress } from '../../explorer/state/address';
import { MAP_SCALES } from '../../explorer/state/map-kinds';
import { KINDS, kindOf, type Kind } from '../../explorer/state/kinds';
import {
  CHART_FORMS,
  filterNames,
  INITIAL_STATE,
  MOST_SITES,
  NO_STACK,
  PANELS,
  VIEWS,
} from '../../explorer/state/state';
import { folded, withFilter, withKind, withoutFilters, withToggled } from '../../explorer/state/state';
import type { ExplorerState } from '../../explorer/state/state';
import { foldText } from '../../shared/values/text';

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' });
const nameOf = (names: readonly { readonly name: string }[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...names.map(({ name }) => name));

const camera = fc.record({
  longitude: fc.integer({ min: -18_000_000, max: 18_000_000 }).map((value) => value / 1e5),
  latitude: fc.integer({ min: -9_000_000, max: 9_000_000 }).map((value) => value / 1e5),
  zoom: fc.integer({ min: 0, max: 2400 }).map((value) => value / 100),
});

function stateOf(kind: Kind): fc.Arbitrary<ExplorerState> {
  const { orders, times, stacks, measures } = kindOf(kind);
  const values = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });
  return fc.record({
    kind: fc.constant(kind),
    view: fc.constantFrom(...VIEWS),
    filters: fc.dictionary(fc.constantFrom(...filterNames(kind)), values, { noNullPrototype: true }),
    order: nameOf(orders),
    columns: fc.uniqueArray(fc.stringMatching(/^[A-Za-z_]{1,9}$/), { maxLength: 4 }),
    chart: fc.record({
      ...{
        form: fc.constantFrom(...CHART_FORMS),
        time: fc.constantFrom('', ...times),
        stack: fc.constantFrom('', NO_STACK, ...stacks),
      },
      isOfShares: fc.boolean(),
      ...{ measure: nameOf(measures), series: fc.oneof(fc.constant(''), text) },
      ...{ sites: fc.uniqueArray(text, { maxLength: MOST_SITES }), isByWaterYear: fc.boolean() },
    }),
    map: fc.record({
      camera: fc.option(camera, { nil: undefined }),
      colour: fc.constantFrom('', ...kindOf(kind).places.colours.map(({ filter }) => filter)),
      size: nameOf(measures),
      year: fc.constantFrom('', 'all', '1985', '2020'),
      scale: fc.constantFrom(...MAP_SCALES.map(({ name }) => name)),
    }),
    panel: fc.constantFrom(undefined, ...PANELS),
    record: fc.option(fc.nat(), { nil: undefined }).map((index) => (index === undefined ? index : index % 1e9)),
    place: fc.option(text, { nil: undefined }),
  });
}

const anyState = fc.constantFrom(...KINDS).chain(stateOf);

test('reading the address that a state writes gives the state', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(readAddress(writeAddress(state))).toEqual(state);
    }),
    { numRuns: 300 },
  );
});

test('whatever an address says, what is read of it writes an address that reads the same', () => {
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

/** Half a surrogate pair cannot stand in an address. */
function encodeURIComponentOrNothing(part: string): string {
  return part.isWellFormed() ? encodeURIComponent(part) : '';
}

test('filters stand under the names of the service, and are read without regard to case', () => {
  const state = withFilter(INITIAL_STATE, 'State', ['UT', 'CO']);
  expect(writeAddress(state)).toBe('State=UT&State=CO');
  expect(readAddress('STATE=UT&state=CO&StartDate=2001-01-01')).toEqual(state);
});

test('the camera goes to a place that is chosen, and stays where another filter changes or a place is taken away', () => {
  const map = { ...INITIAL_STATE.map, camera: { longitude: 1, latitude: 2, zoom: 3 } };
  const moved = { ...INITIAL_STATE, map };
  for (const name of ['State', 'County', 'HUC8', 'SiteUUID', 'SearchGeometry'])
    expect(withFilter(moved, name, ['x']).map.camera).toBeUndefined();
  const filtered = { ...withFilter(moved, 'State', ['UT', 'CO']), map };
  expect(withToggled(filtered, 'State', 'CO').map.camera).toBeUndefined();
  for (const state of [withFilter(filtered, 'State', []), withToggled(filtered, 'BeneficialUseCV', 'Mining')])
    expect(state.map).toBe(map);
  expect(withoutFilters(filtered).map).toBe(map);
});

test('another kind keeps the filters that it has too, the boundary and the camera', () => {
  const state: ExplorerState = {
    ...INITIAL_STATE,
    filters: { State: ['UT'], AllocationOwner: ['ranch'], SearchGeometry: ['huc8:1'], USGSCategoryNameCV: ['Mining'] },
    map: { ...INITIAL_STATE.map, colour: 'State', camera: { longitude: 1, latitude: 2, zoom: 3 } },
    record: 4,
  };
  const next = withKind(state, 'aggregates');
  expect(next.filters).toEqual({ State: ['UT'], SearchBoundary: ['huc8:1'], UsgsCategoryNameCV: ['Mining'] });
  expect(next.map).toEqual({ ...INITIAL_STATE.map, camera: state.map.camera });
  expect(next.record).toBeUndefined();
  expect(withKind(state, 'rights')).toBe(state);
});

test('a value that an address spells in other letter case is taken away, and not chosen twice (D8)', () => {
  const state = readAddress('?BeneficialUseCV=IRRIGATION&BeneficialUseCV=Stock');
  expect(withToggled(state, 'BeneficialUseCV', 'Irrigation').filters).toEqual({ BeneficialUseCV: ['Stock'] });
});

test('texts are folded as the service folds them (D8)', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(folded(one)).toBe(foldText(one));
    }),
  );
});
