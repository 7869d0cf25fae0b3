// What a page holds of one release: the JSON texts of its records and of the lookups that they refer to.

import type { LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { PageSlice } from '../search/plan-page';
import { listText } from '../store/fragments';
import type { JoinedFragments, ReleaseReader } from '../store/port';

type LookupTexts = ReadonlyMap<LookupKind, JoinedFragments>;

export interface SliceTexts {
  readonly records: JoinedFragments;
  readonly lookups: LookupTexts;
}

export async function readSlice({ reader, numbers }: PageSlice): Promise<SliceTexts> {
  const records = await reader.records(numbers);
  return { records, lookups: await lookupsByKind(reader, records.references) };
}

/** None of a kind that the release does not have. */
export function parseItems(texts: JoinedFragments | undefined): readonly Item[] {
  return texts === undefined ? [] : (JSON.parse(listText(texts)) as readonly Item[]); // The loader wrote them, as objects.
}

/** Lookups are numbered kind by kind, so each kind is one stretch of the ascending references. */
async function lookupsByKind(reader: ReleaseReader, references: Uint32Array): Promise<LookupTexts> {
  const lists: Promise<[LookupKind, JoinedFragments]>[] = [];
  let end = 0;
  let position = 0;
  for (const { kind, count } of reader.facts.lookups) {
    end += count;
    const start = position;
    while (position < references.length && (references[position] ?? 0) < end) position++;
    const found = reader.lookups(references.subarray(start, position));
    lists.push(found.then((lookups) => [kind, lookups]));
  }
  return new Map(await Promise.all(lists));
}
