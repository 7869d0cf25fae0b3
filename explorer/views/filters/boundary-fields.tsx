// Sets a boundary without drawing: a county, watershed or other area by its name, or coordinates (ADR 0036, D15).

import type { VNode } from 'preact';
import { getKind } from '../../state/kinds';
import { getBoundary } from '../../state/map-kinds';
import type { ViewProps } from '../parts/controls';
import { FindBox } from '../parts/find-box';

/** Four numbers separated by commas: a bounding box. */
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
          aria-label="Area by coordinates: box, WKT, GeoJSON or a name like county:UT/Cache"
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
