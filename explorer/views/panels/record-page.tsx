// One record in full: every column that has a value, and the ways on from it.

import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { onMap } from '../../state/state';
import { cellText } from '../parts/cells';
import { Missing } from '../parts/controls';
import type { ViewProps } from '../parts/view-props';
import { Members } from './members';

export function RecordPage({ session, index }: ViewProps & { readonly index: number }): VNode {
  useSignalEffect(() => {
    const { record } = session.state.value;
    if (!session.hasAccess || record === undefined) return;
    session.turnToRecords();
    session.records.need(record, record);
  });
  const { columns, rowAt, trouble } = session.records.current.value;
  const row = rowAt(index);
  if (row === undefined) return <Missing trouble={trouble} />;
  const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
  return (
    <div>
      <RecordLinks session={session} cell={cell} />
      <Members members={columns.map((name, at) => [name, cellText(name, row[at] ?? '')] as const)} />
    </div>
  );
}

function RecordLinks({ session, cell }: ViewProps & { readonly cell: (name: string) => string }): VNode {
  const sites = cell('SiteUUID')
    .split('|')
    .filter((site) => site !== '');
  const unit = cell('ReportingUnitUUID');
  const [longitude, latitude] = [cell('Longitude'), cell('Latitude')].map((text) => Number.parseFloat(text));
  const { kind } = session.state.value;
  return (
    <p class="links">
      {longitude !== undefined && latitude !== undefined && !Number.isNaN(longitude + latitude) && (
        <button
          type="button"
          onClick={() => session.change((state) => onMap(state, { longitude, latitude, zoom: 10 }))}
        >
          On the map
        </button>
      )}
      {sites.length > 0 && (
        <button type="button" onClick={() => session.filter('SiteUUID', sites)}>
          {sites.length === 1 ? 'Only this site' : `Only these ${sites.length} sites`}
        </button>
      )}
      {unit !== '' && (
        <button type="button" onClick={() => session.filter('ReportingUnitUUID', [unit])}>
          Only this unit
        </button>
      )}
      {kind === 'series' && sites[0] !== undefined && (
        <button type="button" onClick={() => session.compareSite(sites[0] ?? '')}>
          As a line
        </button>
      )}
    </p>
  );
}
