// Finds counties, watersheds, owners, sites and whatever else has a name (D60), with suggestions while somebody writes,
// as the pattern of a combo box has it: arrow keys choose, Enter takes what is chosen, Escape closes.

import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { readFile } from '../../requests/client';
import { askNames, statesNamed, townsNamed } from '../../requests/find';
import type { FoundKind, FoundName, FoundNames, FoundTown, Towns } from '../../requests/find';
import { sentenceOf } from '../../requests/reply';
import type { Asked } from '../../session/asking';
import type { Session } from '../../session/session';
import { KINDS, kindOf, type Kind } from '../../state/kinds';
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

export function FindBox({ session, label, kinds = [], towns = '', onChoose }: FindBoxProps): VNode {
  const list = useId();
  const box = useFinding(session, kinds, towns);
  const { text, chosen, isAwaited, names, isAnswered } = box;
  const choose = (found: FoundName | undefined): void => {
    [text.value, isAwaited.value] = ['', false];
    if (found !== undefined) onChoose(found);
  };
  useEffect(() => {
    if (isAwaited.value && isAnswered && names.length > 0) choose(names[0]);
  }, [isAnswered, isAwaited.value]);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && isAnswered) choose(names[chosen.value]);
    else if (event.key === 'Enter') isAwaited.value = text.value.trim() !== '';
    else if (event.key === 'Escape') text.value = '';
    else if (step === undefined || names.length === 0) return;
    else chosen.value = (chosen.value + step + names.length) % names.length;
    event.preventDefault();
  };
  const isOpen = text.value.trim() !== '';
  return (
    <div class="find">
      <input
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen && names.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && names.length > 0 ? `${list}-${chosen.value}` : undefined}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget }) => box.write(currentTarget.value)}
        onKeyDown={press}
        onBlur={() => box.write('')}
      />
      <Suggestions session={session} label={label} list={list} box={box} onChoose={choose} />
    </div>
  );
}

/** The towns that are written, from a file that is read when somebody writes. */
function useTowns(text: Signal<string>, address: string): readonly FoundTown[] {
  const towns = useSignal<Towns | undefined>(undefined);
  useSignalEffect(() => {
    if (address === '' || text.value === '' || towns.peek() !== undefined) return;
    towns.value = {};
    readFile<{ readonly towns: Towns }>(address).then(
      (read) => {
        towns.value = read.towns;
      },
      // The data are found without them.
      () => undefined,
    );
  });
  return townsNamed(text.value, towns.value ?? {});
}

/** The text that is written into a box, and the names that are found by it. */
function useFinding(session: Session, kinds: readonly FoundKind[], townsAddress: string) {
  const text = useSignal('');
  // The place among the names of the one that Enter takes.
  const chosen = useSignal(0);
  // Whether Enter was pressed before there were suggestions for all that is written.
  const isAwaited = useSignal(false);
  const asking = useMemo(() => session.newAsking<FoundNames>(), [session]);
  useSignalEffect(() => {
    const asked = text.value.trim();
    // A name has a letter or a digit.
    if (!/[\p{L}\p{N}]/u.test(asked)) {
      asking.forget();
      return undefined;
    }
    const ask = (): void => asking.ask((abort) => askNames(session.client.until(abort), asked, kinds), asked);
    const timer = setTimeout(ask, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const asked = asking.current.value;
  const states = kinds.length > 0 ? [] : statesNamed(text.value, session.state.value.kind, session.facets.latest);
  const towns = useTowns(text, townsAddress);
  // Whether the names are those of what is written, and not of its beginning.
  const isAnswered = asked.trouble === undefined && asking.latest?.text === text.value.trim();
  // Towns are there at once, but their places in the list follow from what the data have.
  const names = [...states, ...(asking.latest?.names ?? []), ...(isAnswered ? towns : [])];
  const write = (written: string): void => {
    [text.value, chosen.value, isAwaited.value] = [written, 0, false];
  };
  return { text, chosen, isAwaited, names, isAnswered, status: statusOf(asked, isAnswered, names.length), write };
}

interface SuggestionsProps extends ViewProps {
  readonly label: string;
  /** The identifier of the list. */
  readonly list: string;
  readonly box: ReturnType<typeof useFinding>;
  readonly onChoose: (found: FoundName) => void;
}

function Suggestions({ session, label, list, box, onChoose }: SuggestionsProps): VNode {
  const isOpen = box.text.value.trim() !== '';
  return (
    <div class="suggestions" hidden={!isOpen}>
      <ul id={list} role="listbox" aria-label={label}>
        {box.names.map((found, index) => (
          <li
            key={JSON.stringify(found)}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === box.chosen.value}
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
      <p class="soft" role="status">
        {isOpen && box.status}
      </p>
    </div>
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
