// One record of the table, or one feature of the map, in full: every member that has a value, and the ways on from it.
// Identifiers and coordinates, which say nothing to people, wait folded below. A feature has its series, and its
// figures of what the filters leave: the amounts of a site as a line, the sum of a unit that the map shows, and its
// sums by year.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { buildPageUrl, type FeatureSeries, splitFeatureId } from '../../requests/places';
import { describeTrouble } from '../../requests/reply';
import type { SiteAmounts } from '../../requests/sites';
import { formatSeries, type TotalsAnswer } from '../../requests/totals';
import type { Session } from '../../session/session';
import { getKind } from '../../state/kinds';
import { INITIAL_STATE, NO_STACK, withMapAt } from '../../state/state';
import { buildTotalsChart } from '../chart/chart-figure';
import { buildSitesChart } from '../chart/lines-figure';
import { Plot } from '../chart/plot';
import { MissingAnswer, type ViewProps } from '../parts/controls';
import { formatCell, formatColumn, formatQuantity } from '../parts/texts';

export function RecordPage({ session, index }: ViewProps & { readonly index: number }): VNode {
  const part = [session.records.fresh, session.record.fresh].find((one) => one?.getRow(index) !== undefined);
  if (part === undefined) return <MissingAnswer trouble={session.record.state.value.trouble} />;
  const { columns, getRow } = part;
  const row = getRow(index) ?? [];
  const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
  const sites = cell('SiteUUID').split('|').filter(Boolean);
  const unit = cell('ReportingUnitUUID');
  const longitude = Number.parseFloat(cell('Longitude'));
  const latitude = Number.parseFloat(cell('Latitude'));
  return (
    <div>
      <p class="links">
        {!Number.isNaN(longitude + latitude) && (
          <button onClick={() => session.change((state) => withMapAt(state, { longitude, latitude, zoom: 10 }))}>
            On the map
          </button>
        )}
        {sites.length > 0 && (
          <button onClick={() => session.filter('SiteUUID', sites)}>
            {sites.length === 1 ? 'Only this site' : `Only these ${sites.length} sites`}
          </button>
        )}
        {unit !== '' && <button onClick={() => session.filter('ReportingUnitUUID', [unit])}>Only this unit</button>}
        {sites[0] !== undefined && <LineButton session={session} site={sites[0]} />}
      </p>
      <Members members={columns.map((name, at) => [name, row[at] ?? ''] as const)} />
    </div>
  );
}

/** Only time series have an amount for each time of a site. */
function LineButton({ session, site }: ViewProps & { readonly site: string }): VNode | null {
  if (session.state.value.kind !== 'series') return null;
  return <button onClick={() => session.compareSite(site)}>As a line</button>;
}

export function PlacePage({ session, id }: ViewProps & { readonly id: string }): VNode {
  const { trouble } = session.feature.state.value;
  const feature = session.feature.fresh;
  if (trouble !== undefined) return <p class="notice">{describeTrouble(trouble)}</p>;
  if (feature === undefined) return <MissingAnswer trouble={undefined} />;
  const { members, series } = feature;
  const { kind } = session.state.value;
  const { identifier } = splitFeatureId(id);
  if (members.length === 0) return <p class="notice">This version of the data has it no more.</p>;
  return (
    <div>
      <p class="links">
        <a href={buildPageUrl(session.client, kind, id)} target="_blank" rel="noopener">
          Its own page
        </a>
        <button onClick={() => session.filter(getKind(kind).places.filter, [identifier])}>Only this one</button>
        <LineButton session={session} site={identifier} />
      </p>
      <FeatureFigure session={session} />
      {series.length > 0 && <SeriesList series={series} />}
      <Members members={members} />
    </div>
  );
}

