// The query of a name search (D60).

import type { NamedKind } from '../../records/find-results';

export interface NameQuery {
  /** At least one word. */
  readonly words: readonly string[];
  readonly kinds: ReadonlySet<NamedKind>;
  /** Two-letter codes. A result must have one of them; an empty list allows all results. */
  readonly states: readonly string[];
}

export function matchesStates({ states }: NameQuery, state: string | null): boolean {
  return states.length === 0 || (state !== null && states.includes(state));
}
