// Opens the list of rights on the same water source.

import type { VNode } from 'preact';
import type { ViewProps } from '../parts/controls';

/** `id` is the identifier of the right's feature, ORGANIZATION~IDENTIFIER. */
export function SeniorityButton({ session, id }: ViewProps & { readonly id: string }): VNode | null {
  if (session.state.value.kind !== 'rights') return null;
  return <button onClick={() => session.set({ seniority: id, seniorityBasis: '' })}>Seniority on its source</button>;
}
