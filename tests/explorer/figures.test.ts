// The charts of the explorer: what they draw and save for answers of the service.

import type { TotalsAnswerRow } from '../../explorer/requests/totals';
import { INITIAL_STATE } from '../../explorer/state/address';
import { assignColors } from '../../explorer/state/palette';
import { type ExplorerState, NO_STACK } from '../../explorer/state/state';
import {
  buildTable,
  type Chart,
  computeTicks,
  formatTick,
  getDrawnColumns,
  listLinePoints,
  stackColumns,
} from '../../explorer/views/chart/chart';
import { writeCsv } from '../../explorer/views/chart/chart-csv';
import { renderSvg } from '../../explorer/views/chart/chart-svg';
import { buildSitesChart, getWaterYear } from '../../explorer/views/chart/sites-chart';
import { buildTotalsChart, chooseMeasure } from '../../explorer/views/chart/totals-chart';

const rights = (chart: Partial<ExplorerState['chart']>): ExplorerState => ({
  ...INITIAL_STATE,
  view: 'chart',
  chart: { ...INITIAL_STATE.chart, ...chart },
});

const row = (PriorityDecade: string | null, BeneficialUseCV: string | null, RecordsCount: number): TotalsAnswerRow => ({
  PriorityDecade,
  BeneficialUseCV,
  RecordsCount,
  FlowSum: RecordsCount / 4,
  VolumeSum: null,
});

const createTotalsAnswer = (...Totals: TotalsAnswerRow[]) => ({
  TotalGroupsCount: Totals.length,
  GroupsOverlap: true,
  Totals,
});

