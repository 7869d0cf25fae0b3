// Requests below /ogc as QGIS and browsers send them (D70): brackets, signs, boxes of the canvas, open ends of dates,
// and parameters that other sites add to addresses of pages.

import { oneAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);
const ITEMS = '/ogc/collections/site-amounts/items';

async function count(query: Readonly<Record<string, string>>): Promise<number | string> {
  const { json } = await service.get(`${ITEMS}?${new URLSearchParams({ limit: '1', ...query }).toString()}`);
  return json.numberMatched ?? json.errors[0].message;
}

const countFilter = (filter: string): Promise<number | string> => count({ filter });

const COMPARISON = "(State = 'UT')";
const OTHER = "(State = 'XX')";

function nestLeft(operator: string, parts: readonly string[]): string {
  return parts.reduce((left, right) => `(${left} ${operator} ${right})`);
}

function nestRight(operator: string, parts: readonly string[]): string {
  return parts.reduceRight((right, left) => `(${left} ${operator} ${right})`);
}

describe.each([2, 11, 60, 100])('a chain of %d comparisons', (length) => {
  const others = Array.from({ length: length - 1 }, () => OTHER);
  const parts = [...others, COMPARISON];
  const states = Array.from({ length }, () => COMPARISON);

  test.each<[string, string, number]>([
    ['OR, nested to the left', nestLeft('OR', parts), 1],
    ['OR, nested to the right', nestRight('OR', parts), 1],
    [
      'OR, with three brackets each',
      nestLeft(
        'OR',
        parts.map((part) => `((${part}))`),
      ),
      1,
    ],
    ['AND', nestLeft('AND', states), 1],
    ['OR inside NOT', `(NOT ${nestLeft('OR', parts)})`, 0],
    [
      'LIKE',
      nestLeft(
        'OR',
        parts.map((part) => part.replace('=', 'LIKE')),
      ),
      1,
    ],
  ])('matches the expected records when written with %s', async (_, filter, expected) => {
    expect(await countFilter(filter)).toBe(expected);
  });

  test('matches the expected records in CQL2 JSON, nested to the left', async () => {
    const compare = (state: string) => ({ op: '=', args: [{ property: 'State' }, state] });
    let filter: object = compare('UT');
    for (let index = 1; index < length; index++) filter = { op: 'or', args: [filter, compare('XX')] };
    expect(await count({ filter: JSON.stringify(filter), 'filter-lang': 'cql2-json' })).toBe(1);
  });
});

test('nesting beyond 10 levels, 101 comparisons and unclosed brackets are still a 400', async () => {
  let nested = COMPARISON;
  for (let level = 0; level < 12; level++) nested = `(${COMPARISON} ${level % 2 === 0 ? 'AND' : 'OR'} ${nested})`;
  expect(await countFilter(nested)).toContain('levels deep');
  expect(
    await countFilter(
      nestLeft(
        'OR',
        Array.from({ length: 101 }, () => COMPARISON),
      ),
    ),
  ).toContain('101 comparisons');
  expect(await countFilter('('.repeat(20_000))).toContain('nested deeper');
});

test.each<[string, string]>([
  ['Amount > -(5)', 'Amount > -5'],
  ['(Amount > -(5))', 'Amount > -5'],
  ['Amount > - 5', 'Amount > -5'],
  ['Amount > -(-(5))', 'Amount > 5'],
  ['Amount > (5)', 'Amount > 5'],
  ['Amount > ((-5))', 'Amount > -5'],
  ['(-(5)) < Amount', '-5 < Amount'],
  ['((5) < Amount)', '5 < Amount'],
  ['(Amount) > 5', 'Amount > 5'],
  ['Amount IN ((5), -(3), 1)', 'Amount IN (5, -3, 1)'],
  ['Amount BETWEEN (-(1)) AND (1000000)', 'Amount BETWEEN -1 AND 1000000'],
  ["State = ('UT')", "State = 'UT'"],
  ["((State) = (('UT')))", "State = 'UT'"],
  ["State LIKE ('U%')", "State LIKE 'U%'"],
  ["(CASEI(State)) = (CASEI('ut'))", "CASEI(State) = CASEI('ut')"],
  ["TimeframeStart >= (DATE('1900-01-01'))", "TimeframeStart >= DATE('1900-01-01')"],
  ["(DATE('1900-01-01')) <= TimeframeStart", "DATE('1900-01-01') <= TimeframeStart"],
  ["(NOT (State = 'XX'))", "NOT State = 'XX'"],
  ['(State IS NULL)', 'State IS NULL'],
])('%s means %s', async (filter, plain) => {
  const expected = await countFilter(plain);
  expect(typeof expected).toBe('number');
  expect(await countFilter(filter)).toBe(expected);
});

