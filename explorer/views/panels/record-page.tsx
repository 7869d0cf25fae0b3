// One record of the table in full, with links to related views.

import type { VNode } from 'preact';
import { withMapAt } from '../../state/changes';
import { MissingAnswer, type ViewProps } from '../parts/controls';
import { KeyFacts } from './key-facts';
import { LineButton } from './line-button';
import { Members } from './member-list';
import { PointsMap } from './points-map';
import { SeniorityButton } from './seniority-button';

interface RecordPageProps extends ViewProps {
  readonly index: number;
  readonly counties: string;
}

export function RecordPage({ session, index, counties }: RecordPageProps): VNode {
  const part = [session.records.fresh, session.record.fresh].find((one) => one?.getRow(index) !== undefined);
  if (part === undefined) return <MissingAnswer trouble={session.record.state.value.trouble} />;
  const { columns, getRow } = part;
  const row = getRow(index) ?? [];
  const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
  const sites = cell('SiteUUID').split('|').filter(Boolean);
  const unit = cell('ReportingUnitUUID');
  const longitude = Number.parseFloat(cell('Longitude'));
  const latitude = Number.parseFloat(cell('Latitude'));
  return (
    <div>
      <p class="links">
        {!Number.isNaN(longitude + latitude) && (
          <button onClick={() => session.change((state) => withMapAt(state, { longitude, latitude, zoom: 10 }))}>
            Show on map
          </button>
        )}
        {sites.length > 0 && (
          <button onClick={() => session.filter('SiteUUID', sites)}>
            {sites.length === 1 ? 'Filter to this site' : `Filter to these ${sites.length} sites`}
          </button>
        )}
        {unit !== '' && (
          <button onClick={() => session.filter('ReportingUnitUUID', [unit])}>Filter to this area</button>
        )}
        <SeniorityButton
          session={session}
          id={`${cell('OrganizationUUID')}~${cell('AllocationUUID') || cell('AllocationNativeID')}`}
        />
        {sites[0] !== undefined && <LineButton session={session} site={sites[0]} />}
      </p>
      <KeyFacts kind={session.state.value.kind} read={cell} watersheds={session.watershedNames.latest} />
      {session.state.value.kind === 'rights' && <PointsMap read={cell} counties={counties} />}
      <Members members={columns.map((name, at) => [name, row[at] ?? ''] as const)} />
    </div>
  );
}
