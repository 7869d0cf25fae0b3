// Text fields for filters: ranges of days and numbers, and text. A field takes effect on Enter or when it loses focus,
// so that a half-typed number sends no request.

import type { VNode } from 'preact';
import type { RangeFilter } from '../../state/kinds';
import type { ViewProps } from '../parts/controls';
import { getFilterLabel } from '../parts/texts';

export function RangeFields({ session, range }: ViewProps & { readonly range: RangeFilter }): VNode {
  const { label, from, to, valueType } = range;
  return (
    <fieldset class="range">
      <legend>{label}</legend>
      <TextField session={session} name={from} prompt="from" valueType={valueType} />
      <TextField session={session} name={to} prompt="to" valueType={valueType} />
    </fieldset>
  );
}

export function TextFilterFields({ session, names }: ViewProps & { readonly names: readonly string[] }): VNode {
  const { filters } = session.state.value;
  const [first, ...others] = names.map((name) => (
    <TextField key={name} session={session} name={name} valueType="text" />
  ));
  return (
    <div class="words">
      {first}
      {others.length > 0 && (
        <details open={names.slice(1).some((name) => filters[name] !== undefined)}>
          <summary>Search by number</summary>
          {others}
        </details>
      )}
    </div>
  );
}

interface TextFieldProps extends ViewProps {
  readonly name: string;
  /** A short label above the field; undefined to use the full label. */
  readonly prompt?: string;
  readonly valueType: 'day' | 'number' | 'text';
}

function TextField({ session, name, prompt, valueType }: TextFieldProps): VNode {
  const { kind, filters } = session.state.value;
  const label = getFilterLabel(kind, name);
  return (
    <label class="written">
      <span>{prompt ?? label}</span>
      <input
        type="text"
        inputMode={valueType === 'number' ? 'decimal' : 'text'}
        aria-label={label}
        placeholder={valueType === 'day' ? 'year' : ''}
        autocomplete="off"
        spellcheck={false}
        value={filters[name]?.[0] ?? ''}
        onChange={({ currentTarget }) => {
          const text = currentTarget.value.trim();
          const problem = findProblem(text, valueType);
          currentTarget.setCustomValidity(problem === '' ? '' : `${label}: ${problem}.`);
          currentTarget.reportValidity();
          if (problem !== '') return;
          session.filter(name, [valueType === 'day' ? completeDay(text, name.startsWith('End')) : text]);
        }}
        onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
      />
    </label>
  );
}

/** What to enter instead; empty if the text is valid. */
function findProblem(text: string, valueType: TextFieldProps['valueType']): string {
  if (text === '' || valueType === 'text') return '';
  if (valueType === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? '' : 'enter a number like 12.5';
  const isDay = /^\d{4}(-\d{2}-\d{2})?$/.test(text) || /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(text);
  return isDay ? '' : 'enter a year or a date like 2010-12-31';
}

/** Completes a year to its first or last day, depending on the bound. */
function completeDay(text: string, isEnd: boolean): string {
  if (!/^\d{4}$/.test(text)) return text;
  return isEnd ? `${text}-12-31` : `${text}-01-01`;
}
