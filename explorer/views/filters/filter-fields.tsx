// Filters that are written and not chosen: ranges of days and numbers, and words. They count when the field is left or
// Enter is pressed, so that no half number is asked for. And a boundary without drawing it: a county, a watershed or
// another place by its name, or coordinates (ADR 0036, D15).

import type { VNode } from 'preact';
import { kindOf, labelOf, type RangeFilter } from '../../state/kinds';
import { shownBoundary } from '../../state/map-kinds';
import type { ViewProps } from '../parts/controls';
import { FindBox } from '../parts/find-box';

export function RangeFields({ session, range }: ViewProps & { readonly range: RangeFilter }): VNode {
  const { label, from, to, form } = range;
  const bounds = [
    { name: from, says: 'from' },
    { name: to, says: 'to' },
  ];
  return (
    <fieldset class="range">
      <legend>{label}</legend>
      {bounds.map(({ name, says }) => (
        <WrittenField key={name} session={session} name={name} label={`${label} ${says}`} says={says} form={form} />
      ))}
    </fieldset>
  );
}

export function WordFields({ session, names }: ViewProps & { readonly names: readonly string[] }): VNode {
  const [first, ...others] = names;
  const { filters } = session.state.value;
  const field = (name: string): VNode => (
    <WrittenField key={name} session={session} name={name} label={labelOf(name)} says="" form="text" />
  );
  return (
    <div class="words">
      {first !== undefined && field(first)}
      {others.length > 0 && (
        <details open={others.some((name) => filters[name] !== undefined)}>
          <summary>By identifier</summary>
          {others.map(field)}
        </details>
      )}
    </div>
  );
}

interface WrittenFieldProps extends ViewProps {
  readonly name: string;
  readonly label: string;
  /** A word beside the field; empty for the whole label above it. */
  readonly says: string;
  readonly form: 'day' | 'number' | 'text';
}

function WrittenField({ session, name, label, says, form }: WrittenFieldProps): VNode {
  const value = session.state.value.filters[name]?.[0] ?? '';
  return (
    <label class="written">
      <span>{says === '' ? label : says}</span>
      <input
        type="text"
        inputMode={form === 'number' ? 'decimal' : 'text'}
        aria-label={label}
        placeholder={PLACEHOLDERS[form]}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onChange={({ currentTarget }) => {
          const text = currentTarget.value.trim();
          session.filter(name, [form === 'day' ? boundDay(text, name.startsWith('End')) : text]);
        }}
      />
    </label>
  );
}

const PLACEHOLDERS = { day: 'year', number: '', text: '' } as const;

/** A year alone means its first or last day, by the end of the range that it bounds. */
function boundDay(text: string, isEnd: boolean): string {
  if (!/^\d{4}$/.test(text)) return text;
  return isEnd ? `${text}-12-31` : `${text}-01-01`;
}

/** As people write a box: four numbers. */
const BOX = /^\s*(-?[\d.]+\s*,\s*){3}-?[\d.]+\s*$/;

export function BoundaryFields({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { boundary } = kindOf(state.kind);
  const present = shownBoundary(state);
  return (
    <fieldset class="boundary">
      <legend>Within an area</legend>
      <FindBox
        session={session}
        label="County or watershed"
        kinds={['County', 'HUC8', 'HUC12']}
        onChoose={(found) => session.showFound(found)}
      />
      <details>
        <summary>By coordinates</summary>
        <input
          type="text"
          aria-label="Area by coordinates: box, WKT, GeoJSON or a name such as state:UT"
          placeholder="-112,41,-111,42 or POLYGON((…))"
          autocomplete="off"
          spellcheck={false}
          value={/^[a-z0-9]+:/i.test(present) ? '' : present}
          onChange={({ currentTarget }) => {
            const text = currentTarget.value.trim();
            const value = BOX.test(text) ? `bbox:${text}` : text;
            session.filter(boundary, [value]);
          }}
        />
      </details>
    </fieldset>
  );
}
