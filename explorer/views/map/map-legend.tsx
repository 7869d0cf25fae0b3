// The legend of the map. An entry filters by what it stands for, and takes the filter away again.

import type { VNode } from 'preact';
import { DECADE_LEGEND, legendOf, type MapLegendEntry, OTHER_COLOUR, shadesOf } from '../../map/colouring';
import { seriesText } from '../../requests/totals';
import type { Session } from '../../session/session';
import { DECADE_COLOUR, kindOf, labelOf } from '../../state/kinds';
import { placeColourOf, placeSizeOf } from '../../state/map-kinds';
import { folded, withFilter } from '../../state/state';
import type { ViewProps } from '../parts/controls';
import { ageOf, countedText, countText, totalText, valueText } from '../parts/texts';

/** On a narrow screen the legend would cover the map, and waits folded. */
export const ROOMY = '(min-width: 48rem)';

interface ShownEntry extends Omit<MapLegendEntry, 'value'> {
  readonly isChosen?: boolean;
  /** Undefined where nothing can be filtered by it. */
  readonly onClick?: () => void;
}

interface ShownLegend {
  readonly title: string;
  readonly age?: string;
  /** Names what is shaded, above the entries. */
  readonly heading?: string;
  readonly entries: readonly ShownEntry[];
  /** What its numbers and those of the map count; empty where there are none. */
  readonly counts: string;
}

export function MapLegend({ session }: ViewProps): VNode | null {
  const legend = shownLegend(session);
  if (legend === undefined) return null;
  const { title, age = '', heading, entries, counts } = legend;
  return (
    <section class={`map-legend ${age}`} aria-label={`Legend: ${title}`}>
      <details open={matchMedia(ROOMY).matches}>
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

function Entry({ text, colour, count, isChosen, onClick }: ShownEntry): VNode {
  const swatch = <span class={colour === '' ? 'swatch clear' : 'swatch'} style={{ background: colour }} />;
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
        {count !== undefined && <span class="count">{countText(count)}</span>}
      </button>
    </li>
  );
}

/** Undefined until it is known what there is to show. */
export function shownLegend(session: Session): ShownLegend | undefined {
  const colour = placeColourOf(session.state.value);
  if (colour === undefined) return areaLegend(session);
  return colour.filter === DECADE_COLOUR ? decadeLegend(session) : valueLegend(session, colour.filter);
}

function valueLegend(session: Session, filter: string): ShownLegend | undefined {
  const state = session.state.value;
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === filter);
  if (facet === undefined) return undefined;
  const chosen = new Set(state.filters[filter]?.map(folded));
  const entries = legendOf(filter, facet.Values, (value) => valueText(session, filter, value)).map((entry) => ({
    ...entry,
    isChosen: chosen.has(folded(entry.value)),
    onClick: () => session.toggle(filter, entry.value),
  }));
  const others = facet.Values.length + facet.MoreValues - entries.length;
  const text = `${countedText(others, 'other')}, and none stated`;
  return {
    title: labelOf(filter),
    age: ageOf(session.facets.current.value),
    entries: others > 0 ? [...entries, { text, colour: OTHER_COLOUR }] : entries,
    counts: `This list counts ${kindOf(state.kind).many}. ${placesText(session)}`,
  };
}

function decadeLegend(session: Session): ShownLegend {
  const state = session.state.value;
  const [from = '', to = ''] = ['StartPriorityDate', 'EndPriorityDate'].map((name) => state.filters[name]?.[0]);
  const choose = (start: string, end: string): void =>
    session.change((former) => withFilter(withFilter(former, 'StartPriorityDate', [start]), 'EndPriorityDate', [end]));
  const entries = DECADE_LEGEND.map(({ start, end, ...entry }) => {
    const isChosen = from === start && to === end;
    return { ...entry, isChosen, onClick: () => (isChosen ? choose('', '') : choose(start, end)) };
  });
  return {
    title: 'Priority date',
    entries: [...entries, { text: 'no date stated', colour: OTHER_COLOUR }],
    counts: placesText(session),
  };
}

function areaLegend(session: Session): ShownLegend | undefined {
  const year = session.areaYear.value ?? '';
  const sums = session.areaValues.value;
  if (sums === undefined || ageOf(session.areaTotals.current.value) === 'gone') return undefined;
  const { legend } = shadesOf(sums.ofAllYears, session.state.value.map.scale, (value) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 }),
  );
  return {
    title: `${year === '' ? 'All years' : year}, ${sums.unit}`,
    heading: seriesText(sums.series),
    entries: [...legend, { text: 'no figure', colour: '' }],
    counts: shapesText(session),
  };
}

/** How many areas a map cannot show, and why. */
function shapesText({ placed: counts }: Session): string {
  if (counts.present === undefined) return '';
  const { all: areas, placed } = counts.present;
  const all = countedText(areas, 'area');
  if (areas === placed) return `${all} with a shape.`;
  return `${countText(areas - placed)} of ${all} were submitted without a shape: table and chart have them.`;
}

/** What the numbers in rings count, which sized circles have not; and how many records a map cannot show. */
function placesText({ placed: counts, state }: Session): string {
  const { kind } = state.value;
  const several = kind === 'rights' ? ' (a right can have several)' : '';
  const isSized = placeSizeOf(state.value) !== undefined;
  const rings = isSized ? '' : `Rings count ${kindOf(kind).places.many}${several} and show their shares.`;
  const { all = 0, placed = 0 } = counts.present ?? {};
  if (all === placed) return rings;
  return `${rings} ${countText(all - placed)} of ${totalText(kind, all)} have no position: table and chart have them.`;
}
