// A boundary without drawing it: a county, a watershed or another place by its name, or coordinates (ADR 0036, D15).

import type { VNode } from 'preact';
import { kindOf } from '../../state/kinds';
import { shownBoundary } from '../../state/map-kinds';
import { FindBox } from '../parts/find-box';
import type { ViewProps } from '../parts/view-props';

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
