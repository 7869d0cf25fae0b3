// The figure of a thing beside the map: all amounts of a site as a line, the sums of a unit by year as bars. The chart
// has the same figures with more to choose.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { askTotals, type TotalsAnswer } from '../../requests/operations';
import type { Reply } from '../../requests/reply';
import { askSites, type SiteAmounts } from '../../requests/sites';
import { identityOfThing } from '../../requests/things';
import { INITIAL_STATE } from '../../state/state';
import { figureOf } from '../chart/chart-figure';
import { linesOf } from '../chart/lines-figure';
import { Lines } from '../chart/sites-chart';
import { Bars } from '../chart/totals-chart';
import type { ViewProps } from '../parts/view-props';

type Figures =
  | { readonly kind: 'line'; readonly sites: readonly SiteAmounts[] }
  | { readonly kind: 'bars'; readonly totals: TotalsAnswer };

/** Nothing for a right, and while there are no figures: the rest of the page stands by itself. */
export function ThingFigure({ session }: ViewProps): VNode | null {
  const figures = useSignal<Figures | undefined>(undefined);
  const asked = useComputed(() => JSON.stringify([session.state.value.kind, session.state.value.place ?? '']));
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
  const { chart } = session.state.value;
  const drawn = figures.value;
  const element = useMemo(() => {
    if (drawn?.kind === 'line') {
      const figure = linesOf(drawn.sites, chart.series, false);
      return figure.lines.some(({ points }) => points.length > 1) ? <Lines figure={figure} /> : null;
    }
    if (drawn?.kind !== 'bars') return null;
    const figure = figureOf(drawn.totals, { ...INITIAL_STATE, kind: 'aggregates', chart });
    return figure.times.length > 1 ? <Bars figure={figure} label={figure.title} /> : null;
  }, [drawn, chart]);
  return element === null ? null : <div class="thing-figure">{element}</div>;
}

async function askFigures({ client, state }: ViewProps['session'], signal: AbortSignal): Promise<Figures | undefined> {
  const { kind, place = '' } = state.peek();
  const { organization, thing } = identityOfThing(place);
  const filters = { OrganizationUUID: [organization] };
  if (place === '') return undefined;
  switch (kind) {
    case 'rights':
      return undefined;
    case 'series':
      return figuresOf(await askSites(client, { kind, filters }, [thing], signal), (sites) => ({
        kind: 'line',
        sites,
      }));
    case 'aggregates': {
      const selection = { kind, filters: { ...filters, ReportingUnitUUID: [thing] } };
      return figuresOf(await askTotals(client, selection, ['Year'], signal), (totals) => ({ kind: 'bars', totals }));
    }
  }
}

/** What keeps the page from its figures, the page of the thing says already. */
function figuresOf<Value>(reply: Reply<Value>, make: (value: Value) => Figures): Figures | undefined {
  return reply.kind === 'answer' ? make(reply.value) : undefined;
}
