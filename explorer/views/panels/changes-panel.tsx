// What changed since a former version of the data that is still held: what was published after it, how many records
// were added or changed, which the views then show, and which were removed (D37).

import type { VNode } from 'preact';
import type { Removed } from '../../requests/operations';
import { Missing, type ViewProps } from '../parts/controls';
import { countText, momentOfVersion, momentText, totalText } from '../parts/texts';

export function ChangesPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const inventory = session.inventory.latest;
  const former = inventory?.FormerDataVersions ?? [];
  const [since = ''] = state.filters['ChangedSince'] ?? [];
  const moment = momentOfVersion(inventory, inventory?.DataVersion ?? '');
  const publishes = session.publishes.latest ?? [];
  return (
    <div class="changes">
      <p>
        The data is of {moment === undefined ? '…' : momentText(moment)}. Each of these came after a version that is
        still held: choose one to see what changed with it and since then.
      </p>
      {inventory !== undefined && former.length === 0 && <p class="soft">No former version is held.</p>}
      <ul class="versions">
        {former.map(({ DataVersion, Since }) => (
          <li key={DataVersion}>
            <button aria-pressed={DataVersion === since} onClick={() => session.filter('ChangedSince', [DataVersion])}>
              {publishes
                .filter(({ before }) => before === DataVersion)
                .map(({ title, moment: day, summary }) => (
                  <span key={`${title} ${day}`} class="publish">
                    <strong>{title}</strong>
                    <span class="soft">{momentText(day)}</span>
                    <span>{summary}</span>
                  </span>
                ))}
              <span class="soft">
                {Since === null ? 'After the service was empty' : `After the data of ${momentText(Since)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {since !== '' && <Changes session={session} />}
    </div>
  );
}

function Changes({ session }: ViewProps): VNode {
  const total = session.total.value;
  const found = total === undefined ? '…' : totalText(session.state.value.kind, total);
  return (
    <>
      <h3>Added or changed</h3>
      <p>
        {found}, which the map, the table and the chart now show.{' '}
        <button class="quiet" onClick={() => session.filter('ChangedSince', [])}>
          Show everything again
        </button>
      </p>
      <h3>Removed</h3>
      <RemovedList session={session} />
    </>
  );
}

function RemovedList({ session }: ViewProps): VNode {
  const removed = session.removed.present;
  if (removed === undefined) return <Missing trouble={session.removed.current.value.trouble} />;
  const { TotalRemovedCount, Removed: keys } = removed;
  return (
    <>
      <p>
        {countText(TotalRemovedCount)} of all records{TotalRemovedCount > keys.length && `; the first ${keys.length}:`}
      </p>
      <ul class="removed">
        {keys.map((key) => (
          <li key={JSON.stringify(key)}>{keyText(key)}</li>
        ))}
      </ul>
    </>
  );
}

/** The members of a key in a line, without their names where they speak for themselves. */
function keyText({ OrganizationUUID, Key }: Removed['Removed'][number]): string {
  const values = Object.values(Key).filter((value) => value !== null && value !== '');
  return [OrganizationUUID, ...values.map((value) => String(value).replace(/T00:00:00$/, ''))].join(' · ');
}