describe('totals of rights', () => {
  const answer = createTotalsAnswer(
    row(null, 'Stock', 3),
    row('1870', 'Irrigation', 2),
    row('1870', 'Stock', 5),
    row('1900', 'Stock', 7),
    row('1900', null, 1),
  );
  const whole = createTotalsAnswer(row(null, null, 3), row('1870', null, 6), row('1900', null, 8));

  test('have a position for each decade from the first to the last, and the largest segment first', () => {
    const figure = buildTotalsChart(answer, rights({ stack: 'BeneficialUseCV' }), whole);
    expect(figure.positions.map(figure.axis.format)).toEqual(['1870', '1880', '1890', '1900']);
    expect(getDrawnColumns(figure)).toMatchObject([
      { label: 'Stock', values: [5, null, null, 7] },
      { label: 'Irrigation', values: [2, null, null, null] },
      { label: 'not stated', values: [null, null, null, 1] },
    ]);
    expect(figure).toMatchObject({ unit: 'rights', title: expect.any(String) });
    expect(stackColumns(figure).map(({ spans }) => spans)).toEqual([
      [[0, 5], null, null, [0, 7]],
      [[5, 7], null, null, null],
      [null, null, null, [7, 8]],
    ]);
  });

  test('have as many labels on their axis as fit, including round decades', () => {
    const { axis } = buildTotalsChart(createTotalsAnswer(row('1870', null, 1), row('1990', null, 1)), rights({}));
    const textsIn = (first: number, last: number, pixels: number): readonly string[] =>
      axis.getTicks(first, last, pixels).map(axis.format);
    expect(textsIn(-0.5, 12.5, 900)).toHaveLength(13);
    expect(textsIn(-0.5, 12.5, 250)).toEqual(['1870', '1920', '1970']);
    expect(textsIn(2.5, 5.5, 250)).toEqual(['1900', '1910', '1920']);
  });

  test('in another measure have its unit, and no segment if there is no figure', () => {
    const flow = buildTotalsChart(answer, rights({ measure: 'FlowSum', stack: 'BeneficialUseCV' }));
    expect(flow.unit).toBe('CFS');
    expect(flow.columns[0]).toMatchObject({ label: 'Stock', values: [1.25, null, null, 1.75] });
    const volume = buildTotalsChart(answer, rights({ measure: 'VolumeSum', stack: 'BeneficialUseCV' }));
    // A zero would be a figure that no record states.
    expect(volume.columns).toEqual([]);
  });

  test('with more segments than colors show the largest ones, and combine the others', () => {
    const many = Array.from({ length: 12 }, (_, index) => row('1900', `use ${index}`, 12 - index));
    const pieces = getDrawnColumns(buildTotalsChart(createTotalsAnswer(...many), rights({ stack: 'BeneficialUseCV' })));
    expect(pieces).toHaveLength(7);
    expect(pieces.at(-1)).toMatchObject({ label: 'all others', values: [6 + 5 + 4 + 3 + 2 + 1] });
    expect(new Set(pieces.map(({ color }) => color)).size).toBe(7);
  });

  test('count a right once in the total of a bar, and count rights without a date once', () => {
    const figure = buildTotalsChart(answer, rights({ stack: 'BeneficialUseCV' }), whole);
    expect(figure.columns.at(-1)).toMatchObject({ label: 'Total', values: [6, null, null, 8] });
    expect(figure.columns.map(({ sum }) => sum)).toEqual([12, 2, 1, 14]);
    expect(figure.notes).toEqual(['Not shown because they have no date: 3 water rights.']);
    expect(buildTable(figure).slice(0, 2)).toEqual([
      ['Priority decade', 'Stock (rights)', 'Irrigation (rights)', 'not stated (rights)', 'Total (rights)'],
      ['1870', 5, 2, null, 6],
    ]);
    const shares = buildTotalsChart(answer, rights({ stack: 'BeneficialUseCV', showsShares: true }), whole);
    expect(shares).toMatchObject({
      unit: '%',
      isStacked: true,
      columns: [{ sum: expect.closeTo(85.714, 2) }, expect.anything(), expect.anything()],
    });
    expect(shares.columns[0]?.values).toEqual([expect.closeTo(83.333, 2), null, null, 87.5]);
  });

  test('are saved as CSV and as a picture, in which texts cannot run as formulas or scripts', () => {
    const state = rights({ stack: 'BeneficialUseCV' });
    const figure = buildTotalsChart(createTotalsAnswer(row('1900', '=1,"<b>', 2)), state);
    expect(writeCsv(buildTable(figure))).toBe('Priority decade,"\'=1,""<b> (rights)"\n1900,2\n');
    const svg = renderSvg({ ...figure, subject: '<script>' });
    expect(svg).toContain('&#60;script&#62;');
    expect(svg.match(/<rect [^>]*fill="#507808"/g)).toHaveLength(1);
  });
});

test('records with several uses form one segment, and bars are as high as their total', () => {
  const rows = createTotalsAnswer(
    { PriorityDecade: '1900', UseCategoryCV: 'Irrigation', RecordsCount: 5 },
    { PriorityDecade: '1900', UseCategoryCV: '(several)', RecordsCount: 3 },
    { PriorityDecade: '1900', UseCategoryCV: null, RecordsCount: 2 },
  );
  const figure = buildTotalsChart(rows, rights({}), createTotalsAnswer({ PriorityDecade: '1900', RecordsCount: 10 }));
  expect(figure.columns.map(({ label, values }) => [label, values])).toEqual([
    ['Irrigation', [5]],
    ['several uses', [3]],
    ['not stated', [2]],
    ['Total', [10]],
  ]);
  const tops = stackColumns(figure).map(({ spans }) => spans[0]?.[1]);
  expect(tops.at(-1)).toBe(10);
  expect(figure.notes).toEqual([expect.stringContaining('several uses')]);
});

