// One record in full: every column that has a value, and the ways on from it. Identifiers and coordinates, which say
// nothing to people, wait folded below.

import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { onMap } from '../../state/state';
import { cellText, columnText } from '../parts/texts';
import { Missing, type ViewProps } from '../parts/controls';

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

type Member = readonly [name: string, text: string];

/** The number of a right or a site at its own office is what people call it. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/** The polygon of a unit has many thousands; its own page has them all. */
const MOST_CHARACTERS = 300;

/** The members of a record or of a place that have a value. */
export function Members({ members }: { readonly members: readonly Member[] }): VNode {
  const shown = members.filter(([, text]) => text !== '');
  const identifiers = shown.filter(([name]) => IDENTIFIER.test(name));
  return (
    <>
      <List members={shown.filter(([name]) => !IDENTIFIER.test(name))} />
      {identifiers.length > 0 && (
        <details class="identifiers">
          <summary>Identifiers</summary>
          <List members={identifiers} />
        </details>
      )}
    </>
  );
}

function List({ members }: { readonly members: readonly Member[] }): VNode {
  return (
    <dl class="record">
      {members.map(([name, text]) => (
        <div key={name}>
          <dt title={name}>{columnText(name)}</dt>
          <dd>{textOrLink(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function textOrLink(text: string): VNode | string {
  if (/^https?:\/\//.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer" target="_blank">
        {text}
      </a>
    );
  }
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}
