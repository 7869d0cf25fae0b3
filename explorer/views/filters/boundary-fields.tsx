// A boundary without a map: the named ones of the service, a box by its edges, or any area as text (ADR 0036, D15).

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { kindOf } from '../../state/kinds';
import { withFilter } from '../../state/state';
import { boundaryText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

interface Form {
  readonly name: string;
  readonly label: string;
  readonly example: string;
}

/** What the service knows by name, and what it takes as text. */
const FORMS: readonly Form[] = [
  { name: 'state:', label: 'State', example: 'UT' },
  { name: 'county:', label: 'County', example: 'UT/Cache' },
  { name: 'huc8:', label: 'Watershed (HUC8)', example: '16010202' },
  { name: 'bbox:', label: 'Box: west, south, east, north', example: '-112,41,-111,42' },
  { name: 'site:', label: 'Area of a site', example: 'identifier of the site' },
  { name: 'reportingunit:', label: 'Reporting unit', example: 'identifier of the unit' },
  { name: '', label: 'Area as WKT or GeoJSON', example: 'POLYGON((-112 41, -111 41, -111 42, -112 41))' },
];

export function BoundaryFields({ session }: ViewProps): VNode {
  const { kind, filters } = session.state.value;
  const { boundary } = kindOf(kind);
  const [present = ''] = filters[boundary] ?? [];
  const form = useSignal(FORMS.find(({ name }) => name !== '' && present.startsWith(name)) ?? FORMS[0]);
  const { name = '', example = '' } = form.value ?? {};
  const shown = present.startsWith(name) && (name !== '' || !/^[a-z0-9]+:/.test(present));
  const enter = (text: string): void => {
    const value = text.trim().startsWith(name) ? text.trim() : `${name}${text.trim()}`;
    session.change((state) => withFilter(state, boundary, [text.trim() === '' ? '' : value]));
  };
  return (
    <fieldset class="boundary">
      <legend>Within an area</legend>
      <select
        aria-label="Kind of area"
        value={name}
        onChange={(event) => {
          form.value = FORMS.find((one) => one.name === event.currentTarget.value);
        }}
      >
        {FORMS.map((one) => (
          <option key={one.name} value={one.name}>
            {one.label}
          </option>
        ))}
      </select>
      <input
        type="text"
        aria-label="Area"
        placeholder={example}
        autocomplete="off"
        spellcheck={false}
        value={shown ? present.slice(name.length) : ''}
        onChange={(event) => {
          enter(event.currentTarget.value);
        }}
      />
      {present !== '' && !shown && <p class="soft">Now: {boundaryText(present)}</p>}
    </fieldset>
  );
}
