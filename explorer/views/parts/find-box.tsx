// A combo box that finds counties, watersheds, owners, sites and anything else with a name (D60). Arrow keys select,
// Enter accepts, Escape closes.

import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { ServiceClient } from '../../requests/client';
import type { Facets } from '../../requests/facets';
import { fetchFile } from '../../requests/fetch-file';
import {
  type BriefSuggestion,
  type DataSuggestion,
  fetchSuggestions,
  type FindAnswer,
  type FindKind,
  findStates,
  findStatesOfInventory,
  findWatershed,
  type Suggestion,
  withBriefs,
} from '../../requests/find';
import type { Inventory } from '../../requests/inventory';
import { describeTrouble } from '../../requests/reply';
import { findTowns, type Towns, type TownSuggestion } from '../../requests/towns';
import type { WatershedNames } from '../../requests/watershed-names';
import type { LiveQuery, QueryState } from '../../session/live-query';
import type { BriefArea } from '../../state/brief-area';
import { type Kind, KINDS } from '../../state/kinds';
import type { ExplorerState } from '../../state/state';
import { formatCount, formatTotal } from './texts';

/** Waits for a pause in typing, to avoid useless requests. */
const PAUSE_MS = 200;

/** The parts of a page's session that the box uses. */
export interface FindSession {
  readonly client: ServiceClient;
  readonly state: ReadonlySignal<Pick<ExplorerState, 'kind'>>;
  readonly facets: { readonly latest: Facets | undefined };
  /** Lists the states of all kinds of records. */
  readonly inventory?: { readonly latest: Inventory | undefined };
  readonly createQuery: <Value>() => LiveQuery<Value>;
  /** Names of watersheds, and whether suggestions need them; undefined on pages without these names. */
  readonly watershedNames?: { readonly latest: WatershedNames | undefined };
  readonly suggestsWatershed?: Signal<boolean>;
}

interface FindBoxProps {
  readonly session: FindSession;
  readonly label: string;
  /** The kinds to find; if empty, all kinds and states. */
  readonly kinds?: readonly FindKind[];
  /** The address of the file with towns; if empty, no towns are found. */
  readonly towns?: string;
  readonly onChoose: (suggestion: Suggestion) => void;
  /** Opens the brief of an area. Without it, no briefs are suggested. */
  readonly onBrief?: (area: BriefArea) => void;
}

/** The text, the index of the active suggestion, and whether Enter was pressed before suggestions arrived. */
const EMPTY_BOX = { text: '', chosen: 0, isAwaited: false };

export function FindBox(props: FindBoxProps): VNode {
  const list = useId();
  const [box, setBox] = useState(EMPTY_BOX);
  const { text, chosen, isAwaited } = box;
  const isOpen = text.trim() !== '';
  const { suggestions, isAnswered, status } = useSuggestions(props.session, text.trim(), readSources(props));
  const choose = (suggestion: Suggestion | BriefSuggestion): void => {
    setBox(EMPTY_BOX);
    applyChoice(suggestion, props);
  };
  useEffect(() => {
    const [first] = suggestions;
    if (isAwaited && isAnswered && first !== undefined) choose(first);
  }, [isAnswered, isAwaited]);
  const handleKey = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const active = suggestions[chosen];
    if (event.key === 'Enter' && isAnswered && active !== undefined) choose(active);
    else if (event.key === 'Enter') setBox({ ...box, isAwaited: isOpen });
    else if (event.key === 'Escape') setBox(EMPTY_BOX);
    else if (step === undefined || suggestions.length === 0) return;
    else setBox({ ...box, chosen: (chosen + step + suggestions.length) % suggestions.length });
    event.preventDefault();
  };
  return (
    <div class="find">
      <SearchField
        label={props.label}
        list={list}
        text={text}
        activeId={isOpen && suggestions[chosen] !== undefined ? `${list}-${chosen}` : undefined}
        onText={(written) => setBox({ ...EMPTY_BOX, text: written })}
        onKey={handleKey}
        onLeave={() => setBox(EMPTY_BOX)}
      />
      <div class="suggestions" hidden={!isOpen}>
        <SuggestionList
          id={list}
          label={props.label}
          session={props.session}
          suggestions={suggestions}
          chosen={chosen}
          onChoose={choose}
        />
        <Status text={isOpen ? status : ''} />
      </div>
    </div>
  );
}

function applyChoice(
  suggestion: Suggestion | BriefSuggestion,
  { onChoose, onBrief }: Pick<FindBoxProps, 'onChoose' | 'onBrief'>,
): void {
  if ('area' in suggestion) onBrief?.(suggestion.area);
  else onChoose(suggestion);
}

function Status({ text }: { readonly text: string }): VNode {
  return (
    <p class="soft" role="status">
      {text}
    </p>
  );
}

interface SearchFieldProps {
  readonly label: string;
  /** The identifier of the list of suggestions. */
  readonly list: string;
  readonly text: string;
  /** The identifier of the active suggestion; undefined while there are none. */
  readonly activeId: string | undefined;
  readonly onText: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onLeave: () => void;
}

function SearchField({ label, list, text, activeId, onText, onKey, onLeave }: SearchFieldProps): VNode {
  return (
    <input
      type="search"
      role="combobox"
      aria-label={label}
      aria-expanded={activeId !== undefined}
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={activeId}
      placeholder={label}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={onKey}
      onBlur={onLeave}
    />
  );
}

interface SuggestionSources {
  readonly kinds: readonly FindKind[];
  /** The address of the file with towns; empty for none. */
  readonly towns: string;
  readonly hasBriefs: boolean;
}

