// What the map of the explorer draws, adds up and requests, without a browser.

import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import fc from 'fast-check';
import {
  buildDecadeColors,
  buildDecadeLegend,
  buildLegend,
  buildValueColors,
  getLegendColor,
} from '../../explorer/map/legend-colors';
import { computeLabelPoint, readOutlines } from '../../explorer/map/outlines';
import { buildShadeColors, computeShades } from '../../explorer/map/shades';
import { computeCircle, formatBox, formatPolygon, type MapPosition, parseCorners } from '../../explorer/map/shapes';
import { formatShortCount } from '../../explorer/map/short-count';
import { computeAreaValues, findNewestFullYear } from '../../explorer/requests/area-values';
import { computeExtent } from '../../explorer/requests/extents';
import { buildTileQuery, buildTileTemplate } from '../../explorer/requests/tiles';
import { chooseUnitType, withUnitType } from '../../explorer/requests/unit-types';
import { INITIAL_STATE } from '../../explorer/state/address';
import { findUnusedFilters, getPointClusters, toMapFilters } from '../../explorer/state/map-kinds';
import { assignColors, NOT_STATED_COLOR, OTHERS_COLOR, SEVERAL_COLOR } from '../../explorer/state/palette';
import { MAP_SCALES } from '../../explorer/state/state';
import { formatFigure } from '../../explorer/views/parts/texts';
import vocabulary from '../../shared/records/beneficial-uses.json';
import { readBoundary } from '../../shared/values/boundary';

const position: fc.Arbitrary<MapPosition> = fc.tuple(
  fc.integer({ min: -1_700_000, max: 1_700_000 }).map((value) => value / 10_000),
  fc.integer({ min: -800_000, max: 800_000 }).map((value) => value / 10_000),
);

test('the name of an area is placed in its middle, even if it has islands', () => {
  const square = (from: number, to: number): number[][] => [
    [from, from],
    [to, from],
    [to, to],
    [from, (from + to) / 2],
    [from, from],
  ];
  const geometry = {
    type: 'MultiPolygon' as const,
    coordinates: [[square(170, 171).slice(0, 4)], [square(-104, -100)]],
  };
  const [outline] = readOutlines({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { name: 'Square' }, geometry }],
  });
  const [longitude, latitude] = computeLabelPoint(outline?.ring ?? []);
  expect([outline?.name, Math.round(longitude), Math.round(latitude)]).toEqual(['Square', -102, -102]);
  expect(computeExtent(outline?.corners ?? [])).toEqual([-190, -104, -100, 171]);
});

