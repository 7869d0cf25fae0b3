// Controls that several views share.

import type { VNode } from 'preact';
import { describeTrouble, type Trouble } from '../../requests/reply';
import type { Session } from '../../session/session';
import { formatCount } from './texts';

/** The properties of every view. */
export interface ViewProps {
  readonly session: Session;
}

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly name: Name; readonly label: string }[];
  readonly onChoose: (name: Name) => void;
}

export function Select<Name extends string>(props: ChoiceProps<Name> & { readonly class?: string }): VNode {
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

export function Switch<Name extends string>({ label, value, choices, onChoose }: ChoiceProps<Name>): VNode {
  return (
    <div class="switch" role="group" aria-label={label}>
      {choices.map(({ name, label: text }) => (
        <button key={name} aria-pressed={name === value} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </div>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly title?: string;
  /** The number of records with this value; undefined if unknown. */
  readonly count?: number | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, title, count, isChecked, onChange }: CheckboxProps): VNode {
  return (
    <label class="choice" title={title}>
      <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span class="text">{label}</span>
      {count !== undefined && <span class="count">{formatCount(count)}</span>}
    </label>
  );
}

/** Shows that an answer is loading, or why it failed. */
export function MissingAnswer({ trouble }: { readonly trouble: Trouble | undefined }): VNode {
  return <p class="soft">{trouble === undefined ? 'Loading …' : describeTrouble(trouble)}</p>;
}
