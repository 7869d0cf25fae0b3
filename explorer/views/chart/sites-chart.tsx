// Up to eight sites side by side, as lines over time or with their water years laid over each other.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type UPlot from 'uplot';
import type { SiteAmounts } from '../../requests/sites';
import { colourOf } from '../../state/palette';
import { MOST_SITES } from '../../state/state';
import { splitFeatureId } from '../../requests/map-features';
import { ChartFiles } from './chart-files-menu';
import { SeriesChoices } from './chart-choices';
import { lineDrawing, linesTable } from './drawings';
import { alignedLines, bandsOf, calendarTicks, dayText, isolatedPoints, linesOf, waterYearTicks } from './lines-figure';
import type { LinesFigure } from './lines-figure';
import { PlotWithLegend, type PlotProps } from './plot';
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
          <SeriesChoices session={session} choices={figure.choices} series={figure.series} />
          <Lines figure={figure} />
          {sites.some(({ isCut }) => isCut) && (
            <p class="soft notes">Only the first 50,000 amounts of a site are drawn.</p>
          )}
          <ChartFiles
            session={session}
            name={`sites-${figure.series}`}
            table={() => linesTable(figure)}
            drawing={() => lineDrawing(figure)}
          />
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

/** How much of a band's colour is seen, as two digits of base 16 behind it. */
const BAND_OPACITY = '33';

export function Lines({ figure }: { readonly figure: LinesFigure }): VNode {
  const { lines, unit, series, isByWaterYear } = figure;
  const plotted = useMemo(() => plottedLines(figure), [figure]);
  const x = useMemo(() => dayAxis(isByWaterYear), [isByWaterYear]);
  return (
    <PlotWithLegend
      label={`${series} of ${lines.length} lines`}
      heading="Point at the chart to read it"
      headingAt={(index) => dayText(plotted.data[0][index] ?? 0, isByWaterYear)}
      {...{ ...plotted, x, unit }}
    />
  );
}

/** The bands, which the library draws between two series that are not seen, and in front of them the lines. */
function plottedLines(figure: LinesFigure): Pick<PlotProps, 'data' | 'series' | 'bands' | 'entriesAt'> {
  const { lines, isByWaterYear } = figure;
  const [xs, ...columns] = alignedLines(lines);
  const own = lines.flatMap(({ label, colour }, line) =>
    colour === undefined ? [] : [{ name: label, colour: colourOf(colour), column: columns[line] ?? [] }],
  );
  const bands = bandsOf(figure).map((band) => ({ ...band, colour: colourOf(band.colour) + BAND_OPACITY }));
  // The newest year is drawn last, in front of the others, and named first.
  const named = isByWaterYear ? own.toReversed() : own;
  return {
    data: [[...xs], ...bands.flatMap(({ high, low }) => [[...high], [...low]]), ...own.map(({ column }) => column)],
    series: [
      ...bands.flatMap(() => [INVISIBLE, INVISIBLE]),
      ...own.map(({ colour, column }) => lineSeries(colour, column)),
    ],
    bands: bands.map(({ colour }, index) => ({ series: [2 * index + 1, 2 * index + 2], fill: colour })),
    entriesAt: (index = -1) => [
      ...named.map(({ name, colour, column }) => ({ name, colour, value: column[index] ?? null })),
      ...bands.map(({ name, colour, low, high }) => {
        const [lowest, highest] = [low[index] ?? null, high[index] ?? null];
        return { name, colour, value: lowest === null || highest === null ? null : ([lowest, highest] as const) };
      }),
    ],
  };
}

const INVISIBLE: UPlot.Series = { width: 0, points: { show: false } };

/** A point without a neighbour is a dot, however many there are. */
export function lineSeries(stroke: string, column: readonly (number | null | undefined)[]): UPlot.Series {
  const show = column.length < FEW_POINTS;
  const filter = show ? null : isolatedPoints(column);
  return { stroke, width: 1.25, points: { show, size: 4, filter: () => filter } };
}

/** So many points are drawn as dots on their line. */
const FEW_POINTS = 200;

/** The room that a day on the axis needs, in pixels. */
const MARK_WIDTH = 90;

function dayAxis(isByWaterYear: boolean): PlotProps['x'] {
  const ticks = isByWaterYear ? waterYearTicks : calendarTicks;
  return {
    // Half a day on both sides, so that a single day has a width.
    range: (_, first, last) => [first - 0.5, last + 0.5],
    splits: (plot) => {
      const { min = 0, max = 0 } = plot.scales['x'] ?? {};
      return [...ticks(min, max, plot.width / MARK_WIDTH)];
    },
    text: (day) => {
      const text = dayText(Math.round(day), isByWaterYear);
      return text.endsWith('-01-01') ? text.slice(0, 4) : text;
    },
  };
}
