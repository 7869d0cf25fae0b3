// Finds counties, watersheds, owners, sites and whatever else has a name (D60), with suggestions while somebody writes,
// as the pattern of a combo box has it: arrow keys choose, Enter takes what is chosen, Escape closes.

import type { VNode } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { readFile } from '../../requests/client';
import {
  askNames,
  type FoundKind,
  type FoundName,
  type FoundNames,
  type FoundTown,
  statesNamed,
  type Towns,
  townsNamed,
} from '../../requests/find';
import { sentenceOf } from '../../requests/reply';
import type { Asked } from '../../session/asking';
import type { Session } from '../../session/session';
import { type Kind, kindOf, KINDS } from '../../state/kinds';
import type { ViewProps } from './controls';
import { countText, totalText } from './texts';

/** After the last letter: whoever writes on has no use for what is asked in between. */
const PAUSE_MS = 120;

interface FindBoxProps extends ViewProps {
  readonly label: string;
  /** What may be found; everything, and states, where none is named. */
  readonly kinds?: readonly FoundKind[];
  /** The address of the file that has the towns of the map; empty where these are not found. */
  readonly towns?: string;
  readonly onChoose: (found: FoundName) => void;
}

/** The text, the place among its names of the one that Enter takes, and whether that was pressed before they came. */
const EMPTY = { text: '', chosen: 0, isAwaited: false };

export function FindBox({ session, label, kinds = [], towns = '', onChoose }: FindBoxProps): VNode {
  const list = useId();
  const [box, setBox] = useState(EMPTY);
  const { text, chosen, isAwaited } = box;
  const { names, isAnswered, status } = useNames(session, text.trim(), kinds, towns);
  const choose = (found: FoundName | undefined): void => {
    setBox(EMPTY);
    if (found !== undefined) onChoose(found);
  };
  useEffect(() => {
    if (isAwaited && isAnswered && names.length > 0) choose(names[0]);
  }, [isAnswered, isAwaited]);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && isAnswered) choose(names[chosen]);
    else if (event.key === 'Enter') setBox({ ...box, isAwaited: isOpen });
    else if (event.key === 'Escape') setBox(EMPTY);
    else if (step === undefined || names.length === 0) return;
    else setBox({ ...box, chosen: (chosen + step + names.length) % names.length });
    event.preventDefault();
  };
  const isOpen = text.trim() !== '';
  const isExpanded = isOpen && names.length > 0;
  return (
    <div class="find">
      <input
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={isExpanded}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isExpanded ? `${list}-${chosen}` : undefined}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setBox({ ...EMPTY, text: currentTarget.value })}
        onKeyDown={press}
        onBlur={() => setBox(EMPTY)}
      />
      <div class="suggestions" hidden={!isOpen}>
        <Names session={session} list={list} label={label} names={names} chosen={chosen} onChoose={choose} />
        <p class="soft" role="status">
          {isOpen && status}
        </p>
      </div>
    </div>
  );
}

/** The names that are found by a text without blanks around it. */
function useNames(session: Session, text: string, kinds: readonly FoundKind[], townsAddress: string) {
  const asking = useMemo(() => session.newAsking<FoundNames>(), [session]);
  useEffect(() => {
    // A name has a letter or a digit.
    if (!/[\p{L}\p{N}]/u.test(text)) {
      asking.forget();
      return undefined;
    }
    const ask = (): void => asking.ask((abort) => askNames(session.client.until(abort), text, kinds), text);
    const timer = setTimeout(ask, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const asked = asking.current.value;
  const states = kinds.length > 0 ? [] : statesNamed(text, session.state.value.kind, session.facets.latest);
  const towns = useTowns(text, townsAddress);
  // Whether the names are those of what is written, and not of its beginning.
  const isAnswered = asked.trouble === undefined && asking.latest?.text === text;
  // Towns are there at once, but their places in the list follow from what the data have.
  const names = [...states, ...(asking.latest?.names ?? []), ...(isAnswered ? towns : [])];
  return { names, isAnswered, status: statusOf(asked, isAnswered, names.length) };
}

/** The towns of that name, from a file that is read when somebody writes. */
function useTowns(text: string, address: string): readonly FoundTown[] {
  const [towns, setTowns] = useState<Towns>();
  useEffect(() => {
    if (address === '' || text === '' || towns !== undefined) return;
    setTowns({});
    // The data are found without them.
    readFile<{ readonly towns: Towns }>(address).then(
      (read) => setTowns(read.towns),
      () => undefined,
    );
  }, [text]);
  return townsNamed(text, towns ?? {});
}

interface NamesProps extends ViewProps {
  /** The identifier of the list. */
  readonly list: string;
  readonly label: string;
  readonly names: readonly FoundName[];
  readonly chosen: number;
  readonly onChoose: (found: FoundName) => void;
}

function Names({ session, list, label, names, chosen, onChoose }: NamesProps): VNode {
  return (
    <ul id={list} role="listbox" aria-label={label}>
      {names.map((found, index) => (
        <li
          key={JSON.stringify(found)}
          id={`${list}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(found);
          }}
        >
          <span class="text">
            {found.name} <span class="soft">{found.says}</span>
          </span>
          <span class="count">{countsText(found, session.state.value.kind)}</span>
        </li>
      ))}
    </ul>
  );
}

/** How many records there are of the kind that is shown; where there are none, which others there are. */
function countsText(found: FoundName, kind: Kind): string {
  if ('camera' in found) return 'on the map';
  const { counts } = found;
  if (counts[kind] > 0) return totalText(kind, counts[kind]);
  const others = KINDS.filter((one) => counts[one] > 0).map((one) => totalText(one, counts[one]));
  return [`no ${kindOf(kind).many}`, ...others].join('; ');
}

function statusOf({ answer, trouble }: Asked<FoundNames>, isAnswered: boolean, shown: number): string {
  if (trouble !== undefined) return sentenceOf(trouble);
  if (answer === undefined || !isAnswered) return 'Looking …';
  if (shown === 0) return 'Nothing has a name or an identifier with these words.';
  const more = answer.value.total - answer.value.names.length;
  return more > 0 ? `${countText(more)} more: write on.` : `${shown} found.`;
}
