// The headline figures of a brief, as a list.

import type { VNode } from 'preact';
import type { Brief } from '../requests/brief';
import { listHeadlines } from './headline-figures';

export function Headline({ brief }: { readonly brief: Brief }): VNode {
  return (
    <dl class="headline">
      {listHeadlines(brief).map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
