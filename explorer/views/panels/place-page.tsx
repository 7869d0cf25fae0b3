// One feature of the map in full: its series, and its figures within the filters (the amounts of a site as a line, the
// sums of a unit by year as bars).

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  buildPageUrl,
  createMemberReader,
  type FeatureSeries,
  type MapFeature,
  splitFeatureId,
} from '../../requests/map-features';
import { describeTrouble } from '../../requests/reply';
import { formatSeries } from '../../requests/series';
import type { SiteAmounts } from '../../requests/sites';
import type { TotalsAnswer } from '../../requests/totals';
import type { Session } from '../../session/session';
import { INITIAL_STATE } from '../../state/address';
import { findUnitArea } from '../../state/brief-area';
import { withMoreFilters } from '../../state/changes';
import { getKind, type Kind } from '../../state/kinds';
import { type Filters, NO_STACK } from '../../state/state';
import { Plot } from '../chart/plot';
import { buildSitesChart } from '../chart/sites-chart';
import { buildTotalsChart } from '../chart/totals-chart';
import { BriefLink } from '../parts/brief-link';
import { MissingAnswer, type ViewProps } from '../parts/controls';
import { formatQuantity } from '../parts/texts';
import { KeyFacts } from './key-facts';
import { LineButton } from './line-button';
import { Members } from './member-list';
import { PointsMap } from './points-map';
import { SeniorityButton } from './seniority-button';

interface PlacePageProps extends ViewProps {
  readonly id: string;
  readonly counties: string;
}

export function PlacePage({ session, id, counties }: PlacePageProps): VNode {
  const { trouble } = session.feature.state.value;
  const feature = session.feature.fresh;
  if (trouble !== undefined) return <p class="notice">{describeTrouble(trouble)}</p>;
  if (feature === undefined) return <MissingAnswer trouble={undefined} />;
  const { members, series } = feature;
  const { kind } = session.state.value;
  const { identifier } = splitFeatureId(id);
  if (members.length === 0) return <p class="notice">This place is not in this data version.</p>;
  return (
    <div>
      <p class="links">
        <a href={buildPageUrl(session.client, kind, id)} target="_blank" rel="noopener">
          Open full page
        </a>
        <button onClick={() => session.change((state) => withMoreFilters(state, selectFeature(kind, id, feature)))}>
          Filter to this
        </button>
        <LineButton session={session} site={identifier} />
        <SeniorityButton session={session} id={id} />
        {kind === 'aggregates' && <BriefLink session={session} area={findUnitArea(createMemberReader(feature))} />}
      </p>
      <KeyFacts kind={kind} read={createMemberReader(feature)} watersheds={session.watershedNames.latest} />
      {kind === 'rights' && (
        <PointsMap read={createMemberReader(feature)} points={feature.points} counties={counties} />
      )}
      <FeatureFigure session={session} />
      {series.length > 0 && <SeriesList series={series} kind={kind} />}
      <Members members={members} />
    </div>
  );
}

/**
 * The filters that find the records of one feature. A right without its own identifier is identified by its office's
 * number.
 */
function selectFeature(kind: Kind, id: string, feature: MapFeature): Filters {
  const { organization, identifier } = splitFeatureId(id);
  const isByNumber = kind === 'rights' && createMemberReader(feature)('AllocationUUID') === '';
  return isByNumber
    ? { OrganizationUUID: [organization], AllocationNativeID: [identifier] }
    : { [getKind(kind).places.filter]: [identifier] };
}

/** Renders nothing for a right, and while there are no figures. */
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
      {Object.keys(filters).length > 0 && <p class="soft">With your filters</p>}
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

/** Renders bars only if the totals contain the series. */
function renderBars(totals: TotalsAnswer | undefined, series: string): VNode | null {
  if (totals === undefined) return null;
  const chart = { ...INITIAL_STATE.chart, series, stack: NO_STACK };
  const figure = buildTotalsChart(totals, { ...INITIAL_STATE, kind: 'aggregates', chart });
  const isShown = figure.positions.length > 1 && (series === '' || figure.series === series);
  return isShown ? <Plot chart={figure} /> : null;
}

/** The sum that determines the shade of a unit; undefined until the map has sums. */
function getMapSum({ areaTotals, areaValues, areaYear }: Session, id: string) {
  if (areaTotals.fresh === undefined || areaValues.value === undefined) return undefined;
  const { values, unit, series } = areaValues.value;
  const year = areaYear.value ?? '';
  const sum = values.get(id);
  const text = sum === undefined ? 'no data' : `${sum.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
  return { series, year: year === '' ? 'All years' : year, text };
}

function SeriesList({ series, kind }: { readonly series: readonly FeatureSeries[]; readonly kind: Kind }): VNode {
  return (
    <>
      <p class="soft">Everything published for this {kind === 'series' ? 'site' : 'area'}</p>
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
