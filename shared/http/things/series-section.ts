// The series at a place, for its page (D49): each variable with its chart, its figures by year and where to ask for
// them. Amounts of different variables, which may have other units, are never in one chart.

import type { SeriesFigures } from '../../things/series-figures';
import { isoDateOfDay } from '../../values/dates';
import { html, type Html } from '../pages/page-frame';
import { wholeNumber } from './axis';
import { drawnAs, seriesChart, type DrawnAs } from './series-chart';
import { section, textIn } from './thing-sections';

/** So many are drawn; the others are one request away. */
const MOST_SERIES = 24;

/** So many years are listed, the last ones. */
const MOST_YEARS = 150;

/** `addressOf` is of the amounts of a series, in JSON. */
export function seriesSection(series: readonly SeriesFigures[], addressOf: (variable: string) => string): Html | '' {
  if (series.length === 0) return '';
  const more = series.length - MOST_SERIES;
  return section('series', 'Series', [
    html`<div class="charts">${series.slice(0, MOST_SERIES).map((one) => seriesFigure(one, addressOf))}</div>`,
    more > 0 ? html`<p>${more} more series: ask for them by the links above.</p>` : html``,
  ]);
}

const DRAWN: Readonly<Record<DrawnAs, string>> = {
  amount: '',
  sum: 'Several amounts have the same timeframe, such as one for each use: drawn is their sum.',
  mean: 'Several amounts have the same timeframe: drawn is their mean.',
};

function seriesFigure(series: SeriesFigures, addressOf: (variable: string) => string): Html {
  const { variable, counted } = series;
  const name = (textIn(variable, 'VariableSpecificTypeCV') ?? textIn(variable, 'VariableCV') ?? 'Amount').replaceAll(
    '_',
    ', ',
  );
  const { records, days } = counted;
  const span = days === undefined ? 'no dates' : `${isoDateOfDay(days.first)} to ${isoDateOfDay(days.last)}`;
  const specific = textIn(variable, 'VariableSpecificTypeCV');
  const address = addressOf(specific ?? '');
  const chart = seriesChart(series, name);
  return html`<figure>
    <figcaption>
      <h3>${name}</h3>
      <p class="small">
        ${unitOf(series)}: ${records === 1 ? '1 amount' : `${wholeNumber(records)} amounts`}, ${span}.
        ${chart === '' ? '' : DRAWN[drawnAs(series)]}
      </p>
    </figcaption>
    ${chart}
    <details>
      <summary>Figures by year</summary>
      ${yearTable(series, name)}
    </details>
    <p class="small">Amounts as <a href="${address}">JSON</a> and <a href="${address}&amp;format=csv">CSV</a></p>
  </figure>`;
}

/** Such as `AF, Cumulative over 1 Year`. */
function unitOf({ variable }: SeriesFigures): string {
  const text = (member: string): string => textIn(variable, member) ?? '';
  const interval = [text('AggregationInterval'), text('AggregationIntervalUnitCV')].filter((part) => part !== '');
  const over = interval.length === 0 ? '' : `over ${interval.join(' ')}`;
  const statistic = [text('AggregationStatisticCV'), over].filter((part) => part !== '').join(' ');
  return [text('AmountUnitCV') || 'No unit stated', statistic].filter((part) => part !== '').join(', ');
}

function yearTable({ years }: SeriesFigures, name: string): Html {
  const isPlain = years.every(({ records }) => records === 1);
  const columns = isPlain ? ['Amount'] : ['Amounts', 'Sum', 'Mean', 'Least', 'Most'];
  const shown = years.slice(-MOST_YEARS);
  const earlier = years.length - shown.length;
  return html`${earlier > 0 ? html`<p class="small">The ${earlier} years before are left out.</p>` : ''}
    <div class="scrolled" tabindex="0" role="region" aria-label="Figures by year: ${name}">
      <table class="figures">
        <thead>
          <tr>
            ${['Year', ...columns].map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ time, records, sum, mean, lowest, highest }) => {
            const values = isPlain ? [sum] : [records, sum, mean, lowest, highest];
            return html`<tr>
              <th scope="row">${time ?? 'none'}</th>
              ${values.map((value) => html`<td>${value === null ? '' : wholeNumber(value)}</td>`)}
            </tr> `;
          })}
        </tbody>
      </table>
    </div>`;
}
