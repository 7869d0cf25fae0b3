// The legend of the map. An entry filters by what it stands for, and takes the filter away again.

import type { VNode } from 'preact';
import { areaValuesOf } from '../../map/area-values';
import { DECADE_LEGEND, legendOf, OTHER_COLOUR, shadesOf, yearsOfSpan, type MapLegendEntry } from '../../map/colouring';
import { labelOf } from '../../state/kinds';
import { DECADE_COLOUR, placeColourOf } from '../../state/map-kinds';
import { folded, withFilter, withToggled } from '../../state/state';
import { countText, valueText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

export function MapLegend({ session }: ViewProps): VNode | null {
  const state = session.state.value;
  if (state.kind === 'aggregates') return <AreaLegend session={session} />;
  const colour = placeColourOf(state);
  if (colour === undefined) return null;
  if (colour.filter === DECADE_COLOUR) return <DecadeLegend session={session} />;
  const facet = session.facets.current.value.answer?.value.Facets.find(({ Name }) => Name === colour.filter);
  if (facet === undefined) return null;
  const text = valueText(session.inventory.current.value.answer?.value);
  const entries = legendOf(facet.Values, (value) => text(colour.filter, value));
  const chosen = new Set(state.filters[colour.filter]?.map(folded));
  const others = facet.Values.length + facet.MoreValues - entries.length;
  return (
    <Legend title={labelOf(state.kind, colour.filter)}>
      {entries.map((entry) => (
        <Entry
          key={entry.value}
          entry={entry}
          isChosen={chosen.has(folded(entry.value))}
          onClick={() => session.change((one) => withToggled(one, colour.filter, entry.value))}
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
  const { filters } = session.state.value;
  const [from, to] = [filters['StartPriorityDate']?.[0], filters['EndPriorityDate']?.[0]];
  return (
    <Legend title="Priority date">
      {DECADE_LEGEND.map((entry) => {
        const [first, last] = yearsOfSpan(entry.value);
        const start = first === undefined ? undefined : `${first}-01-01`;
        const end = last === undefined ? undefined : `${last}-12-31`;
        const isChosen = from === start && to === end;
        return (
          <Entry
            key={entry.value}
            entry={entry}
            isChosen={isChosen}
            onClick={() =>
              session.change((state) => {
                const begun = withFilter(state, 'StartPriorityDate', isChosen || start === undefined ? [] : [start]);
                return withFilter(begun, 'EndPriorityDate', isChosen || end === undefined ? [] : [end]);
              })
            }
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
  const { year } = map;
  const totals = session.map.areas.current.value.answer?.value;
  if (totals === undefined) return null;
  const { values, unit } = areaValuesOf(totals, chart.series, year);
  const { legend } = shadesOf([...values.values()], (value) =>
    value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 }),
  );
  return (
    <Legend title={`${year === '' ? 'All years' : year}, ${unit}`}>
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

/** On a narrow screen the legend would cover the map, and waits folded. */
const ROOMY = '(min-width: 48rem)';

function Legend({ title, children }: { readonly title: string; readonly children: unknown }): VNode {
  return (
    <section class="map-legend" aria-label={`Legend: ${title}`}>
      <details open={matchMedia(ROOMY).matches}>
        <summary>{title}</summary>
        <ul>{children as VNode[]}</ul>
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
