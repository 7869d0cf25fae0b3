// Controls that several views have: a list to choose from, a row of buttons of which one is pressed, and a box to tick.

import type { VNode } from 'preact';

interface Option {
  readonly name: string;
  readonly label: string;
}

interface SelectProps<Name extends string> {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (Option & { readonly name: Name })[];
  readonly onChoose: (name: Name) => void;
  readonly class?: string;
}

export function Select<Name extends string>(props: SelectProps<Name>): VNode {
  const { label, value, choices, onChoose } = props;
  return (
    <label class={props.class}>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(choices, currentTarget.value, onChoose)}>
        {choices.map(({ name, label: text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function choose<Name extends string>(
  choices: SelectProps<Name>['choices'],
  value: string,
  onChoose: (name: Name) => void,
): void {
  const chosen = choices.find(({ name }) => name === value);
  if (chosen !== undefined) onChoose(chosen.name);
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
