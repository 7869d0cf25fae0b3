// What a search for names asks, and the order of what it finds (D60).

import { FOUND_KINDS, type FoundItem, type FoundKind, type RecordsCounts } from '../../records/found';
import { compareUtf8, foldName } from '../../values/text';

export interface NameQuery {
  /** At least one. */
  readonly words: readonly string[];
  readonly kinds: ReadonlySet<FoundKind>;
  /** Two-letter codes, any of which it may have; none for all. */
  readonly states: readonly string[];
}

/** How well a name meets the query, the best first. */
export const MATCH = { identifier: 0, name: 1, beginning: 2, inOrder: 3, anyOrder: 4 } as const;

export type Match = (typeof MATCH)[keyof typeof MATCH];

export interface RankedItem {
  readonly match: Match;
  /** Records of all kinds together. */
  readonly records: number;
  readonly item: FoundItem;
}

/** What one source has found: how many, and these in order, read while they are asked for. */
export interface FoundNames {
  readonly total: number;
  readonly ranked: AsyncGenerator<RankedItem, void>;
}

/** So many are read at once to be shown; the first page of an answer has that many. */
const READ_AT_ONCE = 20;

/** Yields what is found as items, in order; `read` gets batches and keeps their order. */
export async function* itemsInOrder<Found>(
  found: AsyncIterable<Found> | Iterable<Found>,
  read: (batch: readonly Found[]) => Promise<readonly RankedItem[]>,
): AsyncGenerator<RankedItem, void> {
  let batch: Found[] = [];
  for await (const one of found) {
    if (batch.push(one) < READ_AT_ONCE) continue;
    yield* await read(batch);
    batch = [];
  }
  yield* await read(batch);
}

export function compareRanked(a: RankedItem, b: RankedItem): number {
  return (
    a.match - b.match ||
    b.records - a.records ||
    FOUND_KINDS.indexOf(a.item.Kind) - FOUND_KINDS.indexOf(b.item.Kind) ||
    compareUtf8(foldName(a.item.Name ?? ''), foldName(b.item.Name ?? '')) ||
    compareUtf8(a.item.Name ?? '', b.item.Name ?? '') ||
    compareUtf8(a.item.Identifier ?? '', b.item.Identifier ?? '') ||
    compareUtf8(a.item.OrganizationUUID ?? '', b.item.OrganizationUUID ?? '')
  );
}

/** Without states everything is found, with some only what has one of them. */
export function isIn({ states }: NameQuery, state: string | null): boolean {
  return states.length === 0 || (state !== null && states.includes(state));
}

/** Undefined where a word of the query begins no word. `others` are the words of identifiers. */
export function matchOf(
  { words }: NameQuery,
  { folded, identifier }: { readonly folded: string; readonly identifier: string },
): Match | undefined {
  const query = words.join(' ');
  const inName = folded.split(' ');
  const inIdentifier = identifier.split(' ');
  const begins = (all: readonly string[]) => (word: string) => all.some((one) => one.startsWith(word));
  const [isInName, isInIdentifier] = [begins(inName), begins(inIdentifier)];
  if (!words.every((word) => isInName(word) || isInIdentifier(word))) return undefined;
  if (identifier === query) return MATCH.identifier;
  if (folded === query) return MATCH.name;
  if (folded.startsWith(query)) return MATCH.beginning;
  return isInOrder(words, inName) ? MATCH.inOrder : MATCH.anyOrder;
}

/** Whether the words begin words of the name in the same order. */
export function isInOrder(words: readonly string[], inName: readonly string[]): boolean {
  let next = 0;
  for (const word of inName) if (next < words.length && word.startsWith(words[next] ?? '')) next++;
  return next === words.length;
}

/** What an item says of a thing; what is left out is null. */
export type Named = Pick<FoundItem, 'Kind'> & Partial<Omit<FoundItem, 'Kind' | 'RecordsCounts' | 'Filter'>>;

/** `filters` find its records. */
export function foundItem(
  { Kind, OrganizationUUID = null, Identifier = null, Name = null, State = null, County = null }: Named,
  RecordsCounts: RecordsCounts,
  filters: readonly (readonly [name: string, value: string])[],
): FoundItem {
  const Filter = filters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  // Members stand in the order of the answer.
  return { Kind, OrganizationUUID, Identifier, Name, State, County, RecordsCounts, Filter };
}