/** Nothing for a right, and while there are no figures: the rest of the page stands by itself. */
function FeatureFigure({ session }: ViewProps): VNode | null {
  const sites = session.featureAmounts.fresh;
  const totals = session.featureTotals.fresh;
  const { kind, chart, filters, place = '' } = session.state.value;
  const sum = kind === 'aggregates' ? getMapSum(session, place) : undefined;
  const series = sum?.series ?? chart.series;
  const element = useMemo(
    () => (sites === undefined ? renderBars(totals, series) : renderLine(sites, series)),
    [sites, totals, series],
  );
  if (element === null && sum === undefined) return null;
  return (
    <div class="feature-figure">
      {Object.keys(filters).length > 0 && <p class="soft">Of what the filters leave:</p>}
      {sum !== undefined && (
        <p>
          {sum.year}: <strong>{sum.text}</strong> <span class="soft">{formatSeries(sum.series)}</span>
        </p>
      )}
      {element}
    </div>
  );
}

function renderLine(sites: readonly SiteAmounts[], series: string): VNode | null {
  const chart = buildSitesChart(sites, series, false);
  return chart.positions.length > 1 ? <Plot chart={chart} /> : null;
}

/** Beside the sum of one series there stand no bars of another. */
function renderBars(totals: TotalsAnswer | undefined, series: string): VNode | null {
  if (totals === undefined) return null;
  const chart = { ...INITIAL_STATE.chart, series, stack: NO_STACK };
  const figure = buildTotalsChart(totals, { ...INITIAL_STATE, kind: 'aggregates', chart });
  const isShown = figure.positions.length > 1 && (series === '' || figure.series === series);
  return isShown ? <Plot chart={figure} /> : null;
}

/** What the shade of a unit stands for; undefined while the map has no sums of what is filtered. */
function getMapSum({ areaTotals, areaValues, areaYear }: Session, id: string) {
  if (areaTotals.fresh === undefined || areaValues.value === undefined) return undefined;
  const { values, unit, series } = areaValues.value;
  const year = areaYear.value ?? '';
  const sum = values.get(id);
  const text = sum === undefined ? 'no figure' : `${sum.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
  return { series, year: year === '' ? 'All years' : year, text };
}

function SeriesList({ series }: { readonly series: readonly FeatureSeries[] }): VNode {
  return (
    <>
      <p class="soft">All that is published of it, whatever is filtered:</p>
      <ul class="series">
        {series.map((getMember, index) => (
          <li key={index}>
            <strong>{getMember('VariableSpecificTypeCV') || getMember('VariableCV')}</strong>{' '}
            <span class="soft">{getMember('AmountUnitCV')}</span>
            <br />
            {formatQuantity(Number(getMember('RecordsCount')), 'record')}
            {getMember('FirstDay') !== '' && ` in ${formatQuantity(Number(getMember('YearsCount')), 'year')}, `}
            {[...new Set(['FirstDay', 'LastDay'].map(getMember))].filter(Boolean).join(' to ')}
          </li>
        ))}
      </ul>
    </>
  );
}

type Member = readonly [name: string, text: string];

/** The number of a right or a site at its own office is what people call it. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/** The polygon of a unit has many thousands; its own page has them all. */
const MAX_CHARACTERS = 300;

/** The members of a record or of a place that have a value. */
function Members({ members }: { readonly members: readonly (readonly [name: string, cell: string])[] }): VNode {
  const shown = members.map(([name, cell]): Member => [name, formatCell(name, cell)]).filter(([, text]) => text !== '');
  const identifiers = shown.filter(([name]) => IDENTIFIER.test(name));
  return (
    <>
      <List members={shown.filter(([name]) => !IDENTIFIER.test(name))} />
      {identifiers.length > 0 && (
        <details class="identifiers">
          <summary>Identifiers</summary>
          <List members={identifiers} />
        </details>
      )}
    </>
  );
}

function List({ members }: { readonly members: readonly Member[] }): VNode {
  return (
    <dl class="record">
      {members.map(([name, text]) => (
        <div key={name}>
          <dt title={name}>{formatColumn(name)}</dt>
          <dd>{renderText(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function renderText(text: string): VNode | string {
  if (/^https?:\/\//.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer" target="_blank">
        {text}
      </a>
    );
  }
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
}
