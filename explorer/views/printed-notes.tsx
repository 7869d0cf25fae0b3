// What stands below the view on paper alone: how much of it is printed, whose data it is and under which terms, and the
// address that shows it again.

import type { VNode } from 'preact';
import { addressOfPage } from './parts/page-address';
import { sourcesOf } from './parts/cited-sources';
import type { ViewProps } from './parts/view-props';

export function PrintedNotes({ session }: ViewProps): VNode {
  const state = session.state.value;
  return (
    <div class="printed printed-notes">
      {state.view === 'table' && <p>These rows were on the screen; “Take it” has all of them as a file.</p>}
      <ul>
        {sourcesOf(session).map(({ name, citation, license, terms }) => (
          <li key={name}>
            {citation} {license === null ? 'No licence is stated.' : `Licence: ${license}.`}{' '}
            {terms !== null && `Terms of use: ${terms}.`}
          </li>
        ))}
      </ul>
      <p>{addressOfPage(state)}</p>
    </div>
  );
}
