// The figures of a feature beside the map, of what the filters leave: the amounts of a site as a line, the sum of a
// unit that the map shows, and its sums by year as bars. The chart has the same figures with more to choose.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { seriesText, areaValuesOf, type TotalsAnswer } from '../../requests/totals';
import type { SiteAmounts } from '../../requests/sites';
import type { Session } from '../../session/session';
import { INITIAL_STATE, NO_STACK } from '../../state/state';
import { figureOf } from '../chart/chart-figure';
import { linesOf } from '../chart/lines-figure';
import { Plot } from '../chart/plot';
import type { ViewProps } from '../parts/view-props';

/** Nothing for a right, and while there are no figures: the rest of the page stands by itself. */
export function FeatureFigure({ session }: ViewProps): VNode | null {
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
function sumOnMap({ areaTotals, areaYear, state }: Session, id: string) {
  const totals = areaTotals.present;
  if (totals === undefined) return undefined;
  const year = areaYear.value ?? '';
  const { values, unit, series } = areaValuesOf(totals, state.value.chart.series, year);
  const sum = values.get(id);
  const text = sum === undefined ? 'no figure' : `${sum.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
  return { series, year: year === '' ? 'All years' : year, text };
}
