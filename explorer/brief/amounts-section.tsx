// Amounts by year: of the reporting units of one type, and of sites.

import type { VNode } from 'preact';
import { formatCount, formatFigure, formatQuantity } from '../views/parts/texts';
import type { AmountChart, YearRow } from './amount-charts';
import { Picture } from './picture';

/** The maximum number of charts in a section. Further series are listed by their names and periods. */
const MAX_CHARTS = 4;

interface AmountsProps {
  readonly charts: readonly AmountChart[];
  /** The noun for the places, singular and plural: "site" and "sites", or "unit" and "units". */
  readonly place: string;
  readonly places: string;
  /** The names of organizations by identifier. */
  readonly names: ReadonlyMap<string, string>;
}

export function AmountCharts({ charts, place, places, names }: AmountsProps): VNode {
  const shown = charts.filter(hasBars).slice(0, MAX_CHARTS);
  const others = charts.filter((one) => !shown.includes(one));
  const isOneOrganization = new Set(charts.map(({ organization }) => organization)).size < 2;
  const nameOrganization = ({ organization }: AmountChart): string =>
    isOneOrganization ? '' : `${names.get(organization) ?? organization}: `;
  return (
    <>
      {shown.map((chart) => (
        <Figure key={JSON.stringify([chart.organization, chart.series])} figure={chart} places={places}>
          {nameOrganization(chart)}
        </Figure>
      ))}
      {others.length > 0 && (
        <>
          <h3>Other series</h3>
          <ul>
            {others.map((chart) => (
              <li key={JSON.stringify([chart.organization, chart.series])}>
                {nameOrganization(chart)}
                {chart.heading}: {formatQuantity(chart.records, 'record')}
                {describeYears(chart)}
                {describeNewest(chart, place, places)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A chart with only zeros is replaced by a sentence. */
function hasBars({ chart, rows }: AmountChart): boolean {
  return chart !== undefined && rows.some(({ amount }) => amount !== null && amount !== 0);
}

interface FigureProps {
  readonly figure: AmountChart;
  readonly places: string;
  /** The name of the organization, if there are several. */
  readonly children: string;
}

function Figure({ figure, places, children }: FigureProps): VNode {
  const { heading, measure, chart, rows } = figure;
  return (
    <>
      <h3>
        {children}
        {heading}
      </h3>
      {chart !== undefined && <Picture chart={{ ...chart, subject: '' }} label={`${measure} of ${heading} by year`} />}
      <div class="years">
        {splitRows(rows).map((part, index) => (
          <YearTable key={index} figure={figure} rows={part} places={places} />
        ))}
      </div>
    </>
  );
}

/**
 * Years are split into up to three tables side by side, because a single table of fifty years is longer than a page.
 */
const MAX_TABLES = 3;

const MIN_ROWS = 6;

function splitRows(rows: readonly YearRow[]): readonly (readonly YearRow[])[] {
  const size = Math.max(MIN_ROWS, Math.ceil(rows.length / MAX_TABLES));
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, index) => rows.slice(index * size, (index + 1) * size));
}

interface YearTableProps {
  readonly figure: AmountChart;
  readonly rows: readonly YearRow[];
  readonly places: string;
}

function YearTable({ figure, rows, places }: YearTableProps): VNode {
  const { heading, measure, unit } = figure;
  return (
    <table>
      <caption class="unseen">
        {heading}: {measure.toLowerCase()} by year
      </caption>
      <thead>
        <tr>
          <th scope="col">Year</th>
          <th scope="col" class="number">
            {measure} ({unit})
          </th>
          <th scope="col" class="number capital">
            {places}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ year, amount, places: count }) => (
          <tr key={year}>
            <th scope="row">{year || 'No date'}</th>
            <td class="number">{amount === null ? '–' : formatFigure(amount)}</td>
            <td class="number">{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeYears({ rows }: AmountChart): string {
  const years = rows.map(({ year }) => year).filter((year) => year !== '');
  const [first] = years;
  const last = years.at(-1);
  if (first === undefined || last === undefined) return ', without a date';
  return first === last ? `, ${first}` : `, ${first} to ${last}`;
}

/** Describes the newest year's figure. */
function describeNewest({ rows, measure, unit }: AmountChart, place: string, places: string): string {
  const newest = rows.findLast(({ year, amount }) => year !== '' && amount !== null);
  if (newest === undefined || newest.amount === null) return '';
  const where = formatQuantity(newest.places, place, places);
  return `; ${measure.toLowerCase()} of ${newest.year}: ${formatFigure(newest.amount)} ${unit} (${where})`;
}
