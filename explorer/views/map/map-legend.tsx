// The legend of the map. Clicking an entry filters by its value; clicking it again removes the filter.

import type { VNode } from 'preact';
import { isDarkPage } from '../../map/dark-page';
import {
  buildDecadeLegend as buildDecadeLegendEntries,
  buildUndatedEntry,
  type MapLegendEntry,
} from '../../map/legend-colors';
import { listSizeLegend } from '../../map/place-sizes';
import { buildPointLegend, getPointCounts } from '../../map/point-legend';
import { computeShades } from '../../map/shades';
import { formatSeries } from '../../requests/series';
import type { Session } from '../../session/session';
import { withFilter } from '../../state/changes';
import { fold } from '../../state/fold';
import { DECADE_COLOR, getKind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { getPlaceColor, getPlaceSize } from '../../state/map-kinds';
import { getStateName } from '../../state/state-names';
import type { ViewProps } from '../parts/controls';
import { formatCount, formatFigure, formatQuantity, formatTotal, formatValue, getAgeClass } from '../parts/texts';

/** On narrow screens the legend starts collapsed, since it would cover the map. */
export const WIDE_SCREEN = '(min-width: 48rem)';

interface LegendEntry extends Omit<MapLegendEntry, 'value'> {
  readonly isChosen?: boolean;
  /** Undefined if the entry cannot filter. */
  readonly onClick?: () => void;
}

interface Legend {
  readonly title: string;
  readonly age?: string;
  /** The name of the shaded series, shown above the entries. */
  readonly heading?: string;
  readonly entries: readonly LegendEntry[];
  /** Explains what the numbers of legend and map count; empty if there are none. */
  readonly counts: string;
}

export function MapLegend({ session }: ViewProps): VNode | null {
  const legend = buildMapLegend(session);
  if (legend === undefined) return null;
  const { title, age = '', heading, entries, counts } = legend;
  return (
    <section class={`map-legend ${age}`} aria-label={`Legend: ${title}`}>
      <details open={matchMedia(WIDE_SCREEN).matches}>
        <summary>{title}</summary>
        <ul>
          {heading !== undefined && <li class="soft">{heading}</li>}
          {entries.map((entry) => (
            <Entry key={entry.text} {...entry} />
          ))}
        </ul>
        <SizeLegend session={session} />
        {counts !== '' && <p class="soft">{counts}</p>}
      </details>
    </section>
  );
}

/** Renders nothing if all circles show counts. */
function SizeLegend({ session }: ViewProps): VNode | null {
  const size = getPlaceSize(session.state.value);
  if (size === undefined) return null;
  return (
    <>
      <p class="soft">
        {size.label} ({size.unit})
      </p>
      <ul class="sizes" aria-label={`Circle sizes: ${size.label} in ${size.unit}`}>
        {listSizeLegend().map(({ value, radius }) => (
          <li key={value}>
            <span class="circle" style={{ width: `${2 * radius}px`, height: `${2 * radius}px` }} />
            {formatCount(value)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Entry({ text, color, count, isChosen, onClick }: LegendEntry): VNode {
  const swatch = <span class={color === '' ? 'swatch clear' : 'swatch'} style={{ background: color }} />;
  if (onClick === undefined) {
    return (
      <li class="entry">
        {swatch} <span class="text">{text}</span>
        {count !== undefined && <span class="count">{formatCount(count)}</span>}
      </li>
    );
  }
  return (
    <li>
      <button class="entry" aria-pressed={isChosen} onClick={onClick}>
        {swatch} <span class="text">{text}</span>
        {count !== undefined && <span class="count">{formatCount(count)}</span>}
      </button>
    </li>
  );
}

/** Undefined until the answer arrives. */
export function buildMapLegend(session: Session): Legend | undefined {
  const color = getPlaceColor(session.state.value);
  if (color === undefined) return buildAreaLegend(session);
  return color.filter === DECADE_COLOR ? buildDecadeLegend(session) : buildValueLegend(session, color.filter);
}

function buildValueLegend(session: Session, filter: string): Legend | undefined {
  const state = session.state.value;
  const format = (_: string, value: string): string => formatValue(session, filter, value);
  const legend = buildPointLegend(session, isDarkPage(), format);
  if (legend === undefined) return undefined;
  const chosen = new Set(state.filters[filter]?.map(fold));
  const entries = legend.map(({ value, ...entry }): LegendEntry => {
    if (entry.role !== 'value') return entry;
    const isChosen = chosen.has(fold(value));
    // If this filter is active, the map has no points of the other values, so they are listed without a count.
    const count = chosen.size > 0 && !isChosen && entry.count === 0 ? undefined : entry.count;
    return { ...entry, count, isChosen, onClick: () => session.toggle(filter, value) };
  });
  return {
    title: getLabel(filter),
    age: getAgeClass(session.pointCounts.state.value),
    entries,
    counts: describePlaces(session),
  };
}

function buildDecadeLegend(session: Session): Legend {
  const state = session.state.value;
  const [from = '', to = ''] = ['StartPriorityDate', 'EndPriorityDate'].map((name) => state.filters[name]?.[0]);
  const choose = (start: string, end: string): void =>
    session.change((previous) =>
      withFilter(withFilter(previous, 'StartPriorityDate', [start]), 'EndPriorityDate', [end]),
    );
  const counts = getPointCounts(session);
  const entries = buildDecadeLegendEntries(isDarkPage(), counts).map(({ start, end, ...entry }): LegendEntry => {
    const isChosen = from === start && to === end;
    return { ...entry, isChosen, onClick: () => (isChosen ? choose('', '') : choose(start, end)) };
  });
  return {
    title: 'Priority date',
    age: getAgeClass(session.pointCounts.state.value),
    entries: [...entries, buildUndatedEntry(counts)],
    counts: describePlaces(session),
  };
}

function buildAreaLegend(session: Session): Legend | undefined {
  const year = session.areaYear.value ?? '';
  const sums = session.areaValues.value;
  if (sums === undefined || getAgeClass(session.areaTotals.state.value) === 'gone') return undefined;
  const shading = { scale: session.state.value.map.scale, theme: isDarkPage() ? 'dark' : 'light' } as const;
  const { legend } = computeShades(sums.valuesOfAllYears, shading, formatFigure);
  return {
    title: `${year === '' ? 'All years' : year}, ${sums.unit}`,
    heading: formatSeries(sums.series),
    entries: [...legend, { role: 'not stated', text: 'no data', color: '' }],
    counts: describeShapes(session),
  };
}

/** Describes which areas the map cannot show, and which have outlines that were not submitted. */
function describeShapes({ mappableCounts, builtInAreas, unitType, state }: Session): string {
  const kindOfArea = unitType.value === undefined || unitType.value === '' ? '' : `Type of area: ${unitType.value}. `;
  if (mappableCounts.fresh === undefined) return kindOfArea;
  const { all: areas, mappable } = mappableCounts.fresh;
  const missing = areas - mappable;
  if (missing <= 0) return `${kindOfArea}${formatQuantity(areas, 'area')}.`;
  const drawn = Math.min(missing, builtInAreas.value?.length ?? 0);
  const [place] = state.value.filters['State'] ?? [];
  const whose = place === undefined ? '' : `${getStateName(place)}’s `;
  const outlined =
    drawn > 0
      ? `${formatQuantity(drawn, 'county', 'counties')} drawn with Census outlines (dashed) because no shapes were supplied. `
      : '';
  const left = missing - drawn;
  const cannot =
    left > 0
      ? `${whose}${formatCount(left)} of ${formatQuantity(areas, 'area')} can’t be mapped (no shapes supplied). See Table or Chart.`
      : '';
  return `${kindOfArea}${outlined}${cannot}`;
}

/** Describes what legend and rings count, and how many records the map cannot show. */
function describePlaces({ mappableCounts, state, pointCounts }: Session): string {
  const { kind } = state.value;
  const { plural } = getKind(kind).places;
  const total = pointCounts.fresh?.total;
  const points = total === undefined ? plural : `${formatCount(total)} ${plural}`;
  const several = kind === 'rights' ? '; one right can have several' : '';
  const counted = `Legend and circles count points: ${points}${several}.`;
  const { all = 0, mappable = 0 } = mappableCounts.fresh ?? {};
  if (all === mappable) return counted;
  return `${counted} ${formatTotal(kind, all - mappable)} can’t be mapped (no position). See Table or Chart.`;
}