describe('drawn areas', () => {
  test('a box becomes a boundary that the service accepts, whichever corner is drawn first', () => {
    expect(formatBox([-111, 41.5], [-112.25, 40])).toBe('bbox:-112.25,40,-111,41.5');
    expect(parseCorners('bbox:-112.25,40,-111,41.5')).toEqual([
      [-112.25, 40],
      [-111, 40],
      [-111, 41.5],
      [-112.25, 41.5],
    ]);
  });

  test('polygons and circles become boundaries for the service, and are read back as they were drawn', () => {
    fc.assert(
      fc.property(position, position, (centre, edge) => {
        fc.pre(Math.hypot(centre[0] - edge[0], centre[1] - edge[1]) > 0.01);
        const corners = computeCircle(centre, edge);
        const text = formatPolygon(corners);
        expect(readBoundary(text).ok).toBe(true);
        const read = parseCorners(text) ?? [];
        expect(read).toHaveLength(corners.length + 1);
        const away = corners.map(([longitude, latitude], index) => {
          const [x = NaN, y = NaN] = read[index] ?? [];
          return Math.max(Math.abs(x - longitude), Math.abs(y - latitude));
        });
        expect(Math.max(...away)).toBeLessThan(0.5e-5);
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  test('a circle is round on the ground', () => {
    const [east] = computeCircle([-111, 60], [-109, 60]);
    expect(east).toEqual([-109, 60]);
    const north = computeCircle([-111, 60], [-109, 60])[16];
    expect(north?.[1]).toBeCloseTo(61, 6);
  });

  test.each(['county:UT/Cache', '', 'POLYGON((0 0, 1 1', 'MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)))'])(
    'a boundary that the explorer did not draw is not shown as drawn: %s',
    (text) => {
      expect(parseCorners(text)).toBeUndefined();
    },
  );
});

describe('colors', () => {
  const values = ['Irrigation', 'Stock', 'Other (with; marks)'].map((Value) => ({ Value, Count: 1 }));
  const legend = buildLegend('SiteTypeCV', { values, moreValues: 0, counts: undefined }, (value) =>
    value.toUpperCase(),
  );
  const getColor = (text: string): string | undefined => legend.find((entry) => entry.text === text)?.color;

  test('a category of use keeps its color at any position among the values', () => {
    const colorOfMining = (before: readonly string[]): unknown =>
      assignColors('UseCategoryCV', [...before, 'Mining']).get('Mining');
    expect(colorOfMining(['Irrigation', 'Domestic'])).toBe(colorOfMining([]));
    const { categories } = vocabulary;
    const names = [...new Set(categories.map(({ category }) => category))];
    const colors = assignColors('UseCategoryCV', names);
    expect(new Set(colors.values()).size).toBe(colors.size);
  });

  test.each([
    ['IRRIGATION', getColor('IRRIGATION')],
    ['stock', getColor('STOCK')],
    ['Livestock; iRRigation', SEVERAL_COLOR],
    ['(several)', SEVERAL_COLOR],
    ['Irrigation, drip', OTHERS_COLOR],
    [undefined, NOT_STATED_COLOR],
  ])('a site type or owner of %s has the color of its folded text, as filters match it (D8)', (use, color) => {
    const drawn = createExpression(buildValueColors('use', legend), 'circle-color');
    if (drawn.result === 'error') throw new Error(drawn.value.join());
    const feature = { type: 'Point' as const, properties: use === undefined ? {} : { use } };
    expect(drawn.value.evaluate({ zoom: 5 }, feature)).toBe(color);
    expect(getLegendColor(legend, use ?? null)).toBe(color);
  });

  test('a legend counts every point once, whatever its values', () => {
    const counts = {
      total: 30,
      values: [
        ['irrigation', 12],
        ['(several)', 7],
        [null, 5],
        ['A; B', 1],
        ['unknown here', 2],
      ] as const,
    };
    const entries = buildLegend('UseCategoryCV', { values, moreValues: 4, counts }, (value) => value);
    expect(entries.map(({ text, count }) => [text, count])).toEqual([
      ['Irrigation', 12],
      ['Stock', 0],
      ['Other (with; marks)', 0],
      ['several uses', 8],
      ['4 others', 5],
      ['not stated', 5],
    ]);
    expect(entries.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(counts.total);
    expect(new Set(entries.map(({ color }) => color)).size).toBe(entries.length);
  });

  test.each([true, false])('the spans of decades have no gaps between them', (isDark) => {
    const decades = buildDecadeLegend(isDark);
    expect([decades[0]?.start, decades.at(-1)?.end]).toEqual(['', '']);
    const DAY = 86_400_000;
    for (const [index, { start }] of decades.entries()) {
      if (index > 0) expect(Date.parse(start)).toBe(Date.parse(decades[index - 1]?.end ?? '') + DAY);
    }
    expect(JSON.stringify(buildDecadeColors(isDark))).toContain(JSON.stringify(decades[0]?.color));
  });

  test('every value has a shade, from the smallest to the largest, on any scale', () => {
    const scales = fc.constantFrom(...MAP_SCALES.map(({ name }) => name));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 1000 }), { minLength: 1 }), scales, (sums, scale) => {
        const shades = computeShades(sums, { scale, theme: 'light' }, String);
        expect(shades.legend).toHaveLength(shades.limits.length + 1);
        expect([...shades.limits]).toEqual([...new Set(shades.limits)].sort((a, b) => a - b));
        expect(shades.legend[0]?.text.startsWith(String(Math.min(...sums)))).toBe(true);
        expect(shades.legend.at(-1)?.text.endsWith(String(Math.max(...sums)))).toBe(true);
        // A string instead of an expression breaks the library if states change before its tiles are laid out.
        const expression = buildShadeColors(shades);
        if (shades.limits.length > 0) expect(expression).toHaveLength(3 + 2 * shades.limits.length);
        expect(JSON.stringify(expression)).toContain('feature-state');
      }),
      { seed: 4 },
    );
  });
});

test.each([
  ['', [1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6]],
  ['even', [0, 1, 600], [100, 200, 300, 400, 500]],
  ['log', [1, 7, 1e6], [10, 100, 1e3, 1e4, 1e5]],
  ['log', [0, 1, 1e6], [1, 100, 1e3, 1e4, 1e5]],
  ['log', [-5, 0], []],
] as const)('the scale %p of %j has shades that start at %j', (scale, sums, limits) => {
  expect(computeShades(sums, { scale, theme: 'dark' }, String).limits.map((limit) => Math.round(limit))).toEqual(
    limits,
  );
});

test('legends of shades distinguish classes that differ only in their last digits', () => {
  const sums = [0.00012, 0.00015, 0.0002, 1, 1.0002, 1.0003];
  for (const { name: scale } of MAP_SCALES) {
    const { legend } = computeShades(sums, { scale, theme: 'light' }, formatFigure);
    const texts = legend.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) {
      const [from, to] = text.split(' to ');
      expect(from).not.toBe(to);
    }
  }
  expect(computeShades([5, 5], { scale: '', theme: 'light' }, formatFigure).legend.map(({ text }) => text)).toEqual([
    '5',
  ]);
});

test.each([
  [2, '2'],
  [999, '999'],
  [1000, '1k'],
  [1590, '1.5k'],
  [15_900, '15k'],
  [999_999, '999k'],
  [1_260_000, '1.2M'],
])('a ring of %d places is labeled %s', (count, text) => {
  expect(formatShortCount(count)).toBe(text);
});

