// One record of the table, or one feature of the map, in full: every member that has a value, and the ways on from it.
// Identifiers and coordinates, which say nothing to people, wait folded below. A feature has its series, and its
// figures of what the filters leave: the amounts of a site as a line, the sum of a unit that the map shows, and its
// sums by year.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { nameOfFeature, pageAddress, splitFeatureId, type FeatureSeries } from '../../requests/places';
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
import { cellText, columnText, countText } from '../parts/texts';

export function RecordPage({ session, index }: ViewProps & { readonly index: number }): VNode {
  const part = [session.records.present, session.record.present].find((one) => one?.rowAt(index) !== undefined);
  if (part === undefined) return <Missing trouble={session.record.current.value.trouble} />;
  const { columns, rowAt } = part;
  const row = rowAt(index) ?? [];
  const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
  return (
    <div>
      <RecordLinks session={session} cell={cell} />
      <Members members={columns.map((name, at) => [name, cellText(name, row[at] ?? '')] as const)} />
    </div>
  );
}

function RecordLinks({ session, cell }: ViewProps & { readonly cell: (name: string) => string }): VNode {
  const sites = cell('SiteUUID')
    .split('|')
    .filter((site) => site !== '');
  const unit = cell('ReportingUnitUUID');
  const [longitude, latitude] = [cell('Longitude'), cell('Latitude')].map((text) => Number.parseFloat(text));
  const { kind } = session.state.value;
  return (
    <p class="links">
      {longitude !== undefined && latitude !== undefined && !Number.isNaN(longitude + latitude) && (
        <button
          type="button"
          onClick={() => session.change((state) => onMap(state, { longitude, latitude, zoom: 10 }))}
        >
          On the map
        </button>
      )}
      {sites.length > 0 && (
        <button type="button" onClick={() => session.filter('SiteUUID', sites)}>
          {sites.length === 1 ? 'Only this site' : `Only these ${sites.length} sites`}
        </button>
      )}
      {unit !== '' && (
        <button type="button" onClick={() => session.filter('ReportingUnitUUID', [unit])}>
          Only this unit
        </button>
      )}
      {kind === 'series' && sites[0] !== undefined && (
        <button type="button" onClick={() => session.compareSite(sites[0] ?? '')}>
          As a line
        </button>
      )}
    </p>
  );
}

/** The name of the thing that is open beside the map, once it is known. */
export function thingTitle({ state, feature }: ViewProps['session']): string {
  const shown = feature.present;
  return (shown && nameOfFeature(shown)) ?? kindOf(state.value.kind).places.title;
}

export function PlacePage({ session, id }: ViewProps & { readonly id: string }): VNode {
  const { trouble } = session.feature.current.value;
  const feature = session.feature.present;
  if (trouble !== undefined) return <p class="notice">{sentenceOf(trouble)}</p>;
  if (feature === undefined) return <p class="soft">Loading …</p>;
  const { members, series } = feature;
  if (members.length === 0) return <p class="notice">This version of the data has it no more.</p>;
  return (
    <div>
      <FeatureLinks session={session} id={id} />
      <FeatureFigure session={session} />
      {series.length > 0 && <SeriesList series={series} />}
      <Members members={members.map(([name, value]) => [name, cellText(name, value)] as const)} />
    </div>
  );
}

function FeatureLinks({ session, id }: ViewProps & { readonly id: string }): VNode {
  const { kind } = session.state.value;
  const { identifier } = splitFeatureId(id);
  return (
    <p class="links">
      <a href={pageAddress(session.client, kind, id)} target="_blank" rel="noopener">
        Its own page
      </a>
      <button type="button" onClick={() => session.filter(kindOf(kind).places.filter, [identifier])}>
        Only this one
      </button>
      {kind === 'series' && (
        <button type="button" onClick={() => session.compareSite(identifier)}>
          As a line
        </button>
      )}
    </p>
  );
}

/** Nothing for a right, and while there are no figures: the rest of the page stands by itself. */
function FeatureFigure({ session }: ViewProps): VNode | null {
  const [sites, totals] = [session.featureAmounts.present, session.featureTotals.present];
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
            {counted(Number(memberOf('RecordsCount')), 'record')}
            {memberOf('FirstDay') !== '' && ` in ${counted(Number(memberOf('YearsCount')), 'year')}, `}
            {[...new Set(['FirstDay', 'LastDay'].map(memberOf))].filter((day) => day !== '').join(' to ')}
          </li>
        ))}
      </ul>
    </>
  );
}

function counted(count: number, one: string): string {
  return `${countText(count)} ${one}${count === 1 ? '' : 's'}`;
}

type Member = readonly [name: string, text: string];

/** The number of a right or a site at its own office is what people call it. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/** The polygon of a unit has many thousands; its own page has them all. */
const MOST_CHARACTERS = 300;

/** The members of a record or of a place that have a value. */
function Members({ members }: { readonly members: readonly Member[] }): VNode {
  const shown = members.filter(([, text]) => text !== '');
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
