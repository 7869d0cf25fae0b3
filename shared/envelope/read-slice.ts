// What a page holds of one release: the JSON texts of its records and of the lookups that they refer to.

import type { LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { PageSlice } from '../search/plan-page';
import type { ReleaseFacts } from '../store/port';

type LookupTexts = ReadonlyMap<LookupKind, readonly Uint8Array[]>;

export interface SliceTexts {
  /** Each of one or more records, joined with commas. */
  readonly records: readonly Uint8Array[];
  readonly lookups: LookupTexts;
}

export async function readSlice({ reader, numbers }: PageSlice): Promise<SliceTexts> {
  const { parts, references } = await reader.records(numbers);
  const fragments = await reader.fragments('lookups', references);
  return { records: parts, lookups: splitByKind(reader.facts, references, fragments) };
}

/** Texts joined with commas make a JSON list. */
export function parseItems(texts: readonly Uint8Array[]): readonly Item[] {
  const list = texts.map((text) => Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
  return JSON.parse(`[${list.join()}]`) as readonly Item[]; // The loader wrote them, as objects.
}

/** Lookups are numbered kind by kind, so each kind is one stretch of the ascending references. */
function splitByKind(facts: ReleaseFacts, references: Uint32Array, fragments: readonly Uint8Array[]): LookupTexts {
  const lists = new Map<LookupKind, readonly Uint8Array[]>();
  let end = 0;
  let position = 0;
  for (const { kind, count } of facts.lookups) {
    end += count;
    const start = position;
    while (position < references.length && (references[position] ?? 0) < end) position++;
    lists.set(kind, fragments.slice(start, position));
  }
  return lists;
}
