// The whole page: kinds and actions above, filters at the side, and one of three views of what they find.

import type { VNode } from 'preact';
import { KINDS, kindOf } from '../state/kinds';
import { VIEWS, withKind, type View } from '../state/state';
import type { MapFiles } from '../map/open-map';
import { ChartView } from './chart/chart-view';
import { FilterPanel } from './filters/filter-panel';
import { MapView } from './map/map-view';
import { Panels } from './panels/panels';
import { PrintedNotes } from './printed-notes';
import { Summary } from './summary';
import { TableView } from './table/table-view';
import type { ViewProps } from './parts/view-props';

export function Explorer({ session, mapFiles }: ViewProps & { readonly mapFiles: MapFiles }): VNode {
  const { view } = session.state.value;
  return (
    <div class="explorer">
      <h1 class="unseen">Explore {kindOf(session.state.value.kind).many}</h1>
      <div class="bar">
        <KindSwitch session={session} />
        <ViewSwitch session={session} />
        <Actions session={session} />
      </div>
      <FilterPanel session={session} />
      <section class="shown" aria-label="What is found">
        <Summary session={session} />
        {view === 'map' && <MapView session={session} files={mapFiles} />}
        {view === 'table' && <TableView session={session} />}
        {view === 'chart' && <ChartView session={session} />}
        <PrintedNotes session={session} />
      </section>
      <Panels session={session} />
    </div>
  );
}

function KindSwitch({ session }: ViewProps): VNode {
  const { kind } = session.state.value;
  return (
    <div class="switch" role="group" aria-label="What to explore">
      {KINDS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === kind}
          onClick={() => {
            session.change((state) => withKind(state, one));
          }}
        >
          {kindOf(one).label}
        </button>
      ))}
    </div>
  );
}

const VIEW_LABELS: Readonly<Record<View, string>> = { map: 'Map', table: 'Table', chart: 'Chart' };

function ViewSwitch({ session }: ViewProps): VNode {
  return (
    <div class="switch views" role="group" aria-label="How to see it">
      {VIEWS.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === session.state.value.view}
          onClick={() => {
            session.change((state) => ({ ...state, view }));
          }}
        >
          {VIEW_LABELS[view]}
        </button>
      ))}
    </div>
  );
}

function Actions({ session }: ViewProps): VNode {
  return (
    <div class="actions">
      <button type="button" class="strong" onClick={() => session.openPanel('take')}>
        Take it
      </button>
      <button type="button" onClick={() => session.openPanel('changes')}>
        What changed
      </button>
      <button type="button" onClick={() => session.openPanel('key')}>
        Key
      </button>
    </div>
  );
}
