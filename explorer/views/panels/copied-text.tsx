// Text with a button that copies it.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
}

export function CopiedText({ label, text }: CopiedTextProps): VNode {
  return (
    <div class="copied">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton label={label} text={text} />
    </div>
  );
}

export function CopyButton({ label, text }: CopiedTextProps): VNode {
  const [status, setStatus] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus('Copied');
    } catch {
      setStatus('Select and copy it by hand');
    }
  };
  return (
    <button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{status}</span>
    </button>
  );
}
