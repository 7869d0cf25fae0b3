// The changes since an earlier data version that is still held: later publications, how many records were added or
// changed, and which were removed (D37).

import type { VNode } from 'preact';
import type { Removed } from '../../requests/removed-records';
import { withChangesSince } from '../../state/changes';
import { getKind } from '../../state/kinds';
import { MissingAnswer, type ViewProps } from '../parts/controls';
import { findVersionTime, formatCount, formatTime, formatTotal } from '../parts/texts';

export function ChangesPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const inventory = session.inventory.latest;
  const previousVersions = inventory?.FormerDataVersions ?? [];
  const [since = ''] = state.filters['ChangedSince'] ?? [];
  const moment = findVersionTime(inventory, inventory?.DataVersion ?? '');
  const publishes = session.publications.latest ?? [];
  return (
    <div class="changes">
      <p>
        Last update {moment === undefined ? '…' : formatTime(moment)}. Choose an update to see records added or changed
        since.
      </p>
      {inventory !== undefined && previousVersions.length === 0 && <p class="soft">No earlier version is available.</p>}
      <ul class="versions">
        {previousVersions.map(({ DataVersion, Since }) => {
          const published = publishes.filter(({ previousVersion }) => previousVersion === DataVersion);
          const kinds = published.flatMap(({ kind }) => kind ?? []);
          return (
            <li key={DataVersion}>
              <button
                aria-pressed={DataVersion === since}
                onClick={() => session.change((one) => withChangesSince(one, DataVersion, kinds))}
              >
                {published.map(({ title, moment: day, summary }) => (
                  <span key={`${title} ${day}`} class="publish">
                    <strong>{title}</strong>
                    <span class="soft">{formatTime(day)}</span>
                    <span>{summary}</span>
                  </span>
                ))}
                <span class="soft">
                  {Since === null ? 'First data' : `Compared with the data as of ${formatTime(Since)}`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {since !== '' && <Changes session={session} />}
    </div>
  );
}

function Changes({ session }: ViewProps): VNode {
  const total = session.total.value;
  const totalText = total === undefined ? '…' : formatTotal(session.state.value.kind, total);
  return (
    <>
      <h3>Added or changed</h3>
      <p>
        {totalText}. Map, table and chart now show only these.{' '}
        <button class="quiet" onClick={() => session.filter('ChangedSince', [])}>
          Show all records
        </button>
      </p>
      <h3>Removed</h3>
      <RemovedList session={session} />
    </>
  );
}

function RemovedList({ session }: ViewProps): VNode {
  const removed = session.removed.fresh;
  if (removed === undefined) return <MissingAnswer trouble={session.removed.state.value.trouble} />;
  const { TotalRemovedCount, Removed: keys } = removed;
  return (
    <>
      <p>
        {formatCount(TotalRemovedCount)} {getKind(session.state.value.kind).plural}, regardless of your other filters
        {TotalRemovedCount > keys.length && `; the first ${keys.length}:`}
      </p>
      <ul class="removed">
        {keys.map((key) => (
          <li key={JSON.stringify(key)}>{formatKey(key)}</li>
        ))}
      </ul>
    </>
  );
}

/** The values of a key, on one line. */
function formatKey({ OrganizationUUID, Key }: Removed['Removed'][number]): string {
  const values = Object.values(Key).filter((value) => value !== null && value !== '');
  return [OrganizationUUID, ...values.map((value) => String(value).replace(/T00:00:00$/, ''))].join(' · ');
}
