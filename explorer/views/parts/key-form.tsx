// The form for the key.

import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { ServiceClient } from '../../requests/client';

/** The parts of a page's session that the form uses. */
export interface KeyUser {
  readonly client: Pick<ServiceClient, 'base'>;
  readonly key: ReadonlySignal<string>;
  readonly useKey: (key: string) => void;
}

interface KeyFormProps {
  readonly session: KeyUser;
  /** Called after the session has the key. */
  readonly onDone?: () => void;
}

/** Asks for the key. It stays in this tab, and is sent only in a header to this service. */
export function KeyForm({ session, onDone }: KeyFormProps): VNode {
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('access');
        if (field instanceof HTMLInputElement) session.useKey(field.value);
        onDone?.();
      }}
    >
      <label>
        Access key
        <input
          // Browsers do not store password fields in the form history.
          type="password"
          name="access"
          autocomplete="off"
          spellcheck={false}
          required
          defaultValue={session.key.value}
        />
      </label>
      <button type="submit" class="strong">
        Continue
      </button>
      <p class="soft">
        Kept in this browser tab only. No key yet? <a href={`${session.client.base}/keys`}>Get a free key</a>.
      </p>
    </form>
  );
}
