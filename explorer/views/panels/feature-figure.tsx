// The figures of a feature beside the map, of what the filters leave: the amounts of a site as a line, the sum of a
// unit that the map shows, and its sums by year as bars. The chart has the same figures with more to choose.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { askTotals, type TotalsAnswer } from '../../requests/operations';
import type { Reply } from '../../requests/reply';
import { areaValuesOf } from '../../requests/area-values';
import { seriesText } from '../../requests/added-series';
import { selected } from '../../session/session';
import { askSites, type SiteAmounts } from '../../requests/sites';
import { splitFeatureId } from '../../requests/map-features';
import { INITIAL_STATE, NO_STACK } from '../../state/state';
import { figureOf } from '../chart/chart-figure';
import { linesOf } from '../chart/lines-figure';
import { Lines } from '../chart/sites-chart';
import { Bars } from '../chart/totals-chart';
import type { ViewProps } from '../parts/view-props';

type Figures =
  | { readonly kind: 'line'; readonly sites: readonly SiteAmounts[] }
  | { readonly kind: 'bars'; readonly totals: TotalsAnswer };

/** Nothing for a right, and while there are no figures: the rest of the page stands by itself. */
export function FeatureFigure({ session }: ViewProps): VNode | null {
  const figures = useSignal<Figures | undefined>(undefined);
  const asked = useComputed(() => JSON.stringify([selected(session.state.value), session.state.value.place ?? '']));
  useSignalEffect(() => {
    const abort = new AbortController();
    figures.value = undefined;
    if (asked.value !== '' && session.hasAccess) {
      void askFigures(session, abort.signal).then((answer) => {
        if (!abort.signal.aborted) figures.value = answer;
      });
    }
    return () => abort.abort();
  });
  const { kind, chart, filters, place = '' } = session.state.value;
  const drawn = figures.value;
  const sum = kind === 'aggregates' ? sumOnMap(session, place) : undefined;
  const series = sum?.series ?? chart.series;
  const element = useMemo(() => {
    if (drawn?.kind === 'line') {
      const figure = linesOf(drawn.sites, series, false);
      return figure.lines.some(({ points }) => points.length > 1) ? <Lines figure={figure} /> : null;
    }
    if (drawn?.kind !== 'bars') return null;
    const figure = figureOf(drawn.totals, {
      ...INITIAL_STATE,
      kind: 'aggregates',
      chart: { ...INITIAL_STATE.chart, series, stack: NO_STACK },
    });
    // Beside the sum of one series there stand no bars of another.
    const isShown = figure.times.length > 1 && (series === '' || figure.series === series);
    return isShown ? <Bars figure={figure} label={figure.title} /> : null;
  }, [drawn, series]);
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

/** What the shade of a unit stands for; undefined while the map has no sums of what is filtered. */
function sumOnMap(
  { map, state }: ViewProps['session'],
  id: string,
): { readonly series: string; readonly year: string; readonly text: string } | undefined {
  const { answer, isFormer } = map.areas.current.value;
  if (answer === undefined || isFormer) return undefined;
  const year = map.year.value ?? '';
  const { values, unit, series } = areaValuesOf(answer.value, state.value.chart.series, year);
  const sum = values.get(id);
  const text = sum === undefined ? 'no figure' : `${sum.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
  return { series, year: year === '' ? 'All years' : year, text };
}

async function askFigures({ client, state }: ViewProps['session'], signal: AbortSignal): Promise<Figures | undefined> {
  const { kind, place = '', filters: chosen } = state.peek();
  const { organization, identifier } = splitFeatureId(place);
  const filters = { ...chosen, OrganizationUUID: [organization] };
  if (place === '') return undefined;
  switch (kind) {
    case 'rights':
      return undefined;
    case 'series':
      return figuresOf(await askSites(client, { kind, filters }, [identifier], signal), (sites) => ({
        kind: 'line',
        sites,
      }));
    case 'aggregates': {
      const selection = { kind, filters: { ...filters, ReportingUnitUUID: [identifier] } };
      return figuresOf(await askTotals(client, selection, ['Year'], signal), (totals) => ({ kind: 'bars', totals }));
    }
  }
}

/** What keeps the page from its figures, the page of the feature says already. */
function figuresOf<Value>(reply: Reply<Value>, make: (value: Value) => Figures): Figures | undefined {
  return reply.kind === 'answer' ? make(reply.value) : undefined;
}
