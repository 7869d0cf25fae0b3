// The section of a place's page that shows its series: a chart and a table by year for each series.

import { formatIsoDate } from '../../../values/dates';
import { formatNumber } from '../format-number';
import { type Html, html, readText } from '../html';
import { cell, row, scrolledTable, section } from '../page-parts';
import { chooseDrawnFigure, type DrawnFigure, drawSeriesChart } from './series-chart';
import { MAX_SERIES, type SeriesFigures } from './series-figures';

/** The maximum number of years to list. The latest years are listed. */
const MAX_YEARS = 150;

/** `buildAddress` returns the URL of the amounts of a variable, as JSON. */
export function seriesSection(series: readonly SeriesFigures[], buildAddress: (variable: string) => string): Html | '' {
  if (series.length === 0) return '';
  const more = series.length - MAX_SERIES;
  return section('series', 'Series', [
    html`<div class="charts">
      ${series.slice(0, MAX_SERIES).map((figures) => seriesFigure(figures, buildAddress))}
    </div>`,
    more > 0 ? html`<p>Use the links above for ${more} more series.</p>` : html``,
  ]);
}

const FIGURE_NOTES: Readonly<Record<DrawnFigure, string>> = {
  amount: '',
  sum: 'Several amounts have the same timeframe, such as one per use. The chart shows their sum.',
  mean: 'Several amounts have the same timeframe. The chart shows their mean.',
};

function seriesFigure(series: SeriesFigures, buildAddress: (variable: string) => string): Html {
  const { variable, counted } = series;
  const specific = readText(variable, 'VariableSpecificTypeCV');
  const name = (specific ?? readText(variable, 'VariableCV') ?? 'Amount').replaceAll('_', ', ');
  const { records, days } = counted;
  const span = days === undefined ? 'no dates' : `${formatIsoDate(days.first)} to ${formatIsoDate(days.last)}`;
  const address = buildAddress(specific ?? '');
  const chart = drawSeriesChart(series, name);
  return html`<figure>
    <figcaption>
      <h3>${name}</h3>
      <p class="small">
        ${formatUnit(series)}: ${records === 1 ? '1 amount' : `${formatNumber(records)} amounts`}, ${span}.
        ${chart === '' ? '' : FIGURE_NOTES[chooseDrawnFigure(series)]}
      </p>
    </figcaption>
    ${chart}
    <details${chart === '' ? html` open` : ''}>
      <summary>Figures by year</summary>
      ${yearTable(series, name)}
    </details>
    <p class="small">Amounts as <a href="${address}">JSON</a> and <a href="${address}&amp;format=csv">CSV</a></p>
  </figure>`;
}

/** Formats a unit, such as `AF, Cumulative over 1 Year`. */
function formatUnit({ variable }: SeriesFigures): string {
  const readMember = (member: string): string => readText(variable, member) ?? '';
  const interval = [readMember('AggregationInterval'), readMember('AggregationIntervalUnitCV')].filter(
    (part) => part !== '',
  );
  const over = interval.length === 0 ? '' : `over ${interval.join(' ')}`;
  const statistic = [readMember('AggregationStatisticCV'), over].filter((part) => part !== '').join(' ');
  return [readMember('AmountUnitCV') || 'No unit stated', statistic].filter((part) => part !== '').join(', ');
}

function yearTable({ years }: SeriesFigures, name: string): Html {
  if (years.length === 0) {
    return html`<p class="small">There are too many amounts to chart here. Download them with the links below.</p>`;
  }
  const hasSingleAmounts = years.every(({ records }) => records === 1);
  const columns = hasSingleAmounts ? ['Amount'] : ['Amounts', 'Sum', 'Mean', 'Least', 'Most'];
  const shownYears = years.slice(-MAX_YEARS);
  const earlier = years.length - shownYears.length;
  const rows = shownYears.map(({ time, records, sum, mean, lowest, highest }) => {
    const values = hasSingleAmounts ? [sum] : [records, sum, mean, lowest, highest];
    return row(
      time ?? 'none',
      values.map((value) => cell(value === null ? '' : formatNumber(value))),
    );
  });
  return html`${earlier > 0 ? html`<p class="small">Earlier years not shown: ${earlier}.</p>` : ''}
  ${scrolledTable(['Year', ...columns], rows, { kind: 'figures', label: `Figures by year: ${name}` })}`;
}
