// Filters in the form of QGIS 3.32 and newer: brackets around every operation except BETWEEN and IN, a minus sign
// before a bracketed number, and quotes around names unless they have only letters and digits (D70).

import fc from 'fast-check';
import { allocation, buildLookups } from '../fixtures/handmade';
import type { OgcFeature } from '../fixtures/ogc-service';
import { createLoadedService } from '../fixtures/test-service';

type Value = string | number | boolean;

/** A member is null if the right has no value for it. */
interface Right {
  readonly AllocationNativeID: string;
  readonly AllocationOwner: string | null;
  readonly AllocationFlow_CFS: number | null;
  readonly AllocationPriorityDate: string | null;
  readonly ExemptOfVolumeFlowPriority: boolean | null;
}

type Name = Exclude<keyof Right, 'AllocationNativeID'>;

const OWNERS = ['Bear River Co.', 'bear river co.', "O'Neil", 'Smith', null];
const FLOWS = [-2, 0, 1.5, 3, null, 7];
const DATES = ['1890-05-01', '1922-11-24', '1950-01-31', null];
const CLAIMS = [true, false, null];

const rights: readonly Right[] = Array.from({ length: 60 }, (_, index) => ({
  AllocationNativeID: `R${index}`,
  AllocationOwner: OWNERS[index % OWNERS.length] ?? null,
  AllocationFlow_CFS: FLOWS[index % FLOWS.length] ?? null,
  AllocationPriorityDate: DATES[index % DATES.length] ?? null,
  ExemptOfVolumeFlowPriority: CLAIMS[Math.floor(index / 20)] ?? null,
}));

/** Rights with even numbers are at a site in Utah, and rights with odd numbers at a site in New Mexico. */
const SITES = [
  { SiteUUID: 'UTAH', Longitude: '-111.5', Latitude: '40.5' },
  { SiteUUID: 'NEW_MEXICO', Longitude: '-106.25', Latitude: '35' },
];

const service = createLoadedService({
  ...buildLookups(),
  'sites.csv': SITES,
  'waterallocations.csv': rights.map((right, index) => {
    const cells = Object.entries(right).map(([name, value]) => [name, value === null ? '' : String(value)] as const);
    return allocation({
      AllocationVolume_AF: '1',
      ...Object.fromEntries(cells),
      SiteUUID: SITES[index % SITES.length]?.SiteUUID ?? '',
    });
  }),
});

async function find(filter: string, parameters: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const query = new URLSearchParams({ limit: '1000', filter, 'filter-lang': 'cql2-text', ...parameters });
  const answer = await service.get(`/ogc/collections/allocations/items?${query.toString()}`);
  expect([answer.status, filter, answer.json.errors]).toEqual([200, filter, undefined]);
  return (answer.json.features as OgcFeature[])
    .map(({ properties }) => String(properties['AllocationNativeID']))
    .sort();
}

function listWhere(holds: (right: Right, index: number) => boolean): readonly string[] {
  return rights
    .filter(holds)
    .map(({ AllocationNativeID }) => AllocationNativeID)
    .sort();
}

const flow = ({ AllocationFlow_CFS }: Right): number => AllocationFlow_CFS ?? Number.NaN;
const owner = ({ AllocationOwner }: Right): string => AllocationOwner ?? '';

