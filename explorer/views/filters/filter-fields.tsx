// Filters that are written and not chosen: ranges of days and numbers, and words. They count when the field is left or
// Enter is pressed, so that no half number is asked for. And a boundary without drawing it: a county, a watershed or
// another place by its name, or coordinates (ADR 0036, D15).

import type { VNode } from 'preact';
import { getKind, type RangeFilter } from '../../state/kinds';
import { getBoundary } from '../../state/map-kinds';
import type { ViewProps } from '../parts/controls';
import { FindBox } from '../parts/find-box';
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
          <summary>By identifier</summary>
          {others}
        </details>
      )}
    </div>
  );
}

interface TextFieldProps extends ViewProps {
  readonly name: string;
  /** A word in the field; undefined for the whole label above it. */
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
          session.filter(name, [valueType === 'day' ? completeDay(text, name.startsWith('End')) : text]);
        }}
      />
    </label>
  );
}

/** A year alone means its first or last day, by the end of the range that it bounds. */
function completeDay(text: string, isEnd: boolean): string {
  if (!/^\d{4}$/.test(text)) return text;
  return isEnd ? `${text}-12-31` : `${text}-01-01`;
}

/** As people write a box: four numbers. */
const BOX_PATTERN = /^\s*(-?[\d.]+\s*,\s*){3}-?[\d.]+\s*$/;

export function BoundaryFields({ session }: ViewProps): VNode {
  const state = session.state.value;
  const boundary = getBoundary(state);
  return (
    <fieldset class="boundary">
      <legend>Within an area</legend>
      <FindBox
        session={session}
        label="County or watershed"
        kinds={['County', 'HUC8', 'HUC12']}
        onChoose={(found) => session.showSuggestion(found)}
      />
      <details>
        <summary>By coordinates</summary>
        <input
          type="text"
          aria-label="Area by coordinates: box, WKT, GeoJSON or a name such as state:UT"
          placeholder="-112,41,-111,42 or POLYGON((…))"
          autocomplete="off"
          spellcheck={false}
          value={/^[a-z0-9]+:/i.test(boundary) ? '' : boundary}
          onChange={({ currentTarget }) => {
            const text = currentTarget.value.trim();
            session.filter(getKind(state.kind).boundary, [BOX_PATTERN.test(text) ? `bbox:${text}` : text]);
          }}
        />
      </details>
    </fieldset>
  );
}