test.each([
  ['Total Dissolved Solids', 'mg/L', 'Average', 'Mean'],
  ['Total Dissolved Solids', 'mg/L', 'Cumulative', 'Mean'],
  ['Total Storage', 'AF', 'Average', 'Mean'],
  ['Cumulative flow', 'CFS', 'Mean', 'Mean'],
  ['Withdrawal', 'AF', 'Cumulative', 'Sum'],
  ['Withdrawal', 'AFY', 'Cumulative', 'Sum'],
  ['Reservoir Storage', 'AF', 'Cumulative', 'Mean'],
  ['Storage', 'Acre-feet', null, 'Mean'],
  ['Reservoir storage volume', 'AF', 'Total', 'Mean'],
  ['Withdrawal from Storage', 'AF', 'Cumulative', 'Sum'],
  ['Change in Storage', 'AF', 'Cumulative', 'Sum'],
  ['Average use', 'Acre-feet', 'Sum', 'Sum'],
  ['Delivered', 'MG', null, 'Sum'],
  ['Discharge', 'ft3/s', 'Total', 'Mean'],
])(
  '%s in %s by the statistic %s is first shown by its %s',
  (VariableCV, AmountUnitCV, AggregationStatisticCV, measure) => {
    const rows = createTotalsAnswer({
      Year: '2001',
      VariableCV,
      AmountUnitCV,
      AggregationStatisticCV,
      RecordsCount: 2,
    });
    expect(chooseMeasure({ ...rights({}), kind: 'series' as const }, rows).name).toBe(measure);
  },
);

describe('totals of amounts', () => {
  const amount = (Year: string, AmountUnitCV: string, Sum: number | null, RecordsCount = 1): TotalsAnswerRow => ({
    Year,
    VariableSpecificTypeCV: 'Withdrawal_Stock',
    VariableCV: 'Withdrawal',
    AmountUnitCV,
    RecordsCount,
    AggregationStatisticCV: 'Cumulative',
    AggregationInterval: 1,
    AggregationIntervalUnitCV: 'Year',
    Sum,
  });
  const answer = createTotalsAnswer(amount('2001', 'AF', 7), amount('2001', 'G', 9, 4), amount('2002', 'G', null));

  test('in different units never share an axis: the unit with the most records is shown, and others can be chosen', () => {
    const state: ExplorerState = { ...rights({ stack: NO_STACK }), kind: 'aggregates' };
    const figure = buildTotalsChart(answer, state);
    expect(figure.unit).toBe('G');
    expect(figure.columns).toMatchObject([{ name: 'G', values: [9, null] }]);
    expect(figure.choices.map(({ label }) => label)).toEqual([
      'Withdrawal, Stock · G · Cumulative, 1 Year',
      'Withdrawal, Stock · AF · Cumulative, 1 Year',
    ]);
    const other = buildTotalsChart(answer, {
      ...state,
      chart: { ...state.chart, series: figure.choices[1]?.name ?? '' },
    });
    expect(other).toMatchObject({ unit: 'AF', positions: [0], columns: [{ name: 'AF', values: [7] }] });
  });
});

test('variables that cannot be summed, such as daily means, are first shown by their mean', () => {
  const series = { ...rights({}), kind: 'series' as const };
  const means = createTotalsAnswer({
    Year: '2001',
    VariableCV: 'Flow',
    AggregationStatisticCV: 'Average',
    RecordsCount: 2,
  });
  expect([chooseMeasure(series).name, chooseMeasure(series, means).name]).toEqual(['Sum', 'Mean']);
  expect(chooseMeasure({ ...series, chart: { ...series.chart, measure: 'Sum' } }, means).name).toBe('Sum');
});

test('a use has the same color as on maps', () => {
  const answer = createTotalsAnswer({ PriorityDecade: '1900', UseCategoryCV: 'Mining', RecordsCount: 2 });
  const color = assignColors('UseCategoryCV', ['Irrigation', 'Other', 'Mining']).get('Mining');
  expect(buildTotalsChart(answer, rights({})).columns[0]?.color).toBe(color);
});

