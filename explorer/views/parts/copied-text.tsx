// A text with a button that copies it.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
  /** Whether only the button is shown, since the text stands elsewhere. */
  readonly isHidden?: boolean;
}

export function CopiedText({ label, text, isHidden = false }: CopiedTextProps): VNode {
  const said = useSignal('Copy');
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => {
        said.value = 'Copied';
      },
      () => {
        said.value = 'Select and copy it by hand';
      },
    );
  };
  return (
    <div class="copied">
      {!isHidden && (
        <pre tabIndex={0} aria-label={label}>
          {text}
        </pre>
      )}
      <button type="button" aria-label={`Copy: ${label}`} onClick={copy}>
        <span aria-live="polite">{said.value}</span>
      </button>
    </div>
  );
}