describe('sums of areas', () => {
  const row = (unit: string, year: string, sum: number | null, measured = 'AF') => ({
    OrganizationUUID: 'ORG',
    ReportingUnitUUID: unit,
    Year: year,
    AmountUnitCV: measured,
    RecordsCount: 1,
    VariableCV: 'Withdrawal',
    Sum: sum,
  });
  const Totals = [row('A', '2001', 5), row('B', '2001', 7), row('A', '2002', 9), row('C', '2001', null)];
  const answer = { TotalGroupsCount: 5, Totals: [...Totals, row('A', '2001', 3, 'MGD')] };

  test('are for one unit and one year, keyed by the identifiers in the tiles', () => {
    const { values, unit, choices } = computeAreaValues(answer, '', '2001');
    expect([...values]).toEqual([
      ['ORG~A', 5],
      ['ORG~B', 7],
    ]);
    expect(unit).toBe('AF');
    expect(choices.map(({ name }) => name)).toEqual(['Withdrawal · AF', 'Withdrawal · MGD']);
    expect([...computeAreaValues(answer, 'Withdrawal · MGD', '2001').values]).toEqual([['ORG~A', 3]]);
    // Shades cover all years, so that a year can be compared with the others.
    expect(computeAreaValues(answer, '', '2001').valuesOfAllYears).toEqual([5, 7, 9]);
  });
});

test('areas first show the newest year in which most of them have an amount', () => {
  const row = (Year: string | null, PlacesCount: number, VariableCV = 'Withdrawal') => ({
    Year,
    PlacesCount,
    VariableCV,
    RecordsCount: 10,
  });
  const Totals = [row('2000', 33), row('2005', 17), row('2010', 16), row('2020', 40, 'Gage'), row(null, 33)];
  expect(findNewestFullYear(Totals, 'Withdrawal')).toBe('2005');
  expect(findNewestFullYear(Totals, 'Gage')).toBe('2020');
  expect(findNewestFullYear([row(null, 33)], 'Withdrawal')).toBe('');
});

describe('the requests for tiles', () => {
  test('have all filters of rights; for sites, they have the filters that apply to places, and require an amount', () => {
    const filters = { State: ['UT'], MinimumFlow: ['2'] };
    expect(toMapFilters('rights', filters)).toEqual(filters);
    expect(buildTileQuery({ kind: 'series', filters: { State: ['UT'], MinimumAmount: ['2'] } })).toEqual({
      State: ['UT'],
      filter: 'VariableCV IS NOT NULL',
    });
    expect(findUnusedFilters('series', { State: ['UT'], MinimumAmount: ['2'] })).toEqual(['MinimumAmount']);
  });

  test('cluster points in squares wide enough for a number, and in smaller squares if the map shows sizes of rights', () => {
    const sized = { ...INITIAL_STATE, map: { ...INITIAL_STATE.map, size: 'FlowSum' } };
    expect(buildTileTemplate('http://host', INITIAL_STATE, getPointClusters(INITIAL_STATE))).toBe(
      'http://host/ogc/collections/allocations/tiles/WebMercatorQuad/{z}/{y}/{x}?cluster=8&spacing=16',
    );
    expect(getPointClusters(sized)).toEqual({ cluster: '4' });
    const areas = { ...INITIAL_STATE, kind: 'aggregates' as const };
    expect(buildTileTemplate('', areas, getPointClusters(areas))).not.toMatch(/cluster|spacing/);
  });
});

describe('one type of area at a time', () => {
  const row = (type: string | null, year: string | null, places: number, records = places) => ({
    ReportingUnitTypeCV: type,
    Year: year,
    VariableCV: 'Withdrawal',
    AmountUnitCV: 'AF',
    AggregationStatisticCV: 'Cumulative',
    PlacesCount: places,
    RecordsCount: records,
  });
  const all = [row('Basin', '2001', 9, 900), row('HUC8', '2001', 3), row('County', '2001', 5), row(null, null, 1)];
  const withShape = [row('HUC8', '2001', 3)];

  test.each([
    ['the type that the map can shade in most places: counties have outlines', '', 'County'],
    ['the chosen type, in any letter case', 'basin', 'Basin'],
    ['never a chosen type that does not match', 'State', 'County'],
  ])('is %s', (_, chosen, expected) => {
    expect(chooseUnitType({ all, withShape }, chosen)).toBe(expected);
  });

  test('is the type with the most records if no area can be shaded, and none if nothing matches', () => {
    expect(chooseUnitType({ all: [row('Basin', '2001', 9, 900)], withShape: [] }, '')).toBe('Basin');
    expect(chooseUnitType({ all: [], withShape: [] }, '')).toBeUndefined();
  });

  test('becomes a filter of map and chart if there are several types', () => {
    const selection = { kind: 'aggregates' as const, filters: { State: ['CO'] } };
    expect(withUnitType(selection, { all, withShape }, 'County').filters).toEqual({
      State: ['CO'],
      ReportingUnitTypeCV: ['County'],
    });
    expect(withUnitType(selection, { all: withShape, withShape }, 'HUC8')).toEqual(selection);
  });
});
