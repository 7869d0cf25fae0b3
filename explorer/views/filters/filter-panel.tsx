// The filters at the side. Each choice shows how many records it would match alone in its group (D41).

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Facet } from '../../requests/facets';
import { isFacetOpen } from '../../session/questions';
import type { Session } from '../../session/session';
import { withoutFilters } from '../../state/changes';
import { foldCountyName, formatCounty } from '../../state/county-names';
import { fold } from '../../state/fold';
import { getKind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { isCountyChosen, withToggledNamesake } from '../../state/namesakes';
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

interface Choice {
  readonly key: string;
  readonly count: number | undefined;
  readonly label: string;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

/** Counted values, most frequent first, then chosen values without matches, so that they can be removed. */
function listChoices(session: Session, name: string, facet: Facet | undefined): readonly Choice[] {
  const chosen = session.state.value.filters[name] ?? [];
  const foldValue = name === 'County' ? foldCountyName : fold;
  const wanted = new Set(chosen.map(foldValue));
  const { Values = [], MoreValues } = facet ?? {};
  const listedValues = new Set(Values.map(({ Value }) => foldValue(Value)));
  // The count is 0 only if the list is complete; else the service may not have counted the value.
  const Count = MoreValues === 0 ? 0 : undefined;
  const others = chosen.filter((value) => !listedValues.has(foldValue(value))).map((Value) => ({ Value, Count }));
  return [...Values, ...others].flatMap(({ Value: value, Count: count }) => {
    const namesakes = name === 'County' ? listNamesakeChoices(session, value) : [];
    if (namesakes.length > 0) return namesakes;
    const label = formatValue(session, name, value);
    return [
      { key: value, count, label, isChosen: wanted.has(foldValue(value)), toggle: () => session.toggle(name, value) },
    ];
  });
}

/** A choice for each state that has records of a county of this name; none if only one state has such a county. */
function listNamesakeChoices(session: Session, county: string): readonly Choice[] {
  const state = session.state.value;
  const { latest = [] } = session.namesakes;
  const ofName = latest.filter((one) => foldCountyName(one.county) === foldCountyName(county));
  const states = [...new Set(ofName.map((one) => one.state))];
  return states.map((place) => {
    const count = ofName.filter((one) => one.state === place).reduce((sum, one) => sum + one.count, 0);
    return {
      key: `${county}, ${place}`,
      count,
      label: formatCounty(county, place),
      isChosen: isCountyChosen(state, county, place),
      toggle: () =>
        session.change((one) => withToggledNamesake(one, { county, state: place }, session.statesByCounty.value)),
    };
  });
}

/** The number of values listed initially. */
const INITIAL_CHOICES = 8;

function FacetValues({ session, name }: ViewProps & { readonly name: string }): VNode {
  const [text, setText] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const wanted = fold(text);
  const facet = session.facets.latest?.Facets.find(({ Name }) => Name === name);
  const choices = listChoices(session, name, facet);
  // Initially only the most frequent values and the chosen ones are listed.
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
        {shown.map(({ key, label, count, isChosen, toggle }) => (
          <li key={key}>
            <Checkbox label={label} count={count} isChecked={isChosen} onChange={toggle} />
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
