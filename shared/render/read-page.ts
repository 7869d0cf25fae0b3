// Reads the stored JSON texts of a page's records and lookups. Their size is checked before they are read (ADR 0054).

import type { Item } from '../records/record-references';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Organization } from '../records/records';
import type { PageSlice } from '../search/plan-page';
import type { JoinedFragments, MeasuredText, ReleaseReader, ReserveBytes } from '../store/port';
import { joinJsonTexts, parseItems } from '../store/joined-fragments';
import { numberAt } from '../values/number-arrays';
import type { LookupItems } from './table-columns';

/** The texts of a page's records in one release, and of the lookups that they refer to. */
export interface SliceTexts {
  readonly organization: Organization;
  /** Names the releases that the texts are of: the same places have the same geometries under it. */
  readonly source: string;
  readonly records: JoinedFragments;
  readonly lookups: ReadonlyMap<LookupKind, JoinedFragments>;
}

/** A page with the texts of its slices. */
export interface ReadablePage {
  /** Records on all pages. */
  readonly total: number;
  /** Records on this page. */
  readonly records: number;
  readonly slices: readonly SliceTexts[];
}

export type PageTexts =
  | { readonly kind: 'texts'; readonly slices: readonly SliceTexts[]; readonly bytes: number }
  /** The texts have too many bytes; so many records from the first one on have not. */
  | { readonly kind: 'too large'; readonly fittingCount: number }
  /** `reserve` had no room. */
  | { readonly kind: 'no room' };

export interface PageBounds {
  readonly maxBytes: number;
  /** Hears of the bytes before they are read, of more each time; false where there is no room for them. */
  readonly reserve: (bytes: number) => boolean;
}

class PageRefusedError extends Error {
  constructor(readonly kind: 'too large' | 'no room') {
    super(kind);
  }
}

/** Which of the lookups of a kind to which records refer are read, by their ascending numbers. */
export type ChooseLookups = (reader: ReleaseReader, kind: LookupKind, numbers: Uint32Array) => Promise<Uint32Array>;

const allLookups: ChooseLookups = (_reader, _kind, numbers) => Promise.resolve(numbers);

/** Reads nothing of a page that is out of bounds. */
export async function readPage(
  page: readonly PageSlice[],
  { maxBytes, reserve }: PageBounds,
  choose = allLookups,
): Promise<PageTexts> {
  let bytes = 0;
  const admit: ReserveBytes = (more) => {
    bytes += more;
    if (bytes > maxBytes) throw new PageRefusedError('too large');
    if (!reserve(bytes)) throw new PageRefusedError('no room');
  };
  try {
    const slices: SliceTexts[] = [];
    for (const slice of page) slices.push(await readSlice(slice, admit, choose));
    return { kind: 'texts', slices, bytes };
  } catch (error) {
    if (!(error instanceof PageRefusedError)) throw error;
    if (error.kind === 'no room') return { kind: 'no room' };
    return { kind: 'too large', fittingCount: await countFitting(page, maxBytes) };
  }
}

/** `admit` hears of the bytes before they are read, and throws where they are too many. */
export async function readSlice(
  { reader, numbers, order }: PageSlice,
  admit: ReserveBytes,
  choose = allLookups,
): Promise<SliceTexts> {
  const texts = await reader.texts('records', numbers, admit);
  const records = order === undefined ? texts : reorderTexts(texts, await reader.measure('records', numbers), order);
  const pendingLookups = groupReferencesByKind(reader, texts.references).map(async ([kind, numbers]) => {
    return [kind, await reader.texts('lookups', await choose(reader, kind, numbers), admit)] as const;
  });
  const lookups = new Map(await Promise.all(pendingLookups));
  const { organization, releaseId: source } = reader.facts;
  return { organization, source, records, lookups };
}

/** The same texts in another order. */
export function reorderTexts(
  texts: JoinedFragments,
  measured: readonly MeasuredText[],
  order: Uint32Array,
): JoinedFragments {
  const separateTexts = splitTexts(texts, measured);
  return joinJsonTexts(Array.from(order).flatMap((position) => separateTexts[position] ?? []));
}

/** A copy of each text. */
export function splitTexts(
  texts: JoinedFragments,
  measured: readonly Pick<MeasuredText, 'bytes'>[],
): readonly Uint8Array[] {
  const copy = new Uint8Array(texts.byteLength);
  texts.copyTo(copy, 0);
  let next = 0;
  return measured.map(({ bytes }) => {
    const start = next;
    // A comma stands behind each text.
    next += bytes + 1;
    return copy.subarray(start, start + bytes);
  });
}

/** What of ascending references is of each kind: lookups are numbered kind by kind, so that is a stretch of them. */
export function groupReferencesByKind(
  { facts }: ReleaseReader,
  references: Uint32Array,
): readonly (readonly [kind: LookupKind, numbers: Uint32Array])[] {
  let end = 0;
  let position = 0;
  return facts.lookups.map(({ kind, count }) => {
    end += count;
    const start = position;
    while (position < references.length && numberAt(references, position) < end) position++;
    return [kind, references.subarray(start, position)] as const;
  });
}

/** How many records from the first one on have texts of at most so many bytes, with their lookups, each once. */
async function countFitting(page: readonly PageSlice[], maxBytes: number): Promise<number> {
  let fittingCount = 0;
  let bytes = 0;
  for (const { reader, numbers, order } of page) {
    const measured = await reader.measure('records', numbers);
    const records = order === undefined ? measured : Array.from(order).flatMap((position) => measured[position] ?? []);
    const lookupNumbers = Uint32Array.from(new Set(records.flatMap(({ references }) => [...references]))).sort();
    const lookups = await reader.measure('lookups', lookupNumbers);
    // A lookup counts with the first record that refers to it.
    const remainingLookupBytes = new Map(
      lookups.map((lookup, index) => [numberAt(lookupNumbers, index), lookup.bytes + 1]),
    );
    for (const record of records) {
      bytes += record.bytes + 1;
      for (const number of record.references) {
        bytes += remainingLookupBytes.get(number) ?? 0;
        remainingLookupBytes.delete(number);
      }
      if (bytes > maxBytes) return fittingCount;
      fittingCount++;
    }
  }
  return fittingCount;
}

export function indexLookups({ lookups }: SliceTexts): LookupItems {
  const byIdentifier = (kind: LookupKind, items: readonly Item[]): ReadonlyMap<unknown, Item> =>
    new Map(items.map((item) => [item[lookupIdentifiers[kind]], item]));
  return new Map([...lookups].map(([kind, texts]) => [kind, byIdentifier(kind, parseItems(texts))] as const));
}
