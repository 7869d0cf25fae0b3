// The legend of the map. Clicking an entry filters by its value; clicking it again removes the filter.

import type { VNode } from 'preact';
import { buildLegend, DECADE_LEGEND, type MapLegendEntry, OTHER_COLOR } from '../../map/legend-colors';
import { computeShades } from '../../map/shades';
import { formatSeries } from '../../requests/series';
import type { Session } from '../../session/session';
import { withFilter } from '../../state/changes';
import { fold } from '../../state/fold';
import { DECADE_COLOR, getKind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { getPlaceColor, getPlaceSize } from '../../state/map-kinds';
import type { ViewProps } from '../parts/controls';
import { formatCount, formatQuantity, formatTotal, formatValue, getAgeClass } from '../parts/texts';

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
  /** Names the shaded series, above the entries. */
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
        {counts !== '' && <p class="soft">{counts}</p>}
      </details>
    </section>
  );
}

function Entry({ text, color, count, isChosen, onClick }: LegendEntry): VNode {
  const swatch = <span class={color === '' ? 'swatch clear' : 'swatch'} style={{ background: color }} />;
  if (onClick === undefined) {
    return (
      <li>
        {swatch} {text}
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
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === filter);
  if (facet === undefined) return undefined;
  const chosen = new Set(state.filters[filter]?.map(fold));
  const entries = buildLegend(filter, facet.Values, (value) => formatValue(session, filter, value)).map((entry) => ({
    ...entry,
    isChosen: chosen.has(fold(entry.value)),
    onClick: () => session.toggle(filter, entry.value),
  }));
  const others = facet.Values.length + facet.MoreValues - entries.length;
  const text = `${formatQuantity(others, 'other')}, and none stated`;
  return {
    title: getLabel(filter),
    age: getAgeClass(session.facets.state.value),
    entries: others > 0 ? [...entries, { text, color: OTHER_COLOR }] : entries,
    counts: `This list counts ${getKind(state.kind).plural}. ${describePlaces(session)}`,
  };
}

function buildDecadeLegend(session: Session): Legend {
  const state = session.state.value;
  const [from = '', to = ''] = ['StartPriorityDate', 'EndPriorityDate'].map((name) => state.filters[name]?.[0]);
  const choose = (start: string, end: string): void =>
    session.change((previous) =>
      withFilter(withFilter(previous, 'StartPriorityDate', [start]), 'EndPriorityDate', [end]),
    );
  const entries = DECADE_LEGEND.map(({ start, end, ...entry }) => {
    const isChosen = from === start && to === end;
    return { ...entry, isChosen, onClick: () => (isChosen ? choose('', '') : choose(start, end)) };
  });
  return {
    title: 'Priority date',
    entries: [...entries, { text: 'no date stated', color: OTHER_COLOR }],
    counts: describePlaces(session),
  };
}

function buildAreaLegend(session: Session): Legend | undefined {
  const year = session.areaYear.value ?? '';
  const sums = session.areaValues.value;
  if (sums === undefined || getAgeClass(session.areaTotals.state.value) === 'gone') return undefined;
  const { legend } = computeShades(sums.valuesOfAllYears, session.state.value.map.scale, (value) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 }),
  );
  return {
    title: `${year === '' ? 'All years' : year}, ${sums.unit}`,
    heading: formatSeries(sums.series),
    entries: [...legend, { text: 'no figure', color: '' }],
    counts: describeShapes(session),
  };
}

/** How many areas the map cannot show, and why. */
function describeShapes({ mappableCounts }: Session): string {
  if (mappableCounts.fresh === undefined) return '';
  const { all: areas, mappable } = mappableCounts.fresh;
  const all = formatQuantity(areas, 'area');
  if (areas === mappable) return `${all} with a shape.`;
  return `${formatCount(areas - mappable)} of ${all} were submitted without a shape: table and chart have them.`;
}

/** What the numbers in rings count, and how many records the map cannot show. */
function describePlaces({ mappableCounts, state }: Session): string {
  const { kind } = state.value;
  const several = kind === 'rights' ? ' (a right can have several)' : '';
  const isSized = getPlaceSize(state.value) !== undefined;
  const rings = isSized ? '' : `Rings count ${getKind(kind).places.plural}${several} and show their shares.`;
  const { all = 0, mappable = 0 } = mappableCounts.fresh ?? {};
  if (all === mappable) return rings;
  return `${rings} ${formatCount(all - mappable)} of ${formatTotal(kind, all)} have no position: table and chart have them.`;
}
