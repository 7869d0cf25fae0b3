// What a search for names asks, and the order of what it finds (D60).

import { NAMED_KINDS, type FindResult, type NamedKind, type RecordsCounts } from '../../records/found';
import { compareUtf8, foldName } from '../../values/text';

export interface NameQuery {
  /** At least one. */
  readonly words: readonly string[];
  readonly kinds: ReadonlySet<NamedKind>;
  /** Two-letter codes, any of which it may have; none for all. */
  readonly states: readonly string[];
}

/** What comes first in the order, without a look at names. */
export interface Rank {
  /**
   * How well a name meets the query, the best first: the identifier is equal, the name is, the name begins with the
   * query, its words have the order of the query, or any.
   */
  readonly match: number;
  /** Records of all kinds together. */
  readonly records: number;
  readonly kind: NamedKind;
}

/** What one source has found, in order. */
export interface FoundNames {
  readonly total: number;
  readonly rankAt: (index: number) => Rank;
  /** Those from one index to before another. */
  readonly read: (from: number, to: number) => Promise<readonly FindResult[]>;
}

export function compareRanks(a: Rank, b: Rank): number {
  return a.match - b.match || b.records - a.records || NAMED_KINDS.indexOf(a.kind) - NAMED_KINDS.indexOf(b.kind);
}

/** Orders items of the same rank. */
export function compareNames(a: FindResult, b: FindResult): number {
  return (
    compareUtf8(foldName(a.Name ?? ''), foldName(b.Name ?? '')) ||
    compareUtf8(a.Name ?? '', b.Name ?? '') ||
    compareUtf8(a.Identifier ?? '', b.Identifier ?? '') ||
    compareUtf8(a.OrganizationUUID ?? '', b.OrganizationUUID ?? '')
  );
}

/** Without states everything is found, with some only what has one of them. */
export function isInStates({ states }: NameQuery, state: string | null): boolean {
  return states.length === 0 || (state !== null && states.includes(state));
}

/** What an item says of a thing; what is left out is null. */
export type Named = Pick<FindResult, 'Kind'> & Partial<Omit<FindResult, 'Kind' | 'RecordsCounts' | 'Filter'>>;

/** `filters` find its records. */
export function buildFoundItem(
  { Kind, OrganizationUUID = null, Identifier = null, Name = null, State = null, County = null }: Named,
  RecordsCounts: RecordsCounts,
  filters: readonly (readonly [name: string, value: string])[],
): FindResult {
  const Filter = filters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  // Members stand in the order of the answer.
  return { Kind, OrganizationUUID, Identifier, Name, State, County, RecordsCounts, Filter };
}
