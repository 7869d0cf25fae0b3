// docs/growth.svg: how each cost grows with the number of records, from the figures of the runs.

import { costGroups, costText, type CostGroup, type GrowthPoint } from './growth-costs';
import { CHART_HEIGHT, CHART_WIDTH, chartGroup, chartStyle, escaped, type Chart } from './log-chart';

const X_TITLE = 'records';

/** Throws without a point: there is nothing to draw. */
export function growthPicture(measured: readonly GrowthPoint[]): string {
  const points = [...measured].sort((a, b) => a.records - b.records);
  const newest = points.at(-1);
  if (newest === undefined) throw new Error('There are no figures to draw.');
  const height = CHART_HEIGHT * costGroups.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CHART_WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">How each cost grows with the number of records</title>`,
    `<desc id="desc">${escaped(description(points, newest))}</desc>`,
    `<style>${chartStyle}\n</style>`,
    ...costGroups.map((chart, index) => chartGroup(chartOf(chart, points), X_TITLE, index * CHART_HEIGHT)),
    '</svg>\n',
  ].join('\n');
}

function chartOf({ title, costs }: CostGroup, points: readonly GrowthPoint[]): Chart {
  return {
    title,
    lines: costs.map(({ cost, name }) => ({
      name,
      points: points.map((point) => ({ x: point.records, y: point[cost] })),
    })),
  };
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
