// A line about what is found: the exact total, what is filtered as chips to take away, and what keeps the page from
// an answer.

import type { VNode } from 'preact';
import { sentenceOf, type Trouble } from '../requests/reply';
import { withToggled } from '../state/state';
import { chipsOf, totalText, valueText } from './parts/choices';
import type { ViewProps } from './parts/view-props';
import { KeyForm } from './parts/key-form';

export function Summary({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { isAsking } = session.facets.current.value;
  const total = session.total.value;
  const inventory = session.inventory.current.value.answer?.value;
  const isSample = inventory?.Organizations.some(({ DataSets }) => DataSets.some((one) => one.IsSample)) ?? false;
  return (
    <div class="summary">
      <p class="total">
        <strong role="status" aria-busy={isAsking}>
          {total === undefined ? '' : totalText(state.kind, total)}
        </strong>
        {total === undefined && isAsking && <span class="soft">Counting …</span>}
        {isSample && <span class="note">Invented samples</span>}
      </p>
      <ul class="chips" aria-label="Active filters">
        {chipsOf(state, valueText(inventory)).map(({ name, label, value, text }) => (
          <li key={`${name} ${value}`}>
            <button
              type="button"
              aria-label={`Remove filter ${label}: ${text}`}
              onClick={() => {
                session.change((former) => withToggled(former, name, value));
              }}
            >
              <span class="soft">{label}</span> {text} <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      <TroubleNotice session={session} />
      {session.isSlow.value && (
        <p class="notice" role="status">
          The service has not answered yet. Figures that are pale belong to what was asked before.
        </p>
      )}
    </div>
  );
}

function TroubleNotice({ session }: ViewProps): VNode | null {
  const trouble: Trouble | undefined = session.hasAccess ? session.trouble.value : { kind: 'key', fault: 'missing' };
  if (trouble?.kind === 'key') {
    return (
      <div class="notice" role="alert">
        <p>{sentenceOf(trouble)}</p>
        <KeyForm session={session} />
      </div>
    );
  }
  if (trouble === undefined) return null;
  return (
    <div class="notice" role="alert">
      <p>
        {sentenceOf(trouble)}{' '}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            session.askAgain();
          }}
        >
          Try now
        </button>
      </p>
    </div>
  );
}
