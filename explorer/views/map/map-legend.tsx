// The legend of the map. An entry filters by what it stands for, and takes the filter away again.

import type { VNode } from 'preact';
import { seriesText, areaValuesOf } from '../../requests/totals';
import { DECADE_LEGEND, legendOf, OTHER_COLOUR, shadesOf, yearsOfSpan, type MapLegendEntry } from '../../map/colouring';
import { DECADE_COLOUR, kindOf, labelOf } from '../../state/kinds';
import { placeColourOf, placeSizeOf } from '../../state/map-kinds';
import { folded, withFilter, type ExplorerState } from '../../state/state';
import { ageOf, countText, totalText, valueText } from '../parts/texts';
import type { ViewProps } from '../parts/controls';

export function MapLegend({ session }: ViewProps): VNode | null {
  const { kind, map } = session.state.value;
  const colour = placeColourOf({ kind, map });
  if (colour === undefined) return <AreaLegend session={session} />;
  if (colour.filter === DECADE_COLOUR) return <DecadeLegend session={session} />;
  return <ValueLegend session={session} filter={colour.filter} />;
}

function ValueLegend({ session, filter }: ViewProps & { readonly filter: string }): VNode | null {
  const state = session.state.value;
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === filter);
  if (facet === undefined) return null;
  const text = valueText(session);
  const entries = legendOf(filter, facet.Values, (value) => text(filter, value));
  const chosen = new Set(state.filters[filter]?.map(folded));
  const others = facet.Values.length + facet.MoreValues - entries.length;
  return (
    <Legend
      title={labelOf(state.kind, filter)}
      age={ageOf(session.facets.current.value)}
      counts={`This list counts ${kindOf(state.kind).many}. ${circlesText(state)}${unplacedText(session)}`}
    >
      {entries.map((entry) => (
        <Entry
          key={entry.value}
          entry={entry}
          isChosen={chosen.has(folded(entry.value))}
          onClick={() => session.toggle(filter, entry.value)}
        />
      ))}
      {others > 0 && (
        <li>
          <span class="swatch" style={{ background: OTHER_COLOUR }} /> {countText(others)}{' '}
          {others === 1 ? 'other' : 'others'}, and none stated
        </li>
      )}
    </Legend>
  );
}

function DecadeLegend({ session }: ViewProps): VNode {
  const state = session.state.value;
  const [from = '', to = ''] = [state.filters['StartPriorityDate']?.[0], state.filters['EndPriorityDate']?.[0]];
  const choose = (start: string, end: string): void =>
    session.change((former) => withFilter(withFilter(former, 'StartPriorityDate', [start]), 'EndPriorityDate', [end]));
  return (
    <Legend title="Priority date" counts={circlesText(state) + unplacedText(session)}>
      {DECADE_LEGEND.map((entry) => {
        const [first, last] = yearsOfSpan(entry.value);
        const start = first === undefined ? '' : `${first}-01-01`;
        const end = last === undefined ? '' : `${last}-12-31`;
        const isChosen = from === start && to === end;
        return (
          <Entry
            key={entry.value}
            entry={entry}
            isChosen={isChosen}
            onClick={() => (isChosen ? choose('', '') : choose(start, end))}
          />
        );
      })}
      <li>
        <span class="swatch" style={{ background: OTHER_COLOUR }} /> no date stated
      </li>
    </Legend>
  );
}

function AreaLegend({ session }: ViewProps): VNode | null {
  const { chart, map } = session.state.value;
  const year = session.areaYear.value ?? '';
  const asked = session.areaTotals.current.value;
  const totals = asked.answer?.value;
  if (totals === undefined || ageOf(asked) === 'gone') return null;
  const { ofAllYears, unit, series } = areaValuesOf(totals, chart.series, year);
  const { legend } = shadesOf(ofAllYears, map.scale, (value) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 }),
  );
  return (
    <Legend title={`${year === '' ? 'All years' : year}, ${unit}`} counts={shapesText(session)}>
      <li class="soft">{seriesText(series)}</li>
      {legend.map(({ value, text, colour }) => (
        <li key={value}>
          <span class="swatch" style={{ background: colour }} /> {text}
        </li>
      ))}
      <li>
        <span class="swatch clear" /> no figure
      </li>
    </Legend>
  );
}

/** How many areas a map cannot show, and why. */
function shapesText({ placed: counts }: ViewProps['session']): string {
  if (counts.present === undefined) return '';
  const { all: areas, placed } = counts.present;
  const all = `${countText(areas)} ${areas === 1 ? 'area' : 'areas'}`;
  if (areas === placed) return `${all} with a shape.`;
  return `${countText(areas - placed)} of ${all} were submitted without a shape: table and chart have them.`;
}

/** How many rights, or amounts at sites, a map cannot show; empty where it shows all. */
function unplacedText({ placed: counts, state }: ViewProps['session']): string {
  const { all = 0, placed = 0 } = counts.present ?? {};
  if (all === placed) return '';
  return ` ${countText(all - placed)} of ${totalText(state.value.kind, all)} have no position: table and chart have them.`;
}

/** Sized circles have no numbers. */
function circlesText(state: ExplorerState): string {
  if (placeSizeOf(state) !== undefined) return '';
  const several = state.kind === 'rights' ? ' (a right can have several)' : '';
  return `Rings count ${kindOf(state.kind).places.many}${several} and show their shares.`;
}

/** On a narrow screen the legend would cover the map, and waits folded. */
export const ROOMY = '(min-width: 48rem)';

interface LegendProps {
  readonly title: string;
  readonly age?: string;
  /** What its numbers and those of the map count; empty where there are none. */
  readonly counts?: string;
  readonly children: unknown;
}

function Legend({ title, age = '', counts = '', children }: LegendProps): VNode {
  return (
    <section class={`map-legend ${age}`} aria-label={`Legend: ${title}`}>
      <details open={matchMedia(ROOMY).matches}>
        <summary>{title}</summary>
        <ul>{children as VNode[]}</ul>
        {counts !== '' && <p class="soft">{counts}</p>}
      </details>
    </section>
  );
}

interface EntryProps {
  readonly entry: MapLegendEntry;
  readonly isChosen: boolean;
  readonly onClick: () => void;
}

function Entry({ entry: { text, colour, count }, isChosen, onClick }: EntryProps): VNode {
  return (
    <li>
      <button type="button" class="entry" aria-pressed={isChosen} onClick={onClick}>
        <span class="swatch" style={{ background: colour }} /> <span class="text">{text}</span>
        {count !== undefined && <span class="count">{countText(count)}</span>}
      </button>
    </li>
  );
}
