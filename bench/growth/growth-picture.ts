// docs/growth.svg: how each cost grows with the number of records. ECharts draws a chart with logarithmic axes for
// each group of costs; its SVG gets a title, a description with all figures, and colours for dark ground.

import type { MeasuredRun } from '../measure/benchmark';
import { loadEcharts } from '../measure/packages';

/** The costs at one size. Times are milliseconds unless the name says otherwise. */
export interface GrowthPoint extends MeasuredRun {
  readonly page: number;
  readonly pageCold: number;
  readonly datesCold: number;
  readonly polygonCold: number;
  readonly coldStart: number;
  readonly loadSecondsAMillion: number;
  readonly loadPeakMegabytes: number;
  readonly privateMegabytes: number;
  readonly fileMegabytes: number;
}

interface CostGroup {
  readonly title: string;
  readonly costs: readonly { readonly cost: Exclude<keyof GrowthPoint, keyof MeasuredRun>; readonly name: string }[];
}

const WIDTH = 760;
const CHART_HEIGHT = 330;
/** Margins within a chart; the names of the lines stand at its right. */
const PLOT = { left: 62, right: 210, top: 42, height: 240 };

/** On light and on dark ground. */
const TEXT = ['#1f2328', '#f0f6fc'] as const;
const GRID = ['#d1d9e0', '#3d444d'] as const;
const LINES = [
  ['#0969da', '#58a6ff'],
  ['#bc4c00', '#f0883e'],
  ['#1a7f37', '#56d364'],
  ['#8250df', '#bc8cff'],
  ['#bf3989', '#ff9bce'],
] as const;

export const costGroups: readonly CostGroup[] = [
  {
    title: 'Milliseconds: answers, and the start of a process',
    costs: [
      { cost: 'page', name: 'first page, asked again' },
      { cost: 'pageCold', name: 'any page, never asked' },
      { cost: 'datesCold', name: 'dates, never asked' },
      { cost: 'polygonCold', name: 'polygon, never asked' },
      { cost: 'coldStart', name: 'start to first answer' },
    ],
  },
  {
    title: 'Megabytes: memory and files',
    costs: [
      { cost: 'privateMegabytes', name: 'memory of the server' },
      { cost: 'loadPeakMegabytes', name: 'peak of the loader' },
      { cost: 'fileMegabytes', name: 'files of the store' },
    ],
  },
  { title: 'Seconds: loading a million records', costs: [{ cost: 'loadSecondsAMillion', name: 'a million loaded' }] },
];

/** Rounded to three significant digits. */
export function costText(cost: number): string {
  return Number(cost.toPrecision(3)).toLocaleString('en-US');
}

/** Throws without a point: there is nothing to draw. Needs the packages of the benchmark. */
export function growthPicture(measured: readonly GrowthPoint[]): string {
  const points = [...measured].sort((a, b) => a.records - b.records);
  const newest = points.at(-1);
  if (newest === undefined) throw new Error('There are no figures to draw.');
  const size = { width: WIDTH, height: CHART_HEIGHT * costGroups.length };
  const drawing = loadEcharts().init(null, null, { renderer: 'svg', ssr: true, ...size });
  drawing.setOption(optionOf(points));
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  const content = svg.slice(svg.indexOf('>') + 1).replace(/<style >[^]*?<\/style>\s*/g, '');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" ` +
      `aria-labelledby="title desc">`,
    `<title id="title">How each cost grows with the number of records</title>`,
    `<desc id="desc">${escaped(description(points, newest))}</desc>`,
    `<style>@media (prefers-color-scheme: dark) { ${darkRules().join(' ')} }</style>`,
    `${content.trim()}\n`,
  ].join('\n');
}

function optionOf(points: readonly GrowthPoint[]): object {
  const axis = { type: 'log', axisLine: { show: false }, axisTick: { show: false } };
  const style = { axisLabel: { color: TEXT[0] }, splitLine: { show: true, lineStyle: { color: GRID[0] } } };
  const tops = costGroups.map((_, index) => CHART_HEIGHT * index);
  return {
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: 13 },
    title: costGroups.map(({ title: text }, index) => ({
      text,
      left: PLOT.left - 5,
      top: (tops[index] ?? 0) + 6,
      textStyle: { color: TEXT[0], fontSize: 13, fontWeight: 600 },
    })),
    grid: tops.map((top) => ({ left: PLOT.left, right: PLOT.right, top: top + PLOT.top, height: PLOT.height })),
    xAxis: costGroups.map((_, gridIndex) => ({
      ...axis,
      ...style,
      gridIndex,
      ...rangeOf(points.map(({ records }) => records)),
      name: 'records',
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: { color: TEXT[0] },
    })),
    yAxis: costGroups.map(({ costs }, gridIndex) => ({
      ...axis,
      ...style,
      gridIndex,
      ...rangeOf(costs.flatMap(({ cost }) => points.map((point) => point[cost]))),
    })),
    series: costGroups.flatMap(({ costs }, chart) =>
      costs.map(({ cost, name }, index) => {
        const [color] = LINES[index] ?? LINES[0];
        return {
          type: 'line',
          name,
          color,
          silent: true,
          clip: false,
          symbol: 'circle',
          symbolSize: 7,
          lineStyle: { color },
          xAxisIndex: chart,
          yAxisIndex: chart,
          data: points.map((point) => [point.records, point[cost]]),
          // The height of a line keeps names apart where lines end at one height.
          endLabel: { show: true, formatter: '{a}', color, distance: 12, lineHeight: 16, textBorderWidth: 0 },
          labelLayout: { moveOverlap: 'shiftY' },
        };
      }),
    ),
  };
}

/** The powers of ten around all values. */
function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return { min: 10 ** low, max: 10 ** Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

/** ECharts writes colours as attributes, over which rules of a style sheet win. */
function darkRules(): string[] {
  return [TEXT, GRID, ...LINES].flatMap(([light, dark]) =>
    ['fill', 'stroke'].map((attribute) => `[${attribute}="${light}"] { ${attribute}: ${dark}; }`),
  );
}

/** All figures as text, for who cannot see the lines. */
function description(points: readonly GrowthPoint[], { machine }: GrowthPoint): string {
  const sizes = points.map(({ records, date }) => `${records.toLocaleString('en-US')} (${date})`).join(', ');
  const charts = costGroups.map(({ title, costs }) => {
    const figures = costs.map(({ cost, name }) => `${name} ${points.map((point) => costText(point[cost])).join(', ')}`);
    return `${title}: ${figures.join('; ')}.`;
  });
  return `Logarithmic axes. Records: ${sizes}. ${charts.join(' ')} Measured on ${machine}.`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
