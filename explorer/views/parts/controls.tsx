// What several views have: a list to choose from, a row of buttons of which one is pressed, a box to tick, what stands
// where an answer is missing, and the form for the key.

import type { VNode } from 'preact';
import { sentenceOf, type Trouble } from '../../requests/reply';
import type { Session } from '../../session/session';

/** What every part of the page is given. */
export interface ViewProps {
  readonly session: Session;
}

interface SelectProps<Name extends string> {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly name: Name; readonly label: string }[];
  readonly onChoose: (name: Name) => void;
  readonly class?: string;
}

export function Select<Name extends string>(props: SelectProps<Name>): VNode {
  const { label, value, choices, onChoose } = props;
  return (
    <label class={props.class}>
      {label}{' '}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices[currentTarget.selectedIndex];
          if (chosen !== undefined) onChoose(chosen.name);
        }}
      >
        {choices.map(({ name, label: text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Switch<Name extends string>(props: SelectProps<Name>): VNode {
  const { label, value, choices, onChoose } = props;
  return (
    <div class={`switch ${props.class ?? ''}`} role="group" aria-label={label}>
      {choices.map(({ name, label: text }) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly isTicked: boolean;
  readonly onChange: (isTicked: boolean) => void;
}

export function Tick({ label, isTicked, onChange }: TickProps): VNode {
  return (
    <label class="choice">
      <input type="checkbox" checked={isTicked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}

/** Says that an answer is on its way, or why it has not come. */
export function Missing({ trouble }: { readonly trouble: Trouble | undefined }): VNode {
  return <p class="soft">{trouble === undefined ? 'Loading …' : sentenceOf(trouble)}</p>;
}

/** Asks for the key. It stays in the memory of this tab, and leaves it only in a header of requests to this service. */
export function KeyForm({ session }: ViewProps): VNode {
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('access');
        if (field instanceof HTMLInputElement) session.useKey(field.value);
        if (session.state.value.panel === 'key') session.set({ panel: undefined });
      }}
    >
      <label>
        Your key
        <input
          // A password field is not kept in the history of forms.
          type="password"
          name="access"
          autocomplete="off"
          spellcheck={false}
          required
          defaultValue={session.key.value}
        />
      </label>
      <button type="submit" class="strong">
        Use it
      </button>
      <p class="soft">
        It is kept for this tab only, and sent in a header. No key yet?{' '}
        <a href={`${session.client.base}/keys`}>How to get one</a>.
      </p>
    </form>
  );
}
