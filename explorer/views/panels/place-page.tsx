// The feature that was clicked on the map: what the service says of it, its series, the ways on, and its figures of
// what the filters leave: the amounts of a site as a line, the sum of a unit that the map shows, and its sums by year
// as bars.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { nameOfFeature, pageAddress, splitFeatureId, type FeatureSeries } from '../../requests/places';
import { sentenceOf } from '../../requests/reply';
import type { SiteAmounts } from '../../requests/sites';
import { seriesText, type TotalsAnswer } from '../../requests/totals';
import type { Session } from '../../session/session';
import { kindOf } from '../../state/kinds';
import { INITIAL_STATE, NO_STACK } from '../../state/state';
import { figureOf } from '../chart/chart-figure';
import { linesOf } from '../chart/lines-figure';
import { Plot } from '../chart/plot';
import type { ViewProps } from '../parts/controls';
import { cellText, countText } from '../parts/texts';
import { Members } from './record-page';

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
  return chart.lines.some(({ points }) => points.length > 1) ? (
    <Plot chart={chart} label={`${chart.series} of ${chart.lines.length} lines`} />
  ) : null;
}

/** Beside the sum of one series there stand no bars of another. */
function barsOf(totals: TotalsAnswer | undefined, series: string): VNode | null {
  if (totals === undefined) return null;
  const chart = { ...INITIAL_STATE.chart, series, stack: NO_STACK };
  const figure = figureOf(totals, { ...INITIAL_STATE, kind: 'aggregates', chart });
  const isShown = figure.xs.length > 1 && (series === '' || figure.series === series);
  return isShown ? <Plot chart={figure} label={figure.title} /> : null;
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