describe('lines of sites', () => {
  const DAY = 86_400_000;
  const day = (text: string): number => Date.parse(text) / DAY;
  const at = (text: string, amount: number, unit = 'CFS') => {
    return { series: `Discharge · ${unit}`, unit, first: day(text), last: day(text), amount };
  };
  const site = (name: string, ...amounts: ReturnType<typeof at>[]) => ({
    site: name,
    name,
    amounts,
    recordsCount: amounts.length,
    isTruncated: false,
  });

  test('have a gap where amounts are missing, and one axis of days', () => {
    const days = ['01', '02', '03', '10', '11'].map((text, index) => at(`2020-01-${text}`, index));
    const figure = buildSitesChart(
      [site('A', ...days), site('B', at('2020-01-02', 9), at('2020-01-03', 1, 'AF'))],
      '',
      false,
    );
    expect(figure).toMatchObject({ series: 'Discharge · CFS', unit: 'CFS' });
    const first = day('2020-01-01');
    expect([figure.positions, ...figure.columns.map(({ values }) => values)]).toEqual([
      [first, first + 1, first + 2, first + 3, first + 9, first + 10],
      [0, 1, 2, null, 3, 4],
      [undefined, 9, undefined, undefined, undefined, undefined],
    ]);
    expect(buildTable(figure)[1]).toEqual(['2020-01-01', 0, null]);
    expect(renderSvg(figure).match(/<path d="M[^"]*" fill="none"/g)).toHaveLength(2);
  });

  /**
   * The first and last position of each drawn part of a line: the library continues over undefined values and stops at
   * null.
   */
  const drawnStretches = ({ positions, columns }: Chart, column: number): string[] => {
    let last: number | undefined;
    return (columns[column]?.values ?? []).flatMap((value, at) => {
      const from = last;
      if (value !== undefined) last = value === null ? undefined : at;
      return typeof value === 'number' && from !== undefined ? [`${positions[from]} to ${positions[at]}`] : [];
    });
  };

  const isolatedDays = ({ axis, positions, columns }: Chart, column: number): string[] => {
    const points = columns.slice(column, column + 1).flatMap(listLinePoints);
    return points
      .filter(({ isFirst, isLast }) => isFirst && isLast)
      .map(({ index: at }) => axis.format(positions[at] ?? NaN));
  };

  const between = (text: string, last: string, amount: number) => ({ ...at(text, amount), last: day(last) });

  test('have no segment over days without amounts, whatever other sites have', () => {
    const broken = [at('2020-01-01', 1), at('2020-01-02', 2), at('2020-01-09', 3), at('2020-01-10', 4)];
    const whole = Array.from({ length: 10 }, (_, index) => at(`2020-01-${String(index + 1).padStart(2, '0')}`, index));
    const figure = buildSitesChart([site('A', ...broken), site('B', ...whole)], '', false);
    const start = day('2020-01-01');
    expect(drawnStretches(figure, 0)).toEqual([`${start} to ${start + 1}`, `${start + 8} to ${start + 9}`]);
    // There are no values at all here, so that no part of the gap is bridged next to the other site's amounts.
    expect(figure.columns[0]?.values.slice(2, 8)).toEqual([null, null, null, null, null, null]);
  });

  test.each([
    ['one year of a series by year', [1960, 1962], []],
    ['all but two years', [1960, 1961, 2010], ['1960 to 1961']],
    ['four of five years', [1985, 1990, 1995, 2000], []],
  ])('have no segment where %s is missing', (_, years, stretches) => {
    const amounts = years.map((year) => between(`${year}-01-01`, `${year}-12-31`, year));
    const figure = buildSitesChart([site('A', ...amounts)], '', false);
    const getYear = (number: string): string => new Date(Number(number) * DAY).toISOString().slice(0, 4);
    expect(drawnStretches(figure, 0).map((text) => text.replaceAll(/-?\d+/g, getYear))).toEqual(stretches);
  });

  test('connect months of different lengths, and years with a leap day', () => {
    const months = [
      between('2020-01-01', '2020-01-31', 1),
      between('2020-02-01', '2020-02-29', 2),
      between('2020-03-01', '2020-03-31', 3),
      between('2020-06-01', '2020-06-30', 6),
    ];
    const figure = buildSitesChart([site('A', ...months)], '', false);
    expect(drawnStretches(figure, 0)).toHaveLength(2);
    expect(isolatedDays(figure, 0)).toEqual(['2020-06-01']);
  });

  test('of water years stop where the amounts of a site stop, even if a year has only two of them', () => {
    const daily = Array.from({ length: 30 }, (_, index) => at(`2020-11-${String(index + 1).padStart(2, '0')}`, index));
    const figure = buildSitesChart([site('A', ...daily, at('2021-10-05', 1), at('2022-07-05', 2))], '', true);
    expect(figure.columns.map(({ label }) => label)).toEqual(['2021', '2022']);
    expect(drawnStretches(figure, 1)).toEqual([]);
    expect(isolatedDays(figure, 1)).toEqual(['Oct 5', 'Jul 5']);
    expect(renderSvg(buildSitesChart([site('A', at('2021-10-05', 1))], '', true))).toMatch(/<path d="M[^"]*a2 2/);
  });

  test('can overlay water years, which begin in October and are named after their end', () => {
    const amounts = [at('2019-09-30', 1), at('2019-10-01', 2), at('2020-09-30', 3)];
    expect(buildTable(buildSitesChart([site('A', ...amounts)], '', true))).toEqual([
      ['Day of the water year', 'A, 2019 (CFS)', 'A, 2020 (CFS)'],
      ['Oct 1', null, 2],
      ['Oct 2', null, null],
      ['Sep 30', 1, 3],
    ]);
    expect(getWaterYear(day('2020-10-01'))).toBe(2021);
  });

  test('of water years have each day at its own position, whether or not the year has a February 29', () => {
    const days = ['2019-02-28', '2019-03-01', '2020-02-28', '2020-02-29', '2020-03-01'];
    expect(
      buildTable(buildSitesChart([site('A', ...days.map((text, index) => at(text, index)))], '', true)).slice(1),
    ).toEqual([
      ['Feb 28', 0, 2],
      ['Feb 29', null, 3],
      ['Mar 1', 1, 4],
    ]);
  });

  test('of many water years color and name only the newest, and show the range of the others as a band', () => {
    const amounts = Array.from({ length: 11 }, (_, year) => [
      at(`${2000 + year}-01-01`, year),
      ...(year === 2 ? [] : [at(`${2000 + year}-01-02`, year + 1)]),
      at(`${2000 + year}-01-03`, 2 * year),
    ]).flat();
    const figure = buildSitesChart([site('A', ...amounts)], '', true);
    const own = getDrawnColumns(figure);
    expect(own.map(({ label }) => label)).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((year) => String(2000 + year)));
    expect(new Set(own.map(({ color }) => color)).size).toBe(own.length);
    const [band] = figure.bands;
    expect(band?.label).toBe('Range of 3 earlier years, 2000–2002');
    // 2002 has no value on the second day, so no line is drawn over it.
    expect(band?.spans).toEqual([
      [0, 2],
      [1, 2],
      [0, 4],
    ]);
    const svg = renderSvg(figure, ['Source: an agency.']);
    expect(svg.match(/fill-opacity/g)).toHaveLength(2);
    expect(svg).toContain('Source: an agency.</text>');
    expect(buildTable(figure)[0]).toHaveLength(12);
  });

  test('have tick marks where years or months begin', () => {
    const { axis } = buildSitesChart([site('A', at('2001-02-01', 1))], '', false);
    const textsIn = (first: string, last: string): readonly string[] =>
      axis.getTicks(day(first), day(last), 400).map(axis.format);
    expect(textsIn('2001-02-01', '2004-06-01')).toEqual(['2002-01-01', '2003-01-01', '2004-01-01']);
    expect(textsIn('2001-01-15', '2001-03-15')).toEqual(['2001-02-01', '2001-03-01']);
  });
});

test('ticks are round numbers within the bounds', () => {
  expect(computeTicks(0, 47, 6)).toEqual([0, 10, 20, 30, 40]);
  expect(computeTicks(-0.3, 0.3, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  expect(computeTicks(0, 0, 6)).toEqual([0]);
  expect([formatTick(1500), formatTick(2.5e6), formatTick(-3e9), formatTick(0.25)]).toEqual([
    '1,500',
    '2.5 million',
    '-3 billion',
    '0.25',
  ]);
});