function readSources({ kinds = [], towns = '', onBrief }: FindBoxProps): SuggestionSources {
  return { kinds, towns, hasBriefs: onBrief !== undefined };
}

/** States with records of the shown kind, then states with records of other kinds. */
function listStates({ state, facets, inventory }: FindSession, text: string): readonly DataSuggestion[] {
  const shown = findStates(text, state.value.kind, facets.latest);
  const names = shown.map(({ name }) => name);
  return [...shown, ...findStatesOfInventory(text, inventory?.latest).filter(({ name }) => !names.includes(name))];
}

/** The suggestions for a trimmed text. */
function useSuggestions(session: FindSession, text: string, { kinds, towns: address, hasBriefs }: SuggestionSources) {
  const query = useMemo(() => session.createQuery<FindAnswer>(), [session]);
  useEffect(() => {
    // Every name has a letter or a digit.
    if (!/[\p{L}\p{N}]/u.test(text)) {
      query.reset();
      return undefined;
    }
    const send = (): void =>
      query.run((abort) => fetchSuggestions(session.client.withSignal(abort), text, kinds), text);
    const timer = setTimeout(send, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const queryState = query.state.value;
  const states = kinds.length > 0 ? [] : listStates(session, text);
  const towns = useTowns(text, address);
  useEffect(() => {
    const hasWatershed = query.latest?.names.some((name) => findWatershed(name) !== undefined) === true;
    if (hasWatershed && session.suggestsWatershed !== undefined) session.suggestsWatershed.value = true;
  }, [query.latest]);
  // Whether the suggestions belong to the current text, not to an earlier one.
  const isAnswered = queryState.trouble === undefined && query.latest?.text === text;
  // Towns are known at once, but are listed after results from the data, so they wait for the answer.
  const found = [...states, ...(query.latest?.names ?? []), ...(isAnswered ? towns : [])];
  const suggestions = hasBriefs ? withBriefs(found) : found;
  return { suggestions, isAnswered, status: describeStatus(queryState, isAnswered, found.length) };
}

/** Towns by name. The file is loaded when a person starts typing. */
function useTowns(text: string, address: string): readonly TownSuggestion[] {
  const [towns, setTowns] = useState<Towns>();
  useEffect(() => {
    if (address === '' || text === '' || towns !== undefined) return;
    setTowns({});
    // The search also works without towns.
    fetchFile<{ readonly towns: Towns }>(address).then(
      (file) => setTowns(file.towns),
      () => undefined,
    );
  }, [text]);
  return findTowns(text, towns ?? {});
}

interface SuggestionListProps extends Pick<FindBoxProps, 'session'> {
  readonly id: string;
  readonly label: string;
  readonly suggestions: readonly (Suggestion | BriefSuggestion)[];
  readonly chosen: number;
  readonly onChoose: (suggestion: Suggestion | BriefSuggestion) => void;
}

function SuggestionList({ session, id, label, suggestions, chosen, onChoose }: SuggestionListProps): VNode {
  return (
    <ul id={id} role="listbox" aria-label={label}>
      {suggestions.map((suggestion, index) => (
        <SuggestionItem
          key={JSON.stringify(suggestion)}
          id={`${id}-${index}`}
          session={session}
          suggestion={suggestion}
          isChosen={index === chosen}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

interface SuggestionItemProps extends Pick<FindBoxProps, 'session'> {
  readonly id: string;
  readonly suggestion: Suggestion | BriefSuggestion;
  readonly isChosen: boolean;
  readonly onChoose: (suggestion: Suggestion | BriefSuggestion) => void;
}

function SuggestionItem({ session, id, suggestion, isChosen, onChoose }: SuggestionItemProps): VNode {
  const { kind } = session.state.value;
  const name = nameSuggestion(session, suggestion);
  return (
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      // Runs before the field loses the focus.
      onPointerDown={(event) => {
        event.preventDefault();
        onChoose(suggestion);
      }}
    >
      <span class="text">
        {name} <span class="soft">{suggestion.description}</span>
      </span>
      <span class="count">{formatCounts(suggestion, kind)}</span>
    </li>
  );
}

/** The name of a suggestion; for a watershed, also the name from its reporting unit, if known. */
function nameSuggestion({ watershedNames }: FindSession, suggestion: Suggestion | BriefSuggestion): string {
  const code = 'filters' in suggestion ? findWatershed(suggestion) : undefined;
  const known = code === undefined ? undefined : watershedNames?.latest?.get(code);
  return known === undefined ? suggestion.name : `${known} (${suggestion.name})`;
}

/** The number of records of the shown kind, or of other kinds if there are none. */
function formatCounts(suggestion: Suggestion | BriefSuggestion, kind: Kind): string {
  if ('area' in suggestion) return 'to read or print';
  if ('camera' in suggestion) return 'on the map';
  const { counts } = suggestion;
  if (counts[kind] > 0) return formatTotal(kind, counts[kind]);
  const others = KINDS.filter((one) => counts[one] > 0).map((one) => formatTotal(one, counts[one]));
  return others.join(', ');
}

function describeStatus({ answer, trouble }: QueryState<FindAnswer>, isAnswered: boolean, shownCount: number): string {
  if (trouble !== undefined) return describeTrouble(trouble);
  if (answer === undefined || !isAnswered) return 'Searching …';
  if (shownCount === 0) return 'No matches. Try a county, town, owner or right number.';
  const more = answer.value.total - answer.value.names.length;
  return more > 0 ? `${formatCount(more)} more. Keep typing to narrow the list.` : `${formatCount(shownCount)} found.`;
}