// The filters from the tests of QGIS's own provider, with the names of this service.
test.each<[string, (right: Right, index: number) => boolean]>([
  ['("AllocationFlow_CFS" = 3)', (right) => flow(right) === 3],
  ['("AllocationFlow_CFS" <> 3)', (right) => right.AllocationFlow_CFS !== null && flow(right) !== 3],
  ['("AllocationFlow_CFS" = ( - (2)))', (right) => flow(right) === -2],
  ['(NOT (("AllocationFlow_CFS" = 3)))', (right) => right.AllocationFlow_CFS !== null && flow(right) !== 3],
  ['(("AllocationFlow_CFS" = 3) AND ("AllocationFlow_CFS" >= 1))', (right) => flow(right) === 3],
  ['(("AllocationFlow_CFS" = 3) OR ("AllocationFlow_CFS" < 1))', (right) => flow(right) === 3 || flow(right) < 1],
  ['("AllocationFlow_CFS" > 0)', (right) => flow(right) > 0],
  ['("AllocationFlow_CFS" <= 1)', (right) => flow(right) <= 1],
  ['"AllocationFlow_CFS" IN (1.5,3)', (right) => [1.5, 3].includes(flow(right))],
  ['"AllocationFlow_CFS" NOT IN (3,4)', (right) => right.AllocationFlow_CFS !== null && flow(right) !== 3],
  ['"AllocationFlow_CFS" BETWEEN 0 AND 2', (right) => flow(right) >= 0 && flow(right) <= 2],
  ['"AllocationFlow_CFS" NOT BETWEEN 3 AND 4', (right) => flow(right) < 3 || flow(right) > 4],
  [
    '("AllocationFlow_CFS" BETWEEN 0 AND 2 AND (AllocationOwner = \'Smith\'))',
    (right) => {
      return flow(right) >= 0 && flow(right) <= 2 && owner(right) === 'Smith';
    },
  ],
  ['(AllocationOwner IS NULL)', (right) => right.AllocationOwner === null],
  ['("AllocationFlow_CFS" IS NOT NULL)', (right) => right.AllocationFlow_CFS !== null],
  ["(AllocationOwner = 'O''Neil')", (right) => owner(right) === "O'Neil"],
  ["(AllocationOwner LIKE 'Bear%')", (right) => owner(right).startsWith('Bear')],
  ["(AllocationOwner NOT LIKE 'Smith')", (right) => right.AllocationOwner !== null && owner(right) !== 'Smith'],
  ["(CASEI(AllocationOwner) LIKE CASEI('bea%'))", (right) => owner(right).toLowerCase().startsWith('bea')],
  [
    "(CASEI(AllocationOwner) NOT LIKE CASEI('SMITH'))",
    (right) => {
      return right.AllocationOwner !== null && owner(right) !== 'Smith';
    },
  ],
  ["(AllocationPriorityDate = DATE('1922-11-24'))", (right) => right.AllocationPriorityDate === '1922-11-24'],
  [
    "(AllocationPriorityDate >= TIMESTAMP('1922-11-24T00:00:00.000Z'))",
    (right) => {
      return right.AllocationPriorityDate !== null && right.AllocationPriorityDate >= '1922-11-24';
    },
  ],
  ['(ExemptOfVolumeFlowPriority = TRUE)', (right) => right.ExemptOfVolumeFlowPriority === true],
  ['S_INTERSECTS(geometry,BBOX(-112,40,-111,41))', (_, index) => index % 2 === 0],
  ['S_INTERSECTS(geometry,BBOX(-180,-90,180,90))', () => true],
  ['S_INTERSECTS(geometry,POINT(-106.25 35))', (_, index) => index % 2 === 1],
  [
    '(("AllocationFlow_CFS" <> 3)) AND ((AllocationOwner = \'Smith\'))',
    (right) => {
      return right.AllocationFlow_CFS !== null && flow(right) !== 3 && owner(right) === 'Smith';
    },
  ],
])('evaluates %s', async (filter, holds) => {
  const expected = listWhere(holds);
  expect(expected).not.toHaveLength(0);
  expect(await find(filter)).toEqual(expected);
});

test('a point in a filter in EPSG:4326 has its latitude first', async () => {
  const parameters = { 'filter-crs': 'http://www.opengis.net/def/crs/EPSG/0/4326' };
  const expected = listWhere((_, index) => index % 2 === 1);
  expect(await find('S_INTERSECTS(geometry,POINT(35 -106.25))', parameters)).toEqual(expected);
});

test.each(['("AllocationFlow_CFS" * 2)', '(("AllocationFlow_CFS" + 1) > 2)', '("AllocationFlow_CFS" = NULL)'])(
  'refuses %s and names the position of the error',
  async (filter) => {
    const query = new URLSearchParams({ filter, 'filter-lang': 'cql2-text' });
    const { status, json } = await service.get(`/ogc/collections/allocations/items?${query.toString()}`);
    expect([status, json.errors]).toEqual([
      400,
      [expect.objectContaining({ message: expect.stringContaining('at character') })],
    ]);
  },
);

