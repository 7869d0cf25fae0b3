// The filters at the side. Each choice shows how many records there would be with it alone in its group (D41), and the
// numbers follow each change.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Facet } from '../../requests/operations';
import { isFacetOpen } from '../../session/session';
import { kindOf, labelOf } from '../../state/kinds';
import { folded, withoutFilters } from '../../state/state';
import type { ViewProps } from '../parts/controls';
import { ageOf, countText, valueText } from '../parts/texts';
import { BoundaryFields, RangeFields, WordFields } from './filter-fields';

export function FilterPanel({ session }: ViewProps): VNode {
  const isShown = useSignal(false);
  const { kind, filters } = session.state.value;
  const { facets, ranges, words } = kindOf(kind);
  const [first, ...others] = ranges;
  const asked = session.facets.current.value;
  const counted = asked.answer?.value.Facets ?? [];
  return (
    <aside class={`filters ${ageOf(asked)}`} aria-label="Filters">
      <button
        type="button"
        class="narrow-only"
        aria-expanded={isShown.value}
        aria-controls="filter-groups"
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        Filters{Object.keys(filters).length > 0 ? ` (${Object.keys(filters).length})` : ''}
      </button>
      <div id="filter-groups" class={isShown.value ? 'groups open' : 'groups'}>
        <FilterHead session={session} />
        <WordFields session={session} key={`words ${kind}`} names={words} />
        {first !== undefined && <RangeFields session={session} key={`${kind} ${first.from}`} range={first} />}
        <BoundaryFields session={session} />
        {facets.map((name, index) => (
          <FacetGroup
            key={`${kind} ${name}`}
            session={session}
            name={name}
            index={index}
            facet={counted.find(({ Name }) => Name === name)}
          />
        ))}
        {others.map((range) => (
          <RangeFields session={session} key={`${kind} ${range.from}`} range={range} />
        ))}
      </div>
    </aside>
  );
}

function FilterHead({ session }: ViewProps): VNode {
  return (
    <div class="groups-head">
      <h2>Filters</h2>
      <button
        type="button"
        class="quiet"
        disabled={Object.keys(session.state.value.filters).length === 0}
        onClick={() => session.change(withoutFilters)}
      >
        Clear all
      </button>
    </div>
  );
}

interface FacetProps extends ViewProps {
  readonly name: string;
  readonly index: number;
  readonly facet: Facet | undefined;
}

function FacetGroup({ session, name, index, facet }: FacetProps): VNode {
  const isOpen = isFacetOpen(name, index, session.toggledFacets.value);
  const chosen = session.state.value.filters[name] ?? [];
  return (
    <section class="facet">
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => session.toggleFacet(name)}>
          {labelOf(name)}
          {chosen.length > 0 && <span class="badge">{chosen.length}</span>}
        </button>
      </h3>
      {isOpen && <FacetValues session={session} name={name} facet={facet} />}
    </section>
  );
}

interface Choice {
  readonly value: string;
  readonly text: string;
  /** Undefined where the service did not count it. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
}

/** Values that are listed before somebody asks for all. */
const FEW_CHOICES = 8;

/** As the service counts them, most first; what is chosen and finds nothing stands at the end, to be undone. */
function choicesOf(
  facet: Facet | undefined,
  chosen: readonly string[],
  textOf: (value: string) => string,
): readonly Choice[] {
  const wanted = new Set(chosen.map(folded));
  const values = facet?.Values ?? [];
  const known = new Set(values.map(({ Value }) => folded(Value)));
  const isEveryValueCounted = facet?.MoreValues === 0;
  const others = chosen
    .filter((value) => !known.has(folded(value)))
    .map((Value) => ({ Value, Count: isEveryValueCounted ? 0 : undefined }));
  return [...values, ...others].map(({ Value: value, Count: count }) => ({
    ...{ value, count },
    text: textOf(value),
    isChosen: wanted.has(folded(value)),
  }));
}

/** The choices that contain a text; the few most frequent, and the chosen ones, where nobody asked for all. */
function shownChoices(choices: readonly Choice[], text: string, isAll: boolean): readonly Choice[] {
  const wanted = folded(text);
  const found = choices.filter((choice) => folded(choice.text).includes(wanted));
  return isAll || wanted !== '' ? found : found.filter(({ isChosen }, index) => isChosen || index < FEW_CHOICES);
}

function FacetValues({ session, name, facet }: Omit<FacetProps, 'index'>): VNode {
  const text = useSignal('');
  const isAll = useSignal(false);
  const chosen = session.state.value.filters[name] ?? [];
  const choices = choicesOf(facet, chosen, (value) => valueText(session)(name, value));
  const shown = shownChoices(choices, text.value, isAll.value);
  const unlisted = facet?.MoreValues ?? 0;
  return (
    <div>
      {choices.length > FEW_CHOICES && (
        <input
          type="search"
          aria-label={`Find in ${labelOf(name)}`}
          placeholder="Find"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      )}
      <ul>
        {shown.map((choice) => (
          <ChoiceRow key={choice.value} session={session} name={name} choice={choice} />
        ))}
      </ul>
      {facet !== undefined && choices.length === 0 && <p class="soft">No values.</p>}
      {shown.length < choices.length && text.value === '' && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isAll.value = true;
          }}
        >
          All {countText(choices.length)}
        </button>
      )}
      {unlisted > 0 && <p class="soft">{countText(unlisted)} more are not listed.</p>}
    </div>
  );
}

function ChoiceRow({ session, name, choice }: ViewProps & { readonly name: string; readonly choice: Choice }): VNode {
  const { value, text, count, isChosen } = choice;
  return (
    <li>
      <label class={count === 0 ? 'choice none' : 'choice'}>
        <input type="checkbox" checked={isChosen} onChange={() => session.toggle(name, value)} />
        <span class="text">{text}</span>
        {count !== undefined && <span class="count">{countText(count)}</span>}
      </label>
    </li>
  );
}
