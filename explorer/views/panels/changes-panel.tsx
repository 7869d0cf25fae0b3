// What changed since a former version of the data that is still held: what was published after it, how many records
// were added or changed, which the views then show, and which were removed (D37).

import type { VNode } from 'preact';
import type { Publish, Removed } from '../../requests/operations';
import { sentenceOf } from '../../requests/reply';
import { withFilter } from '../../state/state';
import { countText, momentOfVersion, momentText, totalText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

export function ChangesPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const inventory = session.inventory.current.value.answer?.value;
  const former = inventory?.FormerDataVersions ?? [];
  const [since = ''] = state.filters['ChangedSince'] ?? [];
  const total = session.total.value;
  const moment = momentOfVersion(inventory, inventory?.DataVersion ?? '');
  const choose = (version: string): void => {
    session.change((one) => ({ ...withFilter(one, 'ChangedSince', [version]), panel: 'changes' }));
  };
  const publishes = session.publishes.current.value.answer?.value ?? [];
  return (
    <div class="changes">
      <p>
        The data is of {moment === undefined ? '…' : momentText(moment)}. Choose a former day to see what changed since
        then; what was published next is below it.
      </p>
      {inventory !== undefined && former.length === 0 && <p class="soft">No former version is held.</p>}
      <ul class="versions">
        {former.map(({ DataVersion, Since }) => (
          <li key={DataVersion}>
            <button type="button" aria-pressed={DataVersion === since} onClick={() => choose(DataVersion)}>
              {Since === null ? 'Before anything was published' : `Since ${momentText(Since)}`}
            </button>
            <PublishList publishes={publishes.filter(({ before }) => before === DataVersion)} />
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

function PublishList({ publishes }: { readonly publishes: readonly Publish[] }): VNode {
  return (
    <ul class="soft">
      {publishes.map(({ title, moment, summary }) => (
        <li key={`${title} ${moment}`}>
          {title}, {momentText(moment)}: {summary}
        </li>
      ))}
    </ul>
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
