// What the explorer says of the operations is what the service declares.

import { directionOf, KINDS, kindOf, nextOrder, type KindOfRecords } from '../../explorer/state/kinds';
import { Session } from '../../explorer/session/session';
import { filterNames, withKind } from '../../explorer/state/state';
import { nameOfState } from '../../explorer/state/state-names';
import { facetsOperations, operations, totalsOperations, type Operation } from '../../shared/query/operations';
import { FakeService } from '../fixtures/explorer-services';
import { readStateCode, stateName } from '../../shared/values/states';

const cases = KINDS.map((kind) => [kind, kindOf(kind)] as const);

/** Parameters that the page shows as an order, a page or a form, or that are no list to choose from. */
const NOT_FILTERS = ['StartIndex', 'RecordCount', 'OrderBy', 'format', 'ExemptOfVolumeFlowPriority'];

function operationOf({ route }: KindOfRecords, all: readonly Operation[], suffix = ''): Operation {
  const found = all.find((operation) => operation.route === `${route}${suffix}`);
  if (found === undefined) throw new Error(`no operation at ${route}${suffix}`);
  return found;
}

function enumOf({ parameters }: Operation, name: string): readonly string[] {
  const parameter = parameters.find((one) => one.name === name);
  return (parameter?.limits?.enum ?? []).map(String);
}

test.each(cases)('every filter of %s can be chosen, and no other', (kind, declared) => {
  const operation = operationOf(declared, operations);
  const names = operation.parameters.map(({ name }) => name).filter((name) => !NOT_FILTERS.includes(name));
  expect([...filterNames(kind)].sort()).toEqual([...names].sort());
  expect(declared.dataSet).toBe(operation.dataSet);
});

test.each(cases)('facets, groups and orders of %s are those of the service', (_, declared) => {
  const facets = enumOf(operationOf(declared, facetsOperations, '/Facets'), 'Facet');
  expect([...declared.facets].sort()).toEqual([...facets].sort());
  const groups = enumOf(operationOf(declared, totalsOperations, '/Totals'), 'GroupBy');
  expect(groups).toEqual(expect.arrayContaining([...declared.times, ...declared.stacks]));
  const orders = enumOf(operationOf(declared, operations), 'OrderBy');
  expect(declared.orders.map(({ name }) => name).sort()).toEqual([...orders].sort());
});

test.each(cases)(
  'the head of a column goes through every order of %s that the service has for it',
  (kind, { orders }) => {
    for (const column of new Set(orders.map(({ name }) => name.replace('-', '')))) {
      const first = nextOrder(kind, '', column);
      const second = nextOrder(kind, first, column);
      expect([first, second].sort()).toEqual([`-${column}`, column]);
      expect(nextOrder(kind, second, column)).toBe('');
      const directions = ['', column, `-${column}`].map((order) => directionOf(kind, order, column));
      expect(directions).toEqual(['none', 'ascending', 'descending']);
    }
    expect(directionOf(kind, '', 'County')).toBeUndefined();
  },
);

test('the columns of each kind are kept for their tab, and an address that names columns has its own', () => {
  const kept = new Map<string, string>();
  const open = (query: string): Session =>
    new Session({
      ...{ base: '', query, send: new FakeService().send, wait: () => () => undefined, showQuery: () => undefined },
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

test('states have the names that the service knows', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(readStateCode);
  expect(codes.map((code) => [code, nameOfState(code)])).toEqual(codes.map((code) => [code, stateName(code)]));
});
