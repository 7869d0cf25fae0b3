// One record of the table, or one feature of the map, in full: every member that has a value, and the ways on from it.
// Identifiers and coordinates, which say nothing to people, wait folded below. A feature has its series, and its
// figures of what the filters leave: the amounts of a site as a line, the sum of a unit that the map shows, and its
// sums by year.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type FeatureSeries, pageAddress, splitFeatureId } from '../../requests/places';
import { sentenceOf } from '../../requests/reply';
import type { SiteAmounts } from '../../requests/sites';
import { seriesText, type TotalsAnswer } from '../../requests/totals';
import type { Session } from '../../session/session';
import { kindOf } from '../../state/kinds';
import { INITIAL_STATE, NO_STACK, onMap } from '../../state/state';
import { figureOf } from '../chart/chart-figure';
import { linesOf } from '../chart/lines-figure';
import { Plot } from '../chart/plot';
import { Missing, type ViewProps } from '../parts/controls';
import { cellText, columnText, countedText } from '../parts/texts';

export function RecordPage({ session, index }: ViewProps & { readonly index: number }): VNode {
  const part = [session.records.present, session.record.present].find((one) => one?.rowAt(index) !== undefined);
  if (part === undefined) return <Missing trouble={session.record.current.value.trouble} />;
  const { columns, rowAt } = part;
  const row = rowAt(index) ?? [];
  const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
  const sites = cell('SiteUUID').split('|').filter(Boolean);
  const unit = cell('ReportingUnitUUID');
  const longitude = Number.parseFloat(cell('Longitude'));
  const latitude = Number.parseFloat(cell('Latitude'));
  return (
    <div>
      <p class="links">
        {!Number.isNaN(longitude + latitude) && (
          <button onClick={() => session.change((state) => onMap(state, { longitude, latitude, zoom: 10 }))}>
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
  const { trouble } = session.feature.current.value;
  const feature = session.feature.present;
  if (trouble !== undefined) return <p class="notice">{sentenceOf(trouble)}</p>;
  if (feature === undefined) return <Missing trouble={undefined} />;
  const { members, series } = feature;
  const { kind } = session.state.value;
  const { identifier } = splitFeatureId(id);
  if (members.length === 0) return <p class="notice">This version of the data has it no more.</p>;
  return (
    <div>
      <p class="links">
        <a href={pageAddress(session.client, kind, id)} target="_blank" rel="noopener">
          Its own page
        </a>
        <button onClick={() => session.filter(kindOf(kind).places.filter, [identifier])}>Only this one</button>
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
  const sites = session.featureAmounts.present;
  const totals = session.featureTotals.present;
  const { kind, chart, filters, place = '' } = session.state.value;
  const sum = kind === 'aggregates' ? sumOnMap(session, place) : undefined;
  const series = sum?.series ?? chart.series;
  const element = useMemo(
    () => (sites === undefined ? barsOf(totals, series) : lineOf(sites, series)),
    [sites, totals, series],
  );
  if (element === null && sum === undefined) return null;
  return (
    <div class="feature-figure">
      {Object.keys(filters).length > 0 && <p class="soft">Of what the filters leave:</p>}
      {sum !== undefined && (
        <p>
          {sum.year}: <strong>{sum.text}</strong> <span class="soft">{seriesText(sum.series)}</span>
        </p>
      )}
      {element}
    </div>
  );
}

function lineOf(sites: readonly SiteAmounts[], series: string): VNode | null {
  const chart = linesOf(sites, series, false);
  return chart.xs.length > 1 ? <Plot chart={chart} /> : null;
}

/** Beside the sum of one series there stand no bars of another. */
function barsOf(totals: TotalsAnswer | undefined, series: string): VNode | null {
  if (totals === undefined) return null;
  const chart = { ...INITIAL_STATE.chart, series, stack: NO_STACK };
  const figure = figureOf(totals, { ...INITIAL_STATE, kind: 'aggregates', chart });
  const isShown = figure.xs.length > 1 && (series === '' || figure.series === series);
  return isShown ? <Plot chart={figure} /> : null;
}

/** What the shade of a unit stands for; undefined while the map has no sums of what is filtered. */
function sumOnMap({ areaTotals, areaValues, areaYear }: Session, id: string) {
  if (areaTotals.present === undefined || areaValues.value === undefined) return undefined;
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
        {series.map((memberOf, index) => (
          <li key={index}>
            <strong>{memberOf('VariableSpecificTypeCV') || memberOf('VariableCV')}</strong>{' '}
            <span class="soft">{memberOf('AmountUnitCV')}</span>
            <br />
            {countedText(Number(memberOf('RecordsCount')), 'record')}
            {memberOf('FirstDay') !== '' && ` in ${countedText(Number(memberOf('YearsCount')), 'year')}, `}
            {[...new Set(['FirstDay', 'LastDay'].map(memberOf))].filter(Boolean).join(' to ')}
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
const MOST_CHARACTERS = 300;

/** The members of a record or of a place that have a value. */
function Members({ members }: { readonly members: readonly (readonly [name: string, cell: string])[] }): VNode {
  const shown = members.map(([name, cell]): Member => [name, cellText(name, cell)]).filter(([, text]) => text !== '');
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
          <dt title={name}>{columnText(name)}</dt>
          <dd>{textOrLink(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function textOrLink(text: string): VNode | string {
  if (/^https?:\/\//.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer" target="_blank">
        {text}
      </a>
    );
  }
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}
