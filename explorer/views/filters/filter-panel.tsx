// The filters at the side. Each choice shows how many records there would be with it alone in its group (D41), and the
// numbers follow each change.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Facet } from '../../requests/operations';
import { isFacetOpen, type Session } from '../../session/session';
import { kindOf, labelOf } from '../../state/kinds';
import { folded, withoutFilters } from '../../state/state';
import { Tick, type ViewProps } from '../parts/controls';
import { ageOf, countText, valueText } from '../parts/texts';
import { BoundaryFields, RangeFields, WordFields } from './filter-fields';

export function FilterPanel({ session }: ViewProps): VNode {
  const [isShown, setShown] = useState(false);
  const { kind, filters } = session.state.value;
  const count = Object.keys(filters).length;
  const { facets, ranges, words } = kindOf(kind);
  const [first, ...others] = ranges.map((range) => (
    <RangeFields session={session} key={`${kind} ${range.from}`} range={range} />
  ));
  return (
    <aside class={`filters ${ageOf(session.facets.current.value)}`} aria-label="Filters">
      <button
        class="narrow-only"
        aria-expanded={isShown}
        aria-controls="filter-groups"
        onClick={() => setShown(!isShown)}
      >
        Filters{count > 0 ? ` (${count})` : ''}
      </button>
      <div id="filter-groups" class={isShown ? 'groups open' : 'groups'}>
        <div class="groups-head">
          <h2>Filters</h2>
          <button class="quiet" disabled={count === 0} onClick={() => session.change(withoutFilters)}>
            Clear all
          </button>
        </div>
        <WordFields session={session} key={`words ${kind}`} names={words} />
        {first}
        <BoundaryFields session={session} />
        {facets.map((name, index) => (
          <FacetGroup key={`${kind} ${name}`} session={session} name={name} index={index} />
        ))}
        {others}
      </div>
    </aside>
  );
}

function FacetGroup({ session, name, index }: ViewProps & { readonly name: string; readonly index: number }): VNode {
  const isOpen = isFacetOpen(name, index, session.toggledFacets.value);
  const chosen = session.state.value.filters[name] ?? [];
  return (
    <section class="facet">
      <h3>
        <button aria-expanded={isOpen} onClick={() => session.toggleFacet(name)}>
          {labelOf(name)}
          {chosen.length > 0 && <span class="badge">{chosen.length}</span>}
        </button>
      </h3>
      {isOpen && <FacetValues session={session} name={name} />}
    </section>
  );
}

/** As the service counts them, most first; what is chosen and finds nothing stands at the end, to be undone. */
function choicesOf(session: Session, name: string, facet: Facet | undefined) {
  const chosen = session.state.value.filters[name] ?? [];
  const wanted = new Set(chosen.map(folded));
  const { Values = [], MoreValues } = facet ?? {};
  const known = new Set(Values.map(({ Value }) => folded(Value)));
  // Undefined where the service may not have counted it.
  const Count = MoreValues === 0 ? 0 : undefined;
  const others = chosen.filter((value) => !known.has(folded(value))).map((Value) => ({ Value, Count }));
  return [...Values, ...others].map(({ Value: value, Count: count }) => ({
    value,
    count,
    label: valueText(session, name, value),
    isChosen: wanted.has(folded(value)),
  }));
}

/** Values that are listed before somebody asks for all. */
const FEW_CHOICES = 8;

function FacetValues({ session, name }: ViewProps & { readonly name: string }): VNode {
  const [text, setText] = useState('');
  const [isAll, setAll] = useState(false);
  const wanted = folded(text);
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === name);
  const choices = choicesOf(session, name, facet);
  // The few most frequent, and the chosen ones, where nobody asks for others.
  const isShort = !isAll && wanted === '';
  const shown = choices.filter((choice, index) =>
    isShort ? choice.isChosen || index < FEW_CHOICES : folded(choice.label).includes(wanted),
  );
  const unlisted = facet?.MoreValues ?? 0;
  return (
    <div>
      {choices.length > FEW_CHOICES && (
        <input
          type="search"
          aria-label={`Find in ${labelOf(name)}`}
          placeholder="Find"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul>
        {shown.map(({ value, label, count, isChosen }) => (
          <li key={value}>
            <Tick label={label} count={count} isTicked={isChosen} onChange={() => session.toggle(name, value)} />
          </li>
        ))}
      </ul>
      {facet !== undefined && choices.length === 0 && <p class="soft">No values.</p>}
      {shown.length < choices.length && text === '' && (
        <button class="quiet" onClick={() => setAll(true)}>
          All {countText(choices.length)}
        </button>
      )}
      {unlisted > 0 && <p class="soft">{countText(unlisted)} more are not listed.</p>}
    </div>
  );
}
