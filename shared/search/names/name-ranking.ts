// The order of the results of a search for names (D60).

import { type FindResult, NAMED_KINDS, type NamedKind } from '../../records/find-results';
import { compareUtf8 } from '../../values/compare-utf8';
import { foldName } from '../../values/fold-text';

/** Decides the order first. Results of the same rank are ordered by name. */
export interface Rank {
  /**
   * How well a name matches the query, best first: 0 when the identifier is equal, 1 when the name is equal, 2 when the
   * name begins with the query, 3 when the words are in the order of the query, 4 otherwise.
   */
  readonly match: number;
  /** The number of records of all kinds. */
  readonly records: number;
  readonly kind: NamedKind;
}

/** The results of one source, in order. */
export interface RankedNames {
  readonly total: number;
  readonly getRank: (index: number) => Rank;
  /** The results from index `from` to before index `to`. */
  readonly read: (from: number, to: number) => Promise<readonly FindResult[]>;
}

export function compareRanks(a: Rank, b: Rank): number {
  return a.match - b.match || b.records - a.records || NAMED_KINDS.indexOf(a.kind) - NAMED_KINDS.indexOf(b.kind);
}

export function compareNames(a: FindResult, b: FindResult): number {
  return (
    compareUtf8(foldName(a.Name ?? ''), foldName(b.Name ?? '')) ||
    compareUtf8(a.Name ?? '', b.Name ?? '') ||
    compareUtf8(a.Identifier ?? '', b.Identifier ?? '') ||
    compareUtf8(a.OrganizationUUID ?? '', b.OrganizationUUID ?? '')
  );
}
