// What changed since a former version of the data that is still held: how many records were added or changed, which the
// views then show, and which were removed (D37).

import type { VNode } from 'preact';
import type { Removed } from '../../requests/operations';
import { sentenceOf } from '../../requests/reply';
import { withFilter } from '../../state/state';
import { countText, totalText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

export function ChangesPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const inventory = session.inventory.current.value.answer?.value;
  const former = inventory?.FormerDataVersions ?? [];
  const [since = ''] = state.filters['ChangedSince'] ?? [];
  const total = session.total.value;
  const choose = (version: string): void => {
    session.change((one) => ({ ...withFilter(one, 'ChangedSince', [version]), panel: 'changes' }));
  };
  return (
    <div class="changes">
      <p>
        The data is of version <code>{inventory?.DataVersion.slice(0, 8)}</code>. Choose a former one that is still
        held:
      </p>
      {inventory !== undefined && former.length === 0 && <p class="soft">No former version is held.</p>}
      <ul class="versions">
        {former.map(({ DataVersion, Since }) => (
          <li key={DataVersion}>
            <button type="button" aria-pressed={DataVersion === since} onClick={() => choose(DataVersion)}>
              <code>{DataVersion.slice(0, 8)}</code>{' '}
              {Since === null ? 'nothing was published' : `of ${momentText(Since)}`}
            </button>
          </li>
        ))}
      </ul>
      {since !== '' && (
        <>
          <h3>Added or changed</h3>
          <p>
            {total === undefined
              ? '…'
              : `${totalText(state.kind, total)}, which the map, the table and the chart now show.`}{' '}
            <button type="button" class="quiet" onClick={() => choose('')}>
              Show everything again
            </button>
          </p>
          <h3>Removed</h3>
          <RemovedList session={session} />
        </>
      )}
    </div>
  );
}

function RemovedList({ session }: ViewProps): VNode {
  const { answer, isFormer, trouble } = session.removed.current.value;
  if (answer === undefined || isFormer)
    return <p class="soft">{trouble === undefined ? 'Loading …' : sentenceOf(trouble)}</p>;
  const { TotalRemovedCount, Removed: keys } = answer.value;
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

function momentText(moment: string): string {
  return new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