type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'compare'; readonly name: Name; readonly operator: Operator; readonly value: Value }
  | { readonly kind: 'between'; readonly name: Name; readonly low: Value; readonly high: Value }
  | { readonly kind: 'in'; readonly name: Name; readonly values: readonly Value[] }
  | { readonly kind: 'isNull'; readonly name: Name };

type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=';

const operators: readonly Operator[] = ['=', '<>', '<', '<=', '>', '>='];

function drawValues(values: readonly (Value | null)[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...values.flatMap((value) => (value === null ? [] : [value])));
}

function drawTests(name: Name, value: fc.Arbitrary<Value>, allowed = operators): fc.Arbitrary<Filter> {
  const constantName = fc.constant(name);
  return fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      name: constantName,
      operator: fc.constantFrom(...allowed),
      value,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      name: constantName,
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('isNull' as const), name: constantName }),
  );
}

const flowRange = fc.record({
  kind: fc.constant('between' as const),
  name: fc.constant('AllocationFlow_CFS' as const),
  low: drawValues(FLOWS),
  high: drawValues(FLOWS),
});

const { filter: drawnFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      drawTests('AllocationFlow_CFS', drawValues(FLOWS)),
      drawTests('AllocationPriorityDate', drawValues(DATES)),
      drawTests('AllocationOwner', drawValues(OWNERS), ['=', '<>']),
      drawTests('ExemptOfVolumeFlowPriority', drawValues(CLAIMS), ['=', '<>']),
      flowRange,
    ),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('filter'), right: tie('filter') }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('filter') }),
  ),
}));

test('evaluates 60 random filters according to three-valued logic', async () => {
  await fc.assert(
    fc.asyncProperty(drawnFilter, async (filter) => {
      expect(await find(writeAsQgis(filter))).toEqual(listWhere((right) => evaluate(filter, right) === true));
    }),
    { numRuns: 60, seed: 20_261_129 },
  );
});

function writeAsQgis(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${writeAsQgis(filter.left)} ${filter.kind.toUpperCase()} ${writeAsQgis(filter.right)})`;
    case 'not':
      return `(NOT (${writeAsQgis(filter.operand)}))`;
    case 'compare':
      return `(${writeName(filter.name)} ${filter.operator} ${writeValue(filter.value)})`;
    case 'between':
      return `${writeName(filter.name)} BETWEEN ${writeValue(filter.low)} AND ${writeValue(filter.high)}`;
    case 'in':
      return `${writeName(filter.name)} IN (${filter.values.map(writeValue).join(',')})`;
    case 'isNull':
      return `(${writeName(filter.name)} IS NULL)`;
  }
}

function writeName(name: Name): string {
  return /^[A-Za-z0-9]+$/.test(name) ? name : `"${name}"`;
}

function writeValue(value: Value): string {
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value === 'number') return value < 0 ? `( - (${-value}))` : String(value);
  return DATES.includes(value) ? `DATE('${value}')` : `'${value.replaceAll("'", "''")}'`;
}

/** True, false, or null for UNKNOWN in SQL. */
function evaluate(filter: Filter, right: Right): boolean | null {
  switch (filter.kind) {
    case 'and':
      return evaluateAnd(evaluate(filter.left, right), evaluate(filter.right, right));
    case 'or': {
      const neither = evaluateAnd(negate(evaluate(filter.left, right)), negate(evaluate(filter.right, right)));
      return negate(neither);
    }
    case 'not':
      return negate(evaluate(filter.operand, right));
    case 'isNull':
      return right[filter.name] === null;
    case 'compare':
      return compare(right[filter.name], filter.operator, filter.value);
    case 'between':
      return evaluateAnd(compare(right[filter.name], '>=', filter.low), compare(right[filter.name], '<=', filter.high));
    case 'in': {
      const value = right[filter.name];
      return value === null ? null : filter.values.includes(value);
    }
  }
}

function negate(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function evaluateAnd(left: boolean | null, right: boolean | null): boolean | null {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}

function compare(value: Value | null, operator: Operator, other: Value): boolean | null {
  if (value === null) return null;
  switch (operator) {
    case '=':
      return value === other;
    case '<>':
      return value !== other;
    case '<':
      return value < other;
    case '<=':
      return value <= other;
    case '>':
      return value > other;
    case '>=':
      return value >= other;
  }
}
