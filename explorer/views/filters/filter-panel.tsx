// The filters at the side. Each choice shows how many records it would match alone in its group (D41).

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Facet } from '../../requests/facets';
import { isFacetOpen } from '../../session/questions';
import type { Session } from '../../session/session';
import { withoutFilters } from '../../state/changes';
import { fold } from '../../state/fold';
import { getKind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { Checkbox, type ViewProps } from '../parts/controls';
import { formatCount, formatValue, getAgeClass } from '../parts/texts';
import { BoundaryFields } from './boundary-fields';
import { RangeFields, TextFilterFields } from './filter-fields';

export function FilterPanel({ session }: ViewProps): VNode {
  const [isShown, setShown] = useState(false);
  const { kind, filters } = session.state.value;
  const count = Object.keys(filters).length;
  const { facets, ranges, textFilters } = getKind(kind);
  const [first, ...others] = ranges.map((range) => (
    <RangeFields session={session} key={`${kind} ${range.from}`} range={range} />
  ));
  return (
    <aside
      class={`filters ${getAgeClass(session.facets.state.value)}`}
      aria-label="Filters"
      onKeyDown={({ key }) => key === 'Escape' && setShown(false)}
    >
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
          <button class="narrow-only quiet" onClick={() => setShown(false)}>
            Done
          </button>
        </div>
        <TextFilterFields session={session} key={`words ${kind}`} names={textFilters} />
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
          {getLabel(name)}
          {chosen.length > 0 && <span class="badge">{chosen.length}</span>}
        </button>
      </h3>
      {isOpen && <FacetValues session={session} name={name} />}
    </section>
  );
}

/** Counted values, most frequent first, then chosen values without matches, so that they can be removed. */
function listChoices(session: Session, name: string, facet: Facet | undefined) {
  const chosen = session.state.value.filters[name] ?? [];
  const wanted = new Set(chosen.map(fold));
  const { Values = [], MoreValues } = facet ?? {};
  const listedValues = new Set(Values.map(({ Value }) => fold(Value)));
  // Undefined if the service may not have counted it.
  const Count = MoreValues === 0 ? 0 : undefined;
  const others = chosen.filter((value) => !listedValues.has(fold(value))).map((Value) => ({ Value, Count }));
  return [...Values, ...others].map(({ Value: value, Count: count }) => ({
    value,
    count,
    label: formatValue(session, name, value),
    isChosen: wanted.has(fold(value)),
  }));
}

/** The number of values listed initially. */
const INITIAL_CHOICES = 8;

function FacetValues({ session, name }: ViewProps & { readonly name: string }): VNode {
  const [text, setText] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const wanted = fold(text);
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === name);
  const choices = listChoices(session, name, facet);
  // Initially the most frequent values, and the chosen ones.
  const isShort = !showsAll && wanted === '';
  const shown = choices.filter((choice, index) =>
    isShort ? choice.isChosen || index < INITIAL_CHOICES : fold(choice.label).includes(wanted),
  );
  const unlistedCount = facet?.MoreValues ?? 0;
  return (
    <div>
      {choices.length > INITIAL_CHOICES && (
        <input
          type="search"
          aria-label={`Find in ${getLabel(name)}`}
          placeholder="Find"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul>
        {shown.map(({ value, label, count, isChosen }) => (
          <li key={value}>
            <Checkbox label={label} count={count} isChecked={isChosen} onChange={() => session.toggle(name, value)} />
          </li>
        ))}
      </ul>
      {facet !== undefined && choices.length === 0 && <p class="soft">Not recorded for these records</p>}
      {shown.length < choices.length && text === '' && (
        <button class="quiet" onClick={() => setShowsAll(true)}>
          All {formatCount(choices.length)}
        </button>
      )}
      {unlistedCount > 0 && (
        <p class="soft">{formatCount(unlistedCount)} more not listed. Type to find them, or use the search box.</p>
      )}
    </div>
  );
}