test.each([
  'Amount > -State',
  "State = -'UT'",
  'Amount > -()',
  'Amount > -',
  '(5)',
  '()',
  'Amount > (5',
  "-(State = 'UT')",
])('%s is a 400', async (filter) => {
  const { status } = await service.get(`${ITEMS}?${new URLSearchParams({ filter }).toString()}`);
  expect(status).toBe(400);
});

describe('a box', () => {
  const mercator = 'http://www.opengis.net/def/crs/EPSG/0/3857';

  test.each<[string, string]>([
    ['-30000000,-30000000,30000000,30000000', mercator],
    ['-20037508.35,-20048966.1,20037508.35,20048966.1', mercator],
    ['-180.0000005,-90.0000005,180.0000005,90.0000005', 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'],
    ['-90.0000005,-180.0000005,90.0000005,180.0000005', 'http://www.opengis.net/def/crs/EPSG/0/4326'],
  ])('of %s means the whole world', async (bbox, system) => {
    expect(await count({ bbox, 'bbox-crs': system })).toBe(await count({ bbox: '-180,-90,180,90' }));
    const filter = `S_INTERSECTS(geometry, BBOX(${bbox}))`;
    expect(await count({ filter, 'filter-crs': system })).toBe(await count({ bbox: '-180,-90,180,90' }));
  });

  test('in degrees far outside the world is still a 400', async () => {
    expect(await count({ bbox: '-181,-90,181,90' })).toContain('180');
  });
});

describe('datetime', () => {
  test.each([
    '2021-01-01T00:00:00Z/9999-12-31T00:00:00Z',
    '0000-01-01T00:00:00Z/2021-01-01T00:00:00Z',
    '2021-01-01/9999-12-31',
  ])('%s is refused with advice that names QGIS and the filter to use', async (datetime) => {
    const message = await count({ datetime });
    expect(message).toContain('QGIS');
    expect(message).toContain('DATE(');
  });

  test('with an open end is accepted', async () => {
    expect(typeof (await count({ datetime: '1900-01-01/..' }))).toBe('number');
  });
});

describe.each(['fbclid=IwAR0abc', 'utm_source=newsletter&utm_medium=email', 'gclid=1', 'mc_cid=1', 'anything=x'])(
  'an address with %s',
  (added) => {
    const feature = '/ogc/collections/sites/items';
    const pages = ['/ogc', '/ogc/collections', '/ogc/collections/sites', '/ogc/conformance', '/', '/explore', '/docs'];

    test.each(pages)('%s opens as a page', async (path) => {
      const { status, text } = await service.getWith(`${path}?${added}`, { accept: 'text/html' });
      expect(status).toBe(200);
      expect(text).not.toContain(added);
    });

    test('a page of a single site opens, and its canonical address omits the parameter', async () => {
      const { json } = await service.get(`${feature}?limit=1`);
      const path = `${feature}/${encodeURIComponent(json.features[0].id)}?${added}`;
      const { status, text } = await service.getWith(path, { accept: 'text/html' });
      expect(status).toBe(200);
      expect(text).not.toContain(added);
      expect((await service.getWith(path, { accept: 'application/json' })).status).toBe(400);
    });

    test.each(['/ogc?f=json', '/ogc/collections/sites?f=json', '/v1/Sites?RecordCount=1'])(
      '%s is still a 400',
      async (path) => {
        expect((await service.get(`${path}&${added}`)).status).toBe(400);
      },
    );
  },
);
