// The form for the key.

import type { VNode } from 'preact';
import type { ViewProps } from './controls';

/** Asks for the key. It stays in the memory of this tab, and leaves it only in a header of requests to this service. */
export function KeyForm({ session }: ViewProps): VNode {
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('access');
        if (field instanceof HTMLInputElement) session.useKey(field.value);
        if (session.state.value.panel === 'key') session.set({ panel: undefined });
      }}
    >
      <label>
        Your key
        <input
          // A password field is not kept in the history of forms.
          type="password"
          name="access"
          autocomplete="off"
          spellcheck={false}
          required
          defaultValue={session.key.value}
        />
      </label>
      <button type="submit" class="strong">
        Use it
      </button>
      <p class="soft">
        It is kept for this tab only, and sent in a header. No key yet?{' '}
        <a href={`${session.client.base}/keys`}>How to get one</a>.
      </p>
    </form>
  );
}
