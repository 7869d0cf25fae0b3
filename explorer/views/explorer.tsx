// The whole page: a bar with kinds, search and actions, the filters at the side, and one of three views. The seniority
// of a right replaces all of it.

import type { VNode } from 'preact';
import type { MapFiles } from '../map/base-map';
import { withKind } from '../state/changes';
import { getKind, KINDS } from '../state/kinds';
import { PANELS, type View, VIEWS } from '../state/state';
import { TroubleNotice, Welcome } from './access-notice';
import { ChartView } from './chart/chart-view';
import { FilterPanel } from './filters/filter-panel';
import { MapView } from './map/map-view';
import { PANEL_TITLES, Panels } from './panels/panels';
import { buildBriefUrl } from './parts/brief-link';
import { buildPageUrl } from './parts/browser';
import { listSources } from './parts/cited-sources';
import { Switch, type ViewProps } from './parts/controls';
import { FindBox } from './parts/find-box';
import { SeniorityView } from './seniority/seniority-view';
import { Summary, UnreadParametersNotice } from './summary';
import { TableView } from './table/table-view';

const VIEW_LABELS: Readonly<Record<View, string>> = { map: 'Map', table: 'Table', chart: 'Chart' };

interface ExplorerProps extends ViewProps {
  readonly mapFiles: MapFiles;
}

export function Explorer({ session, mapFiles }: ExplorerProps): VNode {
  const { seniority } = session.state.value;
  if (seniority === undefined) return <Views session={session} mapFiles={mapFiles} />;
  return (
    <div class="explorer covered">
      <SkipLink />
      <SeniorityView key={seniority} session={session} id={seniority}>
        <UnreadParametersNotice session={session} />
        <TroubleNotice session={session} />
      </SeniorityView>
    </div>
  );
}

function Views({ session, mapFiles }: ExplorerProps): VNode {
  const { kind, view } = session.state.value;
  return (
    <div class="explorer">
      <SkipLink />
      <h1 class="unseen">Explore {getKind(kind).plural}</h1>
      <div class="bar">
        <Switch
          label="Data"
          value={kind}
          choices={KINDS.map((name) => ({ name, label: getKind(name).label }))}
          onChoose={(name) => session.change((state) => withKind(state, name))}
        />
        <Switch
          label="View"
          value={view}
          choices={VIEWS.map((name) => ({ name, label: VIEW_LABELS[name] }))}
          onChoose={(name) => session.set({ view: name })}
        />
        <FindBox
          session={session}
          label="Search for a county, owner, site or water right"
          // An operator's tiles show their own towns.
          towns={mapFiles.tiles === '' ? mapFiles.nature : ''}
          onChoose={(found) => session.showSuggestion(found)}
          onBrief={(area) => location.assign(buildBriefUrl(session, area))}
        />
        <div class="actions">
          {PANELS.map((panel) => (
            <button key={panel} class={panel === 'take' ? 'strong' : ''} onClick={() => session.set({ panel })}>
              {PANEL_TITLES[panel]}
            </button>
          ))}
        </div>
      </div>
      <FilterPanel session={session} />
      <section id="results" tabIndex={-1} class="shown" aria-label="Results">
        <Summary session={session} />
        {isViewOpen(session) ? <OpenView session={session} mapFiles={mapFiles} /> : <Welcome session={session} />}
        <PrintedNotes session={session} />
      </section>
      <Panels session={session} counties={mapFiles.counties} />
    </div>
  );
}

/**
 * Whether the view is shown: with a key, or if the service answers the view without one. While the page gets a key, the
 * map already loads.
 */
function isViewOpen({ hasAccess, isGettingKey, canShowMap, state }: ViewProps['session']): boolean {
  const { view, kind } = state.value;
  return hasAccess || isGettingKey.value || (canShowMap && view === 'map' && kind !== 'aggregates');
}

function OpenView({ session, mapFiles }: ViewProps & { readonly mapFiles: MapFiles }): VNode {
  switch (session.state.value.view) {
    case 'map':
      return <MapView session={session} files={mapFiles} />;
    case 'table':
      return <TableView session={session} />;
    case 'chart':
      return <ChartView session={session} />;
  }
}

/** A link that skips filters and suggestions. It does not change the address. */
function SkipLink(): VNode {
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    document.getElementById('results')?.focus();
  };
  return (
    <a class="skip" href="#results" onClick={skip}>
      Skip to the results
    </a>
  );
}

/** Notes for print only: how much is printed, the sources of the data, and the address. */
function PrintedNotes({ session }: ViewProps): VNode {
  const state = session.state.value;
  return (
    <div class="printed printed-notes">
      {state.view === 'table' && <p>Only the rows on the screen were printed. Use “Download” to get all of them.</p>}
      <ul>
        {listSources(session).map(({ name, citation, terms }) => (
          <li key={name}>
            {citation} {terms}
          </li>
        ))}
      </ul>
      <p>{buildPageUrl(state)}</p>
    </div>
  );
}
