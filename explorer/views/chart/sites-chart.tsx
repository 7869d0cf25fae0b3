// Up to eight sites side by side, as lines over time or with their water years laid over each other.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SiteAmounts } from '../../requests/sites';
import { colourOf } from '../../state/palette';
import { MOST_SITES } from '../../state/state';
import { splitFeatureId } from '../../requests/places';
import { ChartFiles } from './chart-files-menu';
import { SeriesChoices } from './chart-choices';
import { linesOf } from './lines-figure';
import { Plot } from './plot';
import { ageOf } from '../parts/choices';
import { Tick } from '../parts/controls';
import { FindBox } from '../parts/find-box';
import type { ViewProps } from '../parts/view-props';

export function SitesChart({ session }: ViewProps): VNode {
  const { chart } = session.state.value;
  const asked = session.sites.current.value;
  const { answer, isAsking } = asked;
  const age = ageOf(asked);
  const sites = chart.sites.length === 0 ? [] : (answer?.value ?? []);
  const figure = useMemo(
    () => linesOf(sites, chart.series, chart.isByWaterYear),
    [answer, chart.series, chart.isByWaterYear],
  );
  return (
    <div class={`chart-body ${age}`} aria-busy={isAsking}>
      <SiteFields session={session} sites={sites} />
      {figure.lines.length > 0 && age !== 'gone' && (
        <>
          <SeriesChoices session={session} chart={figure} />
          <Plot chart={figure} label={`${figure.series} of ${figure.lines.length} lines`} />
          {sites.some(({ isCut }) => isCut) && (
            <p class="soft notes">Only the first 50,000 amounts of a site are drawn.</p>
          )}
          <ChartFiles session={session} name={`sites-${figure.series}`} chart={figure} />
        </>
      )}
    </div>
  );
}

function SiteFields({ session, sites }: ViewProps & { readonly sites: readonly SiteAmounts[] }): VNode {
  const { chart } = session.state.value;
  const nameOf = (site: string): string => sites.find((one) => one.site === site)?.name ?? site;
  return (
    <div class="choices">
      <ul class="chips" aria-label="Sites that are compared">
        {chart.sites.map((site, index) => (
          <li key={site}>
            <button
              type="button"
              aria-label={`Remove site ${nameOf(site)}`}
              onClick={() => session.setChart({ sites: chart.sites.filter((one) => one !== site) })}
            >
              {!chart.isByWaterYear && <span class="swatch" style={{ background: colourOf(index) }} />} {nameOf(site)}{' '}
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      {chart.sites.length < MOST_SITES && (
        <FindBox
          session={session}
          label="Add a site by its name"
          kinds={['Site']}
          onChoose={(found) => {
            if ('feature' in found) session.compareSite(splitFeatureId(found.feature.id).identifier);
          }}
        />
      )}
      <Tick
        label="Water years laid over each other"
        isTicked={chart.isByWaterYear}
        onChange={(isByWaterYear) => session.setChart({ isByWaterYear })}
      />
    </div>
  );
}
